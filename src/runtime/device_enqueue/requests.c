/* SPDX-License-Identifier: MIT
 *
 * Checks what a kernel asks for, in the order of the specification's list of errors, and does it. Runs in the kernel's thread, in
 * the middle of the kernel: takes no lock, and calls no driver but when a kernel ends an event.
 */
#include "device_enqueue/requests.h"

#include "device/device.h"
#include "device_enqueue/child.h"
#include "device_enqueue/error_codes.h"
#include "enqueue_types.h"
#include "graph/queue.h"
#include "overflow.h"
#include "program/kernel.h"
#include "program/launch_range.h"

#include <string.h>

/* OpenCL C's kernel_enqueue_flags_t */
enum { NO_WAIT, WAIT_KERNEL, WAIT_WORK_GROUP };

/* ---- checks ------------------------------------------------------------------------------------ */

static cl_command_queue find_queue(const struct weft_family *family, uint64_t handle)
{
	cl_command_queue queue = (cl_command_queue)(uintptr_t)handle;

	return weft_queue_valid(queue) && weft_queue_is_on_device(queue) &&
			       queue->device == family->device
		       ? queue
		       : NULL;
}

/* The kernel of a block; NULL: the number is none of a block. */
static const struct weft_kernel_desc *find_block(const struct weft_family *family, uint64_t number)
{
	const struct weft_program_desc *program = family->program;

	return number < program->num_blocks ? &program->kernels[program->num_kernels + number]
					    : NULL;
}

static cl_int plan_range(const struct weft_family *family, const struct weft_kernel_desc *kernel,
			 const struct weft_enqueue_range *range, struct weft_child_desc *child)
{
	bool has_local = range->local_size[0] || range->local_size[1] || range->local_size[2];
	const struct weft_range_request asked = {
		.desc = kernel,
		.device = family->device,
		.uniform = family->uniform,
		.work_dim = range->work_dim,
		.offset = range->global_offset,
		.global = range->global_size,
		.local = has_local ? range->local_size : NULL,
	};

	return weft_range_plan(&asked, &child->range, &child->empty);
}

static int check_waits(const struct weft_enqueue_request *request)
{
	const uint64_t *handles = request->waits;

	if ((request->num_waits == 0) != (handles == NULL))
		return CLK_INVALID_EVENT_WAIT_LIST;
	for (uint32_t i = 0; i < request->num_waits; i++) {
		if (!weft_device_event_of(handles[i]))
			return CLK_INVALID_EVENT_WAIT_LIST;
	}
	return CLK_SUCCESS;
}

/* As many bytes as a group has, at most. */
static int check_locals(const struct weft_enqueue_request *request,
			const struct weft_kernel_desc *kernel, cl_device_id device)
{
	const uint64_t *sizes = request->sizes;
	size_t total = kernel->local_size;

	if (request->num_sizes != kernel->num_args - 1)
		return CLK_INVALID_ARG_SIZE;
	for (uint32_t i = 0; i < request->num_sizes; i++) {
		if (sizes[i] == 0)
			return CLK_INVALID_ARG_SIZE;
		if (weft_align_overflows(total, WEFT_KERNEL_ALIGNMENT, &total) ||
		    weft_add_overflows(total, sizes[i], &total))
			return CLK_OUT_OF_RESOURCES;
	}
	return total > weft_device_properties(device)->local_memory ? CLK_OUT_OF_RESOURCES
								    : CLK_SUCCESS;
}

/* ---- enqueueing -------------------------------------------------------------------------------- */

/* Adds it to the list of the range, and gives the kernel its event. */
static int add_child(const struct weft_child_desc *desc, void **enqueued, void *result)
{
	struct weft_child *child;

	int error = weft_child_create(desc, &child);
	if (error != CLK_SUCCESS)
		return error;
	child->next = *enqueued;
	*enqueued = child;
	if (result) {
		const uint64_t handle = (uintptr_t)child->event;

		memcpy(result, &handle, sizeof(handle));
	}
	return CLK_SUCCESS;
}

static int enqueue_marker(struct weft_parent *parent, void **enqueued,
			  const struct weft_enqueue_request *request)
{
	struct weft_child_desc desc = {
		.parent = parent,
		.queue = find_queue(parent->family, request->queue),
		.num_waits = request->num_waits,
		.waits = request->waits,
		.has_event = true,
	};

	if (!desc.queue)
		return CLK_INVALID_QUEUE;
	if (request->num_waits == 0 || check_waits(request) != CLK_SUCCESS)
		return CLK_INVALID_EVENT_WAIT_LIST;
	return request->result ? add_child(&desc, enqueued, request->result) : CLK_SUCCESS;
}

