/* SPDX-License-Identifier: MIT
 *
 * The list of edges that lead to a place of the task graph: "these wait for it". Many threads add,
 * one closes, no lock. Once closed it stays closed, and adding says so. tests/model/completion.pml is a model of it.
 */
#ifndef WEFT_RUNTIME_EDGES_H
#define WEFT_RUNTIME_EDGES_H

#include "object/object.h"

#include <stdatomic.h>
#include <stdbool.h>

struct weft_join_counter;
struct weft_subcommand;
struct weft_wait;

/* What it means to the waiter that the other side has ended. */
enum weft_edge_kind {
	WEFT_EDGE_START,         /* the event may start, as far as this one is concerned */
	WEFT_EDGE_START_CHECKED, /* the same, and its error is passed on: an edge of a wait list */
	WEFT_EDGE_HANDED,        /* the event may be handed over: its device looks after the rest */
	WEFT_EDGE_ALL_HANDED,    /* what is before the event in its queue has been handed over */
	WEFT_EDGE_END,           /* the event may end */
	WEFT_EDGE_CODE,          /* the event has the code that it lacked */
	WEFT_EDGE_SUBCOMMAND,    /* the same of a command without an event (upcalls.h) */
	WEFT_EDGE_JOIN,          /* a join counter waits for one less */
	WEFT_EDGE_WAIT,          /* a thread goes on */
	WEFT_EDGE_OBJECT,        /* an object is not needed any more */
};

/* Memory of whoever waits, until it is met; an edge's to a join counter, of the side that ends. */
struct weft_edge {
	struct weft_edge *next;
	union {
		cl_event event;
		struct weft_subcommand *subcommand;
		struct weft_join_counter *counter;
		struct weft_wait *wait;
		struct weft_object *object; /* a reference that goes */
	};
	enum weft_edge_kind kind;
};

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

/* What was added last, by anyone, to a list that nobody closes meanwhile; or NULL. */
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
