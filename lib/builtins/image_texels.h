/* SPDX-License-Identifier: MIT
 *
 * Accesses of images: what a kernel's read_image and write_image functions do for one work-item. Both the functions for
 * images of any format (src/devices/common/images/images.c) and the code for known formats (image_access.cl) consist of
 * these, so that they have the same results. With a constant sampler, access and format they are a few instructions. No
 * byte outside of the image is touched.
 */
#ifndef WEFT_IMAGE_TEXELS_H
#define WEFT_IMAGE_TEXELS_H

#include "image_addressing.h"
#include "image_formats.h"

/* One level of an image. A dimension that the image lacks has size 1. */
struct texel_level {
	TEXELS_AS(unsigned char) data;
	int32_t width, height, depth;
	uint64_t row_pitch, slice_pitch;
};

/* The place of a texel; of an array of images, z is the layer. */
struct texel_place {
	int32_t x, y, z;
};

/* Where a sample lies, as the kernel says it. */
struct texel_position {
	float x, y, z, lod;
};

struct texel_color {
	float r, g, b, a;
};

TEXEL_FUNCTION int texel_has_layers(uint32_t access)
{
	uint32_t shape = access & WEFT_IMAGE_SHAPE_MASK;

	return shape == WEFT_IMAGE_1D_ARRAY || shape == WEFT_IMAGE_2D_ARRAY;
}

TEXEL_FUNCTION int texel_has_rows(uint32_t access)
{
	return (access & WEFT_IMAGE_SHAPE_MASK) >= WEFT_IMAGE_2D;
}

TEXEL_FUNCTION int texel_has_slices(uint32_t access)
{
	return (access & WEFT_IMAGE_SHAPE_MASK) == WEFT_IMAGE_3D;
}

/* Layers and slices are the same to an access: `depth` counts either. */
TEXEL_FUNCTION int32_t texel_slices(IMAGE_POINTER image, uint32_t access)
{
	return (int32_t)(texel_has_layers(access) ? image->layers : image->depth);
}

/* The layer of a 1D array is its second coordinate. */
TEXEL_FUNCTION struct texel_place texel_with_layer(uint32_t access, struct texel_place coordinate)
{
	if ((access & WEFT_IMAGE_SHAPE_MASK) == WEFT_IMAGE_1D_ARRAY)
		coordinate.z = coordinate.y;
	return coordinate;
}

/* `level` is one that the image has. */
TEXEL_FUNCTION struct texel_level texel_level(IMAGE_POINTER image, uint32_t format, uint32_t access,
					      int32_t level)
{
	struct texel_level result = {
		(TEXELS_AS(unsigned char))image->data,
		(int32_t)image->width,
		(int32_t)image->height,
		texel_slices(image, access),
		image->row_pitch,
		image->slice_pitch,
	};

	if (texel_levels(format) > 1 && level > 0) {
		result.data += image->level_offsets[level];
		result.width = texel_most(result.width >> level, 1);
		result.height = texel_most(result.height >> level, 1);
		if (texel_has_slices(access))
			result.depth = texel_most(result.depth >> level, 1);
		result.row_pitch = (uint64_t)(uint32_t)result.width * texel_bytes(format);
		result.slice_pitch = result.row_pitch * (uint64_t)(uint32_t)result.height;
	}
	return result;
}

/* Of an access, beside the bits of kernel_image.h: its sampler leads to no place outside of the image. */
#define TEXEL_STAYS_INSIDE 0x100u

TEXEL_FUNCTION int texel_level_contains(struct texel_level level, uint32_t access,
					struct texel_place place)
{
	int inside = texel_is_inside(place.x, level.width);

	if (access & TEXEL_STAYS_INSIDE)
		return 1;
	if (texel_has_rows(access))
		inside &= texel_is_inside(place.y, level.height);
	if (texel_has_slices(access) || texel_has_layers(access))
		inside &= texel_is_inside(place.z, level.depth);
	return inside;
}

