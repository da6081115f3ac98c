/* SPDX-License-Identifier: MIT
 *
 * Conversions between the bytes of a texel and its channels (OpenCL C specification, 8.3). With a constant format they are
 * the few instructions that the format needs.
 */
#ifndef WEFT_IMAGE_FORMATS_H
#define WEFT_IMAGE_FORMATS_H

#include "image_srgb.h"

/* Where a channel of the kernel comes from: a channel of the texel, in the order of memory, or one of these. */
#define TEXEL_ZERO 4u
#define TEXEL_ONE 5u

/* Four of these, for r in the lowest digit, then g, b, a. */
TEXEL_FUNCTION uint32_t texel_sources(uint32_t order)
{
	switch (order) {
	case TEXEL_A:
		return 0x0444u;
	case TEXEL_RG:
	case TEXEL_RGX:
		return 0x5410u;
	case TEXEL_RA:
		return 0x1440u;
	case TEXEL_RGB:
	case TEXEL_RGBX:
	case TEXEL_SRGB:
	case TEXEL_SRGBX:
		return 0x5210u;
	case TEXEL_RGBA:
	case TEXEL_SRGBA:
		return 0x3210u;
	case TEXEL_BGRA:
	case TEXEL_SBGRA:
		return 0x3012u;
	case TEXEL_ARGB:
		return 0x0321u;
	case TEXEL_ABGR:
		return 0x0123u;
	case TEXEL_INTENSITY:
		return 0x0000u;
	case TEXEL_LUMINANCE:
		return 0x5000u;
	default: /* R, Rx, DEPTH */
		return 0x5440u;
	}
}

/* The reverse, for the first channel of memory in the lowest digit: 0 to 3 for r, g, b, a. Reads ignore the x of RGBx. Writes leave a
 * in it, as the conformance suite expects, and 0 in the x of a packed type. */
TEXEL_FUNCTION uint32_t texel_targets(uint32_t format)
{
	uint32_t type = texel_type(format);

	if (type >= TEXEL_UNORM_565 && type <= TEXEL_UNORM_101010)
		return 0x4210u;
	switch (texel_order(format)) {
	case TEXEL_A:
		return 0x4443u;
	case TEXEL_RG:
	case TEXEL_RGX:
		return 0x4410u;
	case TEXEL_RA:
		return 0x4430u;
	case TEXEL_SRGB:
		return 0x4210u;
	case TEXEL_RGBA:
	case TEXEL_RGBX:
	case TEXEL_SRGBA:
	case TEXEL_SRGBX:
		return 0x3210u;
	case TEXEL_BGRA:
	case TEXEL_SBGRA:
		return 0x3012u;
	case TEXEL_ARGB:
		return 0x2103u;
	case TEXEL_ABGR:
		return 0x0123u;
	default: /* R, Rx, DEPTH, INTENSITY, LUMINANCE */
		return 0x4440u;
	}
}

TEXEL_FUNCTION int texel_is_srgb(uint32_t order)
{
	return order >= TEXEL_SRGB && order <= TEXEL_SBGRA;
}

TEXEL_FUNCTION int texel_is_integer(uint32_t type)
{
	return (type >= TEXEL_INT8 && type <= TEXEL_UINT32) || type == TEXEL_RAW10 ||
	       type == TEXEL_RAW12;
}

TEXEL_FUNCTION uint32_t texel_one(uint32_t type)
{
	return texel_is_integer(type) ? 1u : 0x3f800000u;
}

/* Outside of the image (6.15.15.1.1): opaque if the order has no alpha. The text counts Rx, RGx, RGBx and sRGBx among those
 * with alpha, the conformance suite does not. */
TEXEL_FUNCTION struct texel texel_border(uint32_t format)
{
	int opaque = texel_sources(texel_order(format)) >> 12 == TEXEL_ONE;
	struct texel border = {0, 0, 0, opaque ? texel_one(texel_type(format)) : 0u};

	return border;
}

/* ---- the bits of a channel in a texel --------------------------------------------------------------- */

