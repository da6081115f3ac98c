/* SPDX-License-Identifier: MIT
 *
 * Accesses of images for several work-items at once: the source of images_base.c and its like, one for each kind of CPU.
 * Invariant: every access has the result of the scalar functions of image_texels.h, to the bit.
 */
#ifndef WEFT_DEVICES_IMAGE_VARIANT_H
#define WEFT_DEVICES_IMAGE_VARIANT_H

#include "images/image_each.h"
#include "images/image_filter.h"

/* Fewer work-items are accessed one by one. */
#define FEWEST 2

static struct target target_of(const struct call *call, int32_t level, uint32_t count)
{
	struct target target = {texel_level(call->image, call->image->format, call->access, level),
				call->image->format, call->access, count};

	return target;
}

/* ---- samples ---------------------------------------------------------------------------------------- */

/* Rows of coordinates with room for all lanes, the last of them as often as there are lanes too many. */
struct positions {
	float x[LANES], y[LANES], z[LANES], lod[LANES];
} ALIGNED;

/* Rows of a whole block are copied by a constant size. */
static void take(const void *from, uint32_t count, void *row)
{
	if (count == LANES)
		memcpy(row, from, sizeof(uint32_t[LANES]));
	else
		memcpy(row, from, count * sizeof(uint32_t));
}

static void take_row(const float *from, uint32_t count, float *row)
{
	take(from, count, row);
	for (uint32_t i = count; i < LANES; i++)
		row[i] = row[count - 1];
}

/* The dimensions that the image has: the others stay 0. */
static void take_positions(uint32_t access, const float *from, size_t stride, uint32_t count,
			   struct positions *positions)
{
	memset(positions, 0, sizeof(*positions));
	take_row(from, count, positions->x);
	if (texel_has_rows(access))
		take_row(from + stride, count, positions->y);
	if (texel_has_slices(access) || texel_has_layers(access))
		take_row(from + (texel_has_rows(access) ? 2 : 1) * stride, count, positions->z);
	if (!(access & WEFT_IMAGE_BASE_LEVEL))
		take_row(from + 3 * stride, count, positions->lod);
}

static void sample_nearest(const struct target *target, uint32_t sampler,
			   const struct positions *positions, const struct rows *rows)
{
	const struct texel_level level = target->level;
	const uint32_t access = target->access;
	struct places places;

	memset(&places, 0, sizeof(places));
	place_nearest(sampler, positions->x, level.width, places.x);
	if (texel_has_rows(access))
		place_nearest(sampler, positions->y, level.height, places.y);
	if (texel_has_layers(access))
		place_layers(positions->z, level.depth, places.z);
	if (texel_has_slices(access))
		place_nearest(sampler, positions->z, level.depth, places.z);
	fetch(target, &places, rows->n, rows->stride);
}

static void sample_linear(const struct target *target, uint32_t sampler,
			  const struct positions *positions, const struct rows *rows)
{
	const struct texel_level level = target->level;
	const uint32_t access = target->access;
	struct cubes cubes;
	struct colors sum;

	memset(&cubes.y, 0, sizeof(cubes.y));
	memset(&cubes.z, 0, sizeof(cubes.z));
	place_linear(sampler, positions->x, level.width, &cubes.x);
	if (texel_has_rows(access))
		place_linear(sampler, positions->y, level.height, &cubes.y);
	if (texel_has_layers(access))
		place_layers(positions->z, level.depth, cubes.z.i0);
	if (texel_has_slices(access))
		place_linear(sampler, positions->z, level.depth, &cubes.z);
	filter(target, &cubes, &sum);
	for (uint32_t row = 0; row < 4; row++)
		memcpy(rows->n + row * rows->stride, sum.rows + row * LANES, sizeof(float[LANES]));
}

static void sample_level(const struct call *call, const struct positions *positions, int32_t level,
			 const struct rows *rows)
{
	const struct target target = target_of(call, level, rows->count);

	if (texel_is_filtered((uint32_t)call->sampler, target.format))
		sample_linear(&target, (uint32_t)call->sampler, positions, rows);
	else
		sample_nearest(&target, (uint32_t)call->sampler, positions, rows);
}

/* Whether a lane wants this level, those without a share of it left out. */
static bool wants(const int32_t *wanted, const float *fractions, int32_t level)
{
	bool any = false;

	for
		EACH_LANE(i)
	any |= wanted[i] == level && (!fractions || fractions[i] != 0.0f);
	return any;
}

static void choose(const int32_t *wanted, int32_t level, const struct texels *restrict from,
		   struct texels *restrict to)
{
	for (uint32_t row = 0; row < 4 * LANES; row += LANES) {
		for
			EACH_LANE(i)
		to->rows[row + i] = wanted[i] == level ? from->rows[row + i] : to->rows[row + i];
	}
}

