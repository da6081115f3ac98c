/* SPDX-License-Identifier: MIT
 *
 * How edges are met.
 */
#include "node/node.h"

#include "node/completion.h"

/* So many edges ahead a waiting node is fetched: it is often in another core's cache, or in none. */
#define AHEAD 8
#define CACHE_LINE 64

/* The node, and what lies behind it and is looked at when it becomes ready (event.h). */
static void fetch(const struct weft_edge *edge)
{
	const char *node = (const char *)weft_edge_waiter(edge);

	__builtin_prefetch(node, 1);
	__builtin_prefetch(node + CACHE_LINE, 1);
	__builtin_prefetch(node + 2 * CACHE_LINE, 1);
}

/* The countdown releases the outcome to the thread that makes the node ready. Nothing else of the node is looked at before:
 * a batch that waits for a batch has many edges. An edge may be gone with its waiter. */
void weft_edges_meet(struct weft_edge *edge, bool failed)
{
	const struct weft_edge *ahead = edge;

	for (int i = 0; i < AHEAD && ahead; i++, ahead = ahead->next)
		fetch(ahead);
	while (edge) {
		struct weft_edge *next = edge->next;
		struct weft_node *node = weft_edge_waiter(edge);

		if (ahead) {
			fetch(ahead);
			ahead = ahead->next;
		}
		if (failed && edge->waiter & WEFT_EDGE_CHECKED)
			atomic_store_explicit(&node->outcome, WEFT_DEPENDENCY_FAILED,
					      memory_order_relaxed);
		weft_node_count_down(node);
		edge = next;
	}
}

void weft_edges_give_up(struct weft_edge *edges)
{
	bool first = weft_completion_begin(NULL);

	weft_edges_meet(edges, true);
	weft_completion_end(first);
}

void weft_node_end(struct weft_node *node)
{
	bool first = weft_completion_begin(NULL);

	weft_node_tell_waiters(node, false);
	weft_completion_end(first);
}
