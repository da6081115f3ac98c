/* SPDX-License-Identifier: MIT
 *
 * Reading, writing and copying rectangular regions of buffers (specification 5.2.2).
 */
#include "check.h"
#include "commands/mem_command.h"
#include "entry_points.h"

#include <string.h>

/* What clEnqueueReadBufferRect and clEnqueueWriteBufferRect are given. */
struct rect {
	struct weft_rect_desc buffer;
	struct weft_rect_desc host;
	const size_t *region;
	void *ptr;
};

/* The checks of both (5.2.2), in the order of their table. */
static cl_int check_rect(const struct weft_enqueue *enqueue, const struct rect *rect,
			 struct weft_mem_place *device, struct weft_mem_place *host)
{
	cl_int err = weft_check_queue(enqueue->queue);

	if (err == CL_SUCCESS)
		err = weft_mem_check_use(enqueue->queue, device->mem);
	if (err == CL_SUCCESS)
		err = weft_rect_init(&rect->buffer, rect->region, &device->rect);
	if (err == CL_SUCCESS)
		err = weft_rect_init(&rect->host, rect->region, &host->rect);
	if (err == CL_SUCCESS)
		err = weft_mem_check_bounds(device->mem, &device->rect);
	if (err == CL_SUCCESS && !rect->ptr)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(enqueue->queue->context, enqueue->num_waits,
					   enqueue->waits);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(enqueue->queue, device->mem);
	host->host = rect->ptr;
	return err;
}

cl_int CL_API_CALL weft_clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer,
						cl_bool blocking, const size_t *buffer_origin,
						const size_t *host_origin, const size_t *region,
						size_t buffer_row_pitch, size_t buffer_slice_pitch,
						size_t host_row_pitch, size_t host_slice_pitch,
						void *ptr, cl_uint num_waits, const cl_event *waits,
						cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_READ_BUFFER_RECT, num_waits, waits};
	const struct rect rect = {{buffer_origin, buffer_row_pitch, buffer_slice_pitch},
				  {host_origin, host_row_pitch, host_slice_pitch},
				  region,
				  ptr};
	struct weft_mem_copy copy = {.source.mem = buffer};

	cl_int err = check_rect(&enqueue, &rect, &copy.source, &copy.destination);
	if (err == CL_SUCCESS)
		err = weft_mem_check_host_access(buffer,
						 CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS);
	if (err != CL_SUCCESS)
		return err;
	memcpy(copy.region, region, sizeof(copy.region));
	return weft_mem_enqueue_copy(&enqueue, &copy, blocking != CL_FALSE, event);
}

cl_int CL_API_CALL weft_clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer,
						 cl_bool blocking, const size_t *buffer_origin,
						 const size_t *host_origin, const size_t *region,
						 size_t buffer_row_pitch, size_t buffer_slice_pitch,
						 size_t host_row_pitch, size_t host_slice_pitch,
						 const void *ptr, cl_uint num_waits,
						 const cl_event *waits, cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_WRITE_BUFFER_RECT, num_waits, waits};
	const struct rect rect = {{buffer_origin, buffer_row_pitch, buffer_slice_pitch},
				  {host_origin, host_row_pitch, host_slice_pitch},
				  region,
				  (void *)ptr};
	struct weft_mem_copy copy = {.destination.mem = buffer};

	cl_int err = check_rect(&enqueue, &rect, &copy.destination, &copy.source);
	if (err == CL_SUCCESS)
		err = weft_mem_check_host_access(buffer,
						 CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS);
	if (err != CL_SUCCESS)
		return err;
	memcpy(copy.region, region, sizeof(copy.region));
	return weft_mem_enqueue_copy(&enqueue, &copy, blocking != CL_FALSE, event);
}

cl_int CL_API_CALL weft_clEnqueueCopyBufferRect(
	cl_command_queue queue, cl_mem source, cl_mem destination, const size_t *source_origin,
	const size_t *destination_origin, const size_t *region, size_t source_row_pitch,
	size_t source_slice_pitch, size_t destination_row_pitch, size_t destination_slice_pitch,
	cl_uint num_waits, const cl_event *waits, cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_COPY_BUFFER_RECT, num_waits, waits};
	const struct weft_rect_desc from = {source_origin, source_row_pitch, source_slice_pitch};
	const struct weft_rect_desc to = {destination_origin, destination_row_pitch,
					  destination_slice_pitch};
	struct weft_mem_copy copy = {.source.mem = source, .destination.mem = destination};

	cl_int err = weft_mem_check_copy_use(queue, source, destination);
	if (err == CL_SUCCESS)
		err = weft_mem_place_rects(&from, &to, region, &copy);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(queue->context, num_waits, waits);
	if (err == CL_SUCCESS)
		err = weft_mem_check_overlap(&copy);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_copy(&enqueue, &copy, false, event);
	return err;
}
