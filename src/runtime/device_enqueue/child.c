/* SPDX-License-Identifier: MIT
 *
 * The life of a child: made, ready, run, ended. Its node waits for its wait list, for its being handed over, and perhaps for its
 * parent's run.
 */
#include "device_enqueue/child.h"

#include "alloc.h"
#include "block_pool.h"
#include "clock.h"
#include "device/device.h"
#include "device_enqueue/error_codes.h"
#include "graph/device_queue.h"
#include "node/completion.h"
#include "overflow.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(struct weft_child) + 2 * WEFT_KERNEL_ALIGNMENT <= WEFT_BLOCK_POOL_CHILD_BYTES,
	      "a usual child fits into a block");

static struct weft_child *child_of(struct weft_subcommand *subcommand)
{
	return WEFT_CONTAINER_OF(subcommand, struct weft_child, base);
}

static struct weft_child *child_of_node(struct weft_node *node)
{
	return WEFT_CONTAINER_OF(node, struct weft_child, base.node);
}

/* ---- the end ---------------------------------------------------------------------------------- */

static void free_child(struct weft_child *child)
{
	weft_device_queue_give(child->queue, child->bytes);
	if (child->pooled)
		weft_block_pool_return(WEFT_BLOCK_POOL_CHILDREN, child);
	else
		weft_free(child);
}

/* A marker, or a launch without work-items, takes no time. `end`: by the device's timer, or 0. */
static void take_end_time(struct weft_device_event *event, uint64_t end)
{
	event->ended = end ? end : weft_clock_now();
	if (!event->start)
		event->start = event->ran = event->ended;
}

/* It and all its children have ended, or it was not run. `end`: by the device's timer, or 0. */
static void finish(struct weft_child *child, enum weft_status status, uint64_t end)
{
	struct weft_parent *parent = child->parent;
	struct weft_device_event *event = child->event;

	weft_parent_note(parent, status);
	weft_parent_note_end(parent, end);
	free_child(child);
	if (event) {
		if (event->timed)
			take_end_time(event, end);
		weft_device_event_end(event, weft_status_to_cl(status));
	}
	weft_node_count_down(&parent->all);
}

static void node_ended(struct weft_node *node)
{
	struct weft_child *child = child_of_node(node);

	finish(child, child->result, child->end);
}

static void children_ended(struct weft_parent *own, enum weft_status status)
{
	struct weft_child *child = WEFT_CONTAINER_OF(own, struct weft_child, own);

	weft_parent_note_end(own, child->end);
	finish(child, status, atomic_load_explicit(&own->last_end, memory_order_relaxed));
}

static const struct weft_parent_ops parent_ops = {.ended = children_ended};

static void end_without_children(struct weft_child *child, enum weft_status status)
{
	child->result = status;
	weft_completion_push(&child->base.node);
}

/* ---- running ----------------------------------------------------------------------------------- */

static cl_event event_of(const struct weft_subcommand *subcommand)
{
	return WEFT_CONTAINER_OF(subcommand, struct weft_child, base)->parent->family->event;
}

static void running(struct weft_subcommand *subcommand)
{
	struct weft_device_event *event = child_of(subcommand)->event;

	if (event && event->timed)
		event->start = weft_clock_now();
}

static void timed(struct weft_subcommand *subcommand, uint64_t start, uint64_t end)
{
	struct weft_child *child = child_of(subcommand);

	child->end = end;
	if (child->event)
		child->event->start = start;
}

static void complete(struct weft_subcommand *subcommand, enum weft_status status)
{
	struct weft_child *child = child_of(subcommand);
	bool first = weft_completion_begin(subcommand->command.device);

	if (child->event && child->event->timed)
		child->event->ran = child->end ? child->end : weft_clock_now();
	if (subcommand->command.launch.enqueuer)
		weft_parent_ran(&child->own, status);
	else
		end_without_children(child, status);
	weft_completion_end(first);
}

static const struct weft_subcommand_ops command_ops = {event_of, running, timed, complete};

