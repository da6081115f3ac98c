/* SPDX-License-Identifier: MIT
 *
 * The allocator: libc's, with overflow checks and one injectable failure.
 * Invariant: `countdown` below zero means that no failure is due.
 */
#include "alloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Of a huge page; and the least block that is worth some. */
#define HUGE_PAGE ((size_t)2 << 20)
#define LEAST_FOR_HUGE_PAGES (2 * HUGE_PAGE)

static _Atomic long countdown = -1;
static _Atomic int failed;

int weft_alloc_must_fail(void)
{
	if (atomic_load_explicit(&countdown, memory_order_relaxed) < 0)
		return 0;
	if (atomic_fetch_sub_explicit(&countdown, 1, memory_order_relaxed) != 0)
		return 0;
	atomic_store_explicit(&failed, 1, memory_order_relaxed);
	return 1;
}

void *weft_zalloc(size_t size)
{
	return weft_calloc(1, size);
}

void *weft_calloc(size_t count, size_t size)
{
	if (weft_alloc_must_fail())
		return NULL;
	return calloc(count ? count : 1, size ? size : 1);
}

void *weft_realloc(void *block, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes) || weft_alloc_must_fail())
		return NULL;
	return realloc(block, bytes ? bytes : 1);
}

void *weft_grow(void *array, size_t *room, size_t count, size_t size)
{
	const size_t wanted = *room ? 2 * *room : 16;

	if (count < *room)
		return array;
	void *larger = weft_realloc(array, wanted, size);
	if (larger)
		*room = wanted;
	return larger;
}

void *weft_alloc_aligned(size_t alignment, size_t size)
{
	const bool is_large = size >= LEAST_FOR_HUGE_PAGES;
	void *block = NULL;

	if (is_large && alignment < HUGE_PAGE)
		alignment = HUGE_PAGE;
	if (weft_alloc_must_fail() || posix_memalign(&block, alignment, size ? size : 1) != 0)
		return NULL;
#ifdef MADV_HUGEPAGE
	if (is_large) /* only a wish: a system without huge pages refuses it */
		(void)madvise(block, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
	return block;
}

void *weft_memdup(const void *bytes, size_t size)
{
	void *copy = weft_calloc(1, size);

	if (copy && size)
		memcpy(copy, bytes, size);
	return copy;
}

char *weft_strdup(const char *text)
{
	return weft_memdup(text, strlen(text) + 1);
}

void weft_free(void *block)
{
	free(block);
}

void weft_alloc_fail_after(long successes)
{
	atomic_store(&failed, 0);
	atomic_store(&countdown, successes);
}

int weft_alloc_has_failed(void)
{
	return atomic_load(&failed);
}
