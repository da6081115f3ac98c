/* SPDX-License-Identifier: MIT
 *
 * What the specification demands of the arguments of commands on memory objects. Nothing here changes anything.
 */
#include "commands/mem_command.h"

#include "graph/queue.h"
#include "overflow.h"

#include <string.h>

cl_int weft_mem_check_use(cl_command_queue queue, cl_mem mem)
{
	if (!weft_queue_is_on_host(queue))
		return CL_INVALID_COMMAND_QUEUE;
	if (!weft_mem_valid(mem))
		return CL_INVALID_MEM_OBJECT;
	return mem->context == queue->context ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

cl_int weft_mem_check_buffer(cl_command_queue queue, cl_mem mem)
{
	if (!weft_queue_is_on_host(queue))
		return CL_INVALID_COMMAND_QUEUE;
	return weft_mem_valid(mem) && mem->type == CL_MEM_OBJECT_BUFFER
		       ? weft_mem_check_use(queue, mem)
		       : CL_INVALID_MEM_OBJECT;
}

cl_int weft_mem_check_bounds(cl_mem mem, const struct weft_rect *rect)
{
	return rect->end <= mem->size ? CL_SUCCESS : CL_INVALID_VALUE;
}

static cl_int check_both_bounds(const struct weft_mem_copy *copy)
{
	cl_int err = weft_mem_check_bounds(copy->source.mem, &copy->source.rect);

	if (err == CL_SUCCESS)
		err = weft_mem_check_bounds(copy->destination.mem, &copy->destination.rect);
	return err;
}

cl_int weft_mem_place_linear(size_t source_offset, size_t destination_offset, size_t size,
			     struct weft_mem_copy *copy)
{
	struct weft_mem_place *from = &copy->source;
	struct weft_mem_place *to = &copy->destination;

	cl_int err = weft_rect_init_linear(source_offset, size, &from->rect);
	if (err == CL_SUCCESS)
		err = weft_rect_init_linear(destination_offset, size, &to->rect);
	if (err == CL_SUCCESS)
		err = check_both_bounds(copy);
	copy->region[0] = size;
	copy->region[1] = copy->region[2] = 1;
	return err;
}

/* The CL_INVALID_VALUE list of clEnqueueCopyBufferRect (5.2.2). */
cl_int weft_mem_place_rects(const struct weft_rect_desc *source,
			    const struct weft_rect_desc *destination, const size_t *region,
			    struct weft_mem_copy *copy)
{
	struct weft_mem_place *from = &copy->source;
	struct weft_mem_place *to = &copy->destination;

	cl_int err = weft_rect_init(source, region, &from->rect);
	if (err == CL_SUCCESS)
		err = weft_rect_init(destination, region, &to->rect);
	if (err == CL_SUCCESS)
		err = check_both_bounds(copy);
	/* "if src_buffer and dst_buffer are the same buffer object and src_row_pitch is not equal
	 * to dst_row_pitch", and the same for the slice pitch */
	if (err == CL_SUCCESS && from->mem == to->mem &&
	    (from->rect.row_pitch != to->rect.row_pitch ||
	     from->rect.slice_pitch != to->rect.slice_pitch))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		memcpy(copy->region, region, sizeof(copy->region));
	return err;
}

cl_int weft_mem_check_alignment(cl_command_queue queue, cl_mem mem)
{
	return weft_mem_aligned_for(mem, queue->device) ? CL_SUCCESS
							: CL_MISALIGNED_SUB_BUFFER_OFFSET;
}

cl_int weft_mem_check_copy_use(cl_command_queue queue, cl_mem source, cl_mem destination)
{
	cl_int err = weft_mem_check_buffer(queue, source);

	if (err == CL_SUCCESS)
		err = weft_mem_check_buffer(queue, destination);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(queue, source);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(queue, destination);
	return err;
}

cl_int weft_mem_check_flags(cl_mem mem, cl_mem_flags forbidden)
{
	return mem->flags & forbidden ? CL_INVALID_OPERATION : CL_SUCCESS;
}

/* The same rectangle, seen from the beginning of the buffer that a sub-buffer is part of. */
static struct weft_rect in_root(const struct weft_mem_place *place)
{
	struct weft_rect rect = place->rect;

	rect.start += place->mem->origin;
	rect.end += place->mem->origin;
	return rect;
}

/* "if src_buffer and dst_buffer are the same buffer or sub-buffer object and the source and
 * destination regions overlap", "are different sub-buffers of the same associated buffer object and
 * they overlap"; a buffer and its own sub-buffer are no better. */
static cl_int check_overlap(const struct weft_mem_copy *copy)
{
	const struct weft_mem_place *source = &copy->source;
	const struct weft_mem_place *destination = &copy->destination;

	if (weft_mem_root(source->mem) != weft_mem_root(destination->mem))
		return CL_SUCCESS;

	struct weft_rect from = in_root(source);
	struct weft_rect to = in_root(destination);
	return weft_rects_overlap(&from, &to, copy->region) ? CL_MEM_COPY_OVERLAP : CL_SUCCESS;
}

cl_int weft_mem_check_copy(const struct weft_mem_copy *copy)
{
	cl_int err = check_overlap(copy);

	return err == CL_SUCCESS ? weft_mem_check_mutable(copy->destination.mem) : err;
}

/* `size` bytes from `offset` on, one row. */
static cl_int place_linear(cl_mem mem, size_t offset, size_t size, struct weft_rect *rect,
			   size_t region[3])
{
	cl_int err = weft_rect_init_linear(offset, size, rect);

	region[0] = size;
	region[1] = region[2] = 1;
	return err == CL_SUCCESS ? weft_mem_check_bounds(mem, rect) : err;
}

/* 5.2.3, clEnqueueFillBuffer: the CL_INVALID_VALUE list. */
cl_int weft_mem_place_fill(size_t offset, size_t size, struct weft_mem_fill *fill)
{
	const size_t pattern_size = fill->pattern_size;
	struct weft_mem_place *place = &fill->destination;

	if (place_linear(place->mem, offset, size, &place->rect, fill->region) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	if (!fill->pattern || pattern_size == 0 || (pattern_size & (pattern_size - 1)) ||
	    pattern_size > WEFT_FILL_PATTERN_MAX)
		return CL_INVALID_VALUE;
	return offset % pattern_size == 0 && size % pattern_size == 0 ? CL_SUCCESS
								      : CL_INVALID_VALUE;
}

/* "CL_MAP_READ or CL_MAP_WRITE and CL_MAP_WRITE_INVALIDATE_REGION are mutually exclusive" */
cl_int weft_mem_check_map_flags(cl_map_flags flags)
{
	const cl_map_flags invalidate = CL_MAP_WRITE_INVALIDATE_REGION;
	const cl_map_flags other = CL_MAP_READ | CL_MAP_WRITE;

	return (flags & ~(invalidate | other)) || ((flags & invalidate) && (flags & other))
		       ? CL_INVALID_VALUE
		       : CL_SUCCESS;
}

/* 5.2.4, clEnqueueMapBuffer: the CL_INVALID_VALUE list. */
cl_int weft_mem_place_map(size_t offset, size_t size, struct weft_mem_map *map)
{
	if (place_linear(map->mem, offset, size, &map->rect, map->region) != CL_SUCCESS ||
	    size == 0)
		return CL_INVALID_VALUE;
	return weft_mem_check_map_flags(map->flags);
}
