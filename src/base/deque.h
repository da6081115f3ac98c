/* SPDX-License-Identifier: MIT
 *
 * A Chase–Lev deque of fixed size: its owner pushes and takes at one end, newest first; any thread steals at the other
 * end, oldest first. No lock, no allocation; a thread that finds it full puts the item elsewhere. The owner may change:
 * the one before must have synchronised with the next. What the owner wrote before a push is visible to the thread that
 * gets the item.
 */
#ifndef WEFT_BASE_DEQUE_H
#define WEFT_BASE_DEQUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WEFT_DEQUE_CAPACITY 256 /* a power of two */

/* All zeros is an empty deque. Indices only grow; the items are those from `top` on, below `bottom`. */
struct weft_deque {
	_Alignas(64) _Atomic int64_t top; /* thieves' end */
	_Alignas(64) _Atomic int64_t bottom;
	_Atomic(void *) items[WEFT_DEQUE_CAPACITY];
};

/* For the owner. False, and nothing done, when the deque is full. In the order of all sequentially consistent
 * operations, the item is in the deque before this returns. So one of two threads sees the other: the owner, which then
 * looks for sleepers, or a thread that announces its sleep and then looks here. */
bool weft_deque_push(struct weft_deque *deque, void *item) __attribute__((warn_unused_result));
/* For the owner: takes the newest item, or NULL. */
void *weft_deque_take(struct weft_deque *deque);

/* For the owner: the item that it would take next if no thread stole, or NULL. Another thread may have the item
 * already, and it may be gone. */
const void *weft_deque_peek(struct weft_deque *deque);

/* For any thread: takes the oldest item, or NULL when there was none. */
void *weft_deque_steal(struct weft_deque *deque);

/* For any thread: whether there was nothing to steal. */
static inline bool weft_deque_is_empty(const struct weft_deque *deque)
{
	struct weft_deque *looked_at = (struct weft_deque *)(uintptr_t)deque;
	int64_t top = atomic_load_explicit(&looked_at->top, memory_order_relaxed);

	return top >= atomic_load_explicit(&looked_at->bottom, memory_order_seq_cst);
}

#endif
