// SPDX-License-Identifier: MIT
float pixel(global const float *in, int x, int y, int width, int height)
{
	return in[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
}

// The map says of each pixel which place of the input it shows.
kernel void image_remap_buffer(global const float *in, global const float2 *map, global float *out,
			       int width, int height)
{
	int at = get_global_id(1) * width + get_global_id(0);
	float2 place = map[at], f = place - floor(place);
	int2 p = convert_int2_rtn(place);
	float above = mix(pixel(in, p.x, p.y, width, height),
			  pixel(in, p.x + 1, p.y, width, height), f.x);
	float below = mix(pixel(in, p.x, p.y + 1, width, height),
			  pixel(in, p.x + 1, p.y + 1, width, height), f.x);

	out[at] = mix(above, below, f.y);
}
