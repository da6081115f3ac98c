/* SPDX-License-Identifier: MIT
 *
 * What the specification demands of the arguments that make or use buffers. Nothing here changes
 * anything.
 */
#include "check.h"
#include "device.h"
#include "mem.h"
#include "mem_command.h"
#include "overflow.h"

#include <string.h>

#define ACCESS_FLAGS (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)
#define HOST_ACCESS_FLAGS (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)
#define HOST_PTR_FLAGS (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)

/* ---- making buffers -------------------------------------------------------------------------- */

static bool at_most_one(cl_bitfield flags)
{
	return (flags & (flags - 1)) == 0;
}

/* The memory flags table of 5.2.1. CL_MEM_KERNEL_READ_AND_WRITE is only for
 * clGetSupportedImageFormats, the SVM flags only for clSVMAlloc. */
bool weft_mem_flags_valid(cl_mem_flags flags)
{
	if (flags & ~(cl_mem_flags)(ACCESS_FLAGS | HOST_ACCESS_FLAGS | HOST_PTR_FLAGS))
		return false;
	/* "CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY and CL_MEM_READ_ONLY are mutually exclusive",
	 * "CL_MEM_HOST_WRITE_ONLY or CL_MEM_HOST_READ_ONLY and CL_MEM_HOST_NO_ACCESS are …" */
	if (!at_most_one(flags & ACCESS_FLAGS) || !at_most_one(flags & HOST_ACCESS_FLAGS))
		return false;
	/* "CL_MEM_ALLOC_HOST_PTR and CL_MEM_USE_HOST_PTR are mutually exclusive", as are
	 * "CL_MEM_COPY_HOST_PTR and CL_MEM_USE_HOST_PTR" */
	return !(flags & CL_MEM_USE_HOST_PTR) ||
	       !(flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR));
}

static size_t largest_allocation(cl_context context)
{
	cl_ulong largest = 0;

	for (cl_uint i = 0; i < context->num_devices; i++) {
		if (context->devices[i]->max_allocation > largest)
			largest = context->devices[i]->max_allocation;
	}
	return largest;
}

cl_int weft_buffer_check(const struct weft_buffer_desc *desc)
{
	/* "OpenCL does not define any optional properties for buffers" */
	if (desc->properties && desc->properties[0])
		return CL_INVALID_PROPERTY;
	if (!weft_mem_flags_valid(desc->flags))
		return CL_INVALID_VALUE;
	/* "if size is zero", "if size is greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE for all devices"
	 */
	if (desc->size == 0 || desc->size > largest_allocation(desc->context))
		return CL_INVALID_BUFFER_SIZE;
	/* host_ptr and the flags that use it go together. */
	bool uses_host = desc->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
	if (uses_host != (desc->host_ptr != NULL))
		return CL_INVALID_HOST_PTR;
	return CL_SUCCESS;
}

/* The flags of a sub-buffer beside its parent's: the CL_INVALID_VALUE list of clCreateSubBuffer
 * (5.2.1). */
static bool valid_sub_flags(cl_mem_flags parent, cl_mem_flags flags)
{
	if (!weft_mem_flags_valid(flags) || (flags & HOST_PTR_FLAGS))
		return false;
	if ((parent & CL_MEM_WRITE_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)))
		return false;
	if ((parent & CL_MEM_READ_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)))
		return false;
	if ((parent & CL_MEM_HOST_WRITE_ONLY) && (flags & CL_MEM_HOST_READ_ONLY))
		return false;
	if ((parent & CL_MEM_HOST_READ_ONLY) && (flags & CL_MEM_HOST_WRITE_ONLY))
		return false;
	return !(parent & CL_MEM_HOST_NO_ACCESS) ||
	       !(flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY));
}

static bool aligned_for(size_t origin, cl_device_id device)
{
	size_t alignment = weft_device_properties(device)->max_alignment_bits / 8;

	return alignment == 0 || origin % alignment == 0;
}

bool weft_mem_aligned_for(cl_mem mem, cl_device_id device)
{
	return aligned_for(mem->origin, device);
}

cl_int weft_buffer_check_sub(cl_mem parent, cl_mem_flags flags, const cl_buffer_region *region)
{
	cl_context context = parent->context;
	size_t end;

	/* "if buffer is not a valid buffer object", "if buffer is a sub-buffer object" */
	if (parent->type != CL_MEM_OBJECT_BUFFER || parent->parent)
		return CL_INVALID_MEM_OBJECT;
	if (!valid_sub_flags(parent->flags, flags))
		return CL_INVALID_VALUE;
	/* "if buffer_create_info is NULL", "if the region … is out of bounds in buffer" */
	if (!region || weft_add_overflows(region->origin, region->size, &end) || end > parent->size)
		return CL_INVALID_VALUE;
	if (region->size == 0)
		return CL_INVALID_BUFFER_SIZE;
	/* "if there are no devices in context … for which the origin … is aligned" */
	for (cl_uint i = 0; i < context->num_devices; i++) {
		if (aligned_for(region->origin, context->devices[i]))
			return CL_SUCCESS;
	}
	return CL_MISALIGNED_SUB_BUFFER_OFFSET;
}

/* ---- commands -------------------------------------------------------------------------------- */

cl_int weft_mem_check_use(cl_command_queue queue, cl_mem mem)
{
	cl_int err = weft_check_mem(mem);

	if (err == CL_SUCCESS && mem->context != queue->context)
		err = CL_INVALID_CONTEXT;
	return err;
}

