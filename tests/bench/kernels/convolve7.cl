// SPDX-License-Identifier: MIT
#define RADIUS 3

// The input has a margin of RADIUS on every side.
kernel void convolve7(global const float *in, constant float *filter, global float *out, int width)
{
	int x = get_global_id(0);
	int y = get_global_id(1);
	int row = width + 2 * RADIUS;
	float sum = 0.0f;

	for (int dy = 0; dy < 2 * RADIUS + 1; dy++)
		for (int dx = 0; dx < 2 * RADIUS + 1; dx++)
			sum += filter[dy * (2 * RADIUS + 1) + dx] * in[(y + dy) * row + x + dx];
	out[y * width + x] = sum;
}
