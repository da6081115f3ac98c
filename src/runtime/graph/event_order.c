/* SPDX-License-Identifier: MIT
 *
 * How a new command takes its place in the task graph: behind its wait list and its queue's order.
 * Invariant: until the last edge is added, the run's countdown is above zero, whatever has ended by then.
 */
#include "graph/event_progress.h"

#include "device/device.h"
#include "graph/event_hazards.h"
#include "graph/event_trace.h"
#include "graph/queue.h"
#include "graph/upcalls.h"

#include <assert.h>

/* What `unmet` begins with; more than a command ever waits for. */
#define UNCOUNTED (1 << 30)

enum order { ORDER_COMMAND, ORDER_MARKER, ORDER_BARRIER };

/* One enqueue. */
struct place {
	cl_event event;
	enum order order;
	const struct weft_accesses *accesses; /* NULL: anything */
	bool blocking;                        /* the call returns the status of the command */
	bool waits;                           /* the call returns when the command has ended */
	int32_t edges;                        /* that were added */
	struct weft_join_counter *fresh;      /* the queue's next segment, for a marker; or NULL */
	struct weft_join_counter
		*closed;  /* the one before, to be closed without the lock; or NULL */
	uint32_t demands; /* of the queue, when the command took its place */
};

static void attach(struct place *place, struct weft_edges *edges, struct weft_edge *edge)
{
	*edge = weft_edge_to(&place->event->run);
	place->edges += weft_edges_add(edges, edge);
}

/* The event's end is seen after the other one's. */
static void end_after(cl_event event, cl_event other, struct weft_edge *edge)
{
	*edge = weft_edge_to(&event->end);
	atomic_fetch_add_explicit(&event->end.unmet, 1, memory_order_relaxed);
	if (!weft_edges_add(&other->end.waiters, edge))
		atomic_fetch_sub_explicit(&event->end.unmet, 1, memory_order_relaxed);
}

/* Behind the end of the other, in the order of a queue, with the event's own edges. */
static void attach_behind(struct place *place, cl_event other)
{
	cl_event event = place->event;

	if (weft_event_follow(event, other, WEFT_FOLLOW_END, &event->order.order_edge,
			      &place->edges))
		end_after(event, other, &event->order.end_edge);
	else
		attach(place, &other->end.waiters, &event->order.order_edge);
}

/* A command on another device that this one waits for must not lie in that device's batch. */
static void attach_wait_list(struct place *place)
{
	cl_event event = place->event;

	for (cl_uint i = 0; i < event->order.num_waits; i++) {
		cl_event source = event->order.sources[i];
		struct weft_device *device = source->command.device;

		if (weft_event_follow(event, source, WEFT_FOLLOW_END_CHECKED,
				      &event->order.waits[i], &place->edges)) {
			end_after(event, source, &event->order.waits[event->order.num_waits + i]);
			continue;
		}
		if (device && device != event->command.device)
			device->driver->queue->flush(device);
		event->order.waits[i] = weft_edge_checked_to(&event->run);
		bool foreign = weft_event_is_foreign(source);
		if (!foreign && weft_edges_add(&source->end.waiters, &event->order.waits[i]))
			place->edges++;
		else if (foreign || weft_event_status(source) < CL_COMPLETE)
			atomic_store_explicit(&event->run.outcome, WEFT_DEPENDENCY_FAILED,
					      memory_order_relaxed);
	}
}

/* ---- the order of a queue -------------------------------------------------------------------- */

/* Whether it waits for something that happens elsewhere: then so must what comes later, though it shares no memory. */
static bool holds_back(cl_event event)
{
	for (cl_uint i = 0; i < event->order.num_waits; i++) {
		cl_event source = event->order.sources[i];

		if (source->queue != event->queue && weft_event_status(source) > CL_COMPLETE)
			return true;
	}
	return false;
}

/* Later commands wait for this event's end, and so for everything before it. */
static void become_barrier_like(cl_event event, cl_command_queue queue) WEFT_REQUIRES(&queue->lock)
{
	cl_event before = queue->last_barrier_like;

	weft_event_get_block(event);
	queue->last_barrier_like = event;
	weft_event_put_block(before);
	weft_hazards_clear(&queue->hazards, weft_event_hazard_release);
}

