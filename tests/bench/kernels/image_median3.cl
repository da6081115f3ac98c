// SPDX-License-Identifier: MIT
#define SORT(a, b)                                                                                 \
	{                                                                                          \
		float4 least = fmin(v[a], v[b]);                                                   \
		v[b] = fmax(v[a], v[b]);                                                           \
		v[a] = least;                                                                      \
	}

float4 median(float4 *v)
{
	SORT(1, 2) SORT(4, 5) SORT(7, 8) SORT(0, 1) SORT(3, 4) SORT(6, 7) SORT(1, 2)
	SORT(4, 5) SORT(7, 8) SORT(0, 3) SORT(5, 8) SORT(4, 7) SORT(3, 6) SORT(1, 4)
	SORT(2, 5) SORT(4, 7) SORT(4, 2) SORT(6, 4) SORT(4, 2)
	return v[4];
}

constant sampler_t edge =
	CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void image_median3(read_only image2d_t in, write_only image2d_t out)
{
	int x = get_global_id(0), y = get_global_id(1);
	float4 v[9];

	for (int i = 0; i < 9; i++)
		v[i] = read_imagef(in, edge, (int2)(x + i % 3 - 1, y + i / 3 - 1));
	write_imagef(out, (int2)(x, y), median(v));
}
