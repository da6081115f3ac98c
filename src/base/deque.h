/* SPDX-License-Identifier: MIT
 *
 * A Chase–Lev deque of fixed size: its owner pushes and takes at one end, newest first; any thread steals at the other,
 * oldest first. No lock, no allocation; whoever finds it full puts the item elsewhere. Owners may change, when the one
 * before has released it to the next. What an owner wrote before a push is visible to who gets the item.
 */
#ifndef WEFT_BASE_DEQUE_H
#define WEFT_BASE_DEQUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WEFT_DEQUE_CAPACITY 256 /* a power of two */

/* All zeros is an empty one. Indices only grow; the items are those from `top` on, below `bottom`. */
struct weft_deque {
	_Alignas(64) _Atomic int64_t top; /* thieves' end */
	_Alignas(64) _Atomic int64_t bottom;
	_Atomic(void *) items[WEFT_DEQUE_CAPACITY];
};

/* The owner's. False, and nothing done, when it is full. In the order of all sequentially consistent operations, the
 * item is there before the return: who looks for sleepers next, and who looks here after having announced its sleep,
 * cannot miss each other. */
bool weft_deque_push(struct weft_deque *deque, void *item) __attribute__((warn_unused_result));
/* The owner's: the newest item, or NULL. */
void *weft_deque_take(struct weft_deque *deque);

/* The owner's: what it would take next if nobody stole, or NULL. The item may be another thread's by now, and gone. */
const void *weft_deque_peek(struct weft_deque *deque);

/* Anybody's: the oldest item, or NULL when there was none. */
void *weft_deque_steal(struct weft_deque *deque);

/* Anybody's: whether there was nothing to steal. */
static inline bool weft_deque_is_empty(const struct weft_deque *deque)
{
	struct weft_deque *looked_at = (struct weft_deque *)(uintptr_t)deque;
	int64_t top = atomic_load_explicit(&looked_at->top, memory_order_relaxed);

	return top >= atomic_load_explicit(&looked_at->bottom, memory_order_seq_cst);
}

#endif
