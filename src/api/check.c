/* SPDX-License-Identifier: MIT
 *
 * The checks of handles that every entry point begins with.
 */
#include "check.h"

cl_int weft_invalid_object(enum weft_object_type type)
{
	static const struct {
		enum weft_object_type type;
		cl_int code;
	} invalid[] = {
		{WEFT_OBJECT_PLATFORM, CL_INVALID_PLATFORM},
		{WEFT_OBJECT_DEVICE, CL_INVALID_DEVICE},
		{WEFT_OBJECT_CONTEXT, CL_INVALID_CONTEXT},
		{WEFT_OBJECT_QUEUE, CL_INVALID_COMMAND_QUEUE},
		{WEFT_OBJECT_MEM, CL_INVALID_MEM_OBJECT},
		{WEFT_OBJECT_SAMPLER, CL_INVALID_SAMPLER},
		{WEFT_OBJECT_PROGRAM, CL_INVALID_PROGRAM},
		{WEFT_OBJECT_KERNEL, CL_INVALID_KERNEL},
		{WEFT_OBJECT_EVENT, CL_INVALID_EVENT},
		{WEFT_OBJECT_COMMAND_BUFFER, CL_INVALID_COMMAND_BUFFER_KHR},
		{WEFT_OBJECT_MUTABLE_COMMAND, CL_INVALID_MUTABLE_COMMAND_KHR},
		{WEFT_OBJECT_SEMAPHORE, CL_INVALID_SEMAPHORE_KHR},
	};
	size_t i = 0;

	while (invalid[i].type != type)
		i++;
	return invalid[i].code;
}

cl_int weft_check_object(const void *handle, enum weft_object_type type)
{
	return weft_object_is(handle, type) ? CL_SUCCESS : weft_invalid_object(type);
}

cl_int weft_check_platform(cl_platform_id platform)
{
	return weft_check_object(platform, WEFT_OBJECT_PLATFORM);
}

cl_int weft_check_device(cl_device_id device)
{
	return weft_check_object(device, WEFT_OBJECT_DEVICE);
}

cl_int weft_check_context_handle(cl_context context)
{
	return weft_check_object(context, WEFT_OBJECT_CONTEXT);
}

cl_int weft_check_terminated(cl_context context)
{
	return weft_context_is_terminated(context) ? CL_CONTEXT_TERMINATED_KHR : CL_SUCCESS;
}

cl_int weft_check_context(cl_context context)
{
	cl_int err = weft_check_context_handle(context);

	return err == CL_SUCCESS ? weft_check_terminated(context) : err;
}

cl_int weft_check_queue(cl_command_queue queue)
{
	return weft_queue_is_on_host(queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

cl_int weft_check_event(cl_event event)
{
	return weft_check_object(event, WEFT_OBJECT_EVENT);
}

cl_int weft_check_mem(cl_mem mem)
{
	return weft_check_object(mem, WEFT_OBJECT_MEM);
}

cl_int weft_check_command_buffer(cl_command_buffer_khr buffer)
{
	return weft_check_object(buffer, WEFT_OBJECT_COMMAND_BUFFER);
}

cl_int weft_check_recorded_to(struct weft_recording *recording)
{
	cl_command_buffer_khr buffer = recording->buffer;

	cl_int err = weft_check_command_buffer(buffer);
	if (err != CL_SUCCESS)
		return err;
	if (!recording->queue && buffer->num_queues == 1)
		recording->queue = buffer->queues[0];
	for (cl_uint i = 0; i < buffer->num_queues; i++) {
		recording->queue_number = i;
		if (buffer->queues[i] == recording->queue)
			return CL_SUCCESS;
	}
	return CL_INVALID_COMMAND_QUEUE;
}

cl_int weft_check_program(cl_program program)
{
	return weft_check_object(program, WEFT_OBJECT_PROGRAM);
}

cl_int weft_check_kernel(cl_kernel kernel)
{
	return weft_check_object(kernel, WEFT_OBJECT_KERNEL);
}

cl_int weft_check_kernel_device(cl_kernel kernel, cl_device_id *device)
{
	cl_int err = weft_check_kernel(kernel);

	if (err != CL_SUCCESS)
		return err;
	if (!*device && kernel->program->num_devices == 1)
		*device = kernel->program->devices[0];
	if (!*device ||
	    weft_program_device_index(kernel->program, *device) == kernel->program->num_devices)
		return CL_INVALID_DEVICE;
	return CL_SUCCESS;
}

cl_int weft_check_wait_list(const struct weft_enqueue *enqueue)
{
	cl_int err = weft_check_terminated(enqueue->queue->context);

	if (err != CL_SUCCESS)
		return err;
	if ((enqueue->num_waits == 0) != (enqueue->waits == NULL))
		return CL_INVALID_EVENT_WAIT_LIST;
	for (cl_uint i = 0; i < enqueue->num_waits; i++) {
		if (!weft_event_valid(enqueue->waits[i]))
			return CL_INVALID_EVENT_WAIT_LIST;
	}
	for (cl_uint i = 0; i < enqueue->num_waits; i++) {
		if (enqueue->waits[i]->context != enqueue->queue->context)
			return CL_INVALID_CONTEXT;
	}
	return CL_SUCCESS;
}

cl_int weft_check_wait_list_status(const struct weft_enqueue *enqueue)
{
	for (cl_uint i = 0; i < enqueue->num_waits; i++) {
		if (weft_event_status(enqueue->waits[i]) < CL_COMPLETE)
			return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	}
	return CL_SUCCESS;
}
