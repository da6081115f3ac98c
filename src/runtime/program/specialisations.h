/* SPDX-License-Identifier: MIT
 *
 * Specialisations of kernels for single local sizes, and for the formats of their images and for their samplers. A kernel
 * that gains by one (WEFT_KERNEL_GAINS_BY_SIZE, WEFT_KERNEL_GAINS_BY_IMAGES) is compiled once more, in the background, when
 * it has run for so long with them that this pays; later launches with the same run the specialisation. Launches are timed
 * now and then, so that short ones cost no clock.
 */
#ifndef WEFT_RUNTIME_SPECIALISATIONS_H
#define WEFT_RUNTIME_SPECIALISATIONS_H

#include "device/device.h"
#include "kernel_abi.h"

#include <stdbool.h>

/* Of the kernels of one device's code. Counted: a compilation under way may outlive the program. */
struct weft_specialisations;

/* One kernel with one local size, formats and samplers; lives as long as the code. */
struct weft_specialisation;

/* What a launch runs in place of the kernel's own; lives as long as the code. Arguments are packed the same. */
struct weft_specialisation_code {
	struct weft_module *module;
	const struct weft_kernel_desc *desc;
};

/* NULL when no kernel gains, when WEFT_SPECIALISE=0, or when there is no memory for them. */
struct weft_specialisations *weft_specialisations_create(cl_device_id device,
							 const struct weft_program_desc *desc);
void weft_specialisations_put(struct weft_specialisations *specialisations); /* NULL is fine */

/* For a launch of the kernel, a kernel of the description given to create, with packed arguments whose images and samplers
 * are filled in, but for the images' addresses. Where a group is not whole it is for any size. NULL when the kernel has
 * none, or has run with too many other sizes and formats. */
struct weft_specialisation *weft_specialisations_find(struct weft_specialisations *specialisations,
						      const struct weft_kernel_desc *kernel,
						      const struct weft_ndrange *range,
						      const void *args);

/* NULL until it is made. */
const struct weft_specialisation_code *
weft_specialisation_code(const struct weft_specialisation *specialisation);

/* Counts a launch while there is no code; true when this one is to be timed. */
bool weft_specialisation_count(struct weft_specialisation *specialisation);

/* How many were counted: for tests. */
uint32_t weft_specialisation_launches(const struct weft_specialisation *specialisation);

/* A launch that was to be timed took so many nanoseconds. */
void weft_specialisation_ran(struct weft_specialisation *specialisation, uint64_t time);

#endif
