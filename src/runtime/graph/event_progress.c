/* SPDX-License-Identifier: MIT
 *
 * How a command goes on: it becomes ready, is handed over to its driver, ends, and its waiters are told. Each of its two
 * nodes has operations for that.
 */
#include "graph/event_progress.h"

#include "device/device.h"
#include "driver_optional.h"
#include "graph/event_trace.h"
#include "graph/queue.h"
#include "graph/upcalls.h"
#include "node/completion.h"

static cl_event event_of_run(struct weft_node *run)
{
	return WEFT_CONTAINER_OF(run, struct _cl_event, run);
}

static cl_event event_of_end(struct weft_node *end)
{
	return WEFT_CONTAINER_OF(end, struct _cl_event, end);
}

void weft_event_reach(cl_event event, cl_int status)
{
	atomic_store_explicit(&event->status, status, memory_order_seq_cst);
	weft_event_post_due(event);
}

/* ---- readiness ------------------------------------------------------------------------------- */

static void notify(cl_event event, enum weft_status status)
{
	struct weft_device *device = event->command.device;

	if (event->chaining.links)
		weft_chaining_notify(event, status);
	else
		device->driver->queue->notify(device, &event->command, status);
}

/* Another device, without threads, calls a native function as soon as it is notified of the command. */
static bool is_deferred(cl_event event)
{
	return event->command.op == WEFT_OP_NATIVE && weft_completion.open &&
	       event->command.device != weft_completion.origin;
}

void weft_event_hand_over(cl_event event, enum weft_status status)
{
	if (is_deferred(event)) {
		atomic_store_explicit(&event->run.outcome, (int32_t)status, memory_order_relaxed);
		weft_completion_defer(&event->run);
	} else if (event->subgraph) {
		event->subgraph->ops->start(event, status);
	} else {
		notify(event, status);
	}
}

/* A deferred native function: nothing is left that it may wait for. */
static void resume_run(struct weft_node *run)
{
	cl_event event = event_of_run(run);
	cl_device_id device = event->queue->device;

	weft_object_get(&device->base);
	notify(event, (enum weft_status)atomic_load_explicit(&run->outcome, memory_order_relaxed));
	weft_completion_flush_later(device->impl, &device->base);
}

/* A launch is ready when its code is there, too. What led to its start has been met: the edge is free. */
static bool waits_for_code(cl_event event)
{
	atomic_store_explicit(&event->run.unmet, 1, memory_order_relaxed);
	event->order.order_edge = weft_edge_to(&event->run);
	return event->code->wait(event->code, &event->order.order_edge);
}

void weft_event_make_ready(cl_event event)
{
	enum weft_status dependencies =
		(enum weft_status)atomic_load_explicit(&event->run.outcome, memory_order_relaxed);

	if (weft_event_is_terminated(event))
		dependencies = WEFT_TERMINATED;
	if (event->code && dependencies == WEFT_OK) {
		if (waits_for_code(event))
			return;
		dependencies = event->code->take(event->code, &event->command.launch);
	}
	weft_event_stamp(event, WEFT_EVENT_SUBMIT);
	/* a command that will not be run ends without another status on the way: its callbacks all get the error */
	if (event->visible && dependencies == WEFT_OK)
		weft_event_reach(event, CL_SUBMITTED);
	if (event->migration && dependencies == WEFT_OK)
		event->migration->start(event);
	else
		weft_event_hand_over(event, dependencies);
}

/* A driver hands over by itself what it is notified of while it completes one of its own commands. What becomes ready
 * on another device, or by a user event, has to be flushed here; and it may have ended, its queue gone, before that. The
 * device is kept: the queue itself may be about to begin its second life, with its count made anew. */
static void make_ready_and_flush(cl_event event)
{
	cl_device_id device = event->queue->device;
	bool will_flush = weft_completion_will_flush(device->impl);

	if (!will_flush)
		weft_object_get(&device->base);
	event->command.deferrable |= event->chaining.links != NULL; /* with all that follows it */
	weft_event_make_ready(event);
	if (!will_flush)
		weft_completion_flush_later(device->impl, &device->base);
}

