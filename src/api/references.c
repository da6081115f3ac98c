/* SPDX-License-Identifier: MIT
 *
 * clRetain<Object> and clRelease<Object>: the application's count of every kind of object.
 */
#include "check.h"
#include "entry_points.h"

static cl_int retain(void *handle, enum weft_object_type type)
{
	cl_int err = weft_check_object(handle, type);

	if (err == CL_SUCCESS && !weft_object_retain_api(handle))
		err = weft_invalid_object(type);
	return err;
}

static cl_int release(void *handle, enum weft_object_type type)
{
	cl_int err = weft_check_object(handle, type);

	if (err == CL_SUCCESS && !weft_object_release_api(handle))
		err = weft_invalid_object(type);
	return err;
}

cl_int CL_API_CALL weft_clRetainContext(cl_context context)
{
	return retain(context, WEFT_OBJECT_CONTEXT);
}

cl_int CL_API_CALL weft_clReleaseContext(cl_context context)
{
	return release(context, WEFT_OBJECT_CONTEXT);
}

cl_int CL_API_CALL weft_clRetainCommandQueue(cl_command_queue queue)
{
	return retain(queue, WEFT_OBJECT_QUEUE);
}

/* Flushes, as the specification asks: after this call, there may be no caller left that could. */
cl_int CL_API_CALL weft_clReleaseCommandQueue(cl_command_queue queue)
{
	cl_int err = weft_check_object(queue, WEFT_OBJECT_QUEUE);

	if (err != CL_SUCCESS)
		return err;
	if (!weft_queue_is_on_device(queue))
		weft_queue_flush(queue);
	return release(queue, WEFT_OBJECT_QUEUE);
}

cl_int CL_API_CALL weft_clRetainMemObject(cl_mem mem)
{
	return retain(mem, WEFT_OBJECT_MEM);
}

cl_int CL_API_CALL weft_clReleaseMemObject(cl_mem mem)
{
	return release(mem, WEFT_OBJECT_MEM);
}

cl_int CL_API_CALL weft_clRetainSampler(cl_sampler sampler)
{
	return retain(sampler, WEFT_OBJECT_SAMPLER);
}

cl_int CL_API_CALL weft_clReleaseSampler(cl_sampler sampler)
{
	return release(sampler, WEFT_OBJECT_SAMPLER);
}

cl_int CL_API_CALL weft_clRetainProgram(cl_program program)
{
	return retain(program, WEFT_OBJECT_PROGRAM);
}

cl_int CL_API_CALL weft_clReleaseProgram(cl_program program)
{
	return release(program, WEFT_OBJECT_PROGRAM);
}

cl_int CL_API_CALL weft_clRetainKernel(cl_kernel kernel)
{
	return retain(kernel, WEFT_OBJECT_KERNEL);
}

cl_int CL_API_CALL weft_clReleaseKernel(cl_kernel kernel)
{
	return release(kernel, WEFT_OBJECT_KERNEL);
}

cl_int CL_API_CALL weft_clRetainEvent(cl_event event)
{
	return retain(event, WEFT_OBJECT_EVENT);
}

cl_int CL_API_CALL weft_clReleaseEvent(cl_event event)
{
	return release(event, WEFT_OBJECT_EVENT);
}

cl_int CL_API_CALL weft_clRetainCommandBufferKHR(cl_command_buffer_khr buffer)
{
	return retain(buffer, WEFT_OBJECT_COMMAND_BUFFER);
}

cl_int CL_API_CALL weft_clReleaseCommandBufferKHR(cl_command_buffer_khr buffer)
{
	return release(buffer, WEFT_OBJECT_COMMAND_BUFFER);
}

cl_int CL_API_CALL weft_clRetainSemaphoreKHR(cl_semaphore_khr semaphore)
{
	return retain(semaphore, WEFT_OBJECT_SEMAPHORE);
}

cl_int CL_API_CALL weft_clReleaseSemaphoreKHR(cl_semaphore_khr semaphore)
{
	return release(semaphore, WEFT_OBJECT_SEMAPHORE);
}

/* Root devices are not counted (specification 4.3). */
cl_int CL_API_CALL weft_clRetainDevice(cl_device_id device)
{
	cl_int err = weft_check_device(device);

	if (err == CL_SUCCESS && device->parent)
		err = retain(device, WEFT_OBJECT_DEVICE);
	return err;
}

cl_int CL_API_CALL weft_clReleaseDevice(cl_device_id device)
{
	cl_int err = weft_check_device(device);

	if (err == CL_SUCCESS && device->parent)
		err = release(device, WEFT_OBJECT_DEVICE);
	return err;
}
