// SPDX-License-Identifier: MIT
kernel void mandelbrot(global int *out, int width, float left, float top, float step, int most)
{
	int px = get_global_id(0);
	int py = get_global_id(1);
	float cx = left + px * step;
	float cy = top + py * step;
	float x = 0.0f;
	float y = 0.0f;
	int count = 0;

	while (x * x + y * y <= 4.0f && count < most) {
		float next = x * x - y * y + cx;

		y = 2.0f * x * y + cy;
		x = next;
		count++;
	}
	out[py * width + px] = count;
}
