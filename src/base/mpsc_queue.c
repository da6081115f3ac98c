/* SPDX-License-Identifier: MIT
 *
 * A Treiber stack to which nodes are pushed and which is only taken whole, so that the ABA problem cannot arise. The thread
 * that takes it reverses it. Invariant: a node on its way from the stack to the list is counted in `sorted_count` before it
 * leaves the stack, so that a queue with a node in it never looks empty.
 */
#include "mpsc_queue.h"

#include <stdbool.h>

void weft_mpsc_queue_init(struct weft_mpsc_queue *queue) WEFT_TSA(no_thread_safety_analysis)
{
	weft_mutex_init(&queue->lock, WEFT_RANK_WORKER);
	weft_list_init(&queue->sorted);
	atomic_store(&queue->pushed, NULL);
	atomic_store(&queue->sorted_count, 0);
}

void weft_mpsc_queue_destroy(struct weft_mpsc_queue *queue)
{
	weft_mutex_destroy(&queue->lock);
}

void weft_mpsc_queue_push(struct weft_mpsc_queue *queue, struct weft_list *node)
{
	struct weft_list *newest = atomic_load_explicit(&queue->pushed, memory_order_relaxed);

	do
		node->next = newest;
	while (!atomic_compare_exchange_weak_explicit(&queue->pushed, &newest, node,
						      memory_order_seq_cst, memory_order_relaxed));
}

/* Moves what was pushed to the empty list `sorted`. Returns how many nodes there are in it now. */
static uint32_t sort(struct weft_mpsc_queue *queue) WEFT_REQUIRES(&queue->lock)
{
	uint32_t count = 1;

	if (!atomic_load_explicit(&queue->pushed, memory_order_relaxed))
		return 0;
	atomic_store_explicit(&queue->sorted_count, 1, memory_order_seq_cst); /* at least */
	struct weft_list *node =
		atomic_exchange_explicit(&queue->pushed, NULL, memory_order_seq_cst);
	struct weft_list *next = node->next;
	node->prev = node->next = &queue->sorted;
	queue->sorted.prev = queue->sorted.next = node;
	for (; next; count++) { /* each goes before the one that was put after it */
		node = next;
		next = node->next;
		weft_list_append(queue->sorted.next, node);
	}
	return count;
}

uint32_t weft_mpsc_queue_take(struct weft_mpsc_queue *queue, uint32_t part, uint32_t most,
			      struct weft_list *taken)
{
	if (weft_mpsc_queue_is_empty(queue))
		return 0;
	weft_mutex_lock(&queue->lock);
	uint32_t count = atomic_load_explicit(&queue->sorted_count, memory_order_relaxed);
	if (count == 0)
		count = sort(queue);
	uint32_t share = (count + part - 1) / part;
	if (share > most)
		share = most;
	for (uint32_t i = 0; i < share; i++)
		weft_list_append(taken, weft_list_pop(&queue->sorted));
	atomic_store_explicit(&queue->sorted_count, count - share, memory_order_seq_cst);
	weft_mutex_unlock(&queue->lock);
	return share;
}
