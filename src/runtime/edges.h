/* SPDX-License-Identifier: MIT
 *
 * The list of edges that lead to a node of the task graph: "these wait for it". Many threads add,
 * one closes, no lock. Once closed it stays closed, and adding says so.
 */
#ifndef WEFT_RUNTIME_EDGES_H
#define WEFT_RUNTIME_EDGES_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdatomic.h>
#include <stdbool.h>

/* "`waiter` waits for `source`." Memory of the waiter's, which lives until all its edges are met,
 * or, for a marker's edge, of the source's. */
struct weft_edge {
	cl_event waiter;
	cl_event source; /* borrowed until the edge is added */
	struct weft_edge *next;
	bool carries_error; /* of a wait list; otherwise it only orders */
};

struct weft_edges {
	_Atomic(struct weft_edge *) head; /* newest first, or the mark of a closed list */
};

/* False when the list is closed: what its closer wrote before closing is then visible here. */
bool weft_edges_add(struct weft_edges *edges, struct weft_edge *edge)
	__attribute__((warn_unused_result));

/* Closes the list and returns its edges, oldest first; NULL also when it was closed before. */
struct weft_edge *weft_edges_close(struct weft_edges *edges);

#endif
