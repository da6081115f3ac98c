/* SPDX-License-Identifier: MIT
 *
 * Blocks whose first bytes outlive them: what handles of the application lead to. An application may use a handle that it
 * has released, and the ICD loader and the library look at it before they know. So a block that was given back is of use
 * for other blocks only, its head stays as it was, and the address stays readable for ever: the pages of many blocks that
 * are all unused go back to the system, and read as zeros from then on. A build with AddressSanitizer forbids the rest of
 * an unused block, and gives the oldest of them back to the allocator.
 */
#ifndef WEFT_BASE_SLAB_H
#define WEFT_BASE_SLAB_H

#include <stddef.h>

/* Bytes that stay, from a block's start. */
#define WEFT_SLAB_HEAD 48
/* Start of every block. */
#define WEFT_SLAB_ALIGNMENT 128
/* Bytes of the largest block. */
#define WEFT_SLAB_MOST 8192

/* What a block is for. The memory of the one kind never serves the other. */
enum weft_slab_use { WEFT_SLAB_HANDLES, WEFT_SLAB_OTHERS, WEFT_SLAB_USES };

/* `count` blocks of `size` bytes, linked by weft_slab_link; NULL: out of memory. The caller
 * has asked weft_alloc_must_fail before. A block that was never used is all zeros; of another one only the head is
 * defined, as its last user left it. */
void *weft_slab_take(enum weft_slab_use use, size_t size, unsigned count)
	__attribute__((warn_unused_result));
/* Takes back linked blocks, which may be of different sizes. */
void weft_slab_give(void *first);

/* Where an unused block says which is the next one. */
static inline void **weft_slab_link(void *block)
{
	return (void **)((char *)block + WEFT_SLAB_HEAD);
}

/* Tests only: bytes of blocks, used or not, that have not gone back to the system. */
size_t weft_slab_bytes(void);

#endif
