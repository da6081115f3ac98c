/* SPDX-License-Identifier: MIT
 *
 * Accesses of images by one work-item after the other: of few, and of images that have no other way.
 */
#ifndef WEFT_DEVICES_IMAGE_EACH_H
#define WEFT_DEVICES_IMAGE_EACH_H

#include "kernel_abi.h"

#include <stddef.h>

struct call {
	const struct weft_image *image;
	weft_sampler sampler;
	uint32_t access;
};

/* Four rows of a block, `stride` numbers apart. */
struct rows {
	uint32_t *n;
	size_t stride;
	uint32_t count; /* lanes */
};

/* As the functions of struct weft_image_functions, for the lanes of a block; rows of coordinates are `stride` numbers apart. */
void weft_image_sample_each(const struct call *call, const float *coordinates, size_t stride,
			    const struct rows *rows);
void weft_image_read_each(const struct call *call, const int32_t *coordinates, size_t stride,
			  const struct rows *rows);
void weft_image_write_each(const struct call *call, const int32_t *coordinates, size_t stride,
			   const struct rows *rows);

#endif
