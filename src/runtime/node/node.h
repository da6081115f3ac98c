/* SPDX-License-Identifier: MIT
 *
 * A node of the task graph: something that waits for other nodes, and that other nodes wait for. Events have two (run and
 * end), and so have one each: the commands of a running command buffer, migrations and transfers, units of code that is
 * made after the build, join counters, and threads that wait.
 *
 * Invariants: `unmet` is above zero until the node's last edge has been added. The thread that takes it to zero makes the
 * node ready, once. A node lives until then, so an edge in a list always leads to a live node. Two nodes are never locked
 * together.
 */
#ifndef WEFT_RUNTIME_NODE_H
#define WEFT_RUNTIME_NODE_H

#include "node/edges.h"
#include "status.h"

#include <stddef.h>

struct weft_node_ops {
	/* The node has nothing left to wait for. Called where edges are met: between weft_completion_begin and
	 * weft_completion_end (completion.h). The node may be gone on return. */
	void (*ready)(struct weft_node *node);
	/* It is the node's turn in the completion queue: closes its list of waiters, tells them, and releases what the
	 * node held. NULL for a node that is never pushed to the queue. */
	void (*ended)(struct weft_node *node);
	/* It is the node's turn among those that weft_completion_defer put off. NULL for a node that never is. */
	void (*resume)(struct weft_node *node);
};

struct weft_node {
	const struct weft_node_ops *ops;
	/* In the completion queue, or in another list of nodes: never in two of them. */
	struct weft_node *next;
	/* Edges to the nodes that wait for this one. Closed once this one has ended. */
	struct weft_edges waiters;
	/* The countdown: edges from nodes that have not ended, and whatever else the node waits for. */
	_Atomic int32_t unmet;
	/* enum weft_status: the worst of what came along checked edges. Visible to the thread that makes the node ready. */
	_Atomic int32_t outcome;
};

static inline void weft_node_init(struct weft_node *node, const struct weft_node_ops *ops,
				  int32_t unmet)
{
	node->ops = ops;
	node->next = NULL;
	atomic_init(&node->waiters.head, NULL);
	atomic_init(&node->unmet, unmet);
	atomic_init(&node->outcome, WEFT_OK);
}

/* One thing less for the node to wait for. */
static inline void weft_node_count_down(struct weft_node *node)
{
	if (atomic_fetch_sub_explicit(&node->unmet, 1, memory_order_acq_rel) == 1)
		node->ops->ready(node);
}

/* Meets the edges, which a closed list had: counts each waiting node down. `failed`: an error passes along checked edges. */
void weft_edges_meet(struct weft_edge *edges, bool failed);

/* The same, in a bracket of its own (completion.h), with an error. */
void weft_edges_give_up(struct weft_edge *edges);

/* Closes the node's list and meets its edges. */
static inline void weft_node_tell_waiters(struct weft_node *node, bool failed)
{
	weft_edges_meet(weft_edges_close(&node->waiters), failed);
}

/* Ends a node that no command ends: opens a bracket (completion.h) and tells its waiters. */
void weft_node_end(struct weft_node *node);

#endif
