// SPDX-License-Identifier: MIT
constant sampler_t edge =
	CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// One pass of two: `step` leads along the rows or down the columns.
kernel void image_gauss(read_only image2d_t in, write_only image2d_t out, constant float *weights,
			int radius, int2 step)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	float sum = 0.0f;

	for (int k = -radius; k <= radius; k++)
		sum += weights[k + radius] * read_imagef(in, edge, p + k * step).x;
	write_imagef(out, p, (float4)(sum, 0.0f, 0.0f, 1.0f));
}
