// SPDX-License-Identifier: MIT
constant sampler_t linear =
	CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

// A color is a place in the table, with the first and the last of its entries in the corners.
kernel void image_lut3d(read_only image2d_t in, read_only image3d_t table, write_only image2d_t out)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	float4 color = read_imagef(in, p);
	float size = get_image_width(table);
	float4 at = color * ((size - 1.0f) / size) + 0.5f / size;
	float4 found = read_imagef(table, linear, (float4)(at.xyz, 0.0f));

	write_imagef(out, p, (float4)(found.xyz, color.w));
}
