/* SPDX-License-Identifier: MIT
 *
 * Blocks of one size, for objects that are made and ended millions of times a second, often in another thread than they
 * were made in. Each thread keeps some blocks; what it has too many of goes to the other threads in bundles, without a
 * lock. What a pool has too many of goes back to the slabs (slab.h), which keep the head of an event's block as it was.
 * In a build with AddressSanitizer threads keep no blocks, so that a use after the end is found.
 */
#ifndef WEFT_BASE_BLOCK_POOL_H
#define WEFT_BASE_BLOCK_POOL_H

#include "mutex.h"

#include <stdatomic.h>
#include <stddef.h>

/* Every block starts at a multiple of this, and its size is one. */
#define WEFT_BLOCK_POOL_ALIGNMENT 128

enum weft_block_pool {
	WEFT_BLOCK_POOL_EVENTS,
	WEFT_BLOCK_POOL_TRANSFERS,
	WEFT_BLOCK_POOL_JOIN_COUNTERS,
	WEFT_BLOCK_POOL_CHILDREN,
	WEFT_BLOCK_POOL_DEVICE_EVENTS,
	WEFT_BLOCK_POOL_COUNT
};

/* The contents of the block are undefined, except the first WEFT_SLAB_HEAD bytes of an event's, also on the device: they are zeros, or as
 * the last user left them. NULL: out of memory. */
void *weft_block_pool_take(enum weft_block_pool pool) __attribute__((malloc, warn_unused_result));
/* NULL is fine. */
void weft_block_pool_return(enum weft_block_pool pool, void *block);

/* Bytes of a block. A transfer has the size of an event. */
#define WEFT_BLOCK_POOL_EVENT_BYTES 768
#define WEFT_BLOCK_POOL_JOIN_COUNTER_BYTES 128
#define WEFT_BLOCK_POOL_CHILD_BYTES 896
#define WEFT_BLOCK_POOL_DEVICE_EVENT_BYTES 256

#endif
