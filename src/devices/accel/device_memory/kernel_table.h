/* SPDX-License-Identifier: MIT
 *
 * The kernels that a device has in its memory: a table, in which a command names its kernel by its place. What is new is
 * linked to what is there, and the image uploaded, before commands that need it are handed over; nothing is when all
 * are there. A module that goes takes its kernels out of the image. Whoever calls holds the board's lock.
 */
#ifndef WEFT_ACCEL_IMAGE_H
#define WEFT_ACCEL_IMAGE_H

#include "driver.h"

#define ACCEL_IMAGE_GUESSES 64u

struct accel_memory;

struct accel_image_kernel {
	const struct weft_kernel_desc *kernel; /* NULL: the place is free */
	const struct weft_module *module;
};

struct accel_image {
	struct accel_image_kernel *table; /* in device memory, `capacity`; or NULL */
	uint32_t capacity;
	uint32_t used;                         /* places that have ever been taken */
	bool changed;                          /* since the last upload */
	uint32_t guesses[ACCEL_IMAGE_GUESSES]; /* where kernels were found, by their addresses */
};

/* The place of the launch's kernel, from 1 on, after linking it if it is new; 0: no device memory is left for it. */
uint32_t accel_image_link(struct accel_image *image, struct accel_memory *memory,
			  const struct weft_launch *launch);
/* True when there was something to upload. */
bool accel_image_upload(struct accel_image *image);
/* The module goes. */
void accel_image_unlink(struct accel_image *image, const struct weft_module *module);
/* Nothing is in it. */
void accel_image_reset(struct accel_image *image);

#endif
