// SPDX-License-Identifier: MIT
constant sampler_t edge =
	CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

float pixel(read_only image2d_t in, int x, int y)
{
	return read_imagef(in, edge, (int2)(x, y)).x;
}

kernel void image_sobel(read_only image2d_t in, write_only image2d_t out)
{
	int x = get_global_id(0), y = get_global_id(1);
	float nw = pixel(in, x - 1, y - 1), n = pixel(in, x, y - 1);
	float ne = pixel(in, x + 1, y - 1), w = pixel(in, x - 1, y);
	float e = pixel(in, x + 1, y), sw = pixel(in, x - 1, y + 1);
	float s = pixel(in, x, y + 1), se = pixel(in, x + 1, y + 1);
	float gx = ne + 2 * e + se - nw - 2 * w - sw;
	float gy = sw + 2 * s + se - nw - 2 * n - ne;

	write_imagef(out, (int2)(x, y), (float4)(sqrt(gx * gx + gy * gy)));
}