cl_int weft_mem_check_bounds(cl_mem mem, const struct weft_box *box)
{
	return box->end <= mem->size ? CL_SUCCESS : CL_INVALID_VALUE;
}

static cl_int check_both_bounds(const struct weft_mem_copy *copy)
{
	cl_int err = weft_mem_check_bounds(copy->source.mem, &copy->source.box);

	if (err == CL_SUCCESS)
		err = weft_mem_check_bounds(copy->destination.mem, &copy->destination.box);
	return err;
}

cl_int weft_mem_place_linear(size_t source_offset, size_t destination_offset, size_t size,
			     struct weft_mem_copy *copy)
{
	struct weft_mem_place *from = &copy->source;
	struct weft_mem_place *to = &copy->destination;

	cl_int err = weft_box_init_linear(source_offset, size, &from->box);
	if (err == CL_SUCCESS)
		err = weft_box_init_linear(destination_offset, size, &to->box);
	if (err == CL_SUCCESS)
		err = check_both_bounds(copy);
	copy->region[0] = size;
	copy->region[1] = copy->region[2] = 1;
	return err;
}

/* The CL_INVALID_VALUE list of clEnqueueCopyBufferRect (5.2.2). */
cl_int weft_mem_place_boxes(const struct weft_box_desc *source,
			    const struct weft_box_desc *destination, const size_t *region,
			    struct weft_mem_copy *copy)
{
	struct weft_mem_place *from = &copy->source;
	struct weft_mem_place *to = &copy->destination;

	cl_int err = weft_box_init(source, region, &from->box);
	if (err == CL_SUCCESS)
		err = weft_box_init(destination, region, &to->box);
	if (err == CL_SUCCESS)
		err = check_both_bounds(copy);
	/* "if src_buffer and dst_buffer are the same buffer object and src_row_pitch is not equal
	 * to dst_row_pitch", the slice pitch likewise */
	if (err == CL_SUCCESS && from->mem == to->mem &&
	    (from->box.row_pitch != to->box.row_pitch ||
	     from->box.slice_pitch != to->box.slice_pitch))
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
	cl_int err = weft_check_queue(queue);

	if (err == CL_SUCCESS)
		err = weft_mem_check_use(queue, source);
	if (err == CL_SUCCESS)
		err = weft_mem_check_use(queue, destination);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(queue, source);
	if (err == CL_SUCCESS)
		err = weft_mem_check_alignment(queue, destination);
	return err;
}

cl_int weft_mem_check_host_access(cl_mem mem, cl_mem_flags forbidden)
{
	return mem->flags & forbidden ? CL_INVALID_OPERATION : CL_SUCCESS;
}

/* The same box, seen from the beginning of the buffer that a sub-buffer is part of. */
static struct weft_box in_root(const struct weft_mem_place *place)
{
	struct weft_box box = place->box;

	box.start += place->mem->origin;
	box.end += place->mem->origin;
	return box;
}

/* "if src_buffer and dst_buffer are the same buffer or sub-buffer object and the source and
 * destination regions overlap", "are different sub-buffers of the same associated buffer object and
 * they overlap"; a buffer and its own sub-buffer are no better. */
cl_int weft_mem_check_overlap(const struct weft_mem_copy *copy)
{
	const struct weft_mem_place *source = &copy->source;
	const struct weft_mem_place *destination = &copy->destination;

	if (weft_mem_root(source->mem) != weft_mem_root(destination->mem))
		return CL_SUCCESS;

	struct weft_box from = in_root(source);
	struct weft_box to = in_root(destination);
	return weft_boxes_overlap(&from, &to, copy->region) ? CL_MEM_COPY_OVERLAP : CL_SUCCESS;
}

/* 5.2.3, clEnqueueFillBuffer: the CL_INVALID_VALUE list. */
cl_int weft_mem_check_fill(const struct weft_mem_fill *fill)
{
	struct weft_box box;

	if (weft_box_init_linear(fill->offset, fill->size, &box) != CL_SUCCESS ||
	    weft_mem_check_bounds(fill->mem, &box) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	if (!fill->pattern || fill->pattern_size == 0 || !at_most_one(fill->pattern_size) ||
	    fill->pattern_size > WEFT_FILL_PATTERN_MAX)
		return CL_INVALID_VALUE;
	if (fill->offset % fill->pattern_size != 0 || fill->size % fill->pattern_size != 0)
		return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

/* 5.2.4, clEnqueueMapBuffer: the CL_INVALID_VALUE list. */
cl_int weft_mem_check_map(const struct weft_mem_map *map)
{
	const cl_map_flags invalidate = CL_MAP_WRITE_INVALIDATE_REGION;
	const cl_map_flags other = CL_MAP_READ | CL_MAP_WRITE;
	struct weft_box box;

	if (weft_box_init_linear(map->offset, map->size, &box) != CL_SUCCESS ||
	    weft_mem_check_bounds(map->mem, &box) != CL_SUCCESS || map->size == 0)
		return CL_INVALID_VALUE;
	/* "CL_MAP_READ or CL_MAP_WRITE and CL_MAP_WRITE_INVALIDATE_REGION are mutually exclusive"
	 */
	if ((map->flags & ~(invalidate | other)) ||
	    ((map->flags & invalidate) && (map->flags & other)))
		return CL_INVALID_VALUE;
	return CL_SUCCESS;
}
