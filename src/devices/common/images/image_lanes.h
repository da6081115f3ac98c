/* SPDX-License-Identifier: MIT
 *
 * Accesses of images by a block of work-items: what lies in memory. Part of image_variant.h, like image_channels.h and
 * image_places.h: all that consist of loops over the lanes of a block, which the compiler makes vectors of. A block whose
 * work-items access neighbours in a row of the image, as most do, is one run of memory.
 */
#ifndef WEFT_DEVICES_IMAGE_LANES_H
#define WEFT_DEVICES_IMAGE_LANES_H

#include "image_texels.h"

#include <stdbool.h>

#define LANES 16
#define EACH_LANE(i) (uint32_t i = 0; i < LANES; i++)
#define ALIGNED __attribute__((aligned(64)))

/* One number of each lane. */
struct numbers {
	uint32_t n[LANES];
} ALIGNED;

/* Places of texels, as struct texel_place; 0 in dimensions that the image lacks. */
struct places {
	int32_t x[LANES], y[LANES], z[LANES];
} ALIGNED;

/* The bytes of texels, as struct texel_words. */
struct words {
	uint32_t w[4][LANES];
} ALIGNED;

/* What the first `count` lanes access. Pitches are below 2^32. */
struct target {
	struct texel_level level;
	uint32_t format, access, count;
};

static struct texel_place place_of(const struct places *places, uint32_t lane)
{
	struct texel_place place = {places->x[lane], places->y[lane], places->z[lane]};

	return place;
}

/* The lanes past `count` go on to the right of the last one. */
static void complete(struct places *places, uint32_t count)
{
	uint32_t last = count - 1;

	for (uint32_t i = count; i < LANES; i++) {
		places->x[i] = (int32_t)((uint32_t)places->x[last] + (i - last));
		places->y[i] = places->y[last];
		places->z[i] = places->z[last];
	}
}

/* Whether the lanes, whose places are these rows, are neighbours in a row, the first `count` of them inside of the image. */
static bool is_row(const struct target *target, const int32_t *restrict x,
		   const int32_t *restrict y, const int32_t *restrict z, uint32_t count)
{
	const struct texel_place first = {x[0], y[0], z[0]};
	const int32_t last = (int32_t)((uint32_t)first.x + count - 1);
	uint32_t other = 0;

	for
		EACH_LANE(i)
	other |= (((uint32_t)x[i] - (uint32_t)first.x) ^ i) | (uint32_t)(y[i] ^ first.y) |
		 (uint32_t)(z[i] ^ first.z);
	return other == 0 && last >= first.x &&
	       texel_level_contains(target->level, target->access, first) &&
	       texel_is_inside(last, target->level.width);
}

/* ---- runs of memory --------------------------------------------------------------------------------- */

static void load_run(uint32_t bytes, const unsigned char *restrict run,
		     struct words *restrict words)
{
	const texel_u16 *halves = (const texel_u16 *)(const void *)run;
	const texel_u32 *from = (const texel_u32 *)(const void *)run;

	switch (bytes) {
	case 1:
		for
			EACH_LANE(i)
		words->w[0][i] = run[i];
		break;
	case 2:
		for
			EACH_LANE(i)
		words->w[0][i] = halves[i];
		break;
	case 4:
		memcpy(words->w[0], run, sizeof(words->w[0]));
		break;
	case 8:
		for
			EACH_LANE(i)
			{
				words->w[0][i] = from[2 * i];
				words->w[1][i] = from[2 * i + 1];
			}
		break;
	default:
		for
			EACH_LANE(i)
			{
				words->w[0][i] = from[4 * i];
				words->w[1][i] = from[4 * i + 1];
				words->w[2][i] = from[4 * i + 2];
				words->w[3][i] = from[4 * i + 3];
			}
	}
}