/* Bits of a channel; 0: the channels of the type differ. */
TEXEL_FUNCTION uint32_t texel_width(uint32_t type)
{
	switch (type) {
	case TEXEL_SNORM8:
	case TEXEL_UNORM8:
	case TEXEL_INT8:
	case TEXEL_UINT8:
		return 8;
	case TEXEL_SNORM16:
	case TEXEL_UNORM16:
	case TEXEL_INT16:
	case TEXEL_UINT16:
	case TEXEL_HALF:
		return 16;
	case TEXEL_INT32:
	case TEXEL_UINT32:
	case TEXEL_FLOAT:
		return 32;
	default:
		return 0;
	}
}

/* Of a packed type: the lowest bit of each channel, as four bytes, the first channel in the lowest. */
TEXEL_FUNCTION uint32_t texel_packed_shifts(uint32_t type)
{
	switch (type) {
	case TEXEL_UNORM_565:
		return 0x00050bu;
	case TEXEL_UNORM_555:
		return 0x00050au;
	case TEXEL_UNORM_101010:
		return 0x000a14u;
	case TEXEL_UNORM_101010_2:
		return 0x00020c16u;
	case TEXEL_UNORM_2_101010:
		return 0x000a141eu;
	default:
		return 0;
	}
}

/* And the largest value of each channel. */
TEXEL_FUNCTION uint32_t texel_packed_most(uint32_t type, uint32_t channel)
{
	switch (type) {
	case TEXEL_UNORM_565:
		return channel == 1 ? 63 : 31;
	case TEXEL_UNORM_555:
		return 31;
	case TEXEL_UNORM_101010_2:
		return channel == 3 ? 3 : 1023;
	case TEXEL_UNORM_2_101010:
		return channel == 0 ? 3 : 1023;
	case TEXEL_RAW12:
		return 4095;
	default: /* 101010, RAW10 */
		return 1023;
	}
}

TEXEL_FUNCTION uint32_t texel_word(struct texel_words words, uint32_t index)
{
	return index == 0 ? words.w0 : index == 1 ? words.w1 : index == 2 ? words.w2 : words.w3;
}

/* The bits of a channel, without its sign. */
TEXEL_FUNCTION uint32_t texel_field(uint32_t type, struct texel_words words, uint32_t channel)
{
	switch (texel_width(type)) {
	case 8:
		return words.w0 >> (8 * channel) & 0xffu;
	case 16:
		return texel_word(words, channel / 2) >> (16 * (channel & 1)) & 0xffffu;
	case 32:
		return texel_word(words, channel);
	default:
		return words.w0 >> (texel_packed_shifts(type) >> (8 * channel) & 0xffu) &
		       texel_packed_most(type, channel);
	}
}

/* Puts the fields of a texel together. */
TEXEL_FUNCTION struct texel_words texel_join(uint32_t type, uint32_t f0, uint32_t f1, uint32_t f2,
					     uint32_t f3)
{
	struct texel_words words = {f0, f1, f2, f3};
	uint32_t shifts = texel_packed_shifts(type);

	switch (texel_width(type)) {
	case 8:
		words.w0 = f0 | f1 << 8 | f2 << 16 | f3 << 24;
		words.w1 = words.w2 = words.w3 = 0;
		return words;
	case 16:
		words.w0 = f0 | f1 << 16;
		words.w1 = f2 | f3 << 16;
		words.w2 = words.w3 = 0;
		return words;
	case 32:
		return words;
	default:
		words.w0 = f0 << (shifts & 0xffu) | f1 << (shifts >> 8 & 0xffu) |
			   f2 << (shifts >> 16 & 0xffu) | f3 << (shifts >> 24);
		words.w1 = words.w2 = words.w3 = 0;
		return words;
	}
}

/* ---- numbers ---------------------------------------------------------------------------------------- */

/* 1 / most, so rounded that `most` becomes 1.0f (8.3.1.1 allows 1.5 units in the last place). */
TEXEL_FUNCTION float texel_normalized(int32_t value, int32_t most)
{
	return (float)value * (1.0f / (float)most);
}

