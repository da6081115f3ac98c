// SPDX-License-Identifier: MIT
// The sum is kept in memory, as in C programs that became kernels.
kernel void sgemm_memory(global const float *a, global const float *b, global float *c, int n)
{
	int column = get_global_id(0);
	int row = get_global_id(1);

	c[row * n + column] = 0.0f;
	for (int k = 0; k < n; k++)
		c[row * n + column] += a[row * n + k] * b[k * n + column];
}
