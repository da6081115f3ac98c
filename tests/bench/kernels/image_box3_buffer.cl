// SPDX-License-Identifier: MIT
float4 pixel(global const uchar4 *in, int x, int y, int width, int height)
{
	uchar4 found = in[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];

	return convert_float4(found) * (1.0f / 255.0f);
}

kernel void image_box3_buffer(global const uchar4 *in, global uchar4 *out, int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);
	float4 sum = 0.0f;

	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			sum += pixel(in, x + dx, y + dy, width, height);
	out[y * width + x] = convert_uchar4_sat_rte(sum / 9.0f * 255.0f);
}
