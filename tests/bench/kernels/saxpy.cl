// SPDX-License-Identifier: MIT
kernel void saxpy(global const float *x, global const float *y, global float *z, float a, int n)
{
	int i = get_global_id(0);

	if (i < n)
		z[i] = a * x[i] + y[i];
}
