/* SPDX-License-Identifier: MIT
 *
 * A Treiber stack that is only pushed to and taken whole, so that the ABA problem cannot arise; whoever takes it turns
 * it round. Invariant: a node on its way from the stack to the list is counted before it leaves the stack, so that an
 * inbox with something in it never looks empty.
 */
#include "mpsc_queue.h"

#include <stdbool.h>

void weft_inbox_init(struct weft_inbox *inbox) WEFT_TSA(no_thread_safety_analysis)
{
	weft_mutex_init(&inbox->lock, WEFT_RANK_WORKER);
	weft_list_init(&inbox->sorted);
	atomic_store(&inbox->put, NULL);
	atomic_store(&inbox->sorted_count, 0);
}

void weft_inbox_destroy(struct weft_inbox *inbox)
{
	weft_mutex_destroy(&inbox->lock);
}

void weft_inbox_put(struct weft_inbox *inbox, struct weft_list *node)
{
	struct weft_list *newest = atomic_load_explicit(&inbox->put, memory_order_relaxed);

	do
		node->next = newest;
	while (!atomic_compare_exchange_weak_explicit(&inbox->put, &newest, node,
						      memory_order_seq_cst, memory_order_relaxed));
}

/* Returns how many there are now. */
static uint32_t sort(struct weft_inbox *inbox) WEFT_REQUIRES(&inbox->lock)
{
	uint32_t count = 1;

	if (!atomic_load_explicit(&inbox->put, memory_order_relaxed))
		return 0;
	atomic_store_explicit(&inbox->sorted_count, 1, memory_order_seq_cst); /* at least */
	struct weft_list *node = atomic_exchange_explicit(&inbox->put, NULL, memory_order_seq_cst);
	struct weft_list *next = node->next;
	node->prev = node->next = &inbox->sorted;
	inbox->sorted.prev = inbox->sorted.next = node;
	for (; next; count++) { /* each goes before the one that was put after it */
		node = next;
		next = node->next;
		weft_list_append(inbox->sorted.next, node);
	}
	return count;
}

uint32_t weft_inbox_take(struct weft_inbox *inbox, uint32_t part, uint32_t most,
			 struct weft_list *taken)
{
	if (weft_inbox_is_empty(inbox))
		return 0;
	weft_mutex_lock(&inbox->lock);
	uint32_t count = atomic_load_explicit(&inbox->sorted_count, memory_order_relaxed);
	if (count == 0)
		count = sort(inbox);
	uint32_t share = (count + part - 1) / part;
	if (share > most)
		share = most;
	for (uint32_t i = 0; i < share; i++)
		weft_list_append(taken, weft_list_pop(&inbox->sorted));
	atomic_store_explicit(&inbox->sorted_count, count - share, memory_order_seq_cst);
	weft_mutex_unlock(&inbox->lock);
	return share;
}
