// SPDX-License-Identifier: MIT
// Catmull-Rom: what the four pixels around a place between the middle two count.
float4 cubic(float f)
{
	return (float4)(((-0.5f * f + 1.0f) * f - 0.5f) * f, (1.5f * f - 2.5f) * f * f + 1.0f,
			((-1.5f * f + 2.0f) * f + 0.5f) * f, (0.5f * f - 0.5f) * f * f);
}

constant sampler_t edge =
	CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

float4 row(read_only image2d_t in, int2 p, float4 w)
{
	return read_imagef(in, edge, p) * w.x + read_imagef(in, edge, p + (int2)(1, 0)) * w.y +
	       read_imagef(in, edge, p + (int2)(2, 0)) * w.z +
	       read_imagef(in, edge, p + (int2)(3, 0)) * w.w;
}

kernel void image_bicubic(read_only image2d_t in, write_only image2d_t out)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	float2 scale = convert_float2(get_image_dim(in)) / convert_float2(get_image_dim(out));
	float2 at = (convert_float2(p) + 0.5f) * scale - 0.5f;
	int2 q = convert_int2_rtn(at) - 1;
	float4 wx = cubic(at.x - floor(at.x)), wy = cubic(at.y - floor(at.y));

	write_imagef(out, p,
		     row(in, q, wx) * wy.x + row(in, q + (int2)(0, 1), wx) * wy.y +
			     row(in, q + (int2)(0, 2), wx) * wy.z +
			     row(in, q + (int2)(0, 3), wx) * wy.w);
}
