// SPDX-License-Identifier: MIT
#define SIZE 16

// A 16x16 matrix for each work-group, a row for each work-item.
kernel void lu(global const float *in, global float *out)
{
	local float m[SIZE][SIZE];
	int t = get_local_id(0);
	int first = get_group_id(0) * SIZE * SIZE;

	for (int k = 0; k < SIZE; k++)
		m[k][t] = in[first + k * SIZE + t];
	for (int k = 0; k < SIZE - 1; k++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (t > k) {
			m[t][k] /= m[k][k];
			for (int j = k + 1; j < SIZE; j++)
				m[t][j] -= m[t][k] * m[k][j];
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < SIZE; k++)
		out[first + k * SIZE + t] = m[k][t];
}
