/* SPDX-License-Identifier: MIT
 *
 * Executing kernels (specification 5.10).
 */
#include "check.h"
#include "commands/launch.h"
#include "entry_points.h"

static cl_int enqueue(const struct weft_launch_request *request, const struct weft_enqueue *command,
		      cl_event *event)
{
	struct weft_launch_plan plan;

	cl_int err = weft_check_queue(request->queue);
	if (err == CL_SUCCESS)
		err = weft_check_kernel(request->kernel);
	if (err == CL_SUCCESS)
		err = weft_launch_plan(request, &plan);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(command);
	if (err == CL_SUCCESS)
		err = weft_launch_enqueue(command, request->kernel, &plan, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
					       cl_uint work_dim, const size_t *offset,
					       const size_t *global, const size_t *local,
					       cl_uint num_waits, const cl_event *waits,
					       cl_event *event)
{
	const struct weft_launch_request request = {queue,  kernel, work_dim, offset,
						    global, local,  false};
	const struct weft_enqueue command = {queue, CL_COMMAND_NDRANGE_KERNEL, num_waits, waits};

	return enqueue(&request, &command, event);
}

cl_int CL_API_CALL weft_clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint num_waits,
				      const cl_event *waits, cl_event *event)
{
	static const size_t one = 1;
	const struct weft_launch_request request = {queue, kernel, 1, NULL, &one, &one, false};
	const struct weft_enqueue command = {queue, CL_COMMAND_TASK, num_waits, waits};

	return enqueue(&request, &command, event);
}

/* Each address goes into the block that is copied: a place outside of it is no location in `args`.
 */
static cl_int check_locations(const struct weft_native_request *request)
{
	uintptr_t start = (uintptr_t)request->args;

	for (cl_uint i = 0; i < request->num_mems; i++) {
		uintptr_t place = (uintptr_t)request->locations[i];

		if (request->size < sizeof(cl_mem) || place < start ||
		    place - start > request->size - sizeof(cl_mem))
			return CL_INVALID_VALUE;
	}
	return CL_SUCCESS;
}

static cl_int check_native(cl_context context, const struct weft_native_request *request)
{
	bool mems = request->num_mems > 0;

	if (!request->function || (!request->args && (request->size || mems)) ||
	    (request->args && !request->size) || mems != (request->mems != NULL) ||
	    mems != (request->locations != NULL))
		return CL_INVALID_VALUE;
	cl_int err = check_locations(request);
	for (cl_uint i = 0; i < request->num_mems && err == CL_SUCCESS; i++) {
		cl_mem mem = request->mems[i];

		if (mem && (!weft_mem_valid(mem) || mem->type != CL_MEM_OBJECT_BUFFER))
			err = CL_INVALID_MEM_OBJECT;
		else if (mem && mem->context != context)
			err = CL_INVALID_CONTEXT;
	}
	return err;
}

cl_int CL_API_CALL weft_clEnqueueNativeKernel(cl_command_queue queue,
					      void(CL_CALLBACK *function)(void *), void *args,
					      size_t size, cl_uint num_mems, const cl_mem *mems,
					      const void **locations, cl_uint num_waits,
					      const cl_event *waits, cl_event *event)
{
	const struct weft_native_request request = {function, args, size,
						    num_mems, mems, locations};
	const struct weft_enqueue command = {queue, CL_COMMAND_NATIVE_KERNEL, num_waits, waits};

	cl_int err = weft_check_queue(queue);
	if (err == CL_SUCCESS)
		err = check_native(queue->context, &request);
	/* "if device associated with command_queue cannot execute the native kernel" (5.10) */
	if (err == CL_SUCCESS && !weft_device_properties(queue->device)->runs_native)
		err = CL_INVALID_OPERATION;
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(&command);
	if (err == CL_SUCCESS)
		err = weft_launch_native(&command, &request, event);
	return err;
}
