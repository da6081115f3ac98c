/* SPDX-License-Identifier: MIT
 *
 * A Treiber stack that is only pushed to and taken whole, so that the ABA problem cannot arise.
 * Adding releases the edge to the closer; closing releases the ended side's state to later adders.
 */
#include "node/edges.h"

#include <stddef.h>

struct weft_edge weft_edges_end;

bool weft_edges_add(struct weft_edges *edges, struct weft_edge *edge)
{
	struct weft_edge *head = atomic_load_explicit(&edges->head, memory_order_acquire);

	do {
		if (head == &weft_edges_end)
			return false;
		edge->next = head;
	} while (!atomic_compare_exchange_weak_explicit(
		&edges->head, &head, edge, memory_order_release, memory_order_acquire));
	return true;
}

struct weft_edge *weft_edges_close(struct weft_edges *edges)
{
	struct weft_edge *edge =
		atomic_exchange_explicit(&edges->head, &weft_edges_end, memory_order_acq_rel);
	struct weft_edge *oldest = NULL;

	if (edge == &weft_edges_end)
		return NULL;
	while (edge) {
		struct weft_edge *next = edge->next;

		edge->next = oldest;
		oldest = edge;
		edge = next;
	}
	return oldest;
}

void weft_edges_close_into(struct weft_edges *edges, struct weft_edge **all)
{
	struct weft_edge *first = weft_edges_close(edges);
	struct weft_edge **end = &first;

	while (*end)
		end = &(*end)->next;
	*end = *all;
	*all = first;
}
