// SPDX-License-Identifier: MIT
kernel void grid_stride(global const float *x, global float *y, int n)
{
	for (int i = get_global_id(0); i < n; i += get_global_size(0))
		y[i] = x[i] * x[i] + 1.0f;
}
