/* SPDX-License-Identifier: MIT
 *
 * The last checks of transfers, copies and maps, in the order of their tables.
 */
#include "transfer.h"

#include "check.h"

cl_int weft_api_transfer(const struct weft_enqueue *enqueue, const struct weft_transfer_call *call,
			 cl_event *event)
{
	const struct weft_mem_place *device = &call->device;
	const cl_mem_flags forbidden =
		call->reads ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY | CL_MEM_IMMUTABLE_EXT;
	const struct weft_mem_copy copy = {call->reads ? *device : call->host,
					   call->reads ? call->host : *device,
					   {call->region[0], call->region[1], call->region[2]}};

	cl_int err = weft_mem_check_bounds(device->mem, &device->rect);
	if (err == CL_SUCCESS && !call->host.host)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(enqueue);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(enqueue->queue, device->mem);
	if (err == CL_SUCCESS)
		err = weft_mem_check_flags(device->mem, forbidden | CL_MEM_HOST_NO_ACCESS);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_copy(enqueue, &copy, call->blocking, event);
	return err;
}

cl_int weft_api_copy(const struct weft_enqueue *enqueue, const struct weft_mem_copy *copy,
		     cl_event *event)
{
	cl_int err = weft_check_wait_list(enqueue);

	if (err == CL_SUCCESS)
		err = weft_mem_check_copy(copy);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_copy(enqueue, copy, false, event);
	return err;
}

/* What the flags of a memory object forbid to map (CL_INVALID_OPERATION of 5.2.4 and 5.3.6). */
static cl_mem_flags forbidden_by(cl_map_flags flags)
{
	cl_mem_flags forbidden = 0;

	if (flags & CL_MAP_READ)
		forbidden |= CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
	if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
		forbidden |= CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_IMMUTABLE_EXT;
	return forbidden;
}

cl_int weft_api_map(const struct weft_enqueue *enqueue, const struct weft_map_call *call,
		    cl_event *event)
{
	const struct weft_mem_map *map = &call->map;

	cl_int err = weft_check_wait_list(enqueue);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(enqueue->queue, map->mem);
	if (err == CL_SUCCESS)
		err = weft_mem_check_flags(map->mem, forbidden_by(map->flags));
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_map(enqueue, map, call->blocking, event, call->pointer);
	return err;
}
