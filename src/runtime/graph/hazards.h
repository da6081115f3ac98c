/* SPDX-License-Identifier: MIT
 *
 * What the commands of one in-order queue that have not run yet will have done to memory: per range of addresses the
 * last that writes it and those that read it since. From it a new command learns whom it has to come after. What has
 * run leaves no trace, so there is never more in here than commands in flight touch.
 */
#ifndef WEFT_RUNTIME_HAZARDS_H
#define WEFT_RUNTIME_HAZARDS_H

#include "graph/event.h"
#include "memory/footprint.h"

struct weft_hazard;

/* Guarded by the queue's lock. All zeros is an empty one. */
struct weft_hazards {
	struct weft_hazard **buckets; /* owned; by space */
	struct weft_hazard *newest;   /* of all */
	size_t num_buckets;           /* a power of two; or 0 */
	size_t count;
};

/* What an enqueue learns. */
struct weft_dependent {
	cl_event event;
	int32_t edges; /* added, to the event's start */
};

/* Puts the event, whose effects nobody waits for yet, behind what it depends on, and notes what it will do itself.
 * False: out of memory; then the caller orders it after everything before, and everything later after it. */
bool weft_hazards_add(struct weft_hazards *hazards, struct weft_dependent *dependent,
		      const struct weft_footprint *footprint) WEFT_MUST_CHECK;

/* Everything later comes after all that is noted here anyway. */
void weft_hazards_clear(struct weft_hazards *hazards);
void weft_hazards_destroy(struct weft_hazards *hazards);

#endif
