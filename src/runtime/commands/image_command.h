/* SPDX-License-Identifier: MIT
 *
 * Regions of images in commands: what is checked of them (specification 5.3.3 to 5.3.6), and where they lie. From there on,
 * commands on images are those of mem_command.h, on rectangles of bytes. The checks are to be called in the order of each
 * command's error table.
 */
#ifndef WEFT_RUNTIME_IMAGE_COMMAND_H
#define WEFT_RUNTIME_IMAGE_COMMAND_H

#include "commands/mem_command.h"
#include "memory/image.h"

/* As the application gives it, in texels. */
struct weft_image_region {
	cl_mem image;         /* valid */
	const size_t *origin; /* with the mip level, if the image has several; or NULL */
	const size_t *size;   /* or NULL */
};

/* As weft_mem_check_use. CL_INVALID_MEM_OBJECT: it is not an image. */
cl_int weft_image_check_use(cl_command_queue queue, cl_mem image) WEFT_MUST_CHECK;
/* Where the region lies in the image, and its bytes per row, rows, slices. CL_INVALID_VALUE; CL_INVALID_MIP_LEVEL */
cl_int weft_image_place(const struct weft_image_region *region, struct weft_mem_place *place,
			size_t bytes[3]) WEFT_MUST_CHECK;
/* Where it lies in the application's memory; 0: a pitch without gaps. The region has been placed. CL_INVALID_VALUE */
cl_int weft_image_place_host(const struct weft_image_region *region, size_t row_pitch,
			     size_t slice_pitch, struct weft_rect *rect) WEFT_MUST_CHECK;
/* Fill in copies between images, and between an image and a buffer, where it lies from an offset on, without gaps; copies
 * know the buffer already. CL_INVALID_VALUE; CL_INVALID_MIP_LEVEL */
cl_int weft_image_place_copy(const struct weft_image_region *source,
			     const struct weft_image_region *destination,
			     struct weft_mem_copy *copy) WEFT_MUST_CHECK;
cl_int weft_image_place_to_buffer(const struct weft_image_region *source, size_t offset,
				  struct weft_mem_copy *copy) WEFT_MUST_CHECK;
cl_int weft_image_place_from_buffer(const struct weft_image_region *destination, size_t offset,
				    struct weft_mem_copy *copy) WEFT_MUST_CHECK;

#define WEFT_IMAGE_TEXEL_BYTES_MAX 16

/* A texel of a color, or as many as share bytes. */
struct weft_image_color {
	unsigned char bytes[WEFT_IMAGE_TEXEL_BYTES_MAX];
};

/* Fills in a fill, which has `texel` as its pattern, with a color as clEnqueueFillImage has it: floats or integers as the
 * format says. CL_INVALID_VALUE; CL_INVALID_MIP_LEVEL */
cl_int weft_image_place_fill(const struct weft_image_region *region, const void *color,
			     struct weft_image_color *texel,
			     struct weft_mem_fill *fill) WEFT_MUST_CHECK;
struct weft_image_color weft_image_encode(const struct weft_image_info *info, const void *color);

/* The images, and CL_IMAGE_FORMAT_MISMATCH. */
cl_int weft_image_check_copy(cl_command_queue queue, cl_mem source,
			     cl_mem destination) WEFT_MUST_CHECK;
/* What the commands between an image and a buffer check of both. */
cl_int weft_image_check_buffer_copy(cl_command_queue queue, cl_mem image,
				    cl_mem buffer) WEFT_MUST_CHECK;

/* Pitches as clEnqueueMapImage returns them; *slice is 0 of a 1D and a 2D image. */
void weft_image_map_pitches(const struct weft_image_region *region, size_t *row, size_t *slice);

#endif
