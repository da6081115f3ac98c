/* SPDX-License-Identifier: MIT
 *
 * The life of an event: made, ended once, waited for. How events depend on each other is in
 * event_graph.c, what the application is told in event_callbacks.c.
 */
#include "event.h"

#include "alloc.h"
#include "clock.h"
#include "context.h"
#include "device.h"
#include "event_graph.h"
#include "futex.h"
#include "queue.h"

/* No other thread can see the event any more. */
static void free_event(cl_event event)
{
	weft_event_release_held(event);
	weft_free(event->edges);
	if (event->queue)
		weft_object_put(&event->queue->base);
	if (event->context)
		weft_object_put(&event->context->base);
	weft_mutex_destroy(&event->lock);
	weft_free(event);
}

/* A user event that nobody can end any more takes what waits for it down with an error, so that no
 * command waits for ever. It needs a second life for that: it ends like any other event. */
static void destroy_event(struct weft_object *object)
{
	cl_event event = WEFT_CONTAINER_OF(object, struct _cl_event, base);

	if (!event->queue && weft_event_status(event) > CL_COMPLETE) {
		object->type = WEFT_OBJECT_EVENT;
		weft_refcount_init(&object->refs, 1);
		weft_event_end(event, CL_INVALID_EVENT);
		return;
	}
	free_event(event);
}

static cl_event new_event(cl_context context, cl_command_type type, int32_t status)
{
	cl_event event = weft_zalloc(sizeof(*event));

	if (!event)
		return NULL;
	weft_object_init(&event->base, WEFT_OBJECT_EVENT, destroy_event);
	weft_object_get(&context->base);
	event->context = context;
	event->type = type;
	atomic_init(&event->status, status);
	weft_list_init(&event->queue_link);
	weft_mutex_init(&event->lock, WEFT_RANK_EVENT);
	return event;
}

cl_int weft_event_create(const struct weft_enqueue *enqueue, cl_event *event_ret)
{
	cl_command_queue queue = enqueue->queue;
	cl_event event = new_event(queue->context, enqueue->type, CL_QUEUED);

	if (!event)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_get(&queue->base);
	event->queue = queue;
	event->command.device = queue->device->impl;
	event->command.op = WEFT_OP_NOTHING;
	event->profiling = queue->properties & CL_QUEUE_PROFILING_ENABLE;
	atomic_init(&event->unmet, 1);
	if (enqueue->num_waits) {
		event->edges = weft_calloc(enqueue->num_waits, sizeof(*event->edges));
		if (!event->edges)
			goto fail;
	}
	event->num_edges = enqueue->num_waits;
	for (cl_uint i = 0; i < event->num_edges; i++)
		event->edges[i] = (struct weft_edge){event, enqueue->waits[i], NULL, true};
	*event_ret = event;
	return CL_SUCCESS;
fail:
	weft_object_put(&event->base);
	return CL_OUT_OF_HOST_MEMORY;
}

void weft_event_abandon(cl_event event)
{
	weft_object_put(&event->base);
}

cl_int weft_event_hold(cl_event event, struct weft_object *object)
{
	for (int i = 0; i < WEFT_EVENT_MAX_HELD; i++) {
		if (event->held[i])
			continue;
		weft_object_get(object);
		event->held[i] = object;
		return CL_SUCCESS;
	}
	/* Room doubles whenever the count reaches a power of two. */
	size_t count = event->num_held_more;
	if ((count & (count - 1)) == 0) {
		struct weft_object **more = weft_realloc(event->held_more, count ? 2 * count : 1,
							 sizeof(struct weft_object *));
		if (!more)
			return CL_OUT_OF_HOST_MEMORY;
		event->held_more = more;
	}
	weft_object_get(object);
	event->held_more[event->num_held_more++] = object;
	return CL_SUCCESS;
}