/* Drops hazards and the last barrier-like command that have ended. */
static void forget_what_is_over(cl_command_queue queue) WEFT_REQUIRES(&queue->lock)
{
	if (queue->hazards.count > 0 && weft_edges_closed(&queue->last->end.waiters))
		weft_hazards_clear(&queue->hazards, weft_event_hazard_release);
	cl_event barrier = queue->last_barrier_like;
	if (barrier && weft_edges_closed(&barrier->end.waiters)) {
		queue->last_barrier_like = NULL;
		weft_event_put_block(barrier);
	}
}

/* The command starts when what it shares memory with has run, and ends when everything before it has ended. */
static void place_by_data(struct place *place, cl_command_queue queue) WEFT_REQUIRES(&queue->lock)
{
	cl_event event = place->event;
	struct weft_event_follower follower = {.event = event};
	struct weft_edge *end = &event->order.end_edge;

	event->overtakes = true;
	bool placed = weft_event_hazards_add(&queue->hazards, place->accesses, &follower);
	place->edges += follower.edges;
	/* all that is in the table comes after that command itself */
	if (queue->last_barrier_like && follower.edges == 0 &&
	    !weft_event_follow(event, queue->last_barrier_like, WEFT_FOLLOW_END,
			       &event->order.order_edge, &place->edges))
		attach(place, &queue->last_barrier_like->end.waiters, &event->order.order_edge);
	if (!placed) {
		if (queue->last)
			attach(place, &queue->last->end.waiters, end);
		become_barrier_like(event, queue);
		return;
	}
	*end = weft_edge_to(&event->end);
	atomic_store_explicit(&event->end.unmet, 2, memory_order_relaxed);
	if (!queue->last || !weft_edges_add(&queue->last->end.waiters, end))
		atomic_store_explicit(&event->end.unmet, 1, memory_order_relaxed);
	else
		weft_chaining_end_after(event, queue->last);
	if (holds_back(event))
		become_barrier_like(event, queue);
}

/* Returns what is not the last any more. */
static cl_event place_in_order(struct place *place, cl_command_queue queue)
	WEFT_REQUIRES(&queue->lock)
{
	cl_event previous = queue->last;

	if (queue->parallel)
		forget_what_is_over(queue);
	if (queue->parallel && place->accesses && !place->accesses->anything) {
		place_by_data(place, queue);
	} else {
		if (previous)
			attach_behind(place, previous);
		if (queue->parallel)
			become_barrier_like(place->event, queue);
	}
	queue->last = place->event;
	return previous;
}

/* The marker waits for all that the segment counts. Only enqueuers add to a segment's waiters, and no thread looks at
 * them before it is closed. */
static void end_segment(struct place *place, cl_command_queue queue) WEFT_REQUIRES(&queue->lock)
{
	place->closed = queue->segment;
	queue->segment = place->fresh;
	place->fresh = NULL;
	place->event->order.end_edge = weft_edge_to(&place->event->run);
	weft_edges_add_alone(&place->closed->node.waiters, &place->event->order.end_edge);
	place->edges++;
}

/* Everything comes after the last barrier, and a marker after everything before it. Returns the barrier that is
 * not the last any more, or NULL. */
static cl_event place_out_of_order(struct place *place, cl_command_queue queue)
	WEFT_REQUIRES(&queue->lock)
{
	cl_event event = place->event;
	cl_event barrier = queue->last;

	if (place->fresh && !weft_join_counter_empty(queue->segment))
		end_segment(place, queue);
	event->order.segment = queue->segment;
	weft_join_counter_add(event->order.segment);
	if (barrier)
		attach_behind(place, barrier);
	if (place->order != ORDER_BARRIER)
		return NULL;
	queue->last = event;
	return barrier;
}

/* The command's place in its queue. */
static void take_place(struct place *place)
{
	cl_command_queue queue = place->event->queue;

	weft_mutex_lock(&queue->lock);
	weft_event_stamp(place->event, WEFT_EVENT_QUEUED);
	if (!place->event->command.deferrable || place->waits)
		weft_queue_demand(queue);
	place->demands = atomic_load_explicit(&queue->demands, memory_order_relaxed);
	cl_event previous = weft_queue_in_order(queue) ? place_in_order(place, queue)
						       : place_out_of_order(place, queue);
	weft_mutex_unlock(&queue->lock);
	if (place->closed)
		weft_join_counter_close(place->closed);
	weft_join_counter_destroy(place->fresh);
	weft_event_put_block(previous);
}

/* ---- submitting ------------------------------------------------------------------------------ */

