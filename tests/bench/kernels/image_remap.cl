// SPDX-License-Identifier: MIT
constant sampler_t linear =
	CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

// The map says of each pixel which place of the input it shows.
kernel void image_remap(read_only image2d_t in, read_only image2d_t map, write_only image2d_t out)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	float2 at = read_imagef(map, p).xy;

	write_imagef(out, p, read_imagef(in, linear, at + 0.5f));
}
