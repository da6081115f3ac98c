/* SPDX-License-Identifier: MIT
 *
 * The way of each enqueued command into the task graph.
 */
#include "commands/new_command.h"

#include "memory/allocation.h"
#include "memory/replica.h"
#include "migration/migration.h"

bool weft_enqueue_is_over(const struct weft_enqueue *enqueue, bool blocking, const cl_event *event)
{
	if (!weft_enqueue_may_be_in_place(enqueue, event) || !weft_queue_is_clear(enqueue->queue))
		return false;
	weft_enqueue_flush_if(blocking, enqueue->queue);
	return true;
}

cl_int weft_new_command_begin(const struct weft_enqueue *enqueue, unsigned replica,
			      struct weft_new_command *command)
{
	command->replica = replica;
	command->transfers = true;
	weft_access_builder_init(&command->accesses, enqueue->queue->context);
	command->accesses.is_elsewhere = replica != enqueue->queue->locus.replica;
	return weft_event_create(enqueue, &command->event);
}

cl_int weft_new_command_use(struct weft_new_command *command, cl_mem mem)
{
	cl_int err = weft_event_hold(command->event, &mem->base);

	return err == CL_SUCCESS ? weft_mem_allocate(mem, command->replica) : err;
}

cl_int weft_new_command_use_address(struct weft_new_command *command, const void *address)
{
	cl_mem allocation = weft_allocation_get(address);

	if (!allocation)
		return CL_SUCCESS;
	cl_int err = weft_event_hold(command->event, &allocation->base);
	if (err == CL_SUCCESS && weft_allocation_moves_in(allocation, command->event->context))
		err = weft_mem_allocate(allocation, command->replica);
	weft_object_put(&allocation->base);
	return err;
}

cl_int weft_new_command_submit(struct weft_new_command *command, cl_int err, bool blocking,
			       cl_event *event)
{
	const struct weft_accesses *accesses = &command->accesses.list;

	if (err == CL_SUCCESS && command->transfers)
		err = weft_migration_require(command->event, command->replica, accesses);
	if (err == CL_SUCCESS)
		err = weft_event_submit(command->event, accesses, blocking, event);
	else
		weft_event_abandon(command->event);
	weft_access_builder_destroy(&command->accesses);
	return err;
}
