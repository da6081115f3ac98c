// SPDX-License-Identifier: MIT
constant sampler_t nearest =
	CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;

kernel void image_copy(read_only image2d_t in, write_only image2d_t out)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));

	write_imagef(out, p, read_imagef(in, nearest, p));
}
