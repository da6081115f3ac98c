/* SPDX-License-Identifier: MIT
 *
 * Ranges of the host's memory that a device's memory has at the same addresses. A range is added and removed by one store, so the
 * child of a fork finds the list whole. The caller holds the memory's lock.
 */
#ifndef WEFT_ACCEL_SHARED_RANGES_H
#define WEFT_ACCEL_SHARED_RANGES_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct accel_shared_range {
	uintptr_t begin;
	size_t size;    /* bytes; 0: it has been removed */
	size_t granule; /* the first of those that it takes of the device's memory */
};

struct accel_shared_ranges; /* NULL: none */

/* Ranges do not overlap, but one may be there several times. WEFT_OUT_OF_MEMORY. */
enum weft_status accel_shared_ranges_add(struct accel_shared_ranges **ranges,
					 const struct accel_shared_range *range) WEFT_MUST_CHECK;
/* Removes one range that begins there. False: there is none; else *granule is its own. */
bool accel_shared_ranges_remove(struct accel_shared_ranges **ranges, uintptr_t begin,
				size_t *granule) WEFT_MUST_CHECK;
/* The range that has the address; NULL: there is none. */
const struct accel_shared_range *accel_shared_ranges_find(struct accel_shared_ranges *ranges,
							  uintptr_t address);

#endif