/* ---- memory ----------------------------------------------------------------------------------------- */

/* Texels may lie at any address. */
#ifdef __OPENCL_C_VERSION__
typedef ushort __attribute__((aligned(1))) texel_u16;
typedef uint __attribute__((aligned(1))) texel_u32;
#else
typedef uint16_t __attribute__((aligned(1), may_alias)) texel_u16;
typedef uint32_t __attribute__((aligned(1), may_alias)) texel_u32;
#endif

/* The row of a texel. */
TEXEL_FUNCTION TEXELS_AS(unsigned char)
	texel_row(struct texel_level level, uint32_t access, struct texel_place place)
{
	TEXELS_AS(unsigned char) row = level.data;

	if (texel_has_rows(access))
		row += (uint64_t)(uint32_t)place.y * level.row_pitch;
	if (texel_has_slices(access) || texel_has_layers(access))
		row += (uint64_t)(uint32_t)place.z * level.slice_pitch;
	return row;
}

/* Of RAW10: four texels are 5 bytes, the last of which has the two low bits of each. */
TEXEL_FUNCTION uint32_t texel_load_raw10(TEXELS_AS(const unsigned char) row, uint32_t x)
{
	TEXELS_AS(const unsigned char) group = row + (uint64_t)(x / 4) * 5;

	return (uint32_t)group[x % 4] << 2 | ((uint32_t)group[4] >> (2 * (x % 4)) & 3u);
}

/* Of RAW12: two texels are 3 bytes, the last of which has the four low bits of each. */
TEXEL_FUNCTION uint32_t texel_load_raw12(TEXELS_AS(const unsigned char) row, uint32_t x)
{
	TEXELS_AS(const unsigned char) group = row + (uint64_t)(x / 2) * 3;

	return (uint32_t)group[x % 2] << 4 | ((uint32_t)group[2] >> (4 * (x % 2)) & 15u);
}

TEXEL_FUNCTION struct texel_words texel_load(uint32_t format, TEXELS_AS(const unsigned char) row,
					     uint32_t x)
{
	uint32_t type = texel_type(format), bytes = texel_bytes(format);
	TEXELS_AS(const unsigned char) texel = row + (uint64_t)x * bytes;
	TEXELS_AS(const texel_u32) words = (TEXELS_AS(const texel_u32))texel;
	struct texel_words result = {0, 0, 0, 0};

	if (type == TEXEL_RAW10) {
		result.w0 = texel_load_raw10(row, x);
	} else if (type == TEXEL_RAW12) {
		result.w0 = texel_load_raw12(row, x);
	} else if (bytes == 1) {
		result.w0 = *texel;
	} else if (bytes == 2) {
		result.w0 = *(TEXELS_AS(const texel_u16))texel;
	} else {
		result.w0 = words[0];
		if (bytes >= 8)
			result.w1 = words[1];
		if (bytes == 16) {
			result.w2 = words[2];
			result.w3 = words[3];
		}
	}
	return result;
}

TEXEL_FUNCTION void texel_store(uint32_t format, TEXELS_AS(unsigned char) row, uint32_t x,
				struct texel_words words)
{
	uint32_t bytes = texel_bytes(format);
	TEXELS_AS(unsigned char) texel = row + (uint64_t)x * bytes;
	TEXELS_AS(texel_u32) target = (TEXELS_AS(texel_u32))texel;

	if (bytes == 1) {
		*texel = (unsigned char)words.w0;
	} else if (bytes == 2) {
		*(TEXELS_AS(texel_u16))texel = (texel_u16)words.w0;
	} else {
		target[0] = words.w0;
		if (bytes >= 8)
			target[1] = words.w1;
		if (bytes == 16) {
			target[2] = words.w2;
			target[3] = words.w3;
		}
	}
}

/* ---- texels ----------------------------------------------------------------------------------------- */

