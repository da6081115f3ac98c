// SPDX-License-Identifier: MIT
constant sampler_t linear =
	CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void image_resize(read_only image2d_t in, write_only image2d_t out)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	float2 at = (convert_float2(p) + 0.5f) / convert_float2(get_image_dim(out));

	write_imagef(out, p, read_imagef(in, linear, at));
}
