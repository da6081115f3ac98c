/* SPDX-License-Identifier: MIT
 *
 * The order that the commands of a command buffer keep, worked out once, when they are recorded: who can begin by whose
 * end. Commands are numbered in the order of recording.
 */
#ifndef WEFT_RUNTIME_PLAN_H
#define WEFT_RUNTIME_PLAN_H

#include "memory/footprint.h"
#include "refcount.h"

struct weft_plan_node {
	int32_t predecessors;
	uint32_t num_successors;
	const uint32_t *successors; /* the plan's */
};

/* Constant, so that whoever runs it shares it. */
struct weft_plan {
	weft_refcount refs;
	uint32_t num_nodes;
	uint32_t num_roots; /* nodes without predecessors */
	uint32_t num_ends;  /* nodes without successors: all has ended when these have */
	const uint32_t *roots;
	struct weft_plan_node nodes[];
};

void weft_plan_put(struct weft_plan *plan); /* NULL is fine */

/* What orders commands beside their wait lists and barriers. */
enum weft_plan_order {
	WEFT_PLAN_OUT_OF_ORDER, /* nothing */
	WEFT_PLAN_SERIAL,       /* each comes after the one before it */
	WEFT_PLAN_BY_DATA, /* as in an in-order queue that runs commands in parallel: what they do to memory */
};

struct weft_plan_step {
	const uint32_t *waits; /* earlier commands */
	uint32_t num_waits;
	bool barrier; /* comes after all before it, or, in no order, after `waits` if there are any; all later come after it */
	const struct weft_footprint *footprint; /* looked at BY_DATA only */
};

/* Makes a plan. */
struct weft_planner;

struct weft_planner *weft_planner_create(enum weft_plan_order order) WEFT_MUST_CHECK;
/* The next command. False: out of memory, and the planner is of no use any more. */
bool weft_planner_add(struct weft_planner *planner,
		      const struct weft_plan_step *step) WEFT_MUST_CHECK;
/* The plan of what was added; NULL: out of memory. */
struct weft_plan *weft_planner_finish(const struct weft_planner *planner) WEFT_MUST_CHECK;
void weft_planner_destroy(struct weft_planner *planner); /* NULL is fine */

#endif
