/* SPDX-License-Identifier: MIT
 *
 * The life of an event: made, ended once, waited for. How an event takes its place in the graph is in
 * event_order.c, how the graph goes on when one ends in event_graph.c, what the application is told in
 * event_callbacks.c, what drivers tell in driver_host.c.
 */
#include "graph/event.h"

#include "alloc.h"
#include "block_pool.h"
#include "device/device.h"
#include "graph/event_graph.h"
#include "graph/event_trace.h"
#include "graph/queue.h"
#include "node/wait.h"
#include "overflow.h"
#include "node/completion.h"

#include <assert.h>
#include <string.h>

/* Bytes of a block behind the event. */
#define MEMORY_BYTES ((uint32_t)(WEFT_BLOCK_POOL_EVENT_BYTES - offsetof(struct _cl_event, memory)))

static_assert(offsetof(struct _cl_event, memory) <= 512, "a usual command fits into its block");
static_assert(sizeof(struct weft_handing) + sizeof(((cl_event)NULL)->times) <=
		      WEFT_BLOCK_POOL_EVENT_BYTES - 512,
	      "so do its followers and a device's times");
static_assert(WEFT_BLOCK_POOL_ALIGNMENT >= WEFT_KERNEL_ALIGNMENT &&
		      WEFT_BLOCK_POOL_EVENT_BYTES % WEFT_KERNEL_ALIGNMENT == 0,
	      "a block's end is aligned for packed arguments");

/* Memory that found no room in the block; followed by it, at the next multiple of WEFT_KERNEL_ALIGNMENT. */
struct weft_event_chunk {
	struct weft_event_chunk *next;
};

void weft_event_drop(cl_event event)
{
	if (event && weft_refcount_put(&event->keepers))
		weft_block_pool_return(WEFT_BLOCK_POOL_EVENTS, event);
}

/* Nobody uses the event any more; its lists are closed, if it was part of the graph. */
static void free_event(cl_event event)
{
	weft_event_release_held(event);
	while (event->chunks) {
		struct weft_event_chunk *next = event->chunks->next;

		weft_free(event->chunks);
		event->chunks = next;
	}
	if (event->visible)
		weft_object_put(&event->queue->base);
	else if (!event->queue)
		weft_object_put(&event->context->base);
	weft_event_drop(event);
}

/* A user event that nobody can end any more takes what waits for it down with an error, so that no
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
	weft_object_init(&event->base, WEFT_OBJECT_EVENT, destroy_event);
	weft_refcount_init(&event->keepers, 1);
	event->type = type;
	event->used_end = MEMORY_BYTES;
	event->generation = weft_fork_generation();
	atomic_init(&event->status, status);
	return event;
}

/* In its block, before all else. */
static void begin_device_times(cl_event event)
{
	_Atomic uint64_t *times = weft_event_memory(event, sizeof(event->times));

	for (int i = WEFT_EVENT_QUEUED; times && i <= WEFT_EVENT_END; i++)
		atomic_init(&times[i], 0);
	event->has_device_times = times;
}

/* In its block, where there is room for both. */
static void begin_handing(cl_event event)
{
	struct weft_handing *handing = weft_event_memory(event, sizeof(*handing));

	if (!handing)
		return;
	atomic_init(&handing->handed.head, NULL);
	atomic_init(&handing->all.head, NULL);
	atomic_init(&handing->before_all, 1);
	event->handing = handing;
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
	event->timed = queue->properties & CL_QUEUE_PROFILING_ENABLE;
	if (queue->trace)
		weft_event_trace_create(event);
	if (event->timed && event->command.device->driver->timer)
		begin_device_times(event);
	if (event->command.device->driver->chaining)
		begin_handing(event);
	event->sources = enqueue->waits;
	if (enqueue->num_waits) {
		size_t count = enqueue->num_waits;
		if (event->handing)
			count *= 2; /* for its start, and for its end */
		event->waits = weft_event_memory(event, count * sizeof(*event->waits));
		if (!event->waits) {
			weft_event_abandon(event);
			return CL_OUT_OF_HOST_MEMORY;
		}
	}
	event->num_waits = enqueue->num_waits;
	*event_ret = event;
	return CL_SUCCESS;
}

void weft_event_abandon(cl_event event)
{
	weft_object_put(&event->base);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void *more_memory(cl_event event, size_t size)
{
	struct weft_event_chunk *chunk;
	size_t whole;

	if (weft_add_overflows(size, WEFT_KERNEL_ALIGNMENT, &whole))
		return NULL;
	chunk = weft_alloc_aligned(WEFT_KERNEL_ALIGNMENT, whole);
	if (!chunk)
		return NULL;
	chunk->next = event->chunks;
	event->chunks = chunk;
	return (unsigned char *)chunk + WEFT_KERNEL_ALIGNMENT;
}

void *weft_event_memory(cl_event event, size_t size)
{
	uint32_t start = event->used;

	if (size > event->used_end - start)
		return more_memory(event, size);
	event->used = start + (((uint32_t)size + 7) & ~UINT32_C(7));
	if (event->used > event->used_end)
		event->used = event->used_end;
	return event->memory + start;
}

void *weft_event_block(cl_event event, size_t size)
{
	const size_t mask = WEFT_KERNEL_ALIGNMENT - 1;
	size_t room = event->used_end - event->used;

	if (size > room || ((size + mask) & ~mask) > room)
		return more_memory(event, size);
	event->used_end -= (uint32_t)((size + mask) & ~mask);
	return event->memory + event->used_end;
}

struct weft_held *weft_event_hold_more(cl_event event, uint32_t most)
{
	struct weft_held *held =
		weft_event_memory(event, sizeof(*held) + most * sizeof(held->objects[0]));

	if (!held)
		return NULL;
	held->next = event->held;
	held->count = 0;
	event->held = held;
	return held;
}

cl_int weft_event_hold(cl_event event, struct weft_object *object)
{
	struct weft_held *held = weft_event_hold_more(event, 1);

	if (!held)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_get(object);
	held->objects[held->count++] = object;
	return CL_SUCCESS;
}

void weft_event_release_held(cl_event event)
{
	struct weft_held *held = event->held;

	event->held = NULL;
	for (; held; held = held->next) {
		for (uint32_t i = 0; i < held->count; i++)
			weft_object_put(held->objects[i]);
	}
}

/* ---- waiting --------------------------------------------------------------------------------- */

cl_int weft_event_wait(cl_event event)
{
	struct weft_wait wait = WEFT_WAIT_INITIALIZER;
	struct weft_edge edge = {.wait = &wait, .kind = WEFT_EDGE_WAIT};

	if (weft_event_is_foreign(event))
		return CL_OUT_OF_RESOURCES;
	if (weft_event_status(event) > CL_COMPLETE && weft_edges_add(&event->waiters, &edge))
		weft_event_wait_until_over(event->queue ? event->queue->device->impl : NULL, &wait);
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

/* ---- what a command does -------------------------------------------------------------------- */

void weft_event_begins(cl_event event)
{
	weft_event_stamp(event, WEFT_EVENT_START);
	if (event->trace)
		weft_event_trace_begin(event);
	if (event->visible && !event->overtakes && !event->follows)
		weft_event_reach(event, CL_RUNNING);
}

void weft_event_complete(cl_event event, enum weft_status status)
{
	weft_completion_enter();
	weft_event_stamp_end(event);
	if (event->trace)
		weft_event_trace_end(event);
	if (event->on_end)
		event->on_end(event, status);
	weft_event_has_run(event, weft_status_to_cl(status));
	weft_completion_leave();
}