TEXEL_FUNCTION struct texel texel_fetch(struct texel_level level, uint32_t format, uint32_t access,
					struct texel_place place)
{
	struct texel_words words = {0, 0, 0, 0};

	/* The border (texel_border) is what zeros are: code for a known format selects words, not channels. */
	if (texel_level_contains(level, access, place))
		words = texel_load(format, texel_row(level, access, place), (uint32_t)place.x);
	return texel_decode(format, words);
}

/* By integer coordinates; a sampler of 0 stands for none. */
TEXEL_FUNCTION struct texel texel_read(IMAGE_POINTER image, uint64_t sampler, uint32_t access,
				       struct texel_place coordinate, int32_t lod)
{
	uint32_t format = image->format, mode = (uint32_t)sampler;
	int32_t last = (int32_t)texel_levels(format) - 1;
	int32_t chosen = texel_most(texel_least(lod, last), 0);
	struct texel_level level =
		texel_level(image, format, access, access & WEFT_IMAGE_BASE_LEVEL ? 0 : chosen);
	struct texel_place place = texel_with_layer(access, coordinate);

	if (texel_has_layers(access) && sampler != 0)
		place.z = texel_most(texel_least(place.z, level.depth - 1), 0);
	else
		place.z = texel_address(mode, place.z, level.depth);
	place.x = texel_address(mode, place.x, level.width);
	place.y = texel_address(mode, place.y, level.height);
	if ((mode & WEFT_SAMPLER_ADDRESS_MASK) == WEFT_SAMPLER_CLAMP_TO_EDGE)
		access |= TEXEL_STAYS_INSIDE;
	return texel_fetch(level, format, access, place);
}

/* Nothing is written outside of the image and of its levels. */
TEXEL_FUNCTION void texel_write(IMAGE_POINTER image, uint32_t access, struct texel_place coordinate,
				int32_t lod, struct texel texel)
{
	uint32_t format = image->format;
	int32_t chosen = access & WEFT_IMAGE_BASE_LEVEL ? 0 : lod;
	struct texel_place place = texel_with_layer(access, coordinate);
	struct texel_level level;

	if (chosen != 0 && !texel_is_inside(chosen, (int32_t)texel_levels(format)))
		return;
	level = texel_level(image, format, access, chosen);
	if (texel_level_contains(level, access, place))
		texel_store(format, texel_row(level, access, place), (uint32_t)place.x,
			    texel_encode(format, texel));
}

/* ---- samples ---------------------------------------------------------------------------------------- */

TEXEL_FUNCTION struct texel_color texel_mix(struct texel first, float weight0, struct texel second,
					    float weight1)
{
	struct texel_color color;

	color.r = texel_float(first.r) * weight0 + texel_float(second.r) * weight1;
	color.g = texel_float(first.g) * weight0 + texel_float(second.g) * weight1;
	color.b = texel_float(first.b) * weight0 + texel_float(second.b) * weight1;
	color.a = texel_float(first.a) * weight0 + texel_float(second.a) * weight1;
	return color;
}

TEXEL_FUNCTION struct texel_color texel_sum(struct texel_color a, struct texel_color b)
{
	a.r += b.r;
	a.g += b.g;
	a.b += b.b;
	a.a += b.a;
	return a;
}

TEXEL_FUNCTION struct texel texel_from_color(struct texel_color color)
{
	struct texel texel = {
		texel_bits(color.r),
		texel_bits(color.g),
		texel_bits(color.b),
		texel_bits(color.a),
	};

	return texel;
}

/* What a sample reads of a level: neighbours in each dimension that it has. */
struct texel_cube {
	struct texel_pair x, y, z;
};

/* Two neighbours in x, times `weight`. */
TEXEL_FUNCTION struct texel_color texel_filter_row(struct texel_level level, uint32_t format,
						   uint32_t access, struct texel_pair x,
						   struct texel_place place, float weight)
{
	struct texel_place second = place;

