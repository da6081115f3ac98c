// SPDX-License-Identifier: MIT
// NV12: a plane of luma, and a plane of half the size with both chroma channels.
kernel void image_yuv_buffer(global const uchar *lumas, global const uchar2 *chromas,
			     global uchar4 *out, int width)
{
	int x = get_global_id(0), y = get_global_id(1);
	float luma = (lumas[y * width + x] - 16) * (1.0f / 255.0f);
	float2 chroma = (convert_float2(chromas[y / 2 * (width / 2) + x / 2]) - 128.0f) * (1.0f / 255.0f);
	float u = chroma.x, v = chroma.y;
	float r = 1.164f * luma + 1.596f * v;
	float g = 1.164f * luma - 0.392f * u - 0.813f * v;
	float b = 1.164f * luma + 2.017f * u;

	out[y * width + x] = convert_uchar4_sat_rte((float4)(r, g, b, 1.0f) * 255.0f);
}
