// SPDX-License-Identifier: MIT
kernel void image_color_buffer(global const uchar4 *in, global uchar4 *out, constant float4 *rows,
			       int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);

	if (x >= width || y >= height)
		return;
	float4 c = convert_float4(in[y * width + x]) * (1.0f / 255.0f);
	float4 m = (float4)(dot(c, rows[0]), dot(c, rows[1]), dot(c, rows[2]), dot(c, rows[3]));

	out[y * width + x] = convert_uchar4_sat_rte(m * 255.0f);
}
