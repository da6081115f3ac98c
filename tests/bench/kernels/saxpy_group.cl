// SPDX-License-Identifier: MIT
// A group of one work-item for each number, as in many a first program.
kernel void saxpy_group(global const float *x, global const float *y, global float *z, float a, int n)
{
	int i = get_group_id(0);

	if (i < n)
		z[i] = a * x[i] + y[i];
}
