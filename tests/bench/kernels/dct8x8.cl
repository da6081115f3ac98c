// SPDX-License-Identifier: MIT
// An 8x8 block for each work-group.
kernel void dct8x8(global const float *in, global float *out, constant float *cosines, int width)
{
	local float block[8][8];
	local float rows[8][8];
	int x = get_local_id(0);
	int y = get_local_id(1);
	int i = get_global_id(1) * width + get_global_id(0);
	float sum = 0.0f;

	block[y][x] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < 8; k++)
		sum += block[y][k] * cosines[x * 8 + k];
	rows[y][x] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	sum = 0.0f;
	for (int k = 0; k < 8; k++)
		sum += rows[k][x] * cosines[y * 8 + k];
	out[i] = sum;
}
