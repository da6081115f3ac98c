/* SPDX-License-Identifier: MIT
 *
 * Reading, writing, copying and filling buffers (specification 5.2.2, 5.2.3): linear regions. The
 * rectangles are in enqueue_buffer_rect.c.
 */
#include "check.h"
#include "commands/mem_command.h"
#include "entry_points.h"

/* `size` bytes between a buffer and the application's memory, which begins at `ptr`. */
struct linear {
	cl_mem buffer;
	size_t offset;
	size_t size;
	void *ptr;
};

/* The checks of clEnqueueReadBuffer and clEnqueueWriteBuffer (5.2.2), in the order of their table.
 */
static cl_int check_linear(const struct weft_enqueue *enqueue, const struct linear *linear,
			   cl_mem_flags forbidden, struct weft_rect *rect)
{
	cl_int err = weft_check_queue(enqueue->queue);

	if (err == CL_SUCCESS)
		err = weft_mem_check_use(enqueue->queue, linear->buffer);
	if (err == CL_SUCCESS)
		err = weft_rect_init_linear(linear->offset, linear->size, rect);
	if (err == CL_SUCCESS)
		err = weft_mem_check_bounds(linear->buffer, rect);
	if (err == CL_SUCCESS && !linear->ptr)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(enqueue->queue->context, enqueue->num_waits,
					   enqueue->waits);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(enqueue->queue, linear->buffer);
	if (err == CL_SUCCESS)
		err = weft_mem_check_host_access(linear->buffer, forbidden);
	return err;
}

/* The application's side of a linear transfer. */
static struct weft_mem_place host_place(const struct linear *linear)
{
	struct weft_mem_place place = {.host = linear->ptr};

	place.rect = (struct weft_rect){0, linear->size, linear->size, linear->size};
	return place;
}

cl_int CL_API_CALL weft_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
					    size_t offset, size_t size, void *ptr,
					    cl_uint num_waits, const cl_event *waits,
					    cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_READ_BUFFER, num_waits, waits};
	const struct linear linear = {buffer, offset, size, ptr};
	struct weft_mem_copy copy = {.source.mem = buffer, .region = {size, 1, 1}};

	cl_int err = check_linear(&enqueue, &linear, CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
				  &copy.source.rect);
	if (err != CL_SUCCESS)
		return err;
	copy.destination = host_place(&linear);
	return weft_mem_enqueue_copy(&enqueue, &copy, blocking != CL_FALSE, event);
}

cl_int CL_API_CALL weft_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer,
					     cl_bool blocking, size_t offset, size_t size,
					     const void *ptr, cl_uint num_waits,
					     const cl_event *waits, cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_WRITE_BUFFER, num_waits, waits};
	const struct linear linear = {buffer, offset, size, (void *)ptr};
	struct weft_mem_copy copy = {.destination.mem = buffer, .region = {size, 1, 1}};

	cl_int err = check_linear(&enqueue, &linear, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
				  &copy.destination.rect);
	if (err != CL_SUCCESS)
		return err;
	copy.source = host_place(&linear);
	return weft_mem_enqueue_copy(&enqueue, &copy, blocking != CL_FALSE, event);
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
		err = weft_check_wait_list(queue->context, num_waits, waits);
	if (err == CL_SUCCESS)
		err = weft_mem_check_overlap(&copy);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_copy(&enqueue, &copy, false, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer,
					    const void *pattern, size_t pattern_size, size_t offset,
					    size_t size, cl_uint num_waits, const cl_event *waits,
					    cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_FILL_BUFFER, num_waits, waits};
	const struct weft_mem_fill fill = {buffer, pattern, pattern_size, offset, size};

	cl_int err = weft_check_queue(queue);
	if (err == CL_SUCCESS)
		err = weft_mem_check_use(queue, buffer);
	if (err == CL_SUCCESS)
		err = weft_mem_check_fill(&fill);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(queue->context, num_waits, waits);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(queue, buffer);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_fill(&enqueue, &fill, event);
	return err;
}
