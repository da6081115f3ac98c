/* SPDX-License-Identifier: MIT
 *
 * Data hazards: commands of a sequence that access one range of memory, and at least one of them writes it, keep their
 * order. For each range the table knows the last command that writes it, and the commands that read it since. From that
 * the next command learns which commands it comes after (hazard_order.h). The commands in flight of a queue are events
 * (event_hazards.h); those of a command buffer are numbers (command_buffer/command_dag.c).
 */
#ifndef WEFT_RUNTIME_HAZARDS_H
#define WEFT_RUNTIME_HAZARDS_H

#include "memory/access.h"

/* What has been done to a range. The table's user embeds it first, in a block of WEFT_BLOCK_POOL_JOIN_COUNTERS that is all
 * zeros otherwise. */
struct weft_hazard {
	struct weft_hazard *left; /* in the tree of its bucket */
	struct weft_hazard *right;
	struct weft_hazard *last;  /* of it and of those below it, the one that ends last */
	struct weft_hazard *newer; /* in the table */
	struct weft_hazard *older;
	cl_mem buffer; /* as in weft_access */
	struct weft_region region;
};

/* All zeros is an empty one. A bucket is a search tree of ranges, so that a buffer may have many. */
struct weft_hazards {
	struct weft_hazard **buckets; /* owned; by buffer */
	struct weft_hazard *newest;   /* of all */
	struct weft_hazard *next;     /* that weft_hazards_step will give; NULL: the newest */
	size_t num_buckets;           /* a power of two; or 0 */
	size_t count;
};

static inline struct weft_hazard **weft_hazards_bucket(const struct weft_hazards *hazards,
						       cl_mem buffer)
{
	uint64_t mixed = (uint64_t)(uintptr_t)buffer * UINT64_C(0x9e3779b97f4a7c15);

	return &hazards->buckets[(size_t)(mixed >> 32) & (hazards->num_buckets - 1)];
}

/* Enters a hazard whose buffer and region are filled in. */
void weft_hazards_enter(struct weft_hazards *hazards, struct weft_hazard *hazard);
/* Takes it out. */
void weft_hazards_leave(struct weft_hazards *hazards, struct weft_hazard *hazard);

/* For this header alone. */
struct weft_hazard *weft_hazards_search(struct weft_hazard *tree, cl_mem buffer,
					const struct weft_region *region,
					const struct weft_hazard *after);

/* Of the hazards whose ranges overlap that of the region, the first in the tree's order behind another hazard, which is one of
 * them; `after` NULL: of all. NULL: there is no more. It takes the logarithm of how many there are. */
static inline struct weft_hazard *weft_hazards_overlapping(const struct weft_hazards *hazards,
							   cl_mem buffer,
							   const struct weft_region *region,
							   const struct weft_hazard *after)
{
	struct weft_hazard *tree = *weft_hazards_bucket(hazards, buffer);

	if (tree && (tree->left || tree->right))
		return weft_hazards_search(tree, buffer, region, after);
	/* mostly, there is one */
	return tree && !after && tree->buffer == buffer &&
			       weft_range_overlaps(&tree->region.range, &region->range)
		       ? tree
		       : NULL;
}

/* One hazard after the other, all in turns; there is one. */
struct weft_hazard *weft_hazards_step(struct weft_hazards *hazards);

/* Makes room for more; false: out of memory, and there are no buckets at all. */
bool weft_hazards_grow(struct weft_hazards *hazards) WEFT_MUST_CHECK;
/* Forgets all hazards. The caller orders later commands after them itself. `release` is called for each hazard. */
void weft_hazards_clear(struct weft_hazards *hazards, void (*release)(struct weft_hazard *hazard));
void weft_hazards_destroy(struct weft_hazards *hazards,
			  void (*release)(struct weft_hazard *hazard));

#endif
