/* SPDX-License-Identifier: MIT
 *
 * The words in which image_texels.h and its parts are written, for OpenCL C (lib/builtins) and for C (src/devices/common): one
 * arithmetic for both, with the same results to the bit on every CPU. So sums are never contracted (-ffp-contract=off in C),
 * and what has to hold for NaN is an explicit comparison. The macros are those of kernel_image.h, whose comments hold: C
 * includes both, so the compiler compares them.
 */
#ifndef WEFT_IMAGE_TYPES_H
#define WEFT_IMAGE_TYPES_H

/* image_each.c has one that does not ask for so much code, image_access.cl one whose functions stay calls. */
#ifndef TEXEL_FUNCTION
#define TEXEL_FUNCTION static inline __attribute__((always_inline))
#endif

#ifdef __OPENCL_C_VERSION__

typedef int int32_t;
typedef uint uint32_t;
typedef ulong uint64_t;

#define IMAGE_POINTER const __constant struct weft_image *
#define TEXEL_POINTER __global void *
#define TEXELS_AS(type) __global type *
#define CONSTANT_TABLE static __constant

enum weft_image_shape {
	WEFT_IMAGE_1D = 1,
	WEFT_IMAGE_1D_ARRAY,
	WEFT_IMAGE_2D,
	WEFT_IMAGE_2D_ARRAY,
	WEFT_IMAGE_3D,
};

#define WEFT_IMAGE_LEVELS_MAX 17

struct weft_image {
	__global void *data;
	uint32_t format, width, height, depth, layers, flags;
	uint64_t row_pitch, slice_pitch;
	uint64_t level_offsets[WEFT_IMAGE_LEVELS_MAX];
};

TEXEL_FUNCTION uint32_t texel_bits(float x)
{
	return as_uint(x);
}

TEXEL_FUNCTION float texel_float(uint32_t bits)
{
	return as_float(bits);
}

TEXEL_FUNCTION float texel_floor(float x)
{
	return floor(x);
}

TEXEL_FUNCTION float texel_rint(float x)
{
	return rint(x);
}

TEXEL_FUNCTION float texel_sqrt(float x)
{
	return sqrt(x);
}

#else

#include "kernel_image.h"

#include <string.h>

#define IMAGE_POINTER const struct weft_image *
#define TEXEL_POINTER void *
#define TEXELS_AS(type) type *
#define CONSTANT_TABLE static const

TEXEL_FUNCTION uint32_t texel_bits(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

TEXEL_FUNCTION float texel_float(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

#ifdef __SSE4_1__
TEXEL_FUNCTION float texel_floor(float x)
{
	return __builtin_floorf(x);
}

TEXEL_FUNCTION float texel_rint(float x)
{
	return __builtin_rintf(x);
}
#else
/* Floats of 2^23 and above are whole. */
TEXEL_FUNCTION float texel_rint(float x)
{
	float magnitude = texel_float(texel_bits(x) & 0x7fffffffu);
	float rounded = (magnitude + 0x1p23f) - 0x1p23f;

	rounded = texel_float(texel_bits(rounded) | (texel_bits(x) & 0x80000000u));
	return magnitude < 0x1p23f ? rounded : x;
}

TEXEL_FUNCTION float texel_floor(float x)
{
	float rounded = texel_rint(x);

	return rounded > x ? rounded - 1.0f : rounded;
}
#endif

TEXEL_FUNCTION float texel_sqrt(float x)
{
	return __builtin_sqrtf(x);
}

#endif

#define WEFT_SAMPLER_NORMALIZED 1u
#define WEFT_SAMPLER_ADDRESS_MASK 0xeu
#define WEFT_SAMPLER_ADDRESS_NONE 0x0u
#define WEFT_SAMPLER_CLAMP_TO_EDGE 0x2u
#define WEFT_SAMPLER_CLAMP 0x4u
#define WEFT_SAMPLER_REPEAT 0x6u
#define WEFT_SAMPLER_MIRRORED_REPEAT 0x8u
#define WEFT_SAMPLER_NEAREST 0x10u
#define WEFT_SAMPLER_LINEAR 0x20u
#define WEFT_SAMPLER_MIP_LINEAR 0x100u
#define WEFT_SAMPLER_LOD_MIN_SHIFT 16
#define WEFT_SAMPLER_LOD_MAX_SHIFT 40
#define WEFT_SAMPLER_LOD_MAX 0x7f7fffu

#define WEFT_IMAGE_SHAPE_MASK 7u
#define WEFT_IMAGE_INTEGER 8u /* 32-bit integers, signed or not as the format says; else floats */
#define WEFT_IMAGE_BASE_LEVEL 16u

/* Of a format word (kernel_image.h): the channel orders and types, as the numbers of cl.h less the first one. */
enum texel_order {
	TEXEL_R,
	TEXEL_A,
	TEXEL_RG,
	TEXEL_RA,
	TEXEL_RGB,
	TEXEL_RGBA,
	TEXEL_BGRA,
	TEXEL_ARGB,
	TEXEL_INTENSITY,
	TEXEL_LUMINANCE,
	TEXEL_RX,
	TEXEL_RGX,
	TEXEL_RGBX,
	TEXEL_DEPTH,
	TEXEL_SRGB = 15,
	TEXEL_SRGBX,
	TEXEL_SRGBA,
	TEXEL_SBGRA,
	TEXEL_ABGR,
};

enum texel_type {
	TEXEL_SNORM8,
	TEXEL_SNORM16,
	TEXEL_UNORM8,
	TEXEL_UNORM16,
	TEXEL_UNORM_565,
	TEXEL_UNORM_555,
	TEXEL_UNORM_101010,
	TEXEL_INT8,
	TEXEL_INT16,
	TEXEL_INT32,
	TEXEL_UINT8,
	TEXEL_UINT16,
	TEXEL_UINT32,
	TEXEL_HALF,
	TEXEL_FLOAT,
	TEXEL_UNORM_101010_2 = 16,
	TEXEL_RAW10 = 19,
	TEXEL_RAW12,
	TEXEL_UNORM_2_101010,
};

TEXEL_FUNCTION uint32_t texel_order(uint32_t format)
{
	return format & 0xffu;
}

TEXEL_FUNCTION uint32_t texel_type(uint32_t format)
{
	return format >> 8 & 0xffu;
}

TEXEL_FUNCTION uint32_t texel_bytes(uint32_t format)
{
	return format >> 16 & 0xffu;
}

TEXEL_FUNCTION uint32_t texel_levels(uint32_t format)
{
	return format >> 24;
}

/* The channels of a texel to the kernel: bits of floats, or integers. */
struct texel {
	uint32_t r, g, b, a;
};

/* The bytes of a texel, little-endian; what is past them is 0. */
struct texel_words {
	uint32_t w0, w1, w2, w3;
};

#endif
