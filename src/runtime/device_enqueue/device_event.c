/* SPDX-License-Identifier: MIT
 *
 * The life of events that kernels have.
 */
#include "device_enqueue/device_event.h"

#include "alloc.h"
#include "block_pool.h"
#include "node/completion.h"

#include <assert.h>

#define TAG 0x57464445u
#define DEAD 0u

static_assert(sizeof(struct weft_device_event) <= WEFT_BLOCK_POOL_DEVICE_EVENT_BYTES,
	      "an event fits into its block");

static void end_node(struct weft_node *node)
{
	(void)node; /* nothing is counted: the event ends by a call */
}

static const struct weft_node_ops end_ops = {.ready = end_node};

/* What kernels still had when they were given up. */
static void free_all(cl_context context) WEFT_TSA(no_thread_safety_analysis)
{
	struct weft_list *link;

	while ((link = weft_list_pop(&context->device_events))) {
		struct weft_device_event *event =
			WEFT_CONTAINER_OF(link, struct weft_device_event, link);

		atomic_store_explicit(&event->tag, DEAD, memory_order_relaxed);
		weft_block_pool_return(WEFT_BLOCK_POOL_DEVICE_EVENTS, event);
	}
}

/* In a context that may be terminated. It stays in the list until its memory is freed, so the lock alone keeps it there. */
static void enter_list(struct weft_device_event *event)
{
	cl_context context = event->context;

	weft_mutex_lock(&context->lock);
	context->free_device_events = free_all;
	weft_list_append(&context->device_events, &event->link);
	if (weft_context_is_terminated(context))
		(void)weft_edges_close(&event->end.waiters);
	weft_mutex_unlock(&context->lock);
}

static void leave_list(struct weft_device_event *event)
{
	cl_context context = event->context;

	weft_mutex_lock(&context->lock);
	weft_list_remove(&event->link);
	weft_mutex_unlock(&context->lock);
}

void weft_device_events_open(cl_context context)
{
	struct weft_edge *edges = NULL;

	weft_mutex_lock(&context->lock);
	for (struct weft_list *link = context->device_events.next; link != &context->device_events;
	     link = link->next)
		weft_edges_close_into(
			&WEFT_CONTAINER_OF(link, struct weft_device_event, link)->end.waiters,
			&edges);
	weft_mutex_unlock(&context->lock);
	weft_edges_give_up(edges);
}

struct weft_device_event *weft_device_event_create(cl_context context, bool user)
{
	_Atomic uint32_t *count = &context->num_device_events;
	struct weft_device_event *event = NULL;

	if (atomic_fetch_add_explicit(count, 1, memory_order_relaxed) < WEFT_DEVICE_EVENTS_MAX)
		event = weft_block_pool_take(WEFT_BLOCK_POOL_DEVICE_EVENTS);
	if (!event) {
		atomic_fetch_sub_explicit(count, 1, memory_order_relaxed);
		return NULL;
	}
	weft_refcount_init(&event->refs, 2);
	atomic_init(&event->status, CL_SUBMITTED);
	event->user = user;
	event->timed = false;
	event->context = context;
	weft_node_init(&event->end, &end_ops, 1);
	event->start = event->ran = event->ended = 0;
	if (context->terminable)
		enter_list(event);
	atomic_store_explicit(&event->tag, TAG, memory_order_release);
	return event;
}

struct weft_device_event *weft_device_event_of(uint64_t handle)
{
	struct weft_device_event *event = (struct weft_device_event *)(uintptr_t)handle;

	if (!event || handle % WEFT_BLOCK_POOL_ALIGNMENT != 0)
		return NULL;
	return atomic_load_explicit(&event->tag, memory_order_acquire) == TAG ? event : NULL;
}

void weft_device_event_get(struct weft_device_event *event)
{
	weft_refcount_get(&event->refs);
}

static int32_t status_of(const struct weft_device_event *event)
{
	return atomic_load_explicit(&((struct weft_device_event *)(uintptr_t)event)->status,
				    memory_order_acquire);
}

