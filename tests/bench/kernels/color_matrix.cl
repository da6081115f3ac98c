// SPDX-License-Identifier: MIT
kernel void color_matrix(global const float4 *in, global float4 *out, constant float4 *rows)
{
	size_t i = get_global_id(0);
	float4 pixel = in[i];
	float4 turned = (float4)(dot(pixel, rows[0]), dot(pixel, rows[1]), dot(pixel, rows[2]), dot(pixel, rows[3]));

	out[i] = clamp(turned, 0.0f, 1.0f);
}
