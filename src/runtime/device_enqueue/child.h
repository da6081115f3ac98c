/* SPDX-License-Identifier: MIT
 *
 * A launch or a marker that a kernel has enqueued: one node of the task graph and one driver's command, in one block with its packed arguments,
 * the variables that its block has captured, and its edges. It lives until it has ended.
 */
#ifndef WEFT_RUNTIME_CHILD_H
#define WEFT_RUNTIME_CHILD_H

#include "device_enqueue/device_event.h"
#include "device_enqueue/parent.h"

struct weft_child {
	struct weft_subcommand base;
	struct weft_child *next;    /* in the list of the range that enqueued it, newest first */
	struct weft_parent *parent; /* that enqueued it */
	struct weft_device_event *event; /* retained until it ends; or NULL */
	cl_command_queue queue;          /* whose room it takes; the family holds it */
	uint64_t bytes;                  /* of that room */
	bool waits_for_run;              /* of its parent */
	bool pooled;                     /* its block is one of the pool */
	enum weft_status result;
	uint64_t end; /* of its run, by the timer of a device that has one, ns; or 0 */
	struct weft_edge parent_edge; /* from its parent's run */
	struct weft_parent own;       /* if its kernel enqueues: its children */
};

struct weft_child_desc {
	struct weft_parent *parent;
	cl_command_queue queue;
	const struct weft_kernel_desc *kernel; /* NULL: a marker */
	struct weft_ndrange range;
	bool empty; /* the range has no work-items */
	bool waits_for_run;
	const void *literal; /* copied; or NULL */
	uint32_t literal_size;
	uint32_t num_locals;
	const uint64_t *locals; /* bytes of each local argument, checked */
	uint32_t num_waits;
	struct weft_device_event *const *waits; /* events, checked */
	bool has_event;
};

/* CLK_DEVICE_QUEUE_FULL, CLK_OUT_OF_RESOURCES or CLK_EVENT_ALLOCATION_FAILURE (error_codes.h). The child waits for its wait list, and to be
 * handed over. */
int weft_child_create(const struct weft_child_desc *desc,
		      struct weft_child **child) WEFT_MUST_CHECK;

/* The range that has enqueued the list, of `count` children, newest first, has run. `whole`: it was the only one of its launch. */
void weft_children_hand_over(struct weft_parent *parent, struct weft_child *newest, bool whole);

#endif