static bool is_open(const struct weft_device_event *event)
{
	return status_of(event) > CL_COMPLETE;
}

/* False: it had ended before. */
static bool finish(struct weft_device_event *event, cl_int status)
{
	int32_t before = CL_SUBMITTED;

	return atomic_compare_exchange_strong_explicit(&event->status, &before, status,
						       memory_order_acq_rel, memory_order_relaxed);
}

static void free_event(struct weft_device_event *event)
{
	atomic_store_explicit(&event->tag, DEAD, memory_order_relaxed);
	if (event->context->terminable)
		leave_list(event);
	atomic_fetch_sub_explicit(&event->context->num_device_events, 1, memory_order_relaxed);
	weft_block_pool_return(WEFT_BLOCK_POOL_DEVICE_EVENTS, event);
}

static void put(struct weft_device_event *event)
{
	if (atomic_fetch_sub_explicit(&event->refs.value, 1, memory_order_acq_rel) == 1)
		free_event(event);
}

/* While the event is open, one reference is that until its end. The event is looked at only while there is a reference of the caller. */
void weft_device_event_release(struct weft_device_event *event)
{
	uint32_t refs = atomic_load_explicit(&event->refs.value, memory_order_relaxed);

	do {
		if (refs == 1 && is_open(event))
			return;
		if (refs == 2 && event->user && is_open(event)) {
			weft_device_event_set_status(event, CL_INVALID_EVENT);
			put(event);
			return;
		}
	} while (!atomic_compare_exchange_weak_explicit(
		&event->refs.value, &refs, refs - 1, memory_order_acq_rel, memory_order_relaxed));
	if (refs == 1)
		free_event(event);
}

void weft_device_event_end(struct weft_device_event *event, cl_int status)
{
	if (!finish(event, status))
		return;
	weft_node_tell_waiters(&event->end, status < CL_COMPLETE);
	put(event);
}

void weft_device_event_set_status(struct weft_device_event *event, cl_int status)
{
	if (!event->user)
		return;
	bool first = weft_completion_begin(NULL);
	weft_device_event_end(event, status);
	weft_completion_end(first);
}

bool weft_device_event_wait(struct weft_device_event *event, struct weft_edge *edge, bool *failed)
{
	if (weft_edges_add(&event->end.waiters, edge))
		return true;
	*failed = status_of(event) < CL_COMPLETE;
	return false;
}

/* ---- times ------------------------------------------------------------------------------------ */

/* Waits for an event's end, and leaves its times. */
struct capture {
	struct weft_node node;
	struct weft_edge edge;
	struct weft_device_event *event; /* retained */
	uint64_t *times;
	struct weft_node *holder; /* counts the capture */
};

/* What took no time by the clock took some. */
static uint64_t elapsed(uint64_t start, uint64_t end)
{
	return end > start ? end - start : 1;
}

static void write_times(const struct weft_device_event *event, uint64_t *times)
{
	if (status_of(event) != CL_COMPLETE)
		return;
	times[0] = elapsed(event->start, event->ran);
	times[1] = elapsed(event->start, event->ended);
}

static void write_captured(struct weft_node *node)
{
	struct capture *capture = (struct capture *)(void *)node;
	struct weft_node *holder = capture->holder;

	write_times(capture->event, capture->times);
	put(capture->event);
	weft_free(capture);
	weft_node_count_down(holder);
}

static const struct weft_node_ops capture_ops = {.ready = write_captured};

void weft_device_event_capture(struct weft_device_event *event, uint64_t *times,
			       struct weft_node *holder)
{
	struct capture *capture = event->timed ? weft_zalloc(sizeof(*capture)) : NULL;

	if (!capture)
		return;
	weft_node_init(&capture->node, &capture_ops, 1);
	capture->edge = weft_edge_to(&capture->node);
	weft_device_event_get(event);
	capture->event = event;
	capture->times = times;
	capture->holder = holder;
	atomic_fetch_add_explicit(&holder->unmet, 1, memory_order_relaxed);
	if (!weft_edges_add(&event->end.waiters, &capture->edge))
		write_captured(&capture->node);
}
