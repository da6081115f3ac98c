/* SPDX-License-Identifier: MIT
 *
 * The life of command queues, and waiting for all that is in one.
 */
#include "graph/queue.h"

#include "alloc.h"
#include "device/context.h"
#include "device/device.h"
#include "fork_generation.h"
#include "graph/event.h"
#include "graph/event_hazards.h"
#include "graph/event_trace.h"
#include "node/completion.h"
#include "node/wait.h"
#include "options.h"

#include <sched.h>

/* Other threads find the queue from now on (weft_queue_finish_all). */
static void enter_list(cl_command_queue queue)
{
	cl_context context = queue->context;

	weft_mutex_lock(&context->lock);
	weft_list_append(&context->queues, &queue->link);
	weft_mutex_unlock(&context->lock);
}

static void leave_context(cl_command_queue queue)
{
	cl_context context = queue->context;

	weft_mutex_lock(&context->lock);
	weft_list_remove(&queue->link);
	weft_mutex_unlock(&context->lock);
	weft_object_put(&context->base);
}

/* Without references, and nothing is in flight. */
static void free_queue(cl_command_queue queue) WEFT_TSA(no_thread_safety_analysis)
{
	weft_join_counter_destroy(queue->segment);
	weft_event_put_block(queue->last);
	weft_event_put_block(queue->last_barrier_like);
	weft_hazards_destroy(&queue->hazards, weft_event_hazard_release);
	weft_free(queue->property_list);
	if (queue->device)
		weft_object_put(&queue->device->base);
	if (queue->context)
		leave_context(queue);
	weft_mutex_destroy(&queue->lock);
	weft_object_free(&queue->base);
}

/* What `generation` is while an out-of-order queue has no segment, for want of memory: the next thread that enters makes one. */
#define INCOMPLETE UINT32_MAX

static bool has_commands(cl_command_queue queue) WEFT_REQUIRES(&queue->lock)
{
	return (queue->last && !weft_edges_closed(&queue->last->end.waiters)) ||
	       (queue->segment && !weft_join_counter_empty(queue->segment));
}

/* The object goes when all that is to be told first has been told. */
static void last_command_ended(struct weft_node *end)
{
	weft_completion_push(end);
}

static void release(struct weft_node *end)
{
	weft_object_put(&WEFT_CONTAINER_OF(end, struct _cl_command_queue, end)->base);
}

static const struct weft_node_ops end_ops = {.ready = last_command_ended, .ended = release};

/* All that one segment counts is the first thing that the next one counts. */
static void count_segment(struct weft_join_counter *next, struct weft_join_counter *segment)
{
	segment->next = weft_edge_to(&next->node);
	weft_join_counter_add(next);
	weft_edges_add_alone(&segment->node.waiters, &segment->next);
}

/* Of an out-of-order queue: `edge` leads from all that is in flight, and `fresh` counts what comes then; NULL: there is no memory for
 * it. Returns the segment before, which the caller closes without the lock; NULL: nothing is in flight, nothing changes. */
static struct weft_join_counter *leave_segment(cl_command_queue queue, struct weft_edge *edge,
					       struct weft_join_counter *fresh)
	WEFT_REQUIRES(&queue->lock)
{
	struct weft_join_counter *segment = queue->segment;

	if (!segment || weft_join_counter_empty(segment))
		return NULL;
	if (fresh)
		count_segment(fresh, segment);
	else
		atomic_store_explicit(&queue->generation, INCOMPLETE, memory_order_relaxed);
	weft_edges_add_alone(&segment->node.waiters, edge);
	queue->segment = fresh;
	return segment;
}

/* `edge` leads from all that is in flight; in an in-order queue from the newest command, which ends last. `fresh`: see
 * leave_segment. False: nothing is in flight. The queue may have gone afterwards. */
static bool follow_all(cl_command_queue queue, struct weft_edge *edge,
		       struct weft_join_counter *fresh, bool demands)
{
	struct weft_join_counter *segment = NULL;
	bool follows;

	weft_mutex_lock(&queue->lock);
	if (demands)
		weft_queue_demand(queue);
	if (weft_queue_in_order(queue)) {
		follows = queue->last && weft_edges_add(&queue->last->end.waiters, edge);
	} else {
		segment = leave_segment(queue, edge, fresh);
		follows = segment != NULL;
	}
	weft_mutex_unlock(&queue->lock);
	if (segment)
		weft_join_counter_close(segment);
	else if (fresh)
		weft_join_counter_destroy(fresh);
	return follows;
}

