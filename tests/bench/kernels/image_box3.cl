// SPDX-License-Identifier: MIT
constant sampler_t edge =
	CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void image_box3(read_only image2d_t in, write_only image2d_t out)
{
	int x = get_global_id(0), y = get_global_id(1);
	float4 sum = 0.0f;

	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			sum += read_imagef(in, edge, (int2)(x + dx, y + dy));
	write_imagef(out, (int2)(x, y), sum / 9.0f);
}
