/* SPDX-License-Identifier: MIT
 *
 * A join counter counts what must have happened before something else: a place of the task graph without a command. It is
 * open, which counts as one, until its maker closes it; when the count is zero, what waits for it goes on and the
 * join counter is gone. So whoever was counted in touches it once more, to be counted down.
 */
#ifndef WEFT_RUNTIME_JOIN_COUNTER_H
#define WEFT_RUNTIME_JOIN_COUNTER_H

#include "node/edges.h"

#include <stdint.h>

struct weft_join_counter {
	struct weft_edges waiters;
	_Atomic int64_t
		unmet; /* what is counted in and has not happened, and one while it is open */
	struct weft_edge next; /* memory for an edge from here to another join counter */
};

/* Open and empty; NULL: out of memory. Its maker owns it until weft_join_counter_close. */
struct weft_join_counter *weft_join_counter_create(void);

/* One more, by its maker or by who keeps it from being closed meanwhile. */
static inline void weft_join_counter_add(struct weft_join_counter *counter)
{
	atomic_fetch_add_explicit(&counter->unmet, 1, memory_order_relaxed);
}

/* Whether all that was counted in has happened, and its effects are visible. The join counter is open. */
static inline bool weft_join_counter_empty(const struct weft_join_counter *counter)
{
	return atomic_load_explicit(&((struct weft_join_counter *)(uintptr_t)counter)->unmet,
				    memory_order_acquire) == 1;
}

/* One of what was counted in has happened, or the join counter is closed. True when that was the last: then the caller
 * tells those in `waiters` and destroys the join counter; otherwise it may be gone. */
static inline bool weft_join_counter_met(struct weft_join_counter *counter)
{
	return atomic_fetch_sub_explicit(&counter->unmet, 1, memory_order_acq_rel) == 1;
}

void weft_join_counter_destroy(struct weft_join_counter *counter);

#endif