/* Of NaN 0. */
TEXEL_FUNCTION uint32_t texel_unorm(float x, uint32_t most)
{
	x = x > 0.0f ? x : 0.0f;
	x = x < 1.0f ? x : 1.0f;
	return texel_round(x * (float)(int32_t)most);
}

/* The least is -most: the conformance suite expects it, and it is read as -1.0f, too. */
TEXEL_FUNCTION uint32_t texel_snorm(float x, int32_t most)
{
	x = x != x ? 0.0f : x;
	x = x > -1.0f ? x : -1.0f;
	x = x < 1.0f ? x : 1.0f;
	return texel_bits(x * (float)most + 0x1.8p23f);
}

#ifdef __OPENCL_C_VERSION__
TEXEL_FUNCTION float texel_from_half(uint32_t bits)
{
	return (float)as_half((ushort)bits);
}

TEXEL_FUNCTION uint32_t texel_to_half(float x)
{
	return (uint32_t)as_ushort((half)x);
}
#else
/* As the instructions of CPUs do: NaN becomes quiet and keeps the upper bits of what it carries. */
TEXEL_FUNCTION float texel_from_half(uint32_t bits)
{
	uint32_t magnitude = (bits & 0x7fffu) << 13;
	uint32_t normal = magnitude + 0x38000000u;
	uint32_t subnormal = texel_bits(texel_float(magnitude + 0x38800000u) - 0x1p-14f);
	uint32_t special = (magnitude + 0x70000000u) | (magnitude > 0x0f800000u ? 0x400000u : 0u);
	uint32_t result = magnitude < 0x00800000u ? subnormal : normal;

	result = magnitude < 0x0f800000u ? result : special;
	return texel_float(result | (bits & 0x8000u) << 16);
}

/* To the nearest, ties to even. Adding the float whose last bit has the weight of a subnormal half's last bit rounds those. */
TEXEL_FUNCTION uint32_t texel_to_half(float x)
{
	uint32_t sign = texel_bits(x) >> 16 & 0x8000u, magnitude = texel_bits(x) & 0x7fffffffu;
	uint32_t odd = magnitude >> 13 & 1u;
	uint32_t normal = (magnitude - 0x38000000u + 0xfffu + odd) >> 13;
	uint32_t subnormal = texel_bits(texel_float(magnitude) + 0.5f) - 0x3f000000u;
	uint32_t nan = 0x7e00u | (magnitude >> 13 & 0x1ffu);
	uint32_t result = magnitude < 0x38800000u ? subnormal : normal;

	result = magnitude >= 0x477ff000u ? 0x7c00u : result;
	result = magnitude > 0x7f800000u ? nan : result;
	return result | sign;
}
#endif

/* ---- channels --------------------------------------------------------------------------------------- */

/* `channel` is a number in the order of memory. */
TEXEL_FUNCTION uint32_t texel_from_field(uint32_t format, uint32_t channel, uint32_t field)
{
	uint32_t type = texel_type(format);
	int32_t signed8 = (int32_t)(field << 24) >> 24, signed16 = (int32_t)(field << 16) >> 16;
	float x;

	switch (type) {
	case TEXEL_SNORM8:
		x = texel_normalized(signed8, 127);
		return texel_bits(x > -1.0f ? x : -1.0f);
	case TEXEL_SNORM16:
		x = texel_normalized(signed16, 32767);
		return texel_bits(x > -1.0f ? x : -1.0f);
	case TEXEL_UNORM8:
		if (texel_is_srgb(texel_order(format)) && channel < 3)
			return texel_bits(texel_srgb_linear[field]);
		return texel_bits(texel_normalized((int32_t)field, 255));
	case TEXEL_UNORM16:
		return texel_bits(texel_normalized((int32_t)field, 65535));
	case TEXEL_INT8:
		return (uint32_t)signed8;
	case TEXEL_INT16:
		return (uint32_t)signed16;
	case TEXEL_HALF:
		return texel_bits(texel_from_half(field));
	case TEXEL_UNORM_565:
	case TEXEL_UNORM_555:
	case TEXEL_UNORM_101010:
	case TEXEL_UNORM_101010_2:
	case TEXEL_UNORM_2_101010:
		return texel_bits(texel_normalized((int32_t)field,
						   (int32_t)texel_packed_most(type, channel)));
	default: /* of 32 bits, unsigned, raw */
		return field;
	}
}

