/* SPDX-License-Identifier: MIT
 *
 * The list of edges that lead away from a node of the task graph (node.h): the nodes at their other ends wait for it.
 * Many threads add, one closes, no lock. Once closed it stays closed, and adding says so. tests/model/completion.pml is a
 * model of it.
 */
#ifndef WEFT_RUNTIME_EDGES_H
#define WEFT_RUNTIME_EDGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct weft_node;

/* One node waits for another one. It lies in memory that lives until the waiting node has been counted down. */
struct weft_edge {
	/* In the list of the node that is waited for. */
	struct weft_edge *next;
	/* The waiting node. The lowest bit says that an error of the other node passes along: an edge of a wait list. */
	uintptr_t waiter;
};

#define WEFT_EDGE_CHECKED ((uintptr_t)1)

static inline struct weft_edge weft_edge_to(struct weft_node *waiter)
{
	return (struct weft_edge){.waiter = (uintptr_t)waiter};
}

static inline struct weft_edge weft_edge_checked_to(struct weft_node *waiter)
{
	return (struct weft_edge){.waiter = (uintptr_t)waiter | WEFT_EDGE_CHECKED};
}

static inline struct weft_node *weft_edge_waiter(const struct weft_edge *edge)
{
	return (struct weft_node *)(edge->waiter & ~WEFT_EDGE_CHECKED);
}

struct weft_edges {
	_Atomic(struct weft_edge *) head; /* newest first, or the mark of a closed list */
};

/* The mark. */
extern struct weft_edge weft_edges_end;

/* False when the list is closed: what its closer wrote before closing is then visible here. */
bool weft_edges_add(struct weft_edges *edges, struct weft_edge *edge)
	__attribute__((warn_unused_result));

/* Adds to a list that no other thread sees yet. */
static inline void weft_edges_add_alone(struct weft_edges *edges, struct weft_edge *edge)
{
	edge->next = atomic_load_explicit(&edges->head, memory_order_relaxed);
	atomic_store_explicit(&edges->head, edge, memory_order_relaxed);
}

/* Closes the list and returns its edges, oldest first; NULL also when it was closed before. */
struct weft_edge *weft_edges_close(struct weft_edges *edges);

/* Closes the list, and puts its edges before *all. */
void weft_edges_close_into(struct weft_edges *edges, struct weft_edge **all);

/* The edge that was added last, of a list that no thread closes now; or NULL. */
static inline const struct weft_edge *weft_edges_newest(const struct weft_edges *edges)
{
	return atomic_load_explicit(&((struct weft_edges *)(uintptr_t)edges)->head,
				    memory_order_acquire);
}

/* Closed: what its closer wrote before is visible. */
static inline bool weft_edges_closed(const struct weft_edges *edges)
{
	return atomic_load_explicit(&((struct weft_edges *)(uintptr_t)edges)->head,
				    memory_order_acquire) == &weft_edges_end;
}

#endif
