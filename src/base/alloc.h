/* SPDX-License-Identifier: MIT
 *
 * Every heap allocation of the driver goes through here, so that tests can make the n-th one fail
 * and so that size arithmetic cannot wrap. NULL means out of memory; nothing here aborts.
 */
#ifndef WEFT_BASE_ALLOC_H
#define WEFT_BASE_ALLOC_H

#include <stddef.h>

/* `size` bytes, zeroed. Owned by the caller until weft_free. */
void *weft_zalloc(size_t size) __attribute__((malloc, warn_unused_result));

/* `count` elements of `size` bytes, zeroed; NULL also when the product overflows. A count of zero
 * gives a valid pointer. */
void *weft_calloc(size_t count, size_t size) __attribute__((malloc, warn_unused_result));

/* Grows or shrinks; on failure the old block is untouched. New bytes are not initialised. */
void *weft_realloc(void *block, size_t count, size_t size) __attribute__((warn_unused_result));

/* An array with room for more than `count` elements of `size` bytes: `array` itself, or a larger one that takes its place.
 * *room is the number of elements that fit. NULL: out of memory, and the array is as it was. */
void *weft_grow(void *array, size_t *room, size_t count, size_t size)
	__attribute__((warn_unused_result));

/* `size` bytes at a multiple of `alignment` (a power of two, at least 8), not initialised. Blocks of 4 MiB and more lie on huge pages, if
 * the system gives some that are asked for: the first access of each page, and looking it up, then costs little. */
void *weft_alloc_aligned(size_t alignment, size_t size) __attribute__((malloc, warn_unused_result));

void *weft_memdup(const void *bytes, size_t size) __attribute__((malloc, warn_unused_result));
char *weft_strdup(const char *text) __attribute__((malloc, warn_unused_result));

/* Frees what any of the above returned; NULL is fine. */
void weft_free(void *block);

/* Whether the allocation that is about to be made must fail; for code that serves one from memory that it already
 * has. */
int weft_alloc_must_fail(void);

/* Tests only: after `successes` more allocations one fails; with a negative number none fails. */
void weft_alloc_fail_after(long successes);
/* Tests only: whether that allocation has failed. */
int weft_alloc_has_failed(void);

#endif
