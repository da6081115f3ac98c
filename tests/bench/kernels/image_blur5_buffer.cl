// SPDX-License-Identifier: MIT
#define RADIUS 2

kernel void image_blur5_buffer(global const half *in, global half *out, constant float *weights,
			       int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);
	float4 sum = 0.0f;
	int k = 0;

	for (int dy = -RADIUS; dy <= RADIUS; dy++) {
		for (int dx = -RADIUS; dx <= RADIUS; dx++) {
			int i = clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1);

			sum += weights[k++] * vload_half4(i, in);
		}
	}
	vstore_half4(sum, y * width + x, out);
}
