/* SPDX-License-Identifier: MIT
 *
 * Commands on shared memory. A free is a native command, as the application's function may take any time; on devices that run no
 * native functions, the thread for callbacks does it.
 */
#include "commands/svm_command.h"

#include "commands/new_command.h"
#include "device/device.h"
#include "graph/event_progress.h"
#include "graph/upcalls.h"
#include "memory/allocation.h"

#include <string.h>

/* ---- checks ---------------------------------------------------------------------------------- */

cl_int weft_svm_check_queue(cl_command_queue queue)
{
	if (!weft_queue_is_on_host(queue))
		return CL_INVALID_COMMAND_QUEUE;
	return weft_device_offers_svm(queue->device) ? CL_SUCCESS : CL_INVALID_OPERATION;
}

cl_int weft_svm_check_range(cl_command_queue queue, const void *address, size_t size)
{
	if (weft_device_shares_memory(queue->device))
		return CL_SUCCESS;
	cl_mem allocation = weft_allocation_find(address);
	return allocation && weft_allocation_moves_in(allocation, queue->context) &&
			       weft_allocation_contains(allocation, address, size)
		       ? CL_SUCCESS
		       : CL_INVALID_VALUE;
}

static struct weft_mem_place place_at(const void *address, size_t size)
{
	return (struct weft_mem_place){.host = (void *)(uintptr_t)address,
				       .rect = {0, size, size, size}};
}

cl_int weft_svm_place_copy(void *destination, const void *source, size_t size,
			   struct weft_mem_copy *copy)
{
	if (!destination || !source)
		return CL_INVALID_VALUE;
	*copy = (struct weft_mem_copy){
		place_at(source, size), place_at(destination, size), {size, 1, 1}};
	return CL_SUCCESS;
}

cl_int weft_svm_check_overlap(const struct weft_mem_copy *copy)
{
	const uintptr_t from = (uintptr_t)copy->source.host;
	const uintptr_t to = (uintptr_t)copy->destination.host;
	const size_t size = copy->region[0];

	return (from < to ? to - from : from - to) < size ? CL_MEM_COPY_OVERLAP : CL_SUCCESS;
}

/* The CL_INVALID_VALUE list of clEnqueueSVMMemFill. */
cl_int weft_svm_place_fill(void *destination, size_t size, struct weft_mem_fill *fill)
{
	const size_t pattern_size = fill->pattern_size;

	if (!destination || !fill->pattern || pattern_size == 0 ||
	    (pattern_size & (pattern_size - 1)) || pattern_size > WEFT_FILL_PATTERN_MAX ||
	    (uintptr_t)destination % pattern_size != 0 || size % pattern_size != 0)
		return CL_INVALID_VALUE;
	fill->destination = place_at(destination, size);
	fill->region[0] = size;
	fill->region[1] = fill->region[2] = 1;
	return CL_SUCCESS;
}

/* The CL_INVALID_VALUE list of clEnqueueSVMMigrateMem, and "each pointer in this array must be within an allocation". */
cl_int weft_svm_check_migration(cl_command_queue queue, const struct weft_svm_migration *migration)
{
	const cl_mem_migration_flags known =
		CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;

	if (migration->count == 0 || !migration->pointers || (migration->flags & ~known))
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < migration->count; i++) {
		const void *pointer = migration->pointers[i];
		const size_t size = migration->sizes ? migration->sizes[i] : 0;
		cl_mem allocation = weft_allocation_find(pointer);

		if (!allocation || allocation->context != queue->context ||
		    !weft_allocation_contains(allocation, pointer, size) ||
		    weft_svm_check_range(queue, pointer, size) != CL_SUCCESS)
			return CL_INVALID_VALUE;
	}
	return CL_SUCCESS;
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* A command in the host's memory that uses the allocation at an address. On success it must be submitted. */
static cl_int begin(const struct weft_enqueue *enqueue, const void *address,
		    struct weft_new_command *command)
{
	cl_int err = weft_new_command_begin(enqueue, 0, command);

	if (err != CL_SUCCESS)
		return err;
	err = weft_new_command_use_address(command, address);
	return err == CL_SUCCESS ? err : weft_new_command_submit(command, err, false, NULL);
}

static enum weft_access_kind kind_of_map(cl_map_flags flags)
{
	if (flags & CL_MAP_WRITE_INVALIDATE_REGION)
		return WEFT_ACCESS_WRITE;
	return flags & CL_MAP_WRITE ? WEFT_ACCESS_READ_WRITE : WEFT_ACCESS_READ;
}

cl_int weft_svm_enqueue_map(const struct weft_enqueue *enqueue, const struct weft_svm_range *range,
			    cl_map_flags flags, bool blocking, cl_event *event)
{
	struct weft_new_command command;

	if (weft_enqueue_is_over(enqueue, blocking, event))
		return CL_SUCCESS;
	cl_int err = begin(enqueue, range->address, &command);
	if (err != CL_SUCCESS)
		return err;
	weft_accesses_add_host(&command.accesses, range->address, range->size, kind_of_map(flags));
	return weft_new_command_submit(&command, CL_SUCCESS, blocking, event);
}