/* Of one level or two for each lane: the lanes have few different ones. */
static void sample_levels(const struct call *call, const struct positions *positions,
			  const struct rows *rows)
{
	const uint32_t format = call->image->format;
	const int32_t levels = (int32_t)texel_levels(format);
	const bool blends = !texel_is_integer(texel_type(format));
	struct texels first = {{0}}, second = {{0}}, all;
	const struct rows part = {all.rows, LANES, rows->count};
	struct pairs pairs;

	for
		EACH_LANE(i)
		{
			struct texel_pair pair =
				texel_level_pair(call->sampler, positions->lod[i], levels);

			pairs.i0[i] = pair.i0;
			pairs.i1[i] = pair.i1;
			pairs.fraction[i] = blends ? pair.fraction : 0.0f;
		}
	for (int32_t level = 0; level < levels; level++) {
		if (!wants(pairs.i0, NULL, level) && !wants(pairs.i1, pairs.fraction, level))
			continue;
		sample_level(call, positions, level, &part);
		choose(pairs.i0, level, &all, &first);
		choose(pairs.i1, level, &all, &second);
	}
	for (uint32_t row = 0; row < 4; row++) {
		for
			EACH_LANE(i)
			{
				float share = pairs.fraction[i];
				uint32_t lane = row * LANES + i;
				float mixed = texel_float(first.rows[lane]) * (1.0f - share) +
					      texel_float(second.rows[lane]) * share;

				rows->n[row * rows->stride + i] =
					share == 0.0f ? first.rows[lane] : texel_bits(mixed);
			}
	}
}

static void sample_block(const struct call *call, const float *coordinates, size_t stride,
			 const struct rows *rows)
{
	const bool has_levels =
		texel_levels(call->image->format) > 1 && !(call->access & WEFT_IMAGE_BASE_LEVEL);
	struct positions positions;

	take_positions(call->access, coordinates, stride, rows->count, &positions);
	if (has_levels)
		sample_levels(call, &positions, rows);
	else
		sample_level(call, &positions, 0, rows);
}

/* ---- reads ------------------------------------------------------------------------------------------ */

static const int32_t zeros[LANES] ALIGNED;

/* The rows of coordinates, of which an image lacks some. */
static const int32_t *row_y(uint32_t access, const int32_t *from, size_t stride)
{
	return texel_has_rows(access) ? from + stride : zeros;
}

static const int32_t *row_z(uint32_t access, const int32_t *from, size_t stride)
{
	if (!texel_has_slices(access) && !texel_has_layers(access))
		return zeros;
	return from + (texel_has_rows(access) ? 2 : 1) * stride;
}

/* Whether the coordinates of a whole block are neighbours in a row, inside of the image: no sampler changes such ones. */
static bool are_row(const struct target *target, const int32_t *from, size_t stride)
{
	return target->count == LANES && !is_raw(target->format) &&
	       is_row(target, from, row_y(target->access, from, stride),
		      row_z(target->access, from, stride), LANES);
}

static struct texel_place first_of(uint32_t access, const int32_t *from, size_t stride)
{
	struct texel_place place = {from[0], row_y(access, from, stride)[0],
				    row_z(access, from, stride)[0]};

	return place;
}

static void take_places(uint32_t access, const int32_t *from, size_t stride, uint32_t count,
			struct places *places)
{
	take(from, count, places->x);
	take(row_y(access, from, stride), count, places->y);
	take(row_z(access, from, stride), count, places->z);
	complete(places, count);
}

static void read_block(const struct call *call, const int32_t *coordinates, size_t stride,
		       const struct rows *rows)
{
	const bool has_levels =
		texel_levels(call->image->format) > 1 && !(call->access & WEFT_IMAGE_BASE_LEVEL);
	struct places places;

	if (has_levels) {
		weft_image_read_each(call, coordinates, stride, rows);
		return;
	}
	const struct target target = target_of(call, 0, rows->count);

	if (are_row(&target, coordinates, stride)) {
		fetch_row(&target, first_of(call->access, coordinates, stride), rows->n,
			  rows->stride);
		return;
	}
	take_places(call->access, coordinates, stride, rows->count, &places);
	place_integers(call->sampler, call->access, &target.level, &places);
	fetch(&target, &places, rows->n, rows->stride);
}

/* ---- writes ----------------------------------------------------------------------------------------- */

/* Whether all are writes to the only level. */
static bool writes_level_0(const struct call *call, const int32_t *levels, uint32_t count)
{
	int32_t any = 0;

	if (call->access & WEFT_IMAGE_BASE_LEVEL)
		return true;
	for (uint32_t i = 0; i < count; i++)
		any |= levels[i];
	return any == 0;
}

