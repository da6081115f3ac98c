/* SPDX-License-Identifier: MIT
 *
 * Reading, writing, copying and filling buffers (specification 5.2.2, 5.2.3): linear and rectangular regions.
 */
#include "check.h"
#include "commands/mem_command.h"
#include "entry_points.h"

/* ---- between a buffer and the application's memory ------------------------------------------- */

/* Reads or writes, as the command's type says. Both places have their rectangles; the other checks are here, in the order
 * of the tables of 5.2.2. */
static cl_int enqueue_transfer(const struct weft_enqueue *enqueue,
			       const struct weft_mem_place *device,
			       const struct weft_mem_place *host, const size_t *region,
			       bool blocking, cl_event *event)
{
	const bool reads = enqueue->type == CL_COMMAND_READ_BUFFER ||
			   enqueue->type == CL_COMMAND_READ_BUFFER_RECT;
	const cl_mem_flags forbidden = reads ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY;
	const struct weft_mem_copy copy = {reads ? *device : *host,
					   reads ? *host : *device,
					   {region[0], region[1], region[2]}};

	cl_int err = weft_mem_check_bounds(device->mem, &device->rect);
	if (err == CL_SUCCESS && !host->host)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(enqueue);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(enqueue->queue, device->mem);
	if (err == CL_SUCCESS)
		err = weft_mem_check_host_access(device->mem, forbidden | CL_MEM_HOST_NO_ACCESS);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_copy(enqueue, &copy, blocking, event);
	return err;
}

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
	struct weft_mem_place device = {.mem = linear->buffer};
	const struct weft_mem_place host = {.host = linear->host, .rect = {0, size, size, size}};
	const size_t region[] = {size, 1, 1};

	cl_int err = weft_mem_check_use(enqueue->queue, device.mem);
	if (err == CL_SUCCESS)
		err = weft_rect_init_linear(linear->offset, size, &device.rect);
	if (err == CL_SUCCESS)
		err = enqueue_transfer(enqueue, &device, &host, region, linear->blocking, event);
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
	struct weft_mem_place device = {.mem = transfer->buffer};
	struct weft_mem_place host = {.host = transfer->host};

	cl_int err = weft_mem_check_use(enqueue->queue, device.mem);
	if (err == CL_SUCCESS)
		err = weft_rect_init(&transfer->buffer_rect, transfer->region, &device.rect);
	if (err == CL_SUCCESS)
		err = weft_rect_init(&transfer->host_rect, transfer->region, &host.rect);
	if (err == CL_SUCCESS)
		err = enqueue_transfer(enqueue, &device, &host, transfer->region,
				       transfer->blocking, event);
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

/* The places have been checked. */
static cl_int enqueue_copy(const struct weft_enqueue *enqueue, const struct weft_mem_copy *copy,
			   cl_event *event)
{
	cl_int err = weft_check_wait_list(enqueue);

	if (err == CL_SUCCESS)
		err = weft_mem_check_overlap(copy);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_copy(enqueue, copy, false, event);
	return err;
}

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
		err = enqueue_copy(&enqueue, &copy, event);
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
		err = enqueue_copy(&enqueue, &copy, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer,
					    const void *pattern, size_t pattern_size, size_t offset,
					    size_t size, cl_uint num_waits, const cl_event *waits,
					    cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_FILL_BUFFER, num_waits, waits};
	const struct weft_mem_fill fill = {buffer, pattern, pattern_size, offset, size};

	cl_int err = weft_mem_check_use(queue, buffer);
	if (err == CL_SUCCESS)
		err = weft_mem_check_fill(&fill);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(&enqueue);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(queue, buffer);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_fill(&enqueue, &fill, event);
	return err;
}