/* What was mapped for writing is on the host alone since then. */
cl_int weft_svm_enqueue_unmap(const struct weft_enqueue *enqueue, const void *address,
			      cl_event *event)
{
	cl_mem allocation = weft_allocation_find(address);
	struct weft_new_command command;

	if (weft_enqueue_is_over(enqueue, false, event))
		return CL_SUCCESS;
	cl_int err = begin(enqueue, address, &command);
	if (err != CL_SUCCESS)
		return err;
	command.transfers = false;
	if (allocation)
		weft_accesses_add_host(&command.accesses, allocation->address, allocation->size,
				       WEFT_ACCESS_READ_WRITE);
	else
		command.accesses.list.anything = true;
	return weft_new_command_submit(&command, CL_SUCCESS, false, event);
}

/* ---- freeing --------------------------------------------------------------------------------- */

/* In the event's memory. */
struct running_free {
	struct weft_subgraph subgraph; /* of a device that runs no native functions */
	struct weft_callback callback;
	cl_event event;
	cl_command_queue queue; /* outlives the command */
	struct weft_svm_free call;
	void *pointers[];
};

static void run_free(void *data)
{
	struct running_free *running = data;
	const struct weft_svm_free *call = &running->call;

	if (call->function) {
		call->function(running->queue, call->count, running->pointers, call->user_data);
		return;
	}
	for (cl_uint i = 0; i < call->count; i++)
		(void)weft_allocation_free(running->queue->context, WEFT_ALLOCATION_SVM,
					   running->pointers[i]);
}

static void run_callback(struct weft_callback *callback)
{
	struct running_free *running = WEFT_CONTAINER_OF(callback, struct running_free, callback);
	cl_event event = running->event;

	weft_event_begins(event);
	run_free(running);
	weft_event_complete(event, WEFT_OK);
}

static void start_free(cl_event event, enum weft_status dependencies)
{
	struct running_free *running =
		WEFT_CONTAINER_OF(event->subgraph, struct running_free, subgraph);

	if (dependencies == WEFT_OK)
		weft_callbacks_post(&running->callback);
	else
		weft_event_complete(event, dependencies);
}

static const struct weft_subgraph_ops free_by_callback = {.start = start_free};

static void fill_in_free(struct running_free *running)
{
	cl_event event = running->event;

	if (weft_device_properties(running->queue->device)->runs_native) {
		event->command.op = WEFT_OP_NATIVE;
		event->command.native = (struct weft_native){run_free, running};
		return;
	}
	running->subgraph.ops = &free_by_callback;
	running->callback.run = run_callback;
	event->subgraph = &running->subgraph;
}

/* It comes after all that was enqueued before, whatever that accesses: the application's function may do anything. */
cl_int weft_svm_enqueue_free(const struct weft_enqueue *enqueue, const struct weft_svm_free *call,
			     cl_event *event)
{
	const size_t bytes = call->count * sizeof(void *);
	struct weft_new_command command;

	cl_int err = weft_new_command_begin(enqueue, 0, &command);
	if (err != CL_SUCCESS)
		return err;
	struct running_free *running = weft_event_memory(command.event, sizeof(*running) + bytes);
	if (!running)
		return weft_new_command_submit(&command, CL_OUT_OF_HOST_MEMORY, false, NULL);
	running->event = command.event;
	running->queue = enqueue->queue;
	running->call = *call;
	if (bytes)
		memcpy(running->pointers, call->pointers, bytes);
	command.accesses.list.anything = true;
	fill_in_free(running);
	return weft_new_command_submit(&command, CL_SUCCESS, false, event);
}

/* ---- migrations ------------------------------------------------------------------------------- */

/* Where the pointer leads: all of its allocation, unless the size says how much. */
static cl_int migrate(struct weft_new_command *command, const void *pointer, size_t size,
		      enum weft_access_kind kind)
{
	cl_mem allocation = weft_allocation_find(pointer);

	cl_int err = weft_new_command_use_address(command, pointer);
	if (err == CL_SUCCESS)
		weft_accesses_add_host(&command->accesses, size ? pointer : allocation->address,
				       size ? size : allocation->size, kind);
	return err;
}

/* As weft_mem_enqueue_migrate. */
cl_int weft_svm_enqueue_migration(const struct weft_enqueue *enqueue,
				  const struct weft_svm_migration *migration, cl_event *event)
{
	const bool to_host = migration->flags & CL_MIGRATE_MEM_OBJECT_HOST;
	const enum weft_access_kind kind =
		migration->flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED ? WEFT_ACCESS_WRITE
									   : WEFT_ACCESS_READ;
	struct weft_new_command command;

	if (!enqueue->queue->context->num_memories)
		return weft_svm_enqueue_hint(enqueue, event);
	cl_int err = weft_new_command_begin(enqueue, to_host ? 0 : enqueue->queue->locus.replica,
					    &command);
	if (err != CL_SUCCESS)
		return err;
	for (cl_uint i = 0; i < migration->count && err == CL_SUCCESS; i++)
		err = migrate(&command, migration->pointers[i],
			      migration->sizes ? migration->sizes[i] : 0, kind);
	return weft_new_command_submit(&command, err, false, event);
}

/* ---- hints ----------------------------------------------------------------------------------- */

cl_int weft_svm_enqueue_hint(const struct weft_enqueue *enqueue, cl_event *event)
{
	struct weft_new_command command;

	if (weft_enqueue_is_over(enqueue, false, event))
		return CL_SUCCESS;
	cl_int err = weft_new_command_begin(enqueue, 0, &command);
	if (err != CL_SUCCESS)
		return err;
	return weft_new_command_submit(&command, CL_SUCCESS, false, event);
}
