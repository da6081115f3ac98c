/* SPDX-License-Identifier: MIT
 *
 * The task graph: edges, readiness, and what happens when an event ends. Invariant: a waiter lives
 * until its `unmet` has reached zero, so an edge in a list always leads to a live event.
 */
#include "event_graph.h"

#include "clock.h"
#include "context.h"
#include "device.h"
#include "queue.h"

/* ---- times ----------------------------------------------------------------------------------- */

void weft_event_stamp(cl_event event, enum weft_event_time which)
{
	if (event->profiling)
		atomic_store_explicit(&event->times[which], weft_clock_now(), memory_order_relaxed);
}

void weft_event_stamp_end(cl_event event)
{
	if (!event->profiling)
		return;
	uint64_t now = weft_clock_now();

	for (int i = WEFT_EVENT_SUBMIT; i < WEFT_EVENT_END; i++) {
		if (!atomic_load_explicit(&event->times[i], memory_order_relaxed))
			atomic_store_explicit(&event->times[i], now, memory_order_relaxed);
	}
	atomic_store_explicit(&event->times[WEFT_EVENT_END], now, memory_order_relaxed);
}

/* ---- readiness ------------------------------------------------------------------------------- */

static void make_ready(cl_event event)
{
	struct weft_device *device = event->command.device;
	enum weft_status dependencies = (enum weft_status)atomic_load_explicit(
		&event->dependency_status, memory_order_relaxed);

	weft_event_stamp(event, WEFT_EVENT_SUBMIT);
	atomic_store_explicit(&event->status, CL_SUBMITTED, memory_order_seq_cst);
	weft_event_post_due(event);
	device->driver->queue->notify(device, &event->command, dependencies);
}

/* One thing less to wait for. True when it was the last one: then the event may be gone. */
static bool count_down(cl_event event)
{
	if (atomic_fetch_sub_explicit(&event->unmet, 1, memory_order_acq_rel) != 1)
		return false;
	make_ready(event);
	return true;
}

/* The countdown that follows releases the outcome to whoever makes the waiter ready. */
static void pass_outcome(const struct weft_edge *edge, cl_int status)
{
	if (status < CL_COMPLETE && edge->carries_error)
		atomic_store_explicit(&edge->waiter->dependency_status, WEFT_DEPENDENCY_FAILED,
				      memory_order_relaxed);
}

/* The waiter's own count of one for the enqueue is open still, so none of these makes it ready. */
static void attach(struct weft_edge *edge)
{
	cl_event waiter = edge->waiter;
	cl_event source = edge->source;

	atomic_fetch_add_explicit(&waiter->unmet, 1, memory_order_relaxed);
	if (weft_edges_add(&source->waiters, edge))
		return;
	pass_outcome(edge, weft_event_status(source));
	atomic_fetch_sub_explicit(&waiter->unmet, 1, memory_order_relaxed);
}

/* ---- the end of an event --------------------------------------------------------------------- */

/* The events that this thread has ended and not yet announced, oldest first. */
static _Thread_local struct {
	cl_event first;
	cl_event last;
	struct weft_device *origin;   /* of the event that came first; NULL for a user event */
	struct weft_device *notified; /* to be flushed; or NULL */
	bool busy;
	unsigned completions; /* calls of a driver's that this thread is in */
} ended;

bool weft_event_is_ending(void)
{
	return ended.busy || ended.completions > 0;
}

void weft_event_enter_completion(void)
{
	ended.completions++;
}

void weft_event_leave_completion(void)
{
	ended.completions--;
}

static void flush(struct weft_device *device)
{
	if (device)
		device->driver->queue->flush(device);
}

/* A driver hands over by itself what it is notified of while it completes one of its own commands.
 * What becomes ready on another device, or by a user event, has nobody else to flush it. */
static void note_for_flush(struct weft_device *device)
{
	if (device == ended.origin || device == ended.notified)
		return;
	flush(ended.notified);
	ended.notified = device;
}

void weft_event_tell_waiters(cl_event event)
{
	cl_int status = weft_event_status(event);
	struct weft_edge *edge = weft_edges_close(&event->waiters);

	while (edge) {
		struct weft_edge *next = edge->next; /* the edge goes with its waiter */
		struct weft_device *device = edge->waiter->command.device;

		pass_outcome(edge, status);
		if (count_down(edge->waiter))
			note_for_flush(device);
		edge = next;
	}
}

