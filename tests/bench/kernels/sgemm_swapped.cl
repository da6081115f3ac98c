// SPDX-License-Identifier: MIT
// The row is dimension 0, so memory is contiguous along dimension 1; with a guard, as for ranges that are rounded up.
kernel void sgemm_swapped(global const float *a, global const float *b, global float *c, int n)
{
	int row = get_global_id(0);
	int column = get_global_id(1);
	float sum = 0.0f;

	if (row >= n || column >= n)
		return;
	for (int k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + column];
	c[row * n + column] = sum;
}
