// SPDX-License-Identifier: MIT
float pixel(global const uchar *in, int x, int y, int width, int height)
{
	return in[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)] * (1.0f / 255.0f);
}

#define PIXEL(x, y) pixel(in, x, y, width, height)

kernel void image_sobel_buffer(global const uchar *in, global uchar *out, int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);
	float nw = PIXEL(x - 1, y - 1), n = PIXEL(x, y - 1);
	float ne = PIXEL(x + 1, y - 1), w = PIXEL(x - 1, y);
	float e = PIXEL(x + 1, y), sw = PIXEL(x - 1, y + 1);
	float s = PIXEL(x, y + 1), se = PIXEL(x + 1, y + 1);
	float gx = ne + 2 * e + se - nw - 2 * w - sw;
	float gy = sw + 2 * s + se - nw - 2 * n - ne;

	out[y * width + x] = convert_uchar_sat_rte(sqrt(gx * gx + gy * gy) * 255.0f);
}
