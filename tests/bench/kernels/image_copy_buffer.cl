// SPDX-License-Identifier: MIT
kernel void image_copy_buffer(global const uchar4 *in, global uchar4 *out, int width)
{
	int i = get_global_id(1) * width + get_global_id(0);

	out[i] = in[i];
}
