/* SPDX-License-Identifier: MIT
 *
 * The kernels of the photo example. Pixels are float4 (red, green, blue, alpha) in rows of `width`; a
 * position outside of the image means the nearest pixel of its edge. reference.c computes the same.
 */

/* The host defines both: the radius of the Gaussian, and the width of a square work-group. */
#ifndef RADIUS
#define RADIUS 6
#define TILE 16
#endif
#define SPAN (TILE + 2 * RADIUS)

float luminance(float4 colour)
{
	return dot(colour.xyz, (float3)(0.2126f, 0.7152f, 0.0722f));
}

/* The sum of log2(luminance) of each work-group's pixels: partial[group]. */
kernel void measure(global const ushort4 *pixels, uint count, global float *partial, local float *sums)
{
	uint item = get_local_id(0);
	float sum = 0.0f;

	for (uint i = get_global_id(0); i < count; i += get_global_size(0))
		sum += log2(luminance(convert_float4(pixels[i])) + 1.0f);
	sums[item] = sum;
	for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (item < step)
			sums[item] += sums[item + step];
	}
	if (item == 0)
		partial[get_group_id(0)] = sums[0];
}

/* Linear light to [0, 1) by a filmic curve. */
kernel void tone_map(global const ushort4 *pixels, uint count, float exposure, global float4 *result)
{
	size_t i = get_global_id(0);

	if (i >= count)
		return;
	float3 x = convert_float3(pixels[i].xyz) * exposure;
	float3 mapped = x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f);
	result[i] = (float4)(clamp(mapped, 0.0f, 1.0f), 1.0f);
}

size_t pixel_at(int2 at, int2 size)
{
	at = clamp(at, (int2)(0, 0), size - 1);
	return (size_t)at.y * (size_t)size.x + (size_t)at.x;
}

/* A bilateral filter over 5x5 pixels: neighbours count less the further and the more different they are. */
kernel void denoise(global const float4 *pixels, int2 size, float strength, global float4 *result)
{
	int2 at = (int2)(get_global_id(0), get_global_id(1));

	if (any(at >= size))
		return;
	float4 centre = pixels[pixel_at(at, size)];
	float4 sum = 0.0f;
	float total = 0.0f;
	for (int y = -2; y <= 2; y++) {
		for (int x = -2; x <= 2; x++) {
			float4 pixel = pixels[pixel_at(at + (int2)(x, y), size)];
			float4 difference = pixel - centre;
			float weight = exp(-0.22f * (float)(x * x + y * y) -
					   strength * dot(difference, difference));
			sum += weight * pixel;
			total += weight;
		}
	}
	result[pixel_at(at, size)] = sum / total;
}

/* A Gaussian along the rows: each work-group of TILE x TILE keeps its pixels and RADIUS more on both
 * sides in local memory. */
kernel void blur_rows(global const float4 *pixels, int2 size, constant float *weights,
		      global float4 *result)
{
	local float4 tile[TILE][SPAN];
	int2 at = (int2)(get_global_id(0), get_global_id(1));
	int2 item = (int2)(get_local_id(0), get_local_id(1));

	for (int x = item.x; x < SPAN; x += TILE)
		tile[item.y][x] = pixels[pixel_at((int2)(at.x - item.x + x - RADIUS, at.y), size)];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (any(at >= size))
		return;
	float4 sum = 0.0f;
	for (int i = 0; i <= 2 * RADIUS; i++)
		sum += weights[i] * tile[item.y][item.x + i];
	result[pixel_at(at, size)] = sum;
}

/* The same along the columns. */
kernel void blur_columns(global const float4 *pixels, int2 size, constant float *weights,
			 global float4 *result)
{
	local float4 tile[SPAN][TILE];
	int2 at = (int2)(get_global_id(0), get_global_id(1));
	int2 item = (int2)(get_local_id(0), get_local_id(1));

	for (int y = item.y; y < SPAN; y += TILE)
		tile[y][item.x] = pixels[pixel_at((int2)(at.x, at.y - item.y + y - RADIUS), size)];
	barrier(CLK_LOCAL_MEM_FENCE);
	if (any(at >= size))
		return;
	float4 sum = 0.0f;
	for (int i = 0; i <= 2 * RADIUS; i++)
		sum += weights[i] * tile[item.y + i][item.x];
	result[pixel_at(at, size)] = sum;
}

/* The strength of the edge at a pixel, 0 to 1: Sobel's two gradients of the luminance. */
float edge(global const float4 *pixels, int2 at, int2 size)
{
	float l[3][3];

	for (int y = 0; y < 3; y++) {
		for (int x = 0; x < 3; x++)
			l[y][x] = luminance(pixels[pixel_at(at + (int2)(x - 1, y - 1), size)]);
	}
	float horizontal = l[0][2] + 2.0f * l[1][2] + l[2][2] - l[0][0] - 2.0f * l[1][0] - l[2][0];
	float vertical = l[2][0] + 2.0f * l[2][1] + l[2][2] - l[0][0] - 2.0f * l[0][1] - l[0][2];
	return smoothstep(0.02f, 0.5f, hypot(horizontal, vertical));
}

/* An unsharp mask, more of it along edges, then sRGB (IEC 61966-2-1) in 8 bits. */
kernel void sharpen(global const float4 *pixels, global const float4 *blurred, int2 size, float amount,
		    global uchar4 *result)
{
	int2 at = (int2)(get_global_id(0), get_global_id(1));

	if (any(at >= size))
		return;
	size_t i = pixel_at(at, size);
	float strength = amount * (0.4f + edge(pixels, at, size));
	float4 x = clamp(pixels[i] + strength * (pixels[i] - blurred[i]), 0.0f, 1.0f);
	float4 dark = 12.92f * x;
	float4 bright = 1.055f * powr(x, (float4)(1.0f / 2.4f)) - 0.055f;
	float4 srgb = select(bright, dark, x <= 0.0031308f);
	srgb.w = 1.0f;
	result[i] = convert_uchar4_sat_rte(srgb * 255.0f);
}
