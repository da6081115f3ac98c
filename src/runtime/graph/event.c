/* SPDX-License-Identifier: MIT
 *
 * The life of an event: made, waited for, freed. How an event takes its place in the graph is in event_order.c, how it goes
 * on from there in event_progress.c, what the application is told in event_callbacks.c, what drivers tell in driver_host.c.
 */
#include "graph/event.h"

#include "block_pool.h"
#include "device/device.h"
#include "graph/event_progress.h"
#include "graph/event_trace.h"
#include "graph/queue.h"
#include "node/wait.h"

#include <assert.h>
#include <string.h>

/* Bytes of a block behind the event. */
#define ROOM_BYTES (WEFT_BLOCK_POOL_EVENT_BYTES - sizeof(struct _cl_event))

static_assert(ROOM_BYTES >= 248, "a usual command fits into its block");
static_assert(sizeof(struct weft_chain_links) + 2 * WEFT_EVENT_NUM_TIMES * sizeof(uint64_t) <= 128,
	      "so do its followers and its times, beside packed arguments");
static_assert(WEFT_BLOCK_POOL_ALIGNMENT >= WEFT_KERNEL_ALIGNMENT &&
		      WEFT_BLOCK_POOL_EVENT_BYTES % WEFT_KERNEL_ALIGNMENT == 0,
	      "a block's end is aligned for packed arguments");
static_assert(sizeof(struct _cl_event) == offsetof(struct _cl_event, room), "no padding");

void weft_event_put_block(cl_event event)
{
	if (event && weft_refcount_put(&event->storage.block_refs))
		weft_block_pool_return(WEFT_BLOCK_POOL_EVENTS, event);
}

/* User events of a context that may be terminated are in its list, from their creation until their memory is freed. */
static void enter_user_events(cl_event event)
{
	cl_context context = event->context;

	if (!context->terminable)
		return;
	weft_mutex_lock(&context->lock);
	weft_list_append(&context->user_events, &event->command.link);
	if (weft_context_is_terminated(context))
		(void)weft_edges_close(&event->end.waiters);
	weft_mutex_unlock(&context->lock);
}

static void leave_user_events(cl_event event)
{
	cl_context context = event->context;

	if (!context->terminable)
		return;
	weft_mutex_lock(&context->lock);
	weft_list_remove(&event->command.link);
	weft_mutex_unlock(&context->lock);
}

/* Without references; its lists are closed, if it was part of the graph. */
static void free_event(cl_event event)
{
	if (event->storage.held)
		weft_event_release_held(event);
	if (event->storage.chunks)
		weft_event_storage_free(event);
	if (event->visible) {
		weft_object_put(&event->queue->base);
	} else if (!event->queue) {
		leave_user_events(event);
		weft_object_put(&event->context->base);
	}
	weft_event_put_block(event);
}

/* A user event that no thread can end any more takes what waits for it down with an error, so that no
 * command waits for ever. It needs a second life for that: it ends like any other event. */
static void destroy_event(struct weft_object *object)
{
	cl_event event = WEFT_CONTAINER_OF(object, struct _cl_event, base);

	if (!event->queue && weft_event_status(event) > CL_COMPLETE) {
		atomic_store_explicit(&object->type, WEFT_OBJECT_EVENT, memory_order_relaxed);
		weft_refcount_init(&object->refs, 1);
		weft_event_end_user(event, CL_INVALID_EVENT);
		return;
	}
	free_event(event);
}

static cl_event new_event(cl_command_type type, int32_t status)
{
	cl_event event = weft_block_pool_take(WEFT_BLOCK_POOL_EVENTS);

	if (!event)
		return NULL;
	memset(&event->base + 1, 0, offsetof(struct _cl_event, command) - sizeof(event->base));
	event->run.ops = &weft_event_run_ops;
	event->end.ops = &weft_event_end_ops;
	event->storage.used_end = ROOM_BYTES;
	weft_object_init(&event->base, WEFT_OBJECT_EVENT, destroy_event);
	weft_refcount_init(&event->storage.block_refs, 1);
	event->type = type;
	event->order.generation = weft_fork_generation();
	atomic_init(&event->status, status);
	return event;
}

cl_int weft_event_create(const struct weft_enqueue *enqueue, cl_event *event_ret)
{
	cl_command_queue queue = enqueue->queue;

	if (weft_queue_enter(queue) != CL_SUCCESS)
		return CL_OUT_OF_HOST_MEMORY;
	cl_event event = new_event(enqueue->type, CL_QUEUED);
	if (!event)
		return CL_OUT_OF_HOST_MEMORY;
	weft_refcount_init(&event->base.api, 0);
	event->queue = queue;
	event->context = queue->context;
	event->command.device = queue->device->impl;
	event->command.op = WEFT_OP_NOTHING;
	event->command.private_data = NULL;
	event->command.recorded = false;
	event->command.migrates = false; /* looked at together with the one before */
	event->command.priority = (uint8_t)queue->priority;
	event->command.throttled = queue->throttled;
	event->command.in_place = weft_queue_is_in_place(queue);
	/* in its block, where there is room for that */
	if ((queue->trace || queue->properties & CL_QUEUE_PROFILING_ENABLE) &&
	    weft_event_begin_times(event, event->command.device->driver->timer) && queue->trace)
		weft_event_trace_create(event);
	if (event->command.device->driver->chaining)
		weft_chaining_begin(event);
	event->order.sources = enqueue->waits;
	if (enqueue->num_waits) {
		size_t count = enqueue->num_waits;
		if (event->chaining.links)
			count *= 2; /* for its start, and for its end */
		event->order.waits = weft_event_memory(event, count * sizeof(struct weft_edge));
		if (!event->order.waits) {
			weft_event_abandon(event);
			return CL_OUT_OF_HOST_MEMORY;
		}
	}
	event->order.num_waits = enqueue->num_waits;
	*event_ret = event;
	return CL_SUCCESS;
}

void weft_event_abandon(cl_event event)
{
	weft_object_put(&event->base);
}

/* ---- waiting --------------------------------------------------------------------------------- */

cl_int weft_event_wait(cl_event event)
{
	cl_command_queue queue = event->queue;

	if (weft_event_is_foreign(event))
		return CL_OUT_OF_RESOURCES;
	if (weft_event_status(event) > CL_COMPLETE)
		weft_wait_for(&event->end, queue ? queue->device->impl : NULL, &event->command,
			      queue && weft_queue_in_order(queue) ? queue : NULL);
	return weft_event_status(event);
}

/* ---- user events ----------------------------------------------------------------------------- */

cl_int weft_event_create_user(cl_context context, cl_event *event_ret)
{
	cl_event event = new_event(CL_COMMAND_USER, CL_SUBMITTED);

	if (!event)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_get(&context->base);
	event->context = context;
	event->command.device = NULL;
	enter_user_events(event);
	*event_ret = event;
	return CL_SUCCESS;
}

cl_int weft_event_set_user_status(cl_event event, cl_int status)
{
	/* weft_event_end_user consumes a reference when it ends the event. */
	weft_object_get(&event->base);
	if (weft_event_end_user(event, status))
		return CL_SUCCESS;
	weft_object_put(&event->base);
	return CL_INVALID_OPERATION;
}
