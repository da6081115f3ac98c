/* SPDX-License-Identifier: MIT
 *
 * The entry points of imported memory (cl_khr_external_memory): buffers and images are made by those of buffers and images.
 */
#include "check.h"
#include "commands/external_command.h"
#include "entry_points.h"

static cl_int hand_over(const struct weft_enqueue *enqueue, cl_uint count, const cl_mem *mems,
			cl_event *event)
{
	cl_int err = weft_check_queue(enqueue->queue);

	if (err == CL_SUCCESS && (count == 0) != (mems == NULL))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_external_check_use(enqueue->queue, count, mems);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(enqueue);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list_status(enqueue);
	if (err == CL_SUCCESS)
		err = weft_external_enqueue(enqueue, count, mems, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueAcquireExternalMemObjectsKHR(cl_command_queue queue, cl_uint count,
							      const cl_mem *mems, cl_uint num_waits,
							      const cl_event *waits,
							      cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR,
					     num_waits, waits};

	return hand_over(&enqueue, count, mems, event);
}

cl_int CL_API_CALL weft_clEnqueueReleaseExternalMemObjectsKHR(cl_command_queue queue, cl_uint count,
							      const cl_mem *mems, cl_uint num_waits,
							      const cl_event *waits,
							      cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR,
					     num_waits, waits};

	return hand_over(&enqueue, count, mems, event);
}
