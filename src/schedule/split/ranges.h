/* SPDX-License-Identifier: MIT
 *
 * A set of bytes of a buffer: intervals that neither touch nor overlap, in ascending order.
 */
#ifndef WEFT_SCHEDULE_RANGES_H
#define WEFT_SCHEDULE_RANGES_H

#include <stdbool.h>
#include <stddef.h>

struct weft_range {
	size_t begin;
	size_t end; /* the first byte behind it */
};

struct weft_ranges {
	struct weft_range *items; /* owned */
	size_t count;
	size_t room;
};

/* All false: out of memory, and the set is as it was. */
bool weft_ranges_add(struct weft_ranges *ranges, struct weft_range added);
bool weft_ranges_remove(struct weft_ranges *ranges, struct weft_range removed);
bool weft_ranges_contain(const struct weft_ranges *ranges, struct weft_range part);
/* The first interval of `part` that is not in the set. False: there is none. */
bool weft_ranges_missing(const struct weft_ranges *ranges, struct weft_range part,
			 struct weft_range *missing);
/* What of `part` the set has, from the beginning of `part` on without a gap: its end; part.begin: nothing. */
size_t weft_ranges_prefix(const struct weft_ranges *ranges, struct weft_range part);
void weft_ranges_destroy(struct weft_ranges *ranges);

#endif