void weft_event_release_held(cl_event event)
{
	for (int i = 0; i < WEFT_EVENT_MAX_HELD; i++) {
		weft_object_put(event->held[i]);
		event->held[i] = NULL;
	}
	for (size_t i = 0; i < event->num_held_more; i++)
		weft_object_put(event->held_more[i]);
	weft_free(event->held_more);
	event->held_more = NULL;
	event->num_held_more = 0;
	weft_free(event->payload);
	event->payload = NULL;
}

/* The store of the status and the look at `sleepers` are one total order with the sleeper's
 * increment and look at the status: one of the two sees the other. */
static bool make_final(cl_event event, cl_int status)
{
	int32_t before = atomic_load_explicit(&event->status, memory_order_relaxed);

	do {
		if (before <= CL_COMPLETE)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&event->status, &before, status, memory_order_seq_cst, memory_order_relaxed));
	if (atomic_load_explicit(&event->sleepers, memory_order_seq_cst))
		weft_futex_wake_all(&event->status);
	return true;
}

bool weft_event_end(cl_event event, cl_int status)
{
	if (!make_final(event, status))
		return false;
	weft_event_post_due(event);
	weft_event_broadcast(event);
	return true;
}

cl_int weft_event_wait(cl_event event)
{
	cl_int status = weft_event_status(event);

	if (status > CL_COMPLETE && event->queue) {
		const struct weft_driver_queue_ops *ops = event->command.device->driver->queue;

		ops->flush(event->command.device);
		if (ops->join)
			ops->join(event->command.device, &event->command);
	}
	atomic_fetch_add_explicit(&event->sleepers, 1, memory_order_seq_cst);
	while ((status = atomic_load_explicit(&event->status, memory_order_seq_cst)) > CL_COMPLETE)
		weft_futex_wait(&event->status, status);
	atomic_fetch_sub_explicit(&event->sleepers, 1, memory_order_relaxed);
	return status;
}

/* ---- user events ----------------------------------------------------------------------------- */

cl_int weft_event_create_user(cl_context context, cl_event *event_ret)
{
	cl_event event = new_event(context, CL_COMMAND_USER, CL_SUBMITTED);

	if (!event)
		return CL_OUT_OF_HOST_MEMORY;
	*event_ret = event;
	return CL_SUCCESS;
}

cl_int weft_event_set_user_status(cl_event event, cl_int status)
{
	/* weft_event_end consumes a reference when it ends the event. */
	weft_object_get(&event->base);
	if (weft_event_end(event, status))
		return CL_SUCCESS;
	weft_object_put(&event->base);
	return CL_INVALID_OPERATION;
}

/* ---- what drivers call ----------------------------------------------------------------------- */

static cl_event event_of(const struct weft_command *command)
{
	return WEFT_CONTAINER_OF(command, struct _cl_event, command);
}

static void host_running(struct weft_command *command)
{
	cl_event event = event_of(command);

	weft_event_stamp(event, WEFT_EVENT_START);
	atomic_store_explicit(&event->status, CL_RUNNING, memory_order_seq_cst);
	weft_event_post_due(event);
}

/* What the command kept alive goes before the status is final: who has waited for the command can
 * count on it (clBuildProgram after the last kernel, for one). */
static void host_complete(struct weft_command *command, enum weft_status status)
{
	cl_event event = event_of(command);

	weft_event_enter_completion();
	weft_event_stamp_end(event);
	if (event->on_end)
		event->on_end(event, status);
	weft_event_release_held(event);
	if (status != WEFT_OK && status != WEFT_DEPENDENCY_FAILED)
		weft_event_report_failure(event, weft_status_to_cl(status));
	weft_event_end(event, weft_status_to_cl(status));
	weft_event_leave_completion();
}

static void host_broadcast(struct weft_command *command)
{
	weft_event_tell_waiters(event_of(command));
}

static bool host_is_complete(const struct weft_command *command)
{
	return weft_event_status(event_of(command)) <= CL_COMPLETE;
}

const struct weft_host weft_event_host = {
	.running = host_running,
	.complete = host_complete,
	.broadcast = host_broadcast,
	.is_complete = host_is_complete,
};
