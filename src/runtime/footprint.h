/* SPDX-License-Identifier: MIT
 *
 * What a command reads and writes, as ranges of addresses: what its place among the commands of an in-order queue
 * follows from.
 */
#ifndef WEFT_RUNTIME_FOOTPRINT_H
#define WEFT_RUNTIME_FOOTPRINT_H

#include "mem.h"

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
/* Of the application's memory. */
void weft_footprint_add_host(struct weft_footprint *footprint, const void *memory, size_t size,
			     bool writes);

#endif
