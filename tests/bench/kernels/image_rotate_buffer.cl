// SPDX-License-Identifier: MIT
float4 pixel(global const uchar4 *in, int x, int y, int width, int height)
{
	if (x < 0 || y < 0 || x >= width || y >= height)
		return 0.0f;
	return convert_float4(in[y * width + x]) * (1.0f / 255.0f);
}

// About the middle; outside of the image is nothing.
kernel void image_rotate_buffer(global const uchar4 *in, global uchar4 *out, float cosine,
				float sine, int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);
	float dx = x + 0.5f - 0.5f * width, dy = y + 0.5f - 0.5f * height;
	float u = 0.5f * width + cosine * dx - sine * dy - 0.5f;
	float v = 0.5f * height + sine * dx + cosine * dy - 0.5f;
	int i = convert_int_rtn(u), j = convert_int_rtn(v);
	float4 above = mix(pixel(in, i, j, width, height), pixel(in, i + 1, j, width, height),
			   u - floor(u));
	float4 below = mix(pixel(in, i, j + 1, width, height),
			   pixel(in, i + 1, j + 1, width, height), u - floor(u));

	out[y * width + x] = convert_uchar4_sat_rte(mix(above, below, v - floor(v)) * 255.0f);
}
