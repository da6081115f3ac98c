/* SPDX-License-Identifier: MIT
 *
 * The checks of handles that every entry point begins with.
 */
#include "check.h"

cl_int weft_check_platform(cl_platform_id platform)
{
	return weft_platform_valid(platform) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}

cl_int weft_check_device(cl_device_id device)
{
	return weft_device_valid(device) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int weft_check_context(cl_context context)
{
	return weft_context_valid(context) ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

cl_int weft_check_queue(cl_command_queue queue)
{
	return weft_queue_valid(queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

cl_int weft_check_event(cl_event event)
{
	return weft_event_valid(event) ? CL_SUCCESS : CL_INVALID_EVENT;
}

cl_int weft_check_mem(cl_mem mem)
{
	return weft_mem_valid(mem) ? CL_SUCCESS : CL_INVALID_MEM_OBJECT;
}

cl_int weft_check_command_buffer(cl_command_buffer_khr buffer)
{
	return weft_command_buffer_valid(buffer) ? CL_SUCCESS : CL_INVALID_COMMAND_BUFFER_KHR;
}

cl_int weft_check_recorded_to(cl_command_buffer_khr buffer, cl_command_queue queue)
{
	cl_int err = weft_check_command_buffer(buffer);

	return err == CL_SUCCESS && queue ? CL_INVALID_COMMAND_QUEUE : err;
}

cl_int weft_check_program(cl_program program)
{
	return weft_program_valid(program) ? CL_SUCCESS : CL_INVALID_PROGRAM;
}

cl_int weft_check_kernel(cl_kernel kernel)
{
	return weft_kernel_valid(kernel) ? CL_SUCCESS : CL_INVALID_KERNEL;
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

cl_int weft_check_wait_list(cl_context context, cl_uint num_events, const cl_event *events)
{
	if ((num_events == 0) != (events == NULL))
		return CL_INVALID_EVENT_WAIT_LIST;
	for (cl_uint i = 0; i < num_events; i++) {
		if (!weft_event_valid(events[i]))
			return CL_INVALID_EVENT_WAIT_LIST;
	}
	for (cl_uint i = 0; i < num_events; i++) {
		if (events[i]->context != context)
			return CL_INVALID_CONTEXT;
	}
	return CL_SUCCESS;
}
