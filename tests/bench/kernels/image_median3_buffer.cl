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

kernel void image_median3_buffer(global const uchar4 *in, global uchar4 *out, int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);
	float4 v[9];

	for (int i = 0; i < 9; i++) {
		int column = clamp(x + i % 3 - 1, 0, width - 1);
		int row = clamp(y + i / 3 - 1, 0, height - 1);

		v[i] = convert_float4(in[row * width + column]) * (1.0f / 255.0f);
	}
	out[y * width + x] = convert_uchar4_sat_rte(median(v) * 255.0f);
}
