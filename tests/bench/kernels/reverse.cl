// SPDX-License-Identifier: MIT
kernel void reverse(global const float *in, global float *out, int n)
{
	int i = get_global_id(0);

	out[i] = in[n - 1 - i];
}
