/* SPDX-License-Identifier: MIT
 *
 * Blocks of one size for what is made and ended millions of times a second, often in another thread than it was made
 * in. Each thread keeps a few at hand; what it has too many of goes to the others in bundles, without a lock. More
 * than a pool should keep goes back to the slabs (slab.h), and the head of an event's block stays as it was. A build with
 * AddressSanitizer has no blocks at hand, so that use after the end is seen.
 */
#ifndef WEFT_BASE_BLOCK_POOL_H
#define WEFT_BASE_BLOCK_POOL_H

#include "mutex.h"

#include <stdatomic.h>
#include <stddef.h>

/* Start of every block, and a multiple of its size. */
#define WEFT_BLOCK_POOL_ALIGNMENT 128

enum weft_block_pool {
	WEFT_BLOCK_POOL_EVENTS,
	WEFT_BLOCK_POOL_TRANSFERS,
	WEFT_BLOCK_POOL_JOIN_COUNTERS,
	WEFT_BLOCK_POOL_COUNT
};

/* The block's contents are undefined, but for an event's first WEFT_SLAB_HEAD bytes: all zeros, or as the last user left
 * them. NULL: out of memory. */
void *weft_block_pool_take(enum weft_block_pool pool) __attribute__((malloc, warn_unused_result));
/* NULL is fine. */
void weft_block_pool_return(enum weft_block_pool pool, void *block);

/* Bytes of a block. A transfer's is as large as an event's. */
#define WEFT_BLOCK_POOL_EVENT_BYTES 768
#define WEFT_BLOCK_POOL_JOIN_COUNTER_BYTES 128

#endif
