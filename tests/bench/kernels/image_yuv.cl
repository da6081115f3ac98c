// SPDX-License-Identifier: MIT
constant sampler_t nearest =
	CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// NV12: a plane of luma, and a plane of half the size with both chroma channels.
kernel void image_yuv(read_only image2d_t lumas, read_only image2d_t chromas,
		      write_only image2d_t out)
{
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	float luma = read_imagef(lumas, nearest, p).x - 16.0f / 255.0f;
	float2 chroma = read_imagef(chromas, nearest, p / 2).xy - 128.0f / 255.0f;
	float u = chroma.x, v = chroma.y;
	float r = 1.164f * luma + 1.596f * v;
	float g = 1.164f * luma - 0.392f * u - 0.813f * v;
	float b = 1.164f * luma + 2.017f * u;

	write_imagef(out, p, (float4)(r, g, b, 1.0f));
}