/* With the last reference the queue begins a second life, of which the commands in flight have the one reference. Those
 * of a parent process never end, but what waits for something may yet start, and needs its queue. */
static bool outlives(cl_command_queue queue) WEFT_TSA(no_thread_safety_analysis)
{
	struct weft_join_counter *fresh = NULL;

	atomic_store_explicit(&queue->base.type, WEFT_OBJECT_QUEUE, memory_order_relaxed);
	atomic_store_explicit(&queue->base.refs.value, 1, memory_order_release);
	if (!weft_queue_is_current(queue))
		return has_commands(queue);
	weft_node_init(&queue->end, &end_ops, 1);
	queue->end_edge = weft_edge_to(&queue->end);
	/* for an application that goes on using a handle that it released, and for weft_queue_finish_all */
	if (!weft_queue_in_order(queue))
		fresh = weft_join_counter_create();
	return follow_all(queue, &queue->end_edge, fresh, false);
}

/* It is no default queue any more (device_queue.h). */
static void leave_defaults(cl_command_queue queue)
{
	cl_context context = queue->context;

	weft_mutex_lock(&context->lock);
	cl_command_queue *link = &context->default_queues;
	while (*link && *link != queue)
		link = &(*link)->next_default;
	if (*link)
		*link = queue->next_default;
	weft_mutex_unlock(&context->lock);
}

static void destroy_queue(struct weft_object *object)
{
	cl_command_queue queue = WEFT_CONTAINER_OF(object, struct _cl_command_queue, base);

	if (weft_queue_is_on_device(queue))
		leave_defaults(queue);
	/* another thread may have found it, and has the last reference then (weft_queue_finish_all) */
	if (!outlives(queue) && weft_object_drop(&queue->base))
		free_queue(queue);
}

cl_int weft_queue_create(const struct weft_queue_desc *desc, cl_command_queue *queue_ret)
{
	cl_command_queue queue = weft_object_alloc(sizeof(*queue));

	if (!queue)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_init(&queue->base, WEFT_OBJECT_QUEUE, destroy_queue);
	atomic_init(&queue->generation, INCOMPLETE);
	weft_mutex_init(&queue->lock, WEFT_RANK_QUEUE);
	weft_list_init(&queue->link);
	weft_object_get(&desc->context->base);
	queue->context = desc->context;
	weft_object_get(&desc->device->base);
	queue->device = desc->device;
	queue->locus = weft_context_locus(desc->context, desc->device);
	queue->properties = desc->properties;
	queue->priority = desc->priority;
	queue->throttled = desc->throttled;
	queue->size = desc->size;
	/* times of commands that run beside others would be no measure of them */
	queue->parallel = weft_queue_in_order(queue) && weft_options()->inorder_parallel &&
			  !(desc->properties & CL_QUEUE_PROFILING_ENABLE);
	if (weft_queue_enter(queue) != CL_SUCCESS)
		goto fail;
	if (desc->property_list) {
		queue->property_list = weft_memdup(
			desc->property_list, desc->num_properties * sizeof(cl_queue_properties));
		if (!queue->property_list)
			goto fail;
		queue->num_properties = desc->num_properties;
	}
	weft_event_trace_queue(queue);
	enter_list(queue);
	*queue_ret = queue;
	return CL_SUCCESS;
fail:
	weft_object_put(&queue->base);
	return CL_OUT_OF_HOST_MEMORY;
}

void weft_queue_flush(cl_command_queue queue)
{
	queue->device->impl->driver->queue->flush(queue->device->impl);
}

/* ---- forks ----------------------------------------------------------------------------------- */

/* Those that wait for something may yet start, and need their queue. Their hazards are lost to the child: another thread
 * may have been changing them. */
static void forget_commands(cl_command_queue queue) WEFT_REQUIRES(&queue->lock)
{
	if (has_commands(queue))
		weft_object_get(&queue->base);
	else
		weft_join_counter_destroy(queue->segment);
	weft_event_put_block(queue->last);
	queue->last = NULL;
	weft_event_put_block(queue->last_barrier_like);
	queue->last_barrier_like = NULL;
	queue->hazards = (struct weft_hazards){0};
}

