// SPDX-License-Identifier: MIT
kernel void transpose_naive(global const float *in, global float *out, int width, int height)
{
	int x = get_global_id(0);
	int y = get_global_id(1);

	out[x * height + y] = in[y * width + x];
}
