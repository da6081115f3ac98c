/* SPDX-License-Identifier: MIT
 *
 * Accesses of images by a block of work-items: from coordinates to places. Each loop is one of an addressing mode.
 */
#ifndef WEFT_DEVICES_IMAGE_PLACES_H
#define WEFT_DEVICES_IMAGE_PLACES_H

#include "images/image_lanes.h"

/* Neighbours in one dimension, as struct texel_pair. */
struct pairs {
	int32_t i0[LANES], i1[LANES];
	float fraction[LANES];
} ALIGNED;

/* Runs `loop` with each addressing that a sampler can have as a constant. */
#define BY_ADDRESSING(sampler, loop)                                                               \
	switch ((sampler) & (WEFT_SAMPLER_ADDRESS_MASK | WEFT_SAMPLER_NORMALIZED)) {               \
	case WEFT_SAMPLER_CLAMP_TO_EDGE:                                                           \
		loop(WEFT_SAMPLER_CLAMP_TO_EDGE);                                                  \
		break;                                                                             \
	case WEFT_SAMPLER_CLAMP_TO_EDGE | WEFT_SAMPLER_NORMALIZED:                                 \
		loop(WEFT_SAMPLER_CLAMP_TO_EDGE | WEFT_SAMPLER_NORMALIZED);                        \
		break;                                                                             \
	case WEFT_SAMPLER_REPEAT:                                                                  \
	case WEFT_SAMPLER_REPEAT | WEFT_SAMPLER_NORMALIZED:                                        \
		loop(WEFT_SAMPLER_REPEAT);                                                         \
		break;                                                                             \
	case WEFT_SAMPLER_MIRRORED_REPEAT:                                                         \
	case WEFT_SAMPLER_MIRRORED_REPEAT | WEFT_SAMPLER_NORMALIZED:                               \
		loop(WEFT_SAMPLER_MIRRORED_REPEAT);                                                \
		break;                                                                             \
	case WEFT_SAMPLER_CLAMP | WEFT_SAMPLER_NORMALIZED:                                         \
	case WEFT_SAMPLER_ADDRESS_NONE | WEFT_SAMPLER_NORMALIZED:                                  \
		loop(WEFT_SAMPLER_CLAMP | WEFT_SAMPLER_NORMALIZED);                                \
		break;                                                                             \
	default:                                                                                   \
		loop(WEFT_SAMPLER_CLAMP);                                                          \
	}

static void place_nearest(uint32_t sampler, const float *restrict coordinates, int32_t size,
			  int32_t *restrict places)
{
#define LOOP(mode)                                                                                 \
	for                                                                                        \
		EACH_LANE(i)                                                                       \
	places[i] = texel_nearest(mode, coordinates[i], size)
	BY_ADDRESSING(sampler, LOOP)
#undef LOOP
}

static void place_linear(uint32_t sampler, const float *restrict coordinates, int32_t size,
			 struct pairs *restrict pairs)
{
#define LOOP(mode)                                                                                 \
	for                                                                                        \
		EACH_LANE(i)                                                                       \
		{                                                                                  \
			struct texel_pair pair = texel_linear(mode, coordinates[i], size);         \
                                                                                                   \
			pairs->i0[i] = pair.i0;                                                    \
			pairs->i1[i] = pair.i1;                                                    \
			pairs->fraction[i] = pair.fraction;                                        \
		}
	BY_ADDRESSING(sampler, LOOP)
#undef LOOP
}

static void place_layers(const float *restrict coordinates, int32_t layers,
			 int32_t *restrict places)
{
	for
		EACH_LANE(i)
	places[i] = texel_layer(coordinates[i], layers);
}

static void clamp_to_edge(int32_t *restrict places, int32_t size)
{
	for
		EACH_LANE(i)
	places[i] = texel_address(WEFT_SAMPLER_CLAMP_TO_EDGE, places[i], size);
}

/* Integer coordinates, which `places` has before. A sampler clamps layers, whatever its addressing is. */
static void place_integers(uint64_t sampler, uint32_t access, const struct texel_level *level,
			   struct places *places)
{
	const uint32_t mode = sampler & WEFT_SAMPLER_ADDRESS_MASK;

	if (mode == WEFT_SAMPLER_CLAMP_TO_EDGE) {
		clamp_to_edge(places->x, level->width);
		if (texel_has_rows(access))
			clamp_to_edge(places->y, level->height);
	}
	if (mode == WEFT_SAMPLER_CLAMP_TO_EDGE || (texel_has_layers(access) && sampler != 0))
		clamp_to_edge(places->z, level->depth);
}

#endif
