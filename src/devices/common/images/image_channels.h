/* SPDX-License-Identifier: MIT
 *
 * Accesses of images by a block of work-items: between the bytes of texels and rows of channels. Each loop is one of a
 * type, so a block has a few switches and no more.
 */
#ifndef WEFT_DEVICES_IMAGE_CHANNELS_H
#define WEFT_DEVICES_IMAGE_CHANNELS_H

#include "images/image_lanes.h"

/* A format of one type, for the functions of image_formats.h. */
#define OF_TYPE(type) ((uint32_t)(type) << 8 | TEXEL_RGBA)
#define SRGB (TEXEL_UNORM8 << 8 | TEXEL_SRGBA)
#define SRGB_TYPE 0xffu /* not of enum texel_type */

/* Where a channel lies: bits of one of the words. */
struct field {
	uint32_t word, shift, mask;
};

TEXEL_FUNCTION struct field field_of(uint32_t type, uint32_t channel)
{
	struct field field = {0, 0, UINT32_MAX};

	switch (texel_width(type)) {
	case 8:
		field.shift = 8 * channel;
		field.mask = 0xffu;
		break;
	case 16:
		field.word = channel / 2;
		field.shift = 16 * (channel & 1);
		field.mask = 0xffffu;
		break;
	case 32:
		field.word = channel;
		break;
	default:
		field.shift = texel_packed_shifts(type) >> (8 * channel) & 0xffu;
		field.mask = texel_packed_most(type, channel);
	}
	return field;
}

TEXEL_FUNCTION void decode_loop(uint32_t format, uint32_t channel,
				const struct words *restrict words, uint32_t *restrict row)
{
	const struct field field = field_of(texel_type(format), channel);
	const uint32_t *restrict from = words->w[field.word];

	for
		EACH_LANE(i)
	row[i] = texel_from_field(format, channel, from[i] >> field.shift & field.mask);
}

/* Every conversion but that of TEXEL_UINT32, which is none: X(name). */
#define CONVERSIONS(X)                                                                             \
	X(TEXEL_SNORM8)                                                                            \
	X(TEXEL_SNORM16)                                                                           \
	X(TEXEL_UNORM8)                                                                            \
	X(TEXEL_UNORM16)                                                                           \
	X(TEXEL_UNORM_565)                                                                         \
	X(TEXEL_UNORM_555)                                                                         \
	X(TEXEL_UNORM_101010)                                                                      \
	X(TEXEL_UNORM_101010_2)                                                                    \
	X(TEXEL_UNORM_2_101010)                                                                    \
	X(TEXEL_INT8)                                                                              \
	X(TEXEL_INT16)                                                                             \
	X(TEXEL_INT32)                                                                             \
	X(TEXEL_UINT8)                                                                             \
	X(TEXEL_UINT16)                                                                            \
	X(TEXEL_HALF)                                                                              \
	X(TEXEL_FLOAT)                                                                             \
	X(SRGB_TYPE)

static void fill(uint32_t *restrict row, uint32_t value)
{
	for
		EACH_LANE(i)
	row[i] = value;
}

/* The channels of a texel whose type is a constant; sRGB's are of one more type. */
TEXEL_FUNCTION void decode_type(uint32_t type, uint32_t sources, const struct words *restrict words,
				uint32_t *restrict rows, size_t stride)
{
	for (uint32_t i = 0; i < 4; i++, sources >>= 4, rows += stride) {
		uint32_t source = sources & 15u;

		if (source == TEXEL_ZERO)
			fill(rows, 0);
		else if (source == TEXEL_ONE)
			fill(rows, texel_one(type));
		else if (type == SRGB_TYPE && source < 3)
			decode_loop(SRGB, source, words, rows);
		else
			decode_loop(OF_TYPE(type == SRGB_TYPE ? TEXEL_UNORM8 : type), source, words,
				    rows);
	}
}

static uint32_t conversion_of(uint32_t format)
{
	return texel_is_srgb(texel_order(format)) ? SRGB_TYPE : texel_type(format);
}

/* To the rows r, g, b, a, each `stride` numbers from the one before. */
static void decode(uint32_t format, const struct words *restrict words, uint32_t *restrict rows,
		   size_t stride)
{
	const uint32_t sources = texel_sources(texel_order(format));

	switch (conversion_of(format)) {
#define CASE(name)                                                                                 \
	case name:                                                                                 \
		decode_type(name, sources, words, rows, stride);                                   \
		break;
		CONVERSIONS(CASE)
#undef CASE
	default: /* unsigned integers of 32 bits, RAW10, RAW12 */
		decode_type(TEXEL_UINT32, sources, words, rows, stride);
	}
}

static void put_border(uint32_t format, const struct numbers *restrict inside,
		       uint32_t *restrict rows, size_t stride)
{
	const struct texel border = texel_border(format);

	for
		EACH_LANE(i)
		{
			rows[i] &= inside->n[i];
			rows[stride + i] &= inside->n[i];
			rows[2 * stride + i] &= inside->n[i];
			rows[3 * stride + i] = inside->n[i] ? rows[3 * stride + i] : border.a;
		}
}

/* ---- to memory -------------------------------------------------------------------------------------- */

TEXEL_FUNCTION void encode_loop(uint32_t format, uint32_t channel, const uint32_t *restrict row,
				struct words *restrict words)
{
	const struct field field = field_of(texel_type(format), channel);
	uint32_t *restrict to = words->w[field.word];

	for
		EACH_LANE(i)
	to[i] |= texel_to_field(format, channel, row[i]) << field.shift;
}

TEXEL_FUNCTION void encode_type(uint32_t type, uint32_t targets, const uint32_t *restrict rows,
				size_t stride, struct words *restrict words)
{
	for (uint32_t channel = 0; channel < 4; channel++, targets >>= 4) {
		const uint32_t *row = rows + (targets & 3u) * stride;

		if ((targets & 15u) > 3)
			continue;
		if (type == SRGB_TYPE && channel < 3)
			encode_loop(SRGB, channel, row, words);
		else
			encode_loop(OF_TYPE(type == SRGB_TYPE ? TEXEL_UNORM8 : type), channel, row,
				    words);
	}
}

/* From the rows r, g, b, a, each `stride` numbers from the one before. Not of RAW10 and RAW12, which no kernel writes. */
static void encode(uint32_t format, const uint32_t *restrict rows, size_t stride,
		   struct words *restrict words)
{
	const uint32_t targets = texel_targets(format);

	memset(words, 0, sizeof(*words));
	switch (conversion_of(format)) {
#define CASE(name)                                                                                 \
	case name:                                                                                 \
		encode_type(name, targets, rows, stride, words);                                   \
		break;
		CONVERSIONS(CASE)
#undef CASE
	default:
		encode_type(TEXEL_UINT32, targets, rows, stride, words);
	}
}

#endif