/* Nothing is left to wait for. What becomes ready where the device's driver completes nothing has to be flushed. */
static void node_ready(struct weft_node *node)
{
	struct weft_child *child = child_of_node(node);
	struct weft_command *command = &child->base.command;
	cl_device_id device = child->parent->family->device;
	enum weft_status dependencies =
		(enum weft_status)atomic_load_explicit(&node->outcome, memory_order_relaxed);
	bool flushes =
		device->impl != weft_completion.origin && !weft_completion_will_flush(device->impl);

	if (dependencies != WEFT_OK || command->op == WEFT_OP_NOTHING) {
		end_without_children(child, dependencies);
		return;
	}
	if (flushes)
		weft_object_get(&device->base);
	device->impl->driver->queue->submit(device->impl, command);
	device->impl->driver->queue->notify(device->impl, command, WEFT_OK);
	if (flushes)
		weft_completion_flush_later(device->impl, &device->base);
}

static const struct weft_node_ops node_ops = {.ready = node_ready, .ended = node_ended};

/* ---- making ------------------------------------------------------------------------------------ */

/* Where the parts of a child lie in its block. */
struct layout {
	size_t edges, args, literal, total; /* bytes from its start */
};

static bool lay_out(const struct weft_child_desc *desc, struct layout *layout)
{
	const size_t args = desc->kernel ? desc->kernel->args_size : 0;
	size_t edges;

	layout->edges = sizeof(struct weft_child);
	return !weft_mul_overflows(desc->num_waits, sizeof(struct weft_edge), &edges) &&
	       !weft_add_overflows(layout->edges, edges, &layout->args) &&
	       !weft_align_overflows(layout->args, WEFT_KERNEL_ALIGNMENT, &layout->args) &&
	       !weft_add_overflows(layout->args, args, &layout->literal) &&
	       !weft_align_overflows(layout->literal, WEFT_KERNEL_ALIGNMENT, &layout->literal) &&
	       !weft_add_overflows(layout->literal, desc->literal_size, &layout->total);
}

/* With room in the queue. NULL: *error says why. */
static struct weft_child *allocate(const struct weft_child_desc *desc, size_t size, int *error)
{
	const bool pooled = size <= WEFT_BLOCK_POOL_CHILD_BYTES;
	const uint64_t bytes = pooled ? WEFT_BLOCK_POOL_CHILD_BYTES : size;

	*error = CLK_DEVICE_QUEUE_FULL;
	if (!weft_device_queue_take(desc->queue, bytes))
		return NULL;
	struct weft_child *child = pooled ? weft_block_pool_take(WEFT_BLOCK_POOL_CHILDREN)
					  : weft_alloc_aligned(WEFT_KERNEL_ALIGNMENT, size);
	*error = CLK_OUT_OF_RESOURCES;
	if (!child) {
		weft_device_queue_give(desc->queue, bytes);
		return NULL;
	}
	child->queue = desc->queue;
	child->bytes = bytes;
	child->pooled = pooled;
	return child;
}

/* The block's captured variables, and the offsets of its local arguments. Returns the local memory of a group. */
static size_t pack_args(const struct weft_child_desc *desc, unsigned char *args,
			const void *literal)
{
	const struct weft_kernel_desc *kernel = desc->kernel;
	uint64_t value = (uintptr_t)literal;
	size_t local = kernel->local_size;

	memcpy(args + kernel->args[0].offset, &value, sizeof(value));
	for (uint32_t i = 0; i < desc->num_locals; i++) {
		value = (local + WEFT_KERNEL_ALIGNMENT - 1) / WEFT_KERNEL_ALIGNMENT *
			WEFT_KERNEL_ALIGNMENT;
		memcpy(args + kernel->args[i + 1].offset, &value, sizeof(value));
		local = value + desc->locals[i];
	}
	return local;
}

static void fill_launch(struct weft_child *child, const struct weft_child_desc *desc,
			const struct layout *layout)
{
	struct weft_launch *launch = &child->base.command.launch;
	unsigned char *block = (unsigned char *)child;

	memcpy(block + layout->literal, desc->literal, desc->literal_size);
	const size_t local = pack_args(desc, block + layout->args, block + layout->literal);
	*launch = (struct weft_launch){
		.module = desc->parent->family->module,
		.kernel = desc->kernel,
		.range = desc->range,
		.args = block + layout->args,
		.local_bytes = local,
		.zero_local = local > 0 && desc->queue->context->initialize &
						   CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR,
		.context = &desc->queue->context->host_functions.launches,
	};
	if (!(desc->kernel->flags & WEFT_KERNEL_ENQUEUES))
		return;
	weft_parent_init(&child->own, desc->parent->family, &parent_ops, &desc->parent->enqueuer,
			 &desc->range);
	launch->enqueuer = &child->own.enqueuer;
}

