// SPDX-License-Identifier: MIT
float4 pixel(global const uchar4 *in, int x, int y, int size)
{
	return convert_float4(in[clamp(y, 0, size - 1) * size + clamp(x, 0, size - 1)]) * (1.0f / 255.0f);
}

// Levels follow each other, each with a quarter of the pixels of the one before.
float4 sample(global const uchar4 *in, float2 at, int size, int level)
{
	int n = size >> level;
	float u = at.x * n - 0.5f, v = at.y * n - 0.5f;
	int i = convert_int_rtn(u), j = convert_int_rtn(v);

	in += 4 * (size * size - n * n) / 3;
	return mix(mix(pixel(in, i, j, n), pixel(in, i + 1, j, n), u - floor(u)),
		   mix(pixel(in, i, j + 1, n), pixel(in, i + 1, j + 1, n), u - floor(u)),
		   v - floor(v));
}

// Sharp in the middle, and the more blurred the farther from it.
kernel void image_pyramid_buffer(global const uchar4 *in, global uchar4 *out, float most, int size)
{
	int x = get_global_id(0), y = get_global_id(1);
	float2 at = ((float2)(x, y) + 0.5f) / (float)size;
	float2 d = at - 0.5f;
	float level = most * min(2.0f * sqrt(d.x * d.x + d.y * d.y), 1.0f);
	int n = (int)level;
	float4 color = mix(sample(in, at, size, n), sample(in, at, size, n + 1), level - n);

	out[y * size + x] = convert_uchar4_sat_rte(color * 255.0f);
}
