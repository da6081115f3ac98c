/* SPDX-License-Identifier: MIT
 *
 * What the specification demands of the arguments that make buffers. Nothing here changes anything.
 */
#include "device/context.h"
#include "device/device.h"
#include "memory/allocation.h"
#include "memory/external_memory.h"
#include "memory/mem.h"
#include "object/shared_memory_ext.h"
#include "overflow.h"

#define ACCESS_FLAGS (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)
#define HOST_ACCESS_FLAGS (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)
#define HOST_PTR_FLAGS (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)

/* What an immutable memory object is not created with. */
#define WRITING_FLAGS (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY)

static bool at_most_one(cl_bitfield flags)
{
	return (flags & (flags - 1)) == 0;
}

/* The memory flags table of 5.2.1. CL_MEM_KERNEL_READ_AND_WRITE is only for
 * clGetSupportedImageFormats, the SVM flags only for clSVMAlloc. */
bool weft_mem_flags_valid(cl_mem_flags flags)
{
	if (flags & ~(cl_mem_flags)(ACCESS_FLAGS | HOST_ACCESS_FLAGS | HOST_PTR_FLAGS |
				    CL_MEM_IMMUTABLE_EXT))
		return false;
	if ((flags & CL_MEM_IMMUTABLE_EXT) && (flags & WRITING_FLAGS))
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

bool weft_mem_flags_give_contents(cl_mem_flags flags)
{
	return !(flags & CL_MEM_IMMUTABLE_EXT) ||
	       (flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR));
}

bool weft_mem_flags_suit_external(cl_mem_flags flags)
{
	return !(flags & HOST_PTR_FLAGS);
}

size_t weft_mem_largest(cl_context context)
{
	cl_ulong largest = 0;

	for (cl_uint i = 0; i < context->num_devices; i++) {
		if (context->devices[i]->max_allocation > largest)
			largest = context->devices[i]->max_allocation;
	}
	return largest;
}

/* "if CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR is set in flags, and host_ptr is a pointer returned by clSVMAlloc, and size
 * is greater than the size passed to clSVMAlloc" */
static bool exceeds_allocation(const void *host_ptr, size_t size)
{
	cl_mem allocation = weft_allocation_find(host_ptr);

	return allocation && !weft_allocation_contains(allocation, host_ptr, size);
}

cl_int weft_buffer_check(const struct weft_buffer_desc *desc)
{
	struct weft_external_desc external;

	cl_int err = weft_external_read(desc->context, desc->properties, &external);
	if (err != CL_SUCCESS)
		return err;
	if (!weft_mem_flags_valid(desc->flags) ||
	    (external.type && !weft_mem_flags_suit_external(desc->flags)) ||
	    (!external.type && !weft_mem_flags_give_contents(desc->flags)))
		return CL_INVALID_VALUE;
	/* "if size is zero", "if size is greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE for all devices"
	 */
	if (desc->size == 0 || desc->size > weft_mem_largest(desc->context))
		return CL_INVALID_BUFFER_SIZE;
	bool uses_host = desc->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
	if (uses_host && exceeds_allocation(desc->host_ptr, desc->size))
		return CL_INVALID_BUFFER_SIZE;
	/* host_ptr and the flags that use it go together. */
	if (uses_host != (desc->host_ptr != NULL))
		return CL_INVALID_HOST_PTR;
	/* "if properties includes CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT and there are no devices … that support" the extension */
	return external.has_address && !weft_context_shares_memory(desc->context)
		       ? CL_INVALID_OPERATION
		       : CL_SUCCESS;
}

bool weft_mem_flags_suit(cl_mem parent_mem, cl_mem_flags flags)
{
	const cl_mem_flags parent = parent_mem->flags;

	if (!weft_mem_flags_valid(flags) || (flags & HOST_PTR_FLAGS))
		return false;
	if ((parent & CL_MEM_IMMUTABLE_EXT) && (flags & WRITING_FLAGS))
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
	return mem->image || aligned_for(weft_mem_offset(mem), device);
}

cl_int weft_buffer_check_sub(cl_mem parent, cl_mem_flags flags, const cl_buffer_region *region)
{
	cl_context context = parent->context;
	size_t end;

	/* "if buffer is not a valid buffer object", "if buffer is a sub-buffer object" */
	if (parent->type != CL_MEM_OBJECT_BUFFER || parent->parent)
		return CL_INVALID_MEM_OBJECT;
	if (!weft_mem_flags_suit(parent, flags))
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
