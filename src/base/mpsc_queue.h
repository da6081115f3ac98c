/* SPDX-License-Identifier: MIT
 *
 * A queue of list nodes, oldest first, with many producers and one consumer at a time: any thread pushes without a lock;
 * a thread that takes nodes holds the queue's lock, and may take several at once.
 */
#ifndef WEFT_BASE_MPSC_QUEUE_H
#define WEFT_BASE_MPSC_QUEUE_H

#include "list.h"
#include "mutex.h"

#include <stdatomic.h>
#include <stdint.h>

struct weft_mpsc_queue {
	/* Newest first, linked by `next`. Producers push single nodes, the consumer takes the whole stack. */
	_Atomic(struct weft_list *) pushed;
	_Atomic uint32_t sorted_count; /* nodes in `sorted`; changes under the lock */
	struct weft_mutex lock;        /* WEFT_RANK_WORKER */
	struct weft_list sorted WEFT_GUARDED_BY(&lock); /* nodes older than those in `pushed` */
};

/* Also called in the child of a fork: what was in the queue belongs to the parent. */
void weft_mpsc_queue_init(struct weft_mpsc_queue *queue);
void weft_mpsc_queue_destroy(struct weft_mpsc_queue *queue);

/* Adds a node that is in no list. In the order of all sequentially consistent operations, the node is in the queue
 * before this returns. */
void weft_mpsc_queue_push(struct weft_mpsc_queue *queue, struct weft_list *node);

/* Moves the oldest nodes to the end of `taken`: a `part`-th of the nodes in the queue, at least one if there is one, and
 * at most `most`. Returns how many. */
uint32_t weft_mpsc_queue_take(struct weft_mpsc_queue *queue, uint32_t part, uint32_t most,
			      struct weft_list *taken);

/* Whether the queue was empty. */
static inline bool weft_mpsc_queue_is_empty(const struct weft_mpsc_queue *queue)
{
	struct weft_mpsc_queue *looked_at = (struct weft_mpsc_queue *)(uintptr_t)queue;

	return !atomic_load_explicit(&looked_at->pushed, memory_order_seq_cst) &&
	       atomic_load_explicit(&looked_at->sorted_count, memory_order_seq_cst) == 0;
}

#endif
