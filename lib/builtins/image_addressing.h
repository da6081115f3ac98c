/* SPDX-License-Identifier: MIT
 *
 * From coordinates to places in an image (OpenCL C specification, 8.1, 8.2 and 8.4), one dimension at a time. A place is the
 * number of a texel; one outside of 0 to size - 1 stands for the border colour. Every coordinate has a place, NaN, infinities
 * and those past the range of integers, too. CLK_ADDRESS_NONE is treated as CLK_ADDRESS_CLAMP.
 */
#ifndef WEFT_IMAGE_ADDRESSING_H
#define WEFT_IMAGE_ADDRESSING_H

#include "image_types.h"

/* The greatest float below 2^31. */
#define TEXEL_FARTHEST 2147483520.0f

/* Two neighbours in a dimension, and how far the sample lies towards the second: 0 to 1. */
struct texel_pair {
	int32_t i0, i1;
	float fraction;
};

TEXEL_FUNCTION int32_t texel_least(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

TEXEL_FUNCTION int32_t texel_most(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

/* From `least` to TEXEL_FARTHEST; of NaN `least`. */
TEXEL_FUNCTION float texel_in_range(float x, float least)
{
	x = x > least ? x : least;
	return x < TEXEL_FARTHEST ? x : TEXEL_FARTHEST;
}

/* Not yet addressed: times `size` where the sampler has normalised coordinates. */
TEXEL_FUNCTION float texel_unnormalized(uint32_t sampler, float s, int32_t size)
{
	float extent = (float)size;

	switch (sampler & WEFT_SAMPLER_ADDRESS_MASK) {
	case WEFT_SAMPLER_REPEAT:
		return (s - texel_floor(s)) * extent;
	case WEFT_SAMPLER_MIRRORED_REPEAT:
		s -= 2.0f * texel_rint(0.5f * s);
		return texel_float(texel_bits(s) & 0x7fffffffu) * extent;
	default:
		return sampler & WEFT_SAMPLER_NORMALIZED ? s * extent : s;
	}
}

TEXEL_FUNCTION int32_t texel_nearest(uint32_t sampler, float s, int32_t size)
{
	float u = texel_unnormalized(sampler, s, size);
	int32_t i;

	switch (sampler & WEFT_SAMPLER_ADDRESS_MASK) {
	case WEFT_SAMPLER_CLAMP_TO_EDGE:
	case WEFT_SAMPLER_MIRRORED_REPEAT:
		return texel_least((int32_t)texel_in_range(u, 0.0f), size - 1);
	case WEFT_SAMPLER_REPEAT:
		i = (int32_t)texel_in_range(u, 0.0f);
		return i < size ? i : i - size;
	default:
		return (int32_t)texel_floor(texel_in_range(u, -1.0f));
	}
}

TEXEL_FUNCTION struct texel_pair texel_linear(uint32_t sampler, float s, int32_t size)
{
	float u = texel_in_range(texel_unnormalized(sampler, s, size) - 0.5f, -2.0f);
	float whole = texel_floor(u);
	struct texel_pair pair = {(int32_t)whole, (int32_t)whole + 1, u - whole};

	switch (sampler & WEFT_SAMPLER_ADDRESS_MASK) {
	case WEFT_SAMPLER_CLAMP_TO_EDGE:
	case WEFT_SAMPLER_MIRRORED_REPEAT:
		pair.i0 = texel_most(texel_least(pair.i0, size - 1), 0);
		pair.i1 = texel_most(texel_least(pair.i1, size - 1), 0);
		break;
	case WEFT_SAMPLER_REPEAT:
		pair.i0 = pair.i0 < size ? texel_most(pair.i0, -1) : pair.i0 - size;
		pair.i1 = pair.i0 + 1;
		pair.i0 = pair.i0 < 0 ? pair.i0 + size : pair.i0;
		pair.i1 = pair.i1 < size ? pair.i1 : pair.i1 - size;
		break;
	default:
		break;
	}
	return pair;
}

/* Whether texel_nearest and texel_linear give places in the image alone. */
TEXEL_FUNCTION int texel_stays_inside(uint32_t sampler)
{
	switch (sampler & WEFT_SAMPLER_ADDRESS_MASK) {
	case WEFT_SAMPLER_CLAMP_TO_EDGE:
	case WEFT_SAMPLER_REPEAT:
	case WEFT_SAMPLER_MIRRORED_REPEAT:
		return 1;
	default:
		return 0;
	}
}

/* An integer coordinate, by a sampler with unnormalised coordinates; 0 for none. */
TEXEL_FUNCTION int32_t texel_address(uint32_t sampler, int32_t coordinate, int32_t size)
{
	if ((sampler & WEFT_SAMPLER_ADDRESS_MASK) == WEFT_SAMPLER_CLAMP_TO_EDGE)
		return texel_most(texel_least(coordinate, size - 1), 0);
	return coordinate;
}

TEXEL_FUNCTION int32_t texel_layer(float coordinate, int32_t layers)
{
	float layer = texel_in_range(coordinate, 0.0f);

	return texel_least((int32_t)texel_rint(layer), layers - 1);
}

TEXEL_FUNCTION int texel_is_inside(int32_t place, int32_t size)
{
	return (uint32_t)place < (uint32_t)size;
}

/* ---- levels of detail (cl_khr_mipmap_image) --------------------------------------------------------- */

TEXEL_FUNCTION float texel_lod_min(uint64_t sampler)
{
	return texel_float((uint32_t)(sampler >> WEFT_SAMPLER_LOD_MIN_SHIFT) << 8);
}

TEXEL_FUNCTION float texel_lod_max(uint64_t sampler)
{
	uint32_t bits = (uint32_t)(sampler >> WEFT_SAMPLER_LOD_MAX_SHIFT) ^ WEFT_SAMPLER_LOD_MAX;

	return texel_float(bits << 8);
}

/* The levels that a sample reads: one, or a share of two. */
TEXEL_FUNCTION struct texel_pair texel_level_pair(uint64_t sampler, float lod, int32_t levels)
{
	float least = texel_lod_min(sampler), most = texel_lod_max(sampler);
	float last = (float)(levels - 1), whole;
	struct texel_pair pair;

	lod = lod > least ? lod : least;
	lod = lod < most ? lod : most;
	lod = lod > 0.0f ? lod : 0.0f;
	lod = lod < last ? lod : last;
	if (!(sampler & WEFT_SAMPLER_MIP_LINEAR))
		lod = texel_rint(lod);
	whole = texel_floor(lod);
	pair.i0 = (int32_t)whole;
	pair.i1 = texel_least(pair.i0 + 1, levels - 1);
	pair.fraction = lod - whole;
	return pair;
}

#endif
