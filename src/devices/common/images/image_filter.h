/* SPDX-License-Identifier: MIT
 *
 * Accesses of images by a block of work-items: texels of places, and linear filters, which take their sums in the order of
 * texel_filter.
 */
#ifndef WEFT_DEVICES_IMAGE_FILTER_H
#define WEFT_DEVICES_IMAGE_FILTER_H

#include "images/image_channels.h"
#include "images/image_places.h"

/* A texel of each lane: the rows r, g, b, a. */
struct texels {
	uint32_t rows[4 * LANES];
} ALIGNED;

struct colors {
	float rows[4 * LANES];
} ALIGNED;

struct weights {
	float n[LANES];
} ALIGNED;

struct cubes {
	struct pairs x, y, z;
};

/* Neighbours in a row of the image, from this place on. */
static void fetch_row(const struct target *target, struct texel_place first,
		      uint32_t *restrict rows, size_t stride)
{
	const uint32_t bytes = texel_bytes(target->format);
	struct words words;

	load_run(bytes, texel_row(target->level, target->access, first) + (size_t)first.x * bytes,
		 &words);
	decode(target->format, &words, rows, stride);
}

/* Texels to rows that lie `stride` numbers apart. */
static void fetch(const struct target *target, struct places *restrict places,
		  uint32_t *restrict rows, size_t stride)
{
	uint64_t offsets[LANES] ALIGNED;
	struct numbers inside;
	struct words words;

	complete(places, target->count);
	if (!is_raw(target->format) && is_row(target, places->x, places->y, places->z, LANES)) {
		fetch_row(target, place_of(places, 0), rows, stride);
		return;
	}
	bool all = locate(target, places, offsets, &inside);

	if (is_raw(target->format))
		load_raw(target, places, &inside, &words);
	else
		load_scattered(texel_bytes(target->format), target->level.data, offsets, &words);
	decode(target->format, &words, rows, stride);
	if (!all)
		put_border(target->format, &inside, rows, stride);
}

/* The parts of two neighbours in x. */
static void filter_row(const struct target *target, const struct cubes *cubes, const int32_t *y,
		       const int32_t *z, const struct weights *weight, struct colors *sum)
{
	struct places places;
	struct texels first, second;

	memcpy(places.x, cubes->x.i0, sizeof(places.x));
	memcpy(places.y, y, sizeof(places.y));
	memcpy(places.z, z, sizeof(places.z));
	fetch(target, &places, first.rows, LANES);
	memcpy(places.x, cubes->x.i1, sizeof(places.x));
	fetch(target, &places, second.rows, LANES);
	for (uint32_t row = 0; row < 4 * LANES; row += LANES) {
		for
			EACH_LANE(i)
			{
				float fraction = cubes->x.fraction[i];

				sum->rows[row + i] = texel_float(first.rows[row + i]) *
							     ((1.0f - fraction) * weight->n[i]) +
						     texel_float(second.rows[row + i]) *
							     (fraction * weight->n[i]);
			}
	}
}

static void add(struct colors *restrict sum, const struct colors *restrict part)
{
	for (uint32_t i = 0; i < 4 * LANES; i++)
		sum->rows[i] += part->rows[i];
}

/* The weights of the first neighbours, or of the second ones, times `weight`. */
static void weigh(const struct pairs *pairs, bool second, const struct weights *weight,
		  struct weights *result)
{
	for
		EACH_LANE(i)
	result->n[i] = (second ? pairs->fraction[i] : 1.0f - pairs->fraction[i]) * weight->n[i];
}

static void filter_slice(const struct target *target, const struct cubes *cubes, const int32_t *z,
			 const struct weights *weight, struct colors *sum)
{
	struct weights part;
	struct colors second;

	if (!texel_has_rows(target->access)) {
		filter_row(target, cubes, cubes->y.i0, z, weight, sum);
		return;
	}
	weigh(&cubes->y, false, weight, &part);
	filter_row(target, cubes, cubes->y.i0, z, &part, sum);
	weigh(&cubes->y, true, weight, &part);
	filter_row(target, cubes, cubes->y.i1, z, &part, &second);
	add(sum, &second);
}

static void filter(const struct target *target, const struct cubes *cubes, struct colors *sum)
{
	struct weights weight, part;
	struct colors second;

	for
		EACH_LANE(i)
	weight.n[i] = 1.0f;
	if (!texel_has_slices(target->access)) {
		filter_slice(target, cubes, cubes->z.i0, &weight, sum);
		return;
	}
	weigh(&cubes->z, false, &weight, &part);
	filter_slice(target, cubes, cubes->z.i0, &part, sum);
	weigh(&cubes->z, true, &weight, &part);
	filter_slice(target, cubes, cubes->z.i1, &part, &second);
	add(sum, &second);
}

#endif
