/* SPDX-License-Identifier: MIT
 *
 * The global memory of accelerators. Addresses that the runtime gets are the device's: they lie in a range that no code can
 * read or write, so that the host faults at once if it uses one. The bytes lie elsewhere, at one distance for all addresses;
 * only the driver knows where (accel_memory_at). Ranges that are shared by their address are the exception: the process has
 * one mapping of an address, so host and device find the same bytes there.
 */
#ifndef WEFT_ACCEL_MEMORY_H
#define WEFT_ACCEL_MEMORY_H

#include "device_memory/shared_ranges.h"
#include "mutex.h"
#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct accel_memory {
	uint64_t size;          /* bytes, in whole granules */
	struct weft_mutex lock; /* WEFT_RANK_DEVICE_MEMORY */
	/* The three are mapped together, with the first allocation, and constant from then on. */
	_Atomic(unsigned char *) addresses; /* of the device: no access */
	unsigned char *bytes;               /* what lies at these addresses */
	uint32_t *heads WEFT_GUARDED_BY(&lock);
	size_t next WEFT_GUARDED_BY(&lock); /* granule */
	struct accel_shared_ranges *shared WEFT_GUARDED_BY(&lock);
	_Atomic size_t num_shared; /* changes under the lock */
};

/* A memory of `size` bytes, rounded down to granules; all zeros before. Takes no address space before the first
 * allocation. */
void accel_memory_init(struct accel_memory *memory, uint64_t size);
/* No device uses it any more. */
void accel_memory_destroy(struct accel_memory *memory);

/* As weft_driver_memory_ops. */
enum weft_status accel_memory_allocate(struct accel_memory *memory, size_t size, size_t alignment,
				       void **address) WEFT_MUST_CHECK;
enum weft_status accel_memory_share(struct accel_memory *memory, void *address,
				    size_t size) WEFT_MUST_CHECK;
void accel_memory_release(struct accel_memory *memory, void *address);

/* Zeroed memory for the driver's own use, apart from what allocate gives out: for what the host and the device tell each
 * other. The caller owns it until accel_memory_return. NULL: none is left. */
void *accel_memory_reserve(struct accel_memory *memory, size_t size);
/* NULL is fine. */
void accel_memory_return(struct accel_memory *memory, void *place);

/* The offset of a place of the driver's from the memory's start; false: the place is not in the memory. */
bool accel_memory_find(struct accel_memory *memory, const void *place, uint64_t *offset);

/* The range of the driver's places, of the memory or shared, that has this one; false: the place is not in the memory. */
bool accel_memory_around(struct accel_memory *memory, const void *place, uintptr_t *begin,
			 size_t *size);

/* Where the driver finds `size` bytes at a device address; NULL when they are not all in the memory. */
void *accel_memory_at(struct accel_memory *memory, const void *address, size_t size);

#endif
