// SPDX-License-Identifier: MIT
float4 pixel(global const uchar4 *in, int x, int y, int width, int height)
{
	uchar4 found = in[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];

	return convert_float4(found) * (1.0f / 255.0f);
}

kernel void image_resize_buffer(global const uchar4 *in, global uchar4 *out, int in_width,
				int in_height, int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);
	float u = (x + 0.5f) * in_width / width - 0.5f, v = (y + 0.5f) * in_height / height - 0.5f;
	int i = convert_int_rtn(u), j = convert_int_rtn(v);
	float4 above = mix(pixel(in, i, j, in_width, in_height),
			   pixel(in, i + 1, j, in_width, in_height), u - floor(u));
	float4 below = mix(pixel(in, i, j + 1, in_width, in_height),
			   pixel(in, i + 1, j + 1, in_width, in_height), u - floor(u));

	out[y * width + x] = convert_uchar4_sat_rte(mix(above, below, v - floor(v)) * 255.0f);
}
