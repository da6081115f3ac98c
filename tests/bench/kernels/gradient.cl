// SPDX-License-Identifier: MIT
// Sobel's filter as in sobel.cl, whose result is the gradient's length: bytes, floats and a conversion that saturates.
kernel void gradient(global const uchar *in, global uchar *out, int width, int height)
{
	int x = get_global_id(0);
	int y = get_global_id(1);

	if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
		int i = y * width + x;
		int nw = in[i - width - 1], n = in[i - width], ne = in[i - width + 1];
		int w = in[i - 1], e = in[i + 1];
		int sw = in[i + width - 1], s = in[i + width], se = in[i + width + 1];
		int gx = ne + 2 * e + se - nw - 2 * w - sw;
		int gy = sw + 2 * s + se - nw - 2 * n - ne;

		out[i] = convert_uchar_sat(sqrt((float)(gx * gx + gy * gy)));
	}
}
