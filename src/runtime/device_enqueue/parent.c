/* SPDX-License-Identifier: MIT
 *
 * Counting children, and the launch of the host that is the first parent of its family. Invariant: `all` counts a child from
 * before the end of the range that enqueued it, so that the parent does not end before.
 */
#include "device_enqueue/parent.h"

#include "clock.h"
#include "device/device.h"
#include "graph/device_queue.h"
#include "graph/event_progress.h"
#include "node/completion.h"

static void all_ready(struct weft_node *all)
{
	weft_completion_push(all);
}

static void all_ended(struct weft_node *all)
{
	struct weft_parent *parent = WEFT_CONTAINER_OF(all, struct weft_parent, all);

	parent->ops->ended(parent, (enum weft_status)atomic_load_explicit(&parent->status,
									  memory_order_relaxed));
}

static const struct weft_node_ops all_ops = {.ready = all_ready, .ended = all_ended};

void weft_parent_init(struct weft_parent *parent, const struct weft_family *family,
		      const struct weft_parent_ops *ops, const struct weft_enqueuer *enqueuer,
		      const struct weft_ndrange *range)
{
	parent->enqueuer = *enqueuer;
	parent->family = family;
	parent->ops = ops;
	parent->num_groups = range->num_groups[0] * range->num_groups[1] * range->num_groups[2];
	weft_node_init(&parent->ran, NULL, 1);
	weft_node_init(&parent->all, &all_ops, 1);
	atomic_init(&parent->status, WEFT_OK);
	atomic_init(&parent->last_end, 0);
}

void weft_parent_note(struct weft_parent *parent, enum weft_status status)
{
	int32_t none = WEFT_OK;

	if (status != WEFT_OK)
		atomic_compare_exchange_strong_explicit(&parent->status, &none, (int32_t)status,
							memory_order_relaxed, memory_order_relaxed);
}

void weft_parent_note_end(struct weft_parent *parent, uint64_t end)
{
	uint64_t before = atomic_load_explicit(&parent->last_end, memory_order_relaxed);

	while (before < end &&
	       !atomic_compare_exchange_weak_explicit(&parent->last_end, &before, end,
						      memory_order_relaxed, memory_order_relaxed)) {
	}
}

void weft_parent_ran(struct weft_parent *parent, enum weft_status status)
{
	weft_parent_note(parent, status);
	weft_node_tell_waiters(&parent->ran, false);
	weft_node_count_down(&parent->all);
}

/* ---- the launch of the host ------------------------------------------------------------------- */

/* In the event's memory. */
struct first_parent {
	struct weft_subgraph subgraph;
	struct weft_family family;
	struct weft_parent parent;
};

static struct first_parent *first_of(cl_event event)
{
	return WEFT_CONTAINER_OF(event->subgraph, struct first_parent, subgraph);
}

static void start(cl_event event, enum weft_status dependencies)
{
	struct weft_device *device = event->command.device;

	if (dependencies != WEFT_OK) {
		weft_event_complete(event, dependencies);
		return;
	}
	device->driver->queue->submit(device, &event->command);
	device->driver->queue->notify(device, &event->command, WEFT_OK);
}

static void ran(cl_event event, enum weft_status status)
{
	bool first = weft_completion_begin(event->command.device);

	weft_event_stamp(event, WEFT_EVENT_END);
	weft_parent_ran(&first_of(event)->parent, status);
	weft_completion_end(first);
}

static void ended(struct weft_parent *parent, enum weft_status status)
{
	cl_event event = parent->family->event;

	if (event->times.by_device)
		event->times.complete =
			atomic_load_explicit(&parent->last_end, memory_order_relaxed);
	else if (event->times.host)
		event->times.complete = weft_clock_now();
	weft_event_complete(event, status);
}

static const struct weft_subgraph_ops subgraph_ops = {
	.start = start,
	.running = weft_event_begins,
	.begin = ran,
};

static const struct weft_parent_ops first_ops = {.ended = ended};

cl_int weft_parent_begin_family(cl_event event, const struct weft_enqueuer *requests, bool uniform)
{
	cl_command_queue queue = event->queue;
	struct weft_launch *launch = &event->command.launch;
	struct first_parent *first = weft_event_memory(event, sizeof(*first));

	if (!first)
		return CL_OUT_OF_HOST_MEMORY;
	cl_command_queue default_queue =
		weft_device_queue_get_default(queue->context, queue->device);
	if (default_queue) {
		cl_int err = weft_event_hold(event, &default_queue->base);

		weft_object_put(&default_queue->base);
		if (err != CL_SUCCESS)
			return err;
	}
	first->subgraph.ops = &subgraph_ops;
	first->family = (struct weft_family){
		.event = event,
		.first = &first->parent,
		.device = queue->device,
		.default_queue = default_queue,
		.module = launch->module,
		.program = queue->device->impl->driver->program->describe(launch->module),
		.uniform = uniform,
	};
	weft_parent_init(&first->parent, &first->family, &first_ops, requests, &launch->range);
	launch->enqueuer = &first->parent.enqueuer;
	event->subgraph = &first->subgraph;
	return CL_SUCCESS;
}