static void store_scattered(const struct target *target, const struct places *places,
			    const struct words *words)
{
	for (uint32_t i = 0; i < target->count; i++) {
		const struct texel_place place = place_of(places, i);
		const struct texel_words texel = {words->w[0][i], words->w[1][i], words->w[2][i],
						  words->w[3][i]};

		if (texel_level_contains(target->level, target->access, place))
			texel_store(target->format, texel_row(target->level, target->access, place),
				    (uint32_t)place.x, texel);
	}
}

/* `rows` has room for all lanes of a block. */
static void write_block(const struct call *call, const int32_t *coordinates, size_t stride,
			const struct rows *rows)
{
	const uint32_t count = rows->count, bytes = texel_bytes(call->image->format);
	const struct target target = target_of(call, 0, count);
	unsigned char run[16 * LANES] ALIGNED;
	struct places places;
	struct words words;

	if (!writes_level_0(call, coordinates + 3 * stride, count)) {
		weft_image_write_each(call, coordinates, stride, rows);
		return;
	}
	take_places(call->access, coordinates, stride, count, &places);
	encode(target.format, rows->n, rows->stride, &words);
	if (!is_row(&target, places.x, places.y, places.z, count)) {
		store_scattered(&target, &places, &words);
		return;
	}
	const struct texel_place first = place_of(&places, 0);
	unsigned char *to = texel_row(target.level, target.access, first) + (size_t)first.x * bytes;

	if (count == LANES) {
		store_run(bytes, &words, to);
	} else {
		store_run(bytes, &words, run);
		memcpy(to, run, (size_t)count * bytes);
	}
}

/* ---- calls ------------------------------------------------------------------------------------------ */

static bool is_in_blocks(const struct weft_image *image, uint32_t count)
{
	return count >= FEWEST && (image->row_pitch | image->slice_pitch) >> 32 == 0;
}

/* The rows of a block that begins with lane `done`: those of the call, or, for the last lanes, `part`. */
static struct rows begin_block(void *texels, uint32_t count, uint32_t done, struct texels *part)
{
	if (count - done >= LANES)
		return (struct rows){(uint32_t *)texels + done, count, LANES};
	return (struct rows){part->rows, LANES, count - done};
}

static void end_block(const struct rows *rows, void *texels, uint32_t count, uint32_t done)
{
	if (rows->count == LANES)
		return;
	for (uint32_t row = 0; row < 4; row++)
		memcpy((uint32_t *)texels + row * count + done, rows->n + row * LANES,
		       rows->count * sizeof(*rows->n));
}

static void sample_lanes(const struct weft_image *image, weft_sampler sampler, uint32_t access,
			 uint32_t count, const float *coordinates, void *texels)
{
	const struct call call = {image, sampler, access};
	const bool in_blocks = is_in_blocks(image, count);

	for (uint32_t done = 0; done < count; done += LANES) {
		struct texels part;
		const struct rows rows = begin_block(texels, count, done, &part);

		if (in_blocks)
			sample_block(&call, coordinates + done, count, &rows);
		else
			weft_image_sample_each(&call, coordinates + done, count, &rows);
		end_block(&rows, texels, count, done);
	}
}

static void read_lanes(const struct weft_image *image, weft_sampler sampler, uint32_t access,
		       uint32_t count, const int32_t *coordinates, void *texels)
{
	const struct call call = {image, sampler, access};
	const bool in_blocks = is_in_blocks(image, count);

	for (uint32_t done = 0; done < count; done += LANES) {
		struct texels part;
		const struct rows rows = begin_block(texels, count, done, &part);

		if (in_blocks)
			read_block(&call, coordinates + done, count, &rows);
		else
			weft_image_read_each(&call, coordinates + done, count, &rows);
		end_block(&rows, texels, count, done);
	}
}

static void write_lanes(const struct weft_image *image, uint32_t access, uint32_t count,
			const int32_t *coordinates, const void *texels)
{
	const struct call call = {image, 0, access};
	const bool in_blocks = is_in_blocks(image, count);

	for (uint32_t done = 0; done < count; done += LANES) {
		struct texels part = {{0}};
		const struct rows rows = {part.rows, LANES,
					  count - done < LANES ? count - done : LANES};

		for (uint32_t row = 0; row < 4; row++)
			take((const uint32_t *)texels + row * count + done, rows.count,
			     part.rows + row * LANES);
		if (in_blocks)
			write_block(&call, coordinates + done, count, &rows);
		else
			weft_image_write_each(&call, coordinates + done, count, &rows);
	}
}

#endif
