// SPDX-License-Identifier: MIT
kernel void stencil7(global const float *in, global float *out, int width, int height, int depth)
{
	int x = get_global_id(0);
	int y = get_global_id(1);
	int z = get_global_id(2);

	if (x == 0 || y == 0 || z == 0 || x == width - 1 || y == height - 1 || z == depth - 1)
		return;
	int i = (z * height + y) * width + x;
	int plane = width * height;

	out[i] = 0.4f * in[i] +
		 0.1f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] + in[i - plane] + in[i + plane]);
}
