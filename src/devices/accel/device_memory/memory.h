/* SPDX-License-Identifier: MIT
 *
 * The global memory of accelerators. An address that the runtime gets is one of the device: it lies in a range that
 * nobody can read or write, so that whoever follows it on the host is stopped at once. What is stored lies elsewhere, at
 * the same distance from there for all addresses; only the driver knows where (accel_memory_at).
 */
#ifndef WEFT_ACCEL_MEMORY_H
#define WEFT_ACCEL_MEMORY_H

#include "driver.h"

struct accel_board;
struct accel_memory;

/* The memory of that name and size, which may be there already: the caller gets a reference to it. It takes address
 * space with the first allocation. WEFT_OUT_OF_MEMORY. */
enum weft_status accel_memory_open(const char *name, uint64_t size,
				   struct accel_memory **memory) WEFT_MUST_CHECK;
/* One more reference. */
void accel_memory_get(struct accel_memory *memory);
/* Gives the reference up; NULL is fine. */
void accel_memory_close(struct accel_memory *memory);

weft_space accel_memory_space(const struct accel_memory *memory);
/* The open memory with that space, or NULL. The caller knows that it stays open. */
struct accel_memory *accel_memory_of(weft_space space);

/* As weft_driver_memory_ops says. */
enum weft_status accel_memory_allocate(struct accel_memory *memory, size_t size, size_t alignment,
				       void **address) WEFT_MUST_CHECK;
void accel_memory_release(struct accel_memory *memory, void *address);

/* Zeroed memory for the driver's own use, beside what allocate gives out: for what the host and the device tell each
 * other. The caller's until accel_memory_return. NULL: there is none left. */
void *accel_memory_reserve(struct accel_memory *memory, size_t size);
/* NULL is fine. */
void accel_memory_return(struct accel_memory *memory, void *place);
struct accel_board *accel_memory_board(struct accel_memory *memory);

/* Where a place of the driver's is, in bytes from the memory's start; false: it is not in there. */
bool accel_memory_find(const struct accel_memory *memory, const void *place, uint64_t *offset);

/* Where the driver finds so many bytes from a device address on; NULL when they are not all in the memory. */
void *accel_memory_at(const struct accel_memory *memory, const void *address, size_t size);

#endif
