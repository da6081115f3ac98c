/* SPDX-License-Identifier: MIT
 *
 * A queue of list nodes, oldest first, into which any thread puts without a lock. Those who take hold a lock, and may
 * take several at once.
 */
#ifndef WEFT_BASE_INBOX_H
#define WEFT_BASE_INBOX_H

#include "list.h"
#include "mutex.h"

#include <stdatomic.h>
#include <stdint.h>

struct weft_inbox {
	_Atomic(struct weft_list *)
		put; /* newest first, linked by `next`; pushed to, and taken whole */
	_Atomic uint32_t sorted_count; /* nodes in `sorted`; changes under the lock */
	struct weft_mutex lock;        /* WEFT_RANK_WORKER */
	struct weft_list sorted WEFT_GUARDED_BY(&lock); /* older than what is in `put` */
};

/* Also what the child of a fork does with an inbox: what was in it is the parent's. */
void weft_inbox_init(struct weft_inbox *inbox);
void weft_inbox_destroy(struct weft_inbox *inbox);

/* Adds a node, which is in no list. In the order of all sequentially consistent operations it is there before the
 * return. */
void weft_inbox_put(struct weft_inbox *inbox, struct weft_list *node);

/* Removes the oldest nodes and appends them to `taken`: a `part`-th of those there are, at least one if there is any
 * and at most `most`. Returns how many. */
uint32_t weft_inbox_take(struct weft_inbox *inbox, uint32_t part, uint32_t most,
			 struct weft_list *taken);

/* Whether there was nothing in it. */
static inline bool weft_inbox_is_empty(const struct weft_inbox *inbox)
{
	struct weft_inbox *looked_at = (struct weft_inbox *)(uintptr_t)inbox;

	return !atomic_load_explicit(&looked_at->put, memory_order_seq_cst) &&
	       atomic_load_explicit(&looked_at->sorted_count, memory_order_seq_cst) == 0;
}

#endif