static int enqueue_kernel(struct weft_parent *parent, void **enqueued,
			  const struct weft_enqueue_request *request)
{
	const struct weft_family *family = parent->family;
	const struct weft_block_literal *literal = request->block;
	const struct weft_kernel_desc *kernel = find_block(family, request->block_kernel);
	struct weft_child_desc desc = {
		.parent = parent,
		.queue = find_queue(family, request->queue),
		.kernel = kernel,
		.waits_for_run = request->flags == WAIT_KERNEL,
		.literal = literal,
		.literal_size = literal->size,
		.num_locals = request->num_sizes,
		.locals = request->sizes,
		.num_waits = request->num_waits,
		.waits = request->waits,
		.has_event = request->result != NULL,
	};

	if (!kernel || request->flags > WAIT_WORK_GROUP)
		return CLK_ENQUEUE_FAILURE;
	if (!desc.queue)
		return CLK_INVALID_QUEUE;
	if (plan_range(family, kernel, request->range, &desc) != CL_SUCCESS)
		return CLK_INVALID_NDRANGE;
	int error = check_waits(request);
	if (error == CLK_SUCCESS)
		error = check_locals(request, kernel, family->device);
	return error == CLK_SUCCESS ? add_child(&desc, enqueued, request->result) : error;
}

/* ---- queries ----------------------------------------------------------------------------------- */

/* Of a sub-group's size, and how many a group has. */
static int64_t query_range(const struct weft_family *family, const struct weft_kernel_desc *kernel,
			   const struct weft_enqueue_range *range, bool count)
{
	struct weft_child_desc desc;
	const uint64_t *local = desc.range.local_size;

	if (plan_range(family, kernel, range, &desc) != CL_SUCCESS || desc.empty)
		return 0;
	uint64_t items = local[0] * local[1] * local[2];
	uint64_t lanes = weft_kernel_lanes(kernel);
	if (count)
		return (int64_t)weft_kernel_sub_groups(kernel, items);
	return (int64_t)(lanes < items ? lanes : items);
}

static int64_t query_block(const struct weft_family *family, uint32_t operation,
			   const struct weft_enqueue_request *request)
{
	const struct weft_kernel_desc *kernel = find_block(family, request->block_kernel);

	if (!kernel)
		return 0;
	switch (operation) {
	case WEFT_ENQUEUE_GROUP_SIZE:
		return (int64_t)weft_kernel_group_limit(kernel, family->device);
	case WEFT_ENQUEUE_GROUP_MULTIPLE:
		return (int64_t)weft_kernel_group_multiple(kernel, family->device);
	default:
		return query_range(family, kernel, request->range,
				   operation == WEFT_ENQUEUE_SUB_GROUP_COUNT);
	}
}

/* ---- events ------------------------------------------------------------------------------------ */

static int64_t create_user_event(const struct weft_family *family)
{
	return (int64_t)(uintptr_t)weft_device_event_create(family->event->context, true);
}

static int64_t handle_event(const struct weft_family *family, uint32_t operation,
			    const struct weft_enqueue_request *request)
{
	struct weft_device_event *event = weft_device_event_of(request->event);

	if (!event)
		return 0;
	switch (operation) {
	case WEFT_ENQUEUE_RETAIN:
		weft_device_event_get(event);
		break;
	case WEFT_ENQUEUE_RELEASE:
		weft_device_event_release(event);
		break;
	case WEFT_ENQUEUE_SET_STATUS:
		if (request->status <= CL_COMPLETE)
			weft_device_event_set_status(event, request->status);
		break;
	case WEFT_ENQUEUE_CAPTURE_TIMES:
		if (request->result)
			weft_device_event_capture(event, request->result, &family->first->all);
		break;
	default:
		break;
	}
	return 1;
}

/* ---- the driver's calls ------------------------------------------------------------------------- */

static int64_t error_code(int error, uint32_t operation)
{
	return error == CLK_SUCCESS || (operation & WEFT_ENQUEUE_DETAILED) ? error
									   : CLK_ENQUEUE_FAILURE;
}

static int64_t call(struct weft_enqueuer *enqueuer, void **enqueued, uint32_t operation,
		    void *request)
{
	struct weft_parent *parent = WEFT_CONTAINER_OF(enqueuer, struct weft_parent, enqueuer);
	const uint32_t plain = operation & ~WEFT_ENQUEUE_DETAILED;

	switch (plain) {
	case WEFT_ENQUEUE_KERNEL:
		return error_code(enqueue_kernel(parent, enqueued, request), operation);
	case WEFT_ENQUEUE_MARKER:
		return error_code(enqueue_marker(parent, enqueued, request), operation);
	case WEFT_ENQUEUE_CREATE_USER_EVENT:
		return create_user_event(parent->family);
	case WEFT_ENQUEUE_DEFAULT_QUEUE:
		return (int64_t)(uintptr_t)parent->family->default_queue;
	case WEFT_ENQUEUE_GROUP_SIZE:
	case WEFT_ENQUEUE_GROUP_MULTIPLE:
	case WEFT_ENQUEUE_SUB_GROUP_COUNT:
	case WEFT_ENQUEUE_SUB_GROUP_SIZE:
		return query_block(parent->family, plain, request);
	default:
		return handle_event(parent->family, plain, request);
	}
}

static void hand_over(struct weft_enqueuer *enqueuer, void *enqueued, uint64_t first, uint64_t end)
{
	struct weft_parent *parent = WEFT_CONTAINER_OF(enqueuer, struct weft_parent, enqueuer);

	weft_children_hand_over(parent, enqueued, end - first == parent->num_groups);
}

const struct weft_enqueuer weft_enqueue_requests = {call, hand_over};
