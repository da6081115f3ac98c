// SPDX-License-Identifier: MIT
#define RADIUS 2

constant sampler_t edge =
	CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void image_blur5(read_only image2d_t in, write_only image2d_t out, constant float *weights)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	float4 sum = 0.0f;
	int k = 0;

	for (int dy = -RADIUS; dy <= RADIUS; dy++)
		for (int dx = -RADIUS; dx <= RADIUS; dx++)
			sum += weights[k++] * read_imagef(in, edge, p + (int2)(dx, dy));
	write_imagef(out, p, sum);
}
