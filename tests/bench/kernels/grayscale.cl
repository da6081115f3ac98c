// SPDX-License-Identifier: MIT
kernel void grayscale(global const uchar4 *in, global uchar *out)
{
	int i = get_global_id(0);
	uchar4 pixel = in[i];

	out[i] = (uchar)((77 * pixel.x + 151 * pixel.y + 28 * pixel.z) >> 8);
}
