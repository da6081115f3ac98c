/* SPDX-License-Identifier: MIT
 *
 * What a command reads and writes, as ranges of addresses: what its place among the commands of an in-order queue
 * follows from.
 */
#ifndef WEFT_RUNTIME_FOOTPRINT_H
#define WEFT_RUNTIME_FOOTPRINT_H

#include "memory/mem.h"

/* Commands that touch more ranges are ordered with everything. */
#define WEFT_FOOTPRINT_MOST 32

/* Ranges of different spaces never share a byte, as far as commands can know. */
struct weft_range {
	const void *space; /* a buffer that has no parent, or NULL: the application's memory */
	uintptr_t begin;
	uintptr_t end;
	bool writes; /* perhaps reads too */
};

static inline bool weft_range_overlaps(const struct weft_range *a, const struct weft_range *b)
{
	return a->space == b->space && a->begin < b->end && b->begin < a->end;
}

static inline bool weft_range_contains(const struct weft_range *outer,
				       const struct weft_range *inner)
{
	return outer->begin <= inner->begin && inner->end <= outer->end;
}

/* Where the ranges of a space are, in a table of so many places, a power of two. */
static inline size_t weft_range_bucket(const void *space, size_t num_buckets)
{
	uint64_t mixed = (uint64_t)(uintptr_t)space * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(mixed >> 32) & (num_buckets - 1);
}

/* Widens the range to all of the other one as well. */
static inline void weft_range_join(struct weft_range *range, const struct weft_range *other)
{
	range->begin = other->begin < range->begin ? other->begin : range->begin;
	range->end = other->end > range->end ? other->end : range->end;
}

/* Ranges of one space in it do not overlap. All zeros: nothing is touched. */
struct weft_footprint {
	bool unknown; /* it may touch anything */
	unsigned count;
	struct weft_range ranges[WEFT_FOOTPRINT_MOST];
};

static inline void weft_footprint_init(struct weft_footprint *footprint)
{
	footprint->unknown = false;
	footprint->count = 0;
}

/* Bytes `begin` to `end` of a memory object. What the application can reach at the same time, by a mapping or because
 * it is its own memory, counts as that too. */
void weft_footprint_add(struct weft_footprint *footprint, cl_mem mem, size_t begin, size_t end,
			bool writes);
/* The same of a range of a buffer as weft_footprint_add made it before; the buffer may have been mapped since. */
void weft_footprint_add_range(struct weft_footprint *footprint, const struct weft_range *range);
/* Of the application's memory. */
void weft_footprint_add_host(struct weft_footprint *footprint, const void *memory, size_t size,
			     bool writes);

#endif
