/* SPDX-License-Identifier: MIT
 *
 * Acquiring and releasing imported memory. In the order of a queue both count as changing it, so that what uses it stands
 * between them. Where devices have memories of their own, an acquisition makes what the host has the contents, and a release
 * brings the contents to the host.
 */
#include "commands/external_command.h"

#include "commands/new_command.h"
#include "graph/queue.h"
#include "graph/upcalls.h"
#include "memory/external_memory.h"

#include <string.h>

/* Of a command on memory whose caches are told of accesses. */
struct turn {
	struct weft_event_hooks hooks;
	cl_uint count;
	cl_mem mems[]; /* held by the command */
};

cl_int weft_external_check_use(cl_command_queue queue, cl_uint count, const cl_mem *mems)
{
	for (cl_uint i = 0; i < count; i++) {
		if (!weft_mem_valid(mems[i]) || !mems[i]->external)
			return CL_INVALID_MEM_OBJECT;
	}
	for (cl_uint i = 0; i < count; i++) {
		if (!weft_external_suits(mems[i]->external, queue->device) ||
		    !weft_context_has_device(mems[i]->context, queue->device))
			return CL_INVALID_COMMAND_QUEUE;
		if (mems[i]->context != queue->context)
			return CL_INVALID_CONTEXT;
	}
	return CL_SUCCESS;
}

/* Before any command behind it starts, and after all before it. */
static void completed(cl_event event, enum weft_status status)
{
	const struct turn *turn = WEFT_CONTAINER_OF(event->hooks, struct turn, hooks);
	const bool acquired = event->type == CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR;

	for (cl_uint i = 0; i < turn->count && status == WEFT_OK; i++) {
		if (weft_external_has_caches(turn->mems[i]->external))
			weft_external_sync(turn->mems[i]->external, acquired);
	}
}

static cl_int tell_caches(cl_event event, cl_uint count, const cl_mem *mems)
{
	bool needed = false;

	for (cl_uint i = 0; i < count; i++)
		needed = needed || weft_external_has_caches(mems[i]->external);
	if (!needed)
		return CL_SUCCESS;
	struct turn *turn = weft_event_memory(event, sizeof(*turn) + count * sizeof(cl_mem));
	if (!turn)
		return CL_OUT_OF_HOST_MEMORY;
	turn->hooks = (struct weft_event_hooks){.completed = completed};
	turn->count = count;
	memcpy(turn->mems, mems, count * sizeof(cl_mem));
	event->hooks = &turn->hooks;
	return CL_SUCCESS;
}

cl_int weft_external_enqueue(const struct weft_enqueue *enqueue, cl_uint count, const cl_mem *mems,
			     cl_event *event)
{
	const bool acquires = enqueue->type == CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR;
	struct weft_new_command command;

	cl_int err = weft_new_command_begin(enqueue, 0, &command);
	if (err != CL_SUCCESS)
		return err;
	for (cl_uint i = 0; i < count && err == CL_SUCCESS; i++) {
		err = weft_new_command_use(&command, mems[i]);
		weft_accesses_add(&command.accesses, mems[i], 0, mems[i]->size,
				  acquires ? WEFT_ACCESS_WRITE : WEFT_ACCESS_READ_WRITE);
	}
	if (err == CL_SUCCESS)
		err = tell_caches(command.event, count, mems);
	return weft_new_command_submit(&command, err, false, event);
}
