/* SPDX-License-Identifier: MIT
 *
 * A join counter is a node that counts what must have happened before something else. It is open, which counts as one,
 * until its maker closes it; when the count is zero, its waiters are told and the join counter is gone. So a node that was
 * counted in touches it once more, to count it down.
 */
#ifndef WEFT_RUNTIME_JOIN_COUNTER_H
#define WEFT_RUNTIME_JOIN_COUNTER_H

#include "node/node.h"

struct weft_join_counter {
	struct weft_node
		node; /* `unmet`: what is counted in and has not happened, and one while it is open */
	struct weft_edge next; /* memory for an edge from here to another join counter */
};

/* Open and empty; NULL: out of memory. Its maker owns it until weft_join_counter_close. */
struct weft_join_counter *weft_join_counter_create(void);

/* One more, by its maker or by code that keeps it open. */
static inline void weft_join_counter_add(struct weft_join_counter *counter)
{
	atomic_fetch_add_explicit(&counter->node.unmet, 1, memory_order_relaxed);
}

/* Whether all that was counted in has happened, and its effects are visible. The join counter is open. */
static inline bool weft_join_counter_empty(const struct weft_join_counter *counter)
{
	return atomic_load_explicit(&((struct weft_join_counter *)(uintptr_t)counter)->node.unmet,
				    memory_order_acquire) == 1;
}

/* From its maker: nothing more will be counted in. Its waiters go on once all that was counted in has happened. */
void weft_join_counter_close(struct weft_join_counter *counter);

/* Of one that is open and empty, and has no waiters; NULL is fine. */
void weft_join_counter_destroy(struct weft_join_counter *counter);

#endif
