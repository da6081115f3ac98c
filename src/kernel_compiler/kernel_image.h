/* SPDX-License-Identifier: MIT
 *
 * What an image and a sampler are to a kernel, and the functions through which a kernel accesses images whose format it
 * was not compiled for. A part of the ABI of kernels (kernel_abi.h). The built-in functions read these structures by the
 * offsets of their fields (lib/builtins/image_types.h), so a change here is a change there and a new WEFT_KERNEL_ABI.
 */
#ifndef WEFT_KERNEL_IMAGE_H
#define WEFT_KERNEL_IMAGE_H

#include <stdint.h>

/* More than the levels of an image of 65,536 x 65,536 texels. */
#define WEFT_IMAGE_LEVELS_MAX 17

/* An image as a kernel sees it: an argument of the kind WEFT_ARG_IMAGE, by value in the packed block, aligned to 8 bytes.
 * Sizes are in texels and at least 1; a dimension that the image lacks has size 1. */
struct weft_image {
	/* The first texel, in the device's memory. Of any alignment: it may be the application's. */
	void *data;
	/* weft_image_format(): what the bytes of a texel mean, and how many levels there are. */
	uint32_t format;
	uint32_t width;
	uint32_t height;
	uint32_t depth;
	uint32_t layers; /* of an array of images; else 1 */
	uint32_t flags;  /* reserved; 0 */
	/* Bytes from row to row, and from slice to slice or layer to layer. Those of a 1D array are layers: row_pitch is that of
	 * one layer and slice_pitch leads to the next one. */
	uint64_t row_pitch;
	uint64_t slice_pitch;
	/* Of an image with more than one level: bytes from `data` to each level. Level n has max(1, size >> n) texels in each
	 * dimension, the layers of an array stay as many. Its rows, slices and layers follow each other without gaps. Level 0
	 * starts at 0 and has the pitches above. */
	uint64_t level_offsets[WEFT_IMAGE_LEVELS_MAX];
};

/* The format word. Order and type are the numbers of cl.h less the first number of their kind, so that
 * get_image_channel_order is one addition. */
#define WEFT_IMAGE_ORDER_BASE 0x10B0 /* CL_R */
#define WEFT_IMAGE_TYPE_BASE 0x10D0  /* CL_SNORM_INT8 */

static inline uint32_t weft_image_format(uint32_t order, uint32_t type, uint32_t texel_bytes,
					 uint32_t levels)
{
	return (order - WEFT_IMAGE_ORDER_BASE) | (type - WEFT_IMAGE_TYPE_BASE) << 8 |
	       texel_bytes << 16 | levels << 24;
}

/* A sampler: an argument of the kind WEFT_ARG_SAMPLER, and the number that a sampler of the source is.
 * Bits 0 to 7: as OpenCL C's CLK_ constants have them (opencl-c-base.h): bit 0, normalised coordinates; bits 1 to 3, the
 * addressing mode; bits 4 and 5, the filter. Bit 8: linear filtering between mip levels, else the nearest level.
 * Bits 16 to 39: the lowest level of detail, a float without its low 8 bits. Bits 40 to 63: the highest, in the same form,
 * with each bit of WEFT_SAMPLER_LOD_MAX inverted, so that 0 is the largest float: a sampler of the source has the default. */
typedef uint64_t weft_sampler;

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

/* Which coordinates an access has: a constant of each access in the source. A layer is the coordinate after the last one:
 * y of a 1D array, z of a 2D array. */
enum weft_image_shape {
	WEFT_IMAGE_1D = 1, /* a 1D image from a buffer, too */
	WEFT_IMAGE_1D_ARRAY,
	WEFT_IMAGE_2D,
	WEFT_IMAGE_2D_ARRAY,
	WEFT_IMAGE_3D,
};

/* An access, as bits: a shape, and what a texel's channels are to the kernel. */
#define WEFT_IMAGE_SHAPE_MASK 7u
#define WEFT_IMAGE_INTEGER 8u /* 32-bit integers, signed or not as the format says; else floats */
/* The access gives no level of detail: it is one of level 0, whatever the sampler says. */
#define WEFT_IMAGE_BASE_LEVEL 16u

/* Accesses of `count` work-items at once, 1 to 64, to one image by one sampler. `coordinates` are four rows of `count`
 * numbers: x, y, z, and the level of detail. `texels` are four rows of `count` numbers: the channels r, g, b, a (of a depth
 * image: r alone), floats or 32-bit integers by `access`. Any coordinate is safe: what lies outside of the image is read as
 * the sampler says, or as the border colour, and is not written. Called by kernels, with any rounding of coordinates that
 * section 8 of the OpenCL specification asks for. Reentrant; never fails. */
struct weft_image_functions {
	/* By float coordinates, with any sampler. */
	void (*sample)(const struct weft_image *image, weft_sampler sampler, uint32_t access,
		       uint32_t count, const float *coordinates, void *texels);
	/* By integer coordinates; a sampler of 0 stands for none. */
	void (*read)(const struct weft_image *image, weft_sampler sampler, uint32_t access,
		     uint32_t count, const int32_t *coordinates, void *texels);
	void (*write)(const struct weft_image *image, uint32_t access, uint32_t count,
		      const int32_t *coordinates, const void *texels);
};

#endif
