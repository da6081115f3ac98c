/* SPDX-License-Identifier: MIT
 *
 * Blocks whose first bytes outlive them: handles of the application point to them. An application may use a handle that
 * it has released, and the ICD loader and the library read from it before they know that. So a block that was given
 * back is used for other blocks only, its head stays as it was, and its address stays readable for ever. The pages of
 * blocks that are all unused go back to the system, and read as zeros from then on. A build with AddressSanitizer
 * forbids the rest of an unused block, and frees the oldest unused blocks.
 */
#ifndef WEFT_BASE_SLAB_H
#define WEFT_BASE_SLAB_H

#include <stddef.h>

/* Bytes at the start of a block that stay. */
#define WEFT_SLAB_HEAD 48
/* Every block starts at a multiple of this. */
#define WEFT_SLAB_ALIGNMENT 128
/* Bytes of the largest block. */
#define WEFT_SLAB_MOST 8192

/* What a block is for. Memory of one use never serves the other. */
enum weft_slab_use { WEFT_SLAB_HANDLES, WEFT_SLAB_OTHERS, WEFT_SLAB_USES };

/* `count` blocks of `size` bytes, linked by weft_slab_link; NULL: out of memory. The caller has asked
 * weft_alloc_must_fail before. A block that was never used is all zeros; of any other only the head is defined, as its
 * last user left it. */
void *weft_slab_take(enum weft_slab_use use, size_t size, unsigned count)
	__attribute__((warn_unused_result));
/* Takes linked blocks back; they may be of different sizes. */
void weft_slab_give(void *first);

/* The place of an unused block's link to the next one. */
static inline void **weft_slab_link(void *block)
{
	return (void **)((char *)block + WEFT_SLAB_HEAD);
}

/* Tests only: bytes of blocks, used or not, that have not gone back to the system. */
size_t weft_slab_bytes(void);

#endif
