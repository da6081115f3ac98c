/* SPDX-License-Identifier: MIT
 *
 * Chase and Lev, "Dynamic circular work-stealing deque" (2005), without its growth; sequentially consistent accesses
 * where "Correct and efficient work-stealing for weak memory models" (Lê et al., 2013) has fences. Invariant: an item's
 * place is written again only after `top` has passed it.
 */
#include "deque.h"

#include <stddef.h>

static _Atomic(void *) *place_of(struct weft_deque *deque, int64_t index)
{
	return &deque->items[(uint64_t)index % WEFT_DEQUE_CAPACITY];
}

bool weft_deque_push(struct weft_deque *deque, void *item)
{
	int64_t bottom = atomic_load_explicit(&deque->bottom, memory_order_relaxed);

	/* the thread that moved `top` has read the place that is written now */
	if (bottom - atomic_load_explicit(&deque->top, memory_order_acquire) >= WEFT_DEQUE_CAPACITY)
		return false;
	atomic_store_explicit(place_of(deque, bottom), item, memory_order_relaxed);
	atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_seq_cst);
	return true;
}

const void *weft_deque_peek(struct weft_deque *deque)
{
	int64_t last = atomic_load_explicit(&deque->bottom, memory_order_relaxed) - 1;

	if (atomic_load_explicit(&deque->top, memory_order_relaxed) > last)
		return NULL;
	return atomic_load_explicit(place_of(deque, last), memory_order_relaxed);
}

void *weft_deque_take(struct weft_deque *deque)
{
	int64_t last = atomic_load_explicit(&deque->bottom, memory_order_relaxed) - 1;

	/* `top` only grows: an old value that says empty is right */
	if (atomic_load_explicit(&deque->top, memory_order_relaxed) > last)
		return NULL;
	/* from here on, other threads leave the last item alone, or have moved `top` past it, which is seen here */
	atomic_store_explicit(&deque->bottom, last, memory_order_seq_cst);
	int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
	void *item = NULL;
	if (top <= last)
		item = atomic_load_explicit(place_of(deque, last), memory_order_relaxed);
	if (top < last)
		return item;
	/* the only item: the thread that moves `top` has it */
	if (top == last &&
	    !atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1,
						     memory_order_seq_cst, memory_order_relaxed))
		item = NULL;
	atomic_store_explicit(&deque->bottom, last + 1, memory_order_relaxed);
	return item;
}

void *weft_deque_steal(struct weft_deque *deque)
{
	for (;;) {
		int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);

		if (top >= atomic_load_explicit(&deque->bottom, memory_order_seq_cst))
			return NULL;
		/* may be the next item in this place already; then `top` has moved */
		void *item = atomic_load_explicit(place_of(deque, top), memory_order_relaxed);
		if (atomic_compare_exchange_strong_explicit(
			    &deque->top, &top, top + 1, memory_order_seq_cst, memory_order_relaxed))
			return item;
	}
}
