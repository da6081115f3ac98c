/* SPDX-License-Identifier: MIT
 *
 * An event is a command in the task graph: two nodes (node.h), the one for its run and the one for its end. User events
 * are events without a command. An event is one block of a pool, which has room for what a usual command needs: edges,
 * packed arguments, the list of objects it keeps.
 *
 * Invariants: the status only falls, and is made final once. No two events are ever locked together. An error passes along
 * the edges of wait lists; the order of a queue only orders.
 */
#ifndef WEFT_RUNTIME_EVENT_H
#define WEFT_RUNTIME_EVENT_H

#include "device/context.h"
#include "driver.h"
#include "fork_generation.h"
#include "graph/device_chaining.h"
#include "graph/event_callbacks.h"
#include "graph/event_storage.h"
#include "graph/event_times.h"
#include "node/join_counter.h"
#include "node/node.h"
#include "object/object.h"

struct weft_event_code;
struct weft_event_migration;
struct weft_event_hooks;
struct weft_accesses;
struct weft_subgraph;

/* The event's place in the order of its queue, and its wait list. */
struct weft_event_order {
	/* Of an out-of-order queue: counts this command; or NULL. */
	struct weft_join_counter *segment;
	/* From the events of the wait list: num_waits edges. With chaining, as many to the event's end lie behind them. */
	struct weft_edge *waits;
	/* The wait list itself; borrowed until submit. */
	const cl_event *sources;
	/* From what all of the queue's later commands come after. */
	struct weft_edge order_edge;
	/* From the end of the command before it. */
	struct weft_edge end_edge;
	cl_uint num_waits;
	/* The process that made the event. */
	uint32_t generation;
};

/* The order of members: what is looked at when the event becomes ready lies around `run` (weft_edges_meet fetches it). */
struct _cl_event {
	struct weft_object base;
	/* Retained by a user event; the queue's otherwise. */
	cl_context context;
	/* The application's callbacks, newest first. */
	struct weft_event_callback *callbacks WEFT_GUARDED_BY(&context->lock);
	struct weft_event_storage storage;
	struct weft_event_order order;
	/* What is to be done when it ends (upcalls.h); or NULL. Constant from submit on. */
	struct weft_event_hooks *hooks;
	/* Waits for the run, and for the ends of commands that come before. Its waiters wait for the event's end. Queues
	 * that keep the block look at its list of waiters, too. */
	struct weft_node end;
	struct weft_event_times times;
	/* Waits for what the start waits for, and for the enqueue itself. Its waiters wait for the command's effects alone,
	 * in a queue whose commands run in parallel. */
	struct weft_node run;
	/* Of a command that has run: what its status will be. */
	cl_int result;
	/* The application asked for the event. Constant from submit on. */
	bool visible;
	/* It has effects before its end: see queue.h. Constant from submit on. */
	bool overtakes;
	/* It stands for commands of several queues. Constant from submit on. */
	bool of_several;
	/* There have been callbacks. */
	_Atomic bool has_callbacks;
	/* CL_QUEUED … CL_COMPLETE, or a negative error. */
	_Atomic int32_t status;
	cl_command_type type;
	/* NULL for a user event. A visible event holds its queue; any other event is outlived by it. */
	cl_command_queue queue;
	/* Of a command buffer: what is to be run; or NULL. */
	struct weft_subgraph *subgraph;
	/* Of a launch that waits for code; or NULL. */
	struct weft_event_code *code;
	/* What must be somewhere else before it starts; or NULL. */
	struct weft_event_migration *migration;
	struct weft_event_chaining chaining;
	/* The driver's part. Unused by a user event. */
	struct weft_command command;
	/* For event_storage.c; up to the end of the block. */
	unsigned char room[];
};

/* ---- enqueueing: create, fill in the command, submit ----------------------------------------- */

struct weft_enqueue {
	cl_command_queue queue;
	cl_command_type type;
	cl_uint num_waits;
	const cl_event
		*waits; /* checked by weft_check_wait_list; borrowed until submit or abandon */
};

/* A command of `queue`, not yet part of the graph. Its `command` is WEFT_OP_NOTHING. The caller
 * owns it, and gives it to weft_event_submit or, on an error, to weft_event_abandon. */
cl_int weft_event_create(const struct weft_enqueue *enqueue, cl_event *event) WEFT_MUST_CHECK;
void weft_event_abandon(cl_event event);

/* References to the event's block alone (storage.block_refs). NULL is fine for the latter. */
static inline void weft_event_get_block(cl_event event)
{
	weft_refcount_get(&event->storage.block_refs);
}

void weft_event_put_block(cl_event event);

/* Adds the command to the graph behind its wait list and its queue's order, and hands it to the
 * driver. Cannot fail: everything was allocated before. Afterwards the caller has a reference only
 * by *application_event, when that is not NULL (a reference of the application's). A `blocking`
 * call returns when the command has ended, and then returns
 * CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST or the command's own error if it failed, and no
 * event. `accesses` is borrowed for the call; NULL: the command may access any memory. */
cl_int weft_event_submit(cl_event event, const struct weft_accesses *accesses, bool blocking,
			 cl_event *application_event);

/* As weft_event_submit, not blocking, for a marker or barrier: with an empty wait list it waits for every
 * command of the queue; a barrier holds back later commands (specification 5.14).
 * CL_OUT_OF_HOST_MEMORY: the event is abandoned. */
cl_int weft_event_submit_marker(cl_event event, bool barrier,
				cl_event *application_event) WEFT_MUST_CHECK;

/* ---- events in the application's hands ------------------------------------------------------- */

cl_int weft_event_create_user(cl_context context, cl_event *event) WEFT_MUST_CHECK;
/* CL_INVALID_OPERATION when it was set before. `status` is CL_COMPLETE or negative. */
cl_int weft_event_set_user_status(cl_event event, cl_int status) WEFT_MUST_CHECK;
/* Helps the device, and sleeps, until the event has ended. Returns its final status; an error at once for a
 * command that a parent process has in flight. */
cl_int weft_event_wait(cl_event event);

static inline cl_int weft_event_status(cl_event event)
{
	return atomic_load_explicit(&event->status, memory_order_acquire);
}

/* Whether the command's context is terminated: whatever becomes of the command, its status will say that, unless it has one.
 * That of a user event is the application's to set. */
static inline bool weft_event_is_terminated(cl_event event)
{
	return event->type != CL_COMMAND_USER && weft_context_is_terminated(event->context);
}

/* Whether the command was enqueued by a process that this one has forked from: it may never end in this one. */
static inline bool weft_event_is_foreign(cl_event event)
{
	return event->queue && event->order.generation != weft_fork_generation() &&
	       weft_event_status(event) > CL_COMPLETE;
}

/* Its times by its device's timer; NULL: that is the host's clock, or its times are not taken. */
static inline _Atomic uint64_t *weft_event_device_times(cl_event event)
{
	return event->times.by_device ? event->times.host + WEFT_EVENT_NUM_TIMES : NULL;
}

static inline bool weft_event_valid(cl_event event)
{
	return weft_object_is(event, WEFT_OBJECT_EVENT);
}

#endif
