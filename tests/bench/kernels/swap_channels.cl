// SPDX-License-Identifier: MIT
// Bytes of a pixel change places.
kernel void swap_channels(global const uchar4 *in, global uchar4 *out)
{
	size_t i = get_global_id(0);

	out[i] = in[i].zyxw;
}