static void leave_queue(cl_event event)
{
	cl_command_queue queue = event->queue;

	weft_mutex_lock(&queue->lock);
	weft_list_remove(&event->queue_link);
	bool was_last = queue->last == event;
	if (was_last)
		queue->last = NULL;
	weft_mutex_unlock(&queue->lock);
	if (was_last)
		weft_object_put(&event->base);
}

/* The devices of what became ready are the context's, which the event keeps: they are flushed before
 * it goes. */
static void announce(cl_event event)
{
	struct weft_device *device = event->command.device;

	if (device && device->driver->queue->broadcast)
		device->driver->queue->broadcast(device, &event->command);
	else
		weft_event_tell_waiters(event);
	flush(ended.notified);
	ended.notified = NULL;
	if (event->queue)
		leave_queue(event);
	weft_object_put(&event->base);
}

void weft_event_broadcast(cl_event event)
{
	event->next_ended = NULL;
	if (ended.first)
		ended.last->next_ended = event;
	else
		ended.first = event;
	ended.last = event;
	if (ended.busy)
		return;
	ended.busy = true;
	ended.origin = event->command.device;
	while (ended.first) {
		cl_event next = ended.first;

		ended.first = next->next_ended;
		announce(next);
	}
	ended.busy = false;
}

/* ---- enqueueing ------------------------------------------------------------------------------ */

enum order { ORDER_COMMAND, ORDER_MARKER, ORDER_BARRIER };

/* Everything in the queue since the last marker of this kind, which stands for what is older. */
static void attach_marker(cl_command_queue queue, cl_event marker) WEFT_REQUIRES(&queue->lock)
{
	struct weft_list *node = queue->commands.prev;

	marker->is_marker = true;
	for (; node != &queue->commands; node = node->prev) {
		cl_event event = WEFT_CONTAINER_OF(node, struct _cl_event, queue_link);

		event->marker_edge = (struct weft_edge){marker, event, NULL, false};
		attach(&event->marker_edge);
		if (event->is_marker)
			break;
	}
}

/* Takes the command's place in its queue. Returns what it has to come after, retained, or NULL. */
static cl_event join_queue(cl_event event, enum order order)
{
	cl_command_queue queue = event->queue;
	bool in_order = weft_queue_in_order(queue);

	weft_mutex_lock(&queue->lock);
	weft_event_stamp(event, WEFT_EVENT_QUEUED);
	if (order != ORDER_COMMAND && !in_order && event->num_edges == 0)
		attach_marker(queue, event);
	event->sequence = ++queue->sequence;
	weft_list_append(&queue->commands, &event->queue_link);
	cl_event previous = queue->last;
	if (in_order || order == ORDER_BARRIER) {
		weft_object_get(&event->base);
		queue->last = event;
	} else if (previous) {
		weft_object_get(&previous->base);
	}
	weft_mutex_unlock(&queue->lock);
	return previous;
}

/* A command on another device that this one waits for must not lie in that device's batch. */
static void attach_wait_list(cl_event event)
{
	for (cl_uint i = 0; i < event->num_edges; i++) {
		struct weft_device *device = event->edges[i].source->command.device;

		if (device && device != event->command.device)
			flush(device);
		attach(&event->edges[i]);
	}
}

static void submit(cl_event event, enum order order)
{
	struct weft_device *device = event->command.device;

	weft_object_get(&event->base); /* the command's, until it ends */
	cl_event previous = join_queue(event, order);
	if (previous) {
		event->order_edge = (struct weft_edge){event, previous, NULL, false};
		attach(&event->order_edge);
		weft_object_put(&previous->base);
	}
	attach_wait_list(event);
	device->driver->queue->submit(device, &event->command);
	count_down(event);
}

/* Passes the reference that the event was made with to the application, or drops it. */
static void hand_over(cl_event event, cl_event *application_event)
{
	if (application_event)
		*application_event = event;
	else
		weft_object_release_api(&event->base);
}

cl_int weft_event_submit(cl_event event, bool blocking, cl_event *application_event)
{
	cl_int status = CL_COMPLETE;

	submit(event, ORDER_COMMAND);
	if (blocking)
		status = weft_event_wait(event);
	hand_over(event, status == CL_COMPLETE ? application_event : NULL);
	return status;
}

void weft_event_submit_marker(cl_event event, bool barrier, cl_event *application_event)
{
	submit(event, barrier ? ORDER_BARRIER : ORDER_MARKER);
	hand_over(event, application_event);
}