/* As many texels as a block has. */
static void store_run(uint32_t bytes, const struct words *restrict words,
		      unsigned char *restrict run)
{
	texel_u16 *halves = (texel_u16 *)(void *)run;
	texel_u32 *to = (texel_u32 *)(void *)run;

	switch (bytes) {
	case 1:
		for
			EACH_LANE(i)
		run[i] = (unsigned char)words->w[0][i];
		break;
	case 2:
		for
			EACH_LANE(i)
		halves[i] = (texel_u16)words->w[0][i];
		break;
	case 4:
		memcpy(run, words->w[0], sizeof(words->w[0]));
		break;
	case 8:
		for
			EACH_LANE(i)
			{
				to[2 * i] = words->w[0][i];
				to[2 * i + 1] = words->w[1][i];
			}
		break;
	default:
		for
			EACH_LANE(i)
			{
				to[4 * i] = words->w[0][i];
				to[4 * i + 1] = words->w[1][i];
				to[4 * i + 2] = words->w[2][i];
				to[4 * i + 3] = words->w[3][i];
			}
	}
}

/* ---- scattered texels ------------------------------------------------------------------------------- */

/* Where the texels lie, from the start of the level, and which are inside: all bits of a number, or none. A texel outside is
 * at 0. False when some texel is outside. */
static bool locate(const struct target *target, const struct places *restrict places,
		   uint64_t *restrict offsets, struct numbers *restrict inside)
{
	const struct texel_level level = target->level;
	const uint32_t bytes = texel_bytes(target->format);
	const uint32_t row_pitch = (uint32_t)level.row_pitch;
	const uint32_t slice_pitch = (uint32_t)level.slice_pitch;
	uint32_t all = UINT32_MAX;

	for
		EACH_LANE(i)
		{
			bool is_inside = ((uint32_t)places->x[i] < (uint32_t)level.width) &
					 ((uint32_t)places->y[i] < (uint32_t)level.height) &
					 ((uint32_t)places->z[i] < (uint32_t)level.depth);

			inside->n[i] = is_inside ? UINT32_MAX : 0;
		}
	for
		EACH_LANE(i)
		{
			uint32_t x = (uint32_t)places->x[i] & inside->n[i];
			uint32_t y = (uint32_t)places->y[i] & inside->n[i];
			uint32_t z = (uint32_t)places->z[i] & inside->n[i];

			offsets[i] = (uint64_t)x * bytes + (uint64_t)y * row_pitch +
				     (uint64_t)z * slice_pitch;
			all &= inside->n[i];
		}
	return all != 0;
}

static void load_scattered(uint32_t bytes, const unsigned char *data, const uint64_t *offsets,
			   struct words *restrict words)
{
	switch (bytes) {
	case 1:
		for
			EACH_LANE(i)
		words->w[0][i] = data[offsets[i]];
		break;
	case 2:
		for
			EACH_LANE(i)
		words->w[0][i] = *(const texel_u16 *)(const void *)(data + offsets[i]);
		break;
	case 4:
		for
			EACH_LANE(i)
		words->w[0][i] = *(const texel_u32 *)(const void *)(data + offsets[i]);
		break;
	case 8:
		for
			EACH_LANE(i)
			{
				const texel_u32 *from =
					(const texel_u32 *)(const void *)(data + offsets[i]);

				words->w[0][i] = from[0];
				words->w[1][i] = from[1];
			}
		break;
	default:
		for
			EACH_LANE(i)
			{
				const texel_u32 *from =
					(const texel_u32 *)(const void *)(data + offsets[i]);

				words->w[0][i] = from[0];
				words->w[1][i] = from[1];
				words->w[2][i] = from[2];
				words->w[3][i] = from[3];
			}
	}
}

/* RAW10 and RAW12: of lanes outside, the first texel. */
static void load_raw(const struct target *target, const struct places *places,
		     const struct numbers *inside, struct words *words)
{
	for
		EACH_LANE(i)
		{
			struct texel_place place = place_of(places, i);

			place.x &= (int32_t)inside->n[i];
			place.y &= (int32_t)inside->n[i];
			place.z &= (int32_t)inside->n[i];
			words->w[0][i] = texel_load(target->format,
						    texel_row(target->level, target->access, place),
						    (uint32_t)place.x)
						 .w0;
		}
}

static bool is_raw(uint32_t format)
{
	return texel_type(format) == TEXEL_RAW10 || texel_type(format) == TEXEL_RAW12;
}

#endif
