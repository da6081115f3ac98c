// SPDX-License-Identifier: MIT
// A color is a place in the table, with the first and the last of its entries in the corners.
kernel void image_lut3d_buffer(global const float4 *in, global const float4 *table,
			       global float4 *out, int width, int size)
{
	int i = get_global_id(1) * width + get_global_id(0);
	float4 color = in[i];
	float4 place = clamp(color, 0.0f, 1.0f) * (float)(size - 1);
	float4 f = place - floor(place);
	int4 a = convert_int4_rtn(place), b = min(a + 1, size - 1);
	global const float4 *front = table + a.z * size * size, *back = table + b.z * size * size;
	float4 c00 = mix(front[a.y * size + a.x], front[a.y * size + b.x], f.x);
	float4 c01 = mix(front[b.y * size + a.x], front[b.y * size + b.x], f.x);
	float4 c10 = mix(back[a.y * size + a.x], back[a.y * size + b.x], f.x);
	float4 c11 = mix(back[b.y * size + a.x], back[b.y * size + b.x], f.x);
	float4 found = mix(mix(c00, c01, f.y), mix(c10, c11, f.y), f.z);

	out[i] = (float4)(found.xyz, color.w);
}