	place.x = x.i0;
	second.x = x.i1;
	return texel_mix(texel_fetch(level, format, access, place), (1.0f - x.fraction) * weight,
			 texel_fetch(level, format, access, second), x.fraction * weight);
}

TEXEL_FUNCTION struct texel_color texel_filter_slice(struct texel_level level, uint32_t format,
						     uint32_t access, struct texel_cube cube,
						     int32_t z, float weight)
{
	struct texel_place place = {0, cube.y.i0, z};
	struct texel_color color;

	if (!texel_has_rows(access))
		return texel_filter_row(level, format, access, cube.x, place, weight);
	color = texel_filter_row(level, format, access, cube.x, place,
				 (1.0f - cube.y.fraction) * weight);
	place.y = cube.y.i1;
	return texel_sum(color, texel_filter_row(level, format, access, cube.x, place,
						 cube.y.fraction * weight));
}

TEXEL_FUNCTION struct texel texel_filter(struct texel_level level, uint32_t format, uint32_t access,
					 struct texel_cube cube)
{
	struct texel_color color;

	if (!texel_has_slices(access))
		return texel_from_color(
			texel_filter_slice(level, format, access, cube, cube.z.i0, 1.0f));
	color = texel_filter_slice(level, format, access, cube, cube.z.i0, 1.0f - cube.z.fraction);
	return texel_from_color(texel_sum(color, texel_filter_slice(level, format, access, cube,
								    cube.z.i1, cube.z.fraction)));
}

/* A linear filter of integers is undefined; they are read as by the nearest one. */
TEXEL_FUNCTION int texel_is_filtered(uint32_t sampler, uint32_t format)
{
	return (sampler & WEFT_SAMPLER_LINEAR) && !texel_is_integer(texel_type(format));
}

TEXEL_FUNCTION struct texel texel_sample_level(struct texel_level level, uint32_t format,
					       uint32_t sampler, uint32_t access,
					       struct texel_position position)
{
	int one_row = (access & WEFT_IMAGE_SHAPE_MASK) == WEFT_IMAGE_1D_ARRAY;
	int32_t layer = texel_layer(one_row ? position.y : position.z, level.depth);
	struct texel_place place;
	struct texel_cube cube;

	if (texel_stays_inside(sampler))
		access |= TEXEL_STAYS_INSIDE;
	if (texel_is_filtered(sampler, format)) {
		cube.x = texel_linear(sampler, position.x, level.width);
		cube.y = texel_linear(sampler, position.y, level.height);
		cube.z = texel_linear(sampler, position.z, level.depth);
		cube.z.i0 = texel_has_layers(access) ? layer : cube.z.i0;
		return texel_filter(level, format, access, cube);
	}
	place.x = texel_nearest(sampler, position.x, level.width);
	place.y = texel_nearest(sampler, position.y, level.height);
	place.z =
		texel_has_layers(access) ? layer : texel_nearest(sampler, position.z, level.depth);
	return texel_fetch(level, format, access, place);
}

/* By float coordinates, of the level or the two levels that `position.lod` and the sampler choose. */
TEXEL_FUNCTION struct texel texel_sample(IMAGE_POINTER image, uint64_t sampler, uint32_t access,
					 struct texel_position position)
{
	uint32_t format = image->format, mode = (uint32_t)sampler;
	struct texel_pair pair = {0, 0, 0.0f};
	struct texel first, second;

	if (texel_levels(format) > 1 && !(access & WEFT_IMAGE_BASE_LEVEL))
		pair = texel_level_pair(sampler, position.lod, (int32_t)texel_levels(format));
	first = texel_sample_level(texel_level(image, format, access, pair.i0), format, mode,
				   access, position);
	if (pair.fraction == 0.0f || texel_is_integer(texel_type(format)))
		return first;
	second = texel_sample_level(texel_level(image, format, access, pair.i1), format, mode,
				    access, position);
	return texel_from_color(texel_mix(first, 1.0f - pair.fraction, second, pair.fraction));
}

#endif
