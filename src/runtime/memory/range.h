/* SPDX-License-Identifier: MIT
 *
 * Ranges of bytes: parts of a buffer, or of the application's memory.
 */
#ifndef WEFT_RUNTIME_RANGE_H
#define WEFT_RUNTIME_RANGE_H

#include <stdbool.h>
#include <stddef.h>

/* Counted from the buffer's start; of the application's memory, addresses. */
struct weft_range {
	size_t begin;
	size_t end;
};

static inline bool weft_range_overlaps(const struct weft_range *a, const struct weft_range *b)
{
	return a->begin < b->end && b->begin < a->end;
}

static inline bool weft_range_contains(const struct weft_range *outer,
				       const struct weft_range *inner)
{
	return outer->begin <= inner->begin && inner->end <= outer->end;
}

/* Widens the range to all of the other one as well. */
static inline void weft_range_join(struct weft_range *range, const struct weft_range *other)
{
	range->begin = other->begin < range->begin ? other->begin : range->begin;
	range->end = other->end > range->end ? other->end : range->end;
}

#endif
