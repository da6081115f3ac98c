// SPDX-License-Identifier: MIT
// Catmull-Rom: what the four pixels around a place between the middle two count.
float4 cubic(float f)
{
	return (float4)(((-0.5f * f + 1.0f) * f - 0.5f) * f, (1.5f * f - 2.5f) * f * f + 1.0f,
			((-1.5f * f + 2.0f) * f + 0.5f) * f, (0.5f * f - 0.5f) * f * f);
}

float4 pixel(global const uchar4 *row, int x, int width)
{
	return convert_float4(row[clamp(x, 0, width - 1)]) * (1.0f / 255.0f);
}

float4 row(global const uchar4 *in, int2 p, int2 size, float4 w)
{
	global const uchar4 *line = in + clamp(p.y, 0, size.y - 1) * size.x;

	return pixel(line, p.x, size.x) * w.x + pixel(line, p.x + 1, size.x) * w.y +
	       pixel(line, p.x + 2, size.x) * w.z + pixel(line, p.x + 3, size.x) * w.w;
}

kernel void image_bicubic_buffer(global const uchar4 *in, global uchar4 *out, int in_width,
				 int in_height, int width, int height)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	int2 size = (int2)(in_width, in_height);
	float2 scale = convert_float2(size) / (float2)(width, height);
	float2 at = (convert_float2(p) + 0.5f) * scale - 0.5f;
	int2 q = convert_int2_rtn(at) - 1;
	float4 wx = cubic(at.x - floor(at.x)), wy = cubic(at.y - floor(at.y));
	float4 sum = row(in, q, size, wx) * wy.x + row(in, q + (int2)(0, 1), size, wx) * wy.y +
		     row(in, q + (int2)(0, 2), size, wx) * wy.z +
		     row(in, q + (int2)(0, 3), size, wx) * wy.w;

	out[p.y * width + p.x] = convert_uchar4_sat_rte(sum * 255.0f);
}