TEXEL_FUNCTION uint32_t texel_saturated(uint32_t value, int32_t least, int32_t most)
{
	int32_t x = (int32_t)value;

	x = x > least ? x : least;
	return (uint32_t)(x < most ? x : most);
}

/* The field of a channel with these bits. */
TEXEL_FUNCTION uint32_t texel_to_field(uint32_t format, uint32_t channel, uint32_t bits)
{
	uint32_t type = texel_type(format);
	float x = texel_float(bits);

	switch (type) {
	case TEXEL_SNORM8:
		return texel_snorm(x, 127) & 0xffu;
	case TEXEL_SNORM16:
		return texel_snorm(x, 32767) & 0xffffu;
	case TEXEL_UNORM8:
		if (texel_is_srgb(texel_order(format)) && channel < 3)
			return texel_to_srgb(x);
		return texel_unorm(x, 255);
	case TEXEL_UNORM16:
		return texel_unorm(x, 65535);
	case TEXEL_INT8:
		return texel_saturated(bits, -128, 127) & 0xffu;
	case TEXEL_INT16:
		return texel_saturated(bits, -32768, 32767) & 0xffffu;
	case TEXEL_UINT8:
		return bits < 0xffu ? bits : 0xffu;
	case TEXEL_UINT16:
		return bits < 0xffffu ? bits : 0xffffu;
	case TEXEL_HALF:
		return texel_to_half(x);
	case TEXEL_INT32:
	case TEXEL_UINT32:
	case TEXEL_FLOAT:
		return bits;
	default:
		return texel_unorm(x, texel_packed_most(type, channel));
	}
}

/* ---- texels ----------------------------------------------------------------------------------------- */

TEXEL_FUNCTION uint32_t texel_decode_channel(uint32_t format, struct texel_words words,
					     uint32_t source)
{
	uint32_t type = texel_type(format);

	if (source == TEXEL_ZERO)
		return 0;
	if (source == TEXEL_ONE)
		return texel_one(type);
	return texel_from_field(format, source, texel_field(type, words, source));
}

/* The channels of a texel, those that it lacks included (6.15.15.8). */
TEXEL_FUNCTION struct texel texel_decode(uint32_t format, struct texel_words words)
{
	uint32_t sources = texel_sources(texel_order(format));
	struct texel texel;

	texel.r = texel_decode_channel(format, words, sources & 15u);
	texel.g = texel_decode_channel(format, words, sources >> 4 & 15u);
	texel.b = texel_decode_channel(format, words, sources >> 8 & 15u);
	texel.a = texel_decode_channel(format, words, sources >> 12);
	return texel;
}

TEXEL_FUNCTION uint32_t texel_encode_channel(uint32_t format, struct texel texel, uint32_t channel)
{
	uint32_t target = texel_targets(format) >> (4 * channel) & 15u;

	switch (target) {
	case 0:
		return texel_to_field(format, channel, texel.r);
	case 1:
		return texel_to_field(format, channel, texel.g);
	case 2:
		return texel_to_field(format, channel, texel.b);
	case 3:
		return texel_to_field(format, channel, texel.a);
	default:
		return 0;
	}
}

/* The bytes of a texel with these channels. Not for RAW10 and RAW12, whose texels share bytes: no kernel writes them. */
TEXEL_FUNCTION struct texel_words texel_encode(uint32_t format, struct texel texel)
{
	return texel_join(texel_type(format), texel_encode_channel(format, texel, 0),
			  texel_encode_channel(format, texel, 1),
			  texel_encode_channel(format, texel, 2),
			  texel_encode_channel(format, texel, 3));
}

#endif