static void run_ready(struct weft_node *run)
{
	cl_event event = event_of_run(run);
	struct weft_device *origin = weft_completion.origin;

	event->command.was_blocked = true;
	if (event->times.trace && origin && !event->subgraph)
		weft_event_trace_ready(event);
	if (event->command.device == origin)
		weft_event_make_ready(event);
	else
		make_ready_and_flush(event);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Makes the status final; a waiter that is told of the end sees it. What the command kept alive goes before that: a thread
 * that has waited for the command can count on it (clBuildProgram after the last kernel, for one). And not before the end
 * of what came before it: the destructors of memory objects are the application's. */
static void end_ready(struct weft_node *end)
{
	cl_event event = event_of_end(end);
	cl_int result = event->result;

	if (event->storage.held)
		weft_event_release_held(event);
	if (result < CL_COMPLETE && result != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
	    result != CL_CONTEXT_TERMINATED_KHR)
		weft_event_report_failure(event, result);
	if (event->hooks && event->hooks->ends)
		event->hooks->ends(event, result);
	if ((event->overtakes || event->chaining.follows) && event->visible &&
	    result == CL_COMPLETE)
		weft_event_reach(event, CL_RUNNING); /* not before what came before it had ended */
	if (event->visible)
		weft_event_reach(event, result);
	else
		atomic_store_explicit(&event->status, result, memory_order_release);
	weft_completion_push(end);
}

/* Its effects are there: what shares data with it goes on whether or not it may end. */
static void run_ended(struct weft_node *run)
{
	weft_node_tell_waiters(run, false);
	weft_node_count_down(&event_of_run(run)->end);
}

void weft_event_tell_waiters(cl_event event)
{
	weft_node_tell_waiters(&event->end, weft_event_status(event) < CL_COMPLETE);
}

static void end_ended(struct weft_node *end)
{
	cl_event event = event_of_end(end);
	struct weft_device *device = event->command.device;
	struct weft_join_counter *segment = event->order.segment;

	if (device && device->driver->chaining)
		device->driver->chaining->broadcast(device, &event->command);
	else
		weft_event_tell_waiters(event);
	if (segment)
		weft_node_count_down(&segment->node);
	weft_object_put(&event->base);
}

void weft_event_begins(cl_event event)
{
	weft_event_stamp(event, WEFT_EVENT_START);
	if (event->times.trace)
		weft_event_trace_begin(event);
	if (event->visible && !event->overtakes && !event->chaining.follows)
		weft_event_reach(event, CL_RUNNING);
}

void weft_event_complete(cl_event event, enum weft_status status)
{
	/* A command buffer may end without a command: then no driver is completing anything. */
	bool first = weft_completion_begin(event->subgraph ? NULL : event->command.device);

	weft_event_stamp_end(event);
	if (event->times.trace)
		weft_event_trace_end(event);
	if (event->hooks && event->hooks->completed)
		event->hooks->completed(event, status);
	event->result =
		weft_status_to_cl(weft_event_is_terminated(event) ? WEFT_TERMINATED : status);
	if (event->overtakes)
		weft_completion_push(&event->run);
	else if (event->chaining.follows)
		weft_node_count_down(&event->end);
	else
		end_ready(&event->end);
	weft_completion_end(first);
}

bool weft_event_end_user(cl_event event, cl_int status)
{
	int32_t before = atomic_load_explicit(&event->status, memory_order_relaxed);

	do {
		if (before <= CL_COMPLETE)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&event->status, &before, status, memory_order_seq_cst, memory_order_relaxed));
	bool first = weft_completion_begin(NULL);
	weft_event_post_due(event);
	weft_completion_push(&event->end);
	weft_completion_end(first);
	return true;
}

/* ---- the event's nodes ----------------------------------------------------------------------- */

const struct weft_node_ops weft_event_run_ops = {
	.ready = run_ready,
	.ended = run_ended,
	.resume = resume_run,
};

const struct weft_node_ops weft_event_end_ops = {
	.ready = end_ready,
	.ended = end_ended,
};
