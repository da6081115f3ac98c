// SPDX-License-Identifier: MIT
kernel void stencil5(global const float *in, global float *out, int width, int height)
{
	int x = get_global_id(0);
	int y = get_global_id(1);
	int i = y * width + x;

	if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
		out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}
