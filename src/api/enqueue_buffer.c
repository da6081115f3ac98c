/* SPDX-License-Identifier: MIT
 *
 * Reading, writing, copying and filling buffers (specification 5.2.2, 5.2.3): linear and rectangular regions.
 */
#include "check.h"
#include "entry_points.h"
#include "transfer.h"

#include <string.h>

/* ---- between a buffer and the application's memory ------------------------------------------- */

/* `size` bytes from `offset` on in the buffer, and from `host` on in the application's memory. */
struct linear {
	cl_mem buffer;
	size_t offset;
	size_t size;
	void *host;
	bool blocking;
};

static cl_int enqueue_linear(const struct weft_enqueue *enqueue, const struct linear *linear,
			     cl_event *event)
{
	const size_t size = linear->size;
	struct weft_transfer_call call = {
		.device.mem = linear->buffer,
		.host = {.host = linear->host, .rect = {0, size, size, size}},
		.region = {size, 1, 1},
		.reads = enqueue->type == CL_COMMAND_READ_BUFFER,
		.blocking = linear->blocking,
	};

	cl_int err = weft_mem_check_buffer(enqueue->queue, linear->buffer);
	if (err == CL_SUCCESS)
		err = weft_rect_init_linear(linear->offset, size, &call.device.rect);
	if (err == CL_SUCCESS)
		err = weft_api_transfer(enqueue, &call, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
					    size_t offset, size_t size, void *ptr,
					    cl_uint num_waits, const cl_event *waits,
					    cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_READ_BUFFER, num_waits, waits};
	const struct linear linear = {buffer, offset, size, ptr, blocking != CL_FALSE};

	return enqueue_linear(&enqueue, &linear, event);
}

cl_int CL_API_CALL weft_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer,
					     cl_bool blocking, size_t offset, size_t size,
					     const void *ptr, cl_uint num_waits,
					     const cl_event *waits, cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_WRITE_BUFFER, num_waits, waits};
	const struct linear linear = {buffer, offset, size, (void *)ptr, blocking != CL_FALSE};

	return enqueue_linear(&enqueue, &linear, event);
}

struct rectangular {
	cl_mem buffer;
	struct weft_rect_desc buffer_rect;
	struct weft_rect_desc host_rect;
	const size_t *region;
	void *host;
	bool blocking;
};

static cl_int enqueue_rectangular(const struct weft_enqueue *enqueue,
				  const struct rectangular *transfer, cl_event *event)
{
	struct weft_transfer_call call = {
		.device.mem = transfer->buffer,
		.host.host = transfer->host,
		.reads = enqueue->type == CL_COMMAND_READ_BUFFER_RECT,
		.blocking = transfer->blocking,
	};

	cl_int err = weft_mem_check_buffer(enqueue->queue, transfer->buffer);
	if (err == CL_SUCCESS)
		err = weft_rect_init(&transfer->buffer_rect, transfer->region, &call.device.rect);
	if (err == CL_SUCCESS)
		err = weft_rect_init(&transfer->host_rect, transfer->region, &call.host.rect);
	if (err == CL_SUCCESS) {
		memcpy(call.region, transfer->region, sizeof(call.region));
		err = weft_api_transfer(enqueue, &call, event);
	}
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
	const struct rectangular transfer = {buffer,
					     {buffer_origin, buffer_row_pitch, buffer_slice_pitch},
					     {host_origin, host_row_pitch, host_slice_pitch},
					     region,
					     ptr,
					     blocking != CL_FALSE};

	return enqueue_rectangular(&enqueue, &transfer, event);
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
	const struct rectangular transfer = {buffer,
					     {buffer_origin, buffer_row_pitch, buffer_slice_pitch},
					     {host_origin, host_row_pitch, host_slice_pitch},
					     region,
					     (void *)ptr,
					     blocking != CL_FALSE};

	return enqueue_rectangular(&enqueue, &transfer, event);
}

/* ---- within and between buffers -------------------------------------------------------------- */

cl_int CL_API_CALL weft_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source,
					    cl_mem destination, size_t source_offset,
					    size_t destination_offset, size_t size,
					    cl_uint num_waits, const cl_event *waits,
					    cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_COPY_BUFFER, num_waits, waits};
	struct weft_mem_copy copy = {.source.mem = source, .destination.mem = destination};

	cl_int err = weft_mem_check_copy_use(queue, source, destination);
	if (err == CL_SUCCESS)
		err = weft_mem_place_linear(source_offset, destination_offset, size, &copy);
	if (err == CL_SUCCESS)
		err = weft_api_copy(&enqueue, &copy, event);
	return err;
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
		err = weft_api_copy(&enqueue, &copy, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer,
					    const void *pattern, size_t pattern_size, size_t offset,
					    size_t size, cl_uint num_waits, const cl_event *waits,
					    cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_FILL_BUFFER, num_waits, waits};
	struct weft_mem_fill fill = {
		.destination.mem = buffer, .pattern = pattern, .pattern_size = pattern_size};

	cl_int err = weft_mem_check_buffer(queue, buffer);
	if (err == CL_SUCCESS)
		err = weft_mem_place_fill(offset, size, &fill);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(&enqueue);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(queue, buffer);
	if (err == CL_SUCCESS)
		err = weft_mem_check_mutable(buffer);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_fill(&enqueue, &fill, event);
	return err;
}