static void fill_command(struct weft_child *child, const struct weft_child_desc *desc,
			 const struct layout *layout)
{
	struct weft_command *command = &child->base.command;
	const struct weft_command *first = &desc->parent->family->event->command;

	child->base.ops = &command_ops;
	command->device = desc->parent->family->device->impl;
	command->private_data = NULL;
	command->op = desc->kernel && !desc->empty ? WEFT_OP_NDRANGE : WEFT_OP_NOTHING;
	command->deferrable = false;
	command->caller_waits = false;
	command->recorded = true;
	command->migrates = false;
	command->was_blocked = false; /* it waits for what kernels do */
	command->priority = first->priority;
	command->throttled = first->throttled;
	command->in_place = false;
	if (command->op == WEFT_OP_NDRANGE)
		fill_launch(child, desc, layout);
}

/* Edges from the wait list. The node counts one more, for its being handed over. */
static void wait_for(struct weft_child *child, const struct weft_child_desc *desc,
		     const struct layout *layout)
{
	struct weft_node *node = &child->base.node;
	struct weft_edge *edges = (struct weft_edge *)(void *)((char *)child + layout->edges);
	int32_t met = 0;
	bool failed = false;

	weft_node_init(node, &node_ops, (int32_t)desc->num_waits + 1);
	for (uint32_t i = 0; i < desc->num_waits; i++) {
		edges[i] = weft_edge_checked_to(node);
		if (weft_device_event_wait(desc->waits[i], &edges[i], &failed))
			continue;
		met++;
		if (failed)
			atomic_store_explicit(&node->outcome, WEFT_DEPENDENCY_FAILED,
					      memory_order_relaxed);
	}
	atomic_fetch_sub_explicit(&node->unmet, met, memory_order_relaxed);
}

int weft_child_create(const struct weft_child_desc *desc, struct weft_child **child_ret)
{
	struct layout layout;
	int error;

	if (!lay_out(desc, &layout))
		return CLK_OUT_OF_RESOURCES;
	struct weft_child *child = allocate(desc, layout.total, &error);
	if (!child)
		return error;
	child->parent = desc->parent;
	child->waits_for_run = desc->waits_for_run;
	child->end = 0;
	child->event = NULL;
	if (desc->has_event) {
		child->event = weft_device_event_create(desc->queue->context, false);
		if (!child->event) {
			free_child(child);
			return CLK_EVENT_ALLOCATION_FAILURE;
		}
		child->event->timed = desc->queue->properties & CL_QUEUE_PROFILING_ENABLE;
	}
	fill_command(child, desc, &layout);
	wait_for(child, desc, &layout);
	*child_ret = child;
	return CLK_SUCCESS;
}

/* ---- handing over ------------------------------------------------------------------------------ */

/* In the order in which they were enqueued. Returns how many there are. */
static int32_t reverse(struct weft_child **list)
{
	struct weft_child *oldest = NULL;
	int32_t count = 0;

	for (struct weft_child *child = *list, *next; child; child = next, count++) {
		next = child->next;
		child->next = oldest;
		oldest = child;
	}
	*list = oldest;
	return count;
}

/* With the only range of its launch ends the run, and the driver that completes it runs the children next: they all wait for that. */
void weft_children_hand_over(struct weft_parent *parent, struct weft_child *list, bool whole)
{
	int32_t count = reverse(&list);
	bool first = weft_completion_begin(NULL);

	atomic_fetch_add_explicit(&parent->all.unmet, count, memory_order_relaxed);
	for (struct weft_child *child = list, *next; child; child = next) {
		next = child->next;
		child->parent_edge = weft_edge_to(&child->base.node);
		if ((whole || child->waits_for_run) &&
		    weft_edges_add(&parent->ran.waiters, &child->parent_edge))
			continue;
		weft_node_count_down(&child->base.node);
	}
	weft_completion_end(first);
}
