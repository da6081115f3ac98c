// SPDX-License-Identifier: MIT
kernel void image_gauss_buffer(global const float *in, global float *out, constant float *weights,
			       int radius, int2 step, int width, int height)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	float sum = 0.0f;

	for (int k = -radius; k <= radius; k++) {
		int2 q = clamp(p + k * step, (int2)(0, 0), (int2)(width - 1, height - 1));

		sum += weights[k + radius] * in[q.y * width + q.x];
	}
	out[p.y * width + p.x] = sum;
}
