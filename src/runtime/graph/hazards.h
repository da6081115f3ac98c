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
	struct weft_hazard *next;  /* in its bucket */
	struct weft_hazard *newer; /* in the table */
	struct weft_hazard *older;
	cl_mem buffer; /* as in weft_access */
	struct weft_region region;
};

/* All zeros is an empty one. */
struct weft_hazards {
	struct weft_hazard **buckets; /* owned; by buffer */
	struct weft_hazard *newest;   /* of all */
	size_t num_buckets;           /* a power of two; or 0 */
	size_t count;
};

static inline struct weft_hazard **weft_hazards_bucket(const struct weft_hazards *hazards,
						       cl_mem buffer)
{
	uint64_t mixed = (uint64_t)(uintptr_t)buffer * UINT64_C(0x9e3779b97f4a7c15);

	return &hazards->buckets[(size_t)(mixed >> 32) & (hazards->num_buckets - 1)];
}

/* Makes room for more; false: out of memory, and there are no buckets at all. */
bool weft_hazards_grow(struct weft_hazards *hazards) WEFT_MUST_CHECK;
/* Forgets all hazards. The caller orders later commands after them itself. `release` is called for each hazard. */
void weft_hazards_clear(struct weft_hazards *hazards, void (*release)(struct weft_hazard *hazard));
void weft_hazards_destroy(struct weft_hazards *hazards,
			  void (*release)(struct weft_hazard *hazard));

#endif