/* False: the queue is of this process, and complete, by now; or there is no memory. */
static bool must_renew(cl_command_queue queue, struct weft_join_counter *segment)
	WEFT_REQUIRES(&queue->lock)
{
	return atomic_load_explicit(&queue->generation, memory_order_relaxed) !=
		       weft_fork_generation() &&
	       (segment || weft_queue_in_order(queue));
}

cl_int weft_queue_renew(cl_command_queue queue)
{
	struct weft_join_counter *segment =
		weft_queue_in_order(queue) ? NULL : weft_join_counter_create();

	weft_mutex_lock(&queue->lock);
	if (must_renew(queue, segment)) {
		uint32_t then = atomic_load_explicit(&queue->generation, memory_order_relaxed);

		if (then != INCOMPLETE)
			forget_commands(queue);
		queue->segment = segment;
		segment = NULL;
		atomic_store_explicit(&queue->generation, weft_fork_generation(),
				      memory_order_release);
	}
	weft_mutex_unlock(&queue->lock);
	weft_join_counter_destroy(segment);
	return weft_queue_is_current(queue) ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static void do_nothing(const void *data)
{
	(void)data;
}

bool weft_queue_is_clear(cl_command_queue queue)
{
	return weft_queue_do_now(queue, do_nothing, NULL);
}

bool weft_queue_do_now(cl_command_queue queue, void (*action)(const void *data), const void *data)
{
	if (weft_queue_enter(queue) != CL_SUCCESS)
		return false;
	weft_mutex_lock(&queue->lock);
	bool clear = !queue->last || weft_edges_closed(&queue->last->end.waiters);
	if (clear)
		action(data);
	weft_mutex_unlock(&queue->lock);
	return clear;
}

/* ---- waiting for all of it ------------------------------------------------------------------- */

/* `edge` leads from all that is in flight to the waiting thread. *waits: whether anything is. */
static cl_int wait_for_all(cl_command_queue queue, struct weft_edge *edge, bool *waits)
{
	struct weft_join_counter *fresh = NULL;

	if (!weft_queue_in_order(queue)) {
		fresh = weft_join_counter_create();
		if (!fresh)
			return CL_OUT_OF_HOST_MEMORY;
	}
	*waits = follow_all(queue, edge, fresh, true);
	return CL_SUCCESS;
}

/* Another thread may release the queue during the wait. */
cl_int weft_queue_finish(cl_command_queue queue)
{
	struct weft_waiter waiter;
	bool waits = false;

	cl_int err = weft_queue_enter(queue);
	if (err != CL_SUCCESS)
		return err;
	weft_object_get(&queue->base);
	weft_waiter_init(&waiter);
	waiter.wait.queue = queue;
	err = wait_for_all(queue, &waiter.edge, &waits);
	if (waits)
		weft_waiter_sleep(&waiter, queue->device->impl);
	weft_object_put(&queue->base);
	return err;
}

/* The queue after `before` in the list, retained; NULL: there is none. *busy: its last reference is going, and it is not known
 * whether its commands have ended. */
static cl_command_queue next_queue(cl_context context, cl_command_queue before, bool *busy)
{
	cl_command_queue queue = NULL;

	weft_mutex_lock(&context->lock);
	struct weft_list *link = before ? before->link.next : context->queues.next;
	if (link != &context->queues)
		queue = WEFT_CONTAINER_OF(link, struct _cl_command_queue, link);
	*busy = queue &&
		!weft_object_get_live(&queue->base, atomic_load_explicit(&queue->base.serial,
									 memory_order_relaxed));
	weft_mutex_unlock(&context->lock);
	return *busy ? NULL : queue;
}

/* The queue that is waited for stays in the list, so it leads to the next one. */
cl_int weft_queue_finish_all(cl_context context)
{
	cl_command_queue queue = NULL;
	cl_int err = CL_SUCCESS;
	bool busy;

	do {
		cl_command_queue next = next_queue(context, queue, &busy);

		if (busy) {
			sched_yield();
			continue;
		}
		if (queue)
			weft_object_put(&queue->base);
		queue = next;
		if (queue)
			err = weft_queue_finish(queue);
	} while (busy || (queue && err == CL_SUCCESS));
	if (queue)
		weft_object_put(&queue->base);
	return err;
}
