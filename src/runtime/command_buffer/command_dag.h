/* SPDX-License-Identifier: MIT
 *
 * The order of the commands of a command buffer, a directed acyclic graph: each command begins when its predecessors have
 * ended. It is made once, when recording ends. Commands are numbered in the order of recording.
 */
#ifndef WEFT_RUNTIME_COMMAND_DAG_H
#define WEFT_RUNTIME_COMMAND_DAG_H

#include "memory/access.h"
#include "refcount.h"

struct weft_dag_node {
	int32_t predecessors;
	uint32_t num_successors;
	const uint32_t *successors; /* in the DAG's block */
};

/* Constant, and shared by all that run it. */
struct weft_command_dag {
	weft_refcount refs;
	uint32_t num_nodes;
	uint32_t num_roots; /* nodes without predecessors */
	uint32_t num_ends;  /* nodes without successors: when these have ended, all have */
	const uint32_t *roots;
	struct weft_dag_node nodes[];
};

void weft_dag_put(struct weft_command_dag *dag); /* NULL is fine */

/* What orders commands beside their wait lists and barriers. */
enum weft_dag_order {
	WEFT_DAG_OUT_OF_ORDER, /* nothing */
	WEFT_DAG_SERIAL,       /* each comes after the one before it */
	WEFT_DAG_BY_DATA, /* as in an in-order queue that runs commands in parallel: what they do to memory */
};

struct weft_dag_step {
	const uint32_t *waits; /* earlier commands */
	uint32_t num_waits;
	const uint32_t *previous; /* one more command that it comes after; or NULL */
	bool barrier; /* comes after all before it, or, in no order, after `waits` if there are any; all later come after it */
	const struct weft_accesses *accesses; /* looked at BY_DATA only */
};

/* Makes a DAG. */
struct weft_dag_builder;

struct weft_dag_builder *weft_dag_builder_create(enum weft_dag_order order) WEFT_MUST_CHECK;
/* The next command. False: out of memory, and the builder is of no use any more. */
bool weft_dag_builder_add(struct weft_dag_builder *builder,
			  const struct weft_dag_step *step) WEFT_MUST_CHECK;
/* The DAG of what was added; NULL: out of memory. */
struct weft_command_dag *
weft_dag_builder_finish(const struct weft_dag_builder *builder) WEFT_MUST_CHECK;
void weft_dag_builder_destroy(struct weft_dag_builder *builder); /* NULL is fine */

#endif