/* The references of the graph, the caller and the application to the event, and of the queue to its block. */
static void share_out(const struct place *place)
{
	cl_event event = place->event;
	bool is_last = place->order == ORDER_BARRIER || weft_queue_in_order(event->queue);

	if (event->visible) {
		weft_object_get(&event->queue->base);
		weft_refcount_init(&event->base.api, 1);
	}
	weft_refcount_init(&event->base.refs, 1u + place->waits + event->visible);
	weft_refcount_init(&event->storage.block_refs, 1u + is_last);
}

/* Perhaps no thread was woken for a deferrable command, and a thread that looks for what stands behind it may have flushed
 * before it was made ready. Either that thread has found the command, or its demand is found here. */
static void flush_if_demanded(cl_command_queue queue, uint32_t demands)
{
	if (atomic_load_explicit(&queue->demands, memory_order_seq_cst) != demands)
		weft_queue_flush(queue);
}

/* The event may have ended and been freed when this returns. */
static void submit(struct place *place)
{
	cl_event event = place->event;
	cl_command_queue queue = event->queue;
	struct weft_device *device = event->command.device;

	share_out(place);
	/* what a native function does can be learned by other ways */
	bool deferrable = !event->visible && event->command.op != WEFT_OP_NATIVE;
	event->command.deferrable = deferrable;
	event->command.caller_waits = place->waits;
	event->command.was_blocked = false;
	weft_chaining_decide(event, place->fresh != NULL);
	atomic_init(&event->run.unmet, UNCOUNTED);
	atomic_init(&event->end.unmet, 1);
	if (event->chaining.links) /* before another command follows it */
		device->driver->queue->submit(device, &event->command);
	take_place(place);
	if (event->times.trace)
		weft_event_trace_wait(event);
	attach_wait_list(place);
	if (!event->subgraph && !event->chaining.links)
		device->driver->queue->submit(device, &event->command);
	else if (event->subgraph && !deferrable) /* a thread may look for what it waits for */
		device->driver->queue->flush(device);
	int32_t rest = UNCOUNTED - place->edges;
	if (rest == UNCOUNTED ||
	    atomic_fetch_sub_explicit(&event->run.unmet, rest, memory_order_acq_rel) == rest) {
		weft_event_make_ready(event);
		if (deferrable && !place->waits)
			flush_if_demanded(queue, place->demands);
	}
}

/* Of a queue whose commands run in place: what the command waits for has ended then, unless another thread is enqueueing to the
 * queue as well. The command sees by itself what has failed. */
static void wait_for_sources(cl_event event)
{
	cl_int err = CL_SUCCESS;

	for (cl_uint i = 0; i < event->order.num_waits; i++)
		(void)weft_event_wait(event->order.sources[i]);
	if (weft_queue_in_order(event->queue))
		err = weft_queue_finish(event->queue);
	assert(err ==
	       CL_SUCCESS); /* an in-order queue that has been entered needs no memory for it */
	(void)err;
}

/* Returns the status of the command, after its end if the thread waits for that. */
static cl_int submit_and_wait(struct place *place)
{
	cl_event event = place->event;
	cl_command_queue queue = event->queue;
	const bool in_place = weft_queue_is_in_place(queue);

	place->waits = place->blocking || in_place;
	if (!place->waits) {
		submit(place);
		return CL_COMPLETE;
	}
	weft_object_get(
		&queue->base); /* another thread may release it before the event has ended */
	if (in_place)
		wait_for_sources(event);
	submit(place);
	cl_int status = weft_event_wait(event);
	weft_object_put(&event->base);
	weft_object_put(&queue->base);
	return place->blocking ? status : CL_COMPLETE;
}

cl_int weft_event_submit(cl_event event, const struct weft_accesses *accesses, bool blocking,
			 cl_event *application_event)
{
	struct place place = {.event = event, .accesses = accesses, .blocking = blocking};
	bool visible = application_event != NULL;

	event->visible = visible;
	cl_int status = submit_and_wait(&place);
	if (visible && status == CL_COMPLETE)
		*application_event = event;
	else if (visible)
		weft_object_release_api(&event->base);
	return status;
}

cl_int weft_event_submit_marker(cl_event event, bool barrier, cl_event *application_event)
{
	struct place place = {.event = event, .order = barrier ? ORDER_BARRIER : ORDER_MARKER};

	if (!weft_queue_in_order(event->queue) && event->order.num_waits == 0) {
		place.fresh = weft_join_counter_create();
		if (!place.fresh) {
			weft_event_abandon(event);
			return CL_OUT_OF_HOST_MEMORY;
		}
	}
	event->visible = application_event != NULL;
	(void)submit_and_wait(&place);
	if (application_event)
		*application_event = event;
	return CL_SUCCESS;
}
