/* SPDX-License-Identifier: MIT
 *
 * Mapping buffers, and unmapping and migrating memory objects (specification 5.2.4, 5.5.2, 5.5.4).
 */
#include "check.h"
#include "entry_points.h"
#include "transfer.h"

void *CL_API_CALL weft_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
					  cl_map_flags flags, size_t offset, size_t size,
					  cl_uint num_waits, const cl_event *waits, cl_event *event,
					  cl_int *errcode_ret)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_MAP_BUFFER, num_waits, waits};
	void *pointer = NULL;
	struct weft_map_call call = {.map = {.mem = buffer, .flags = flags},
				     .blocking = blocking != CL_FALSE,
				     .pointer = &pointer};

	cl_int err = weft_mem_check_buffer(queue, buffer);
	if (err == CL_SUCCESS)
		err = weft_mem_place_map(offset, size, &call.map);
	if (err == CL_SUCCESS)
		err = weft_api_map(&enqueue, &call, event);
	weft_api_set_error(errcode_ret, err);
	return pointer;
}

cl_int CL_API_CALL weft_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *pointer,
						cl_uint num_waits, const cl_event *waits,
						cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_UNMAP_MEM_OBJECT, num_waits, waits};

	cl_int err = weft_mem_check_use(queue, mem);
	/* "if memobj … is a pipe object" */
	if (err == CL_SUCCESS && mem->type == CL_MEM_OBJECT_PIPE)
		err = CL_INVALID_MEM_OBJECT;
	/* "if mapped_ptr is not a valid pointer returned by clEnqueueMapBuffer or clEnqueueMapImage for memobj"
	 * (5.5.2) */
	if (err == CL_SUCCESS && !weft_mem_is_mapped(mem, pointer))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(&enqueue);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_unmap(&enqueue, mem, pointer, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint num_mems,
						   const cl_mem *mems, cl_mem_migration_flags flags,
						   cl_uint num_waits, const cl_event *waits,
						   cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, num_waits,
					     waits};
	const struct weft_mem_migration migration = {num_mems, mems, flags};
	const cl_mem_migration_flags known =
		CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;

	/* 5.5.4; without a list there are no objects to check before it. */
	cl_int err = weft_check_queue(queue);
	if (err == CL_SUCCESS && (num_mems == 0 || !mems))
		err = CL_INVALID_VALUE;
	for (cl_uint i = 0; i < num_mems && err == CL_SUCCESS; i++)
		err = weft_mem_check_use(queue, mems[i]);
	if (err == CL_SUCCESS && (flags & ~known))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(&enqueue);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_migrate(&enqueue, &migration, event);
	return err;
}
