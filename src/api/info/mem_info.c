/* SPDX-License-Identifier: MIT
 *
 * clGetMemObjectInfo (specification 5.5.5).
 */
#include "alloc.h"
#include "check.h"
#include "entry_points.h"
#include "info/info.h"
#include "memory/allocation.h"

#include <stdatomic.h>

static cl_int get_map_count(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_mem *mem = object;

	return weft_info_answer_u32(answer,
				    atomic_load_explicit(&mem->map_count, memory_order_relaxed));
}

/* "If memobj is a sub-buffer object … the offset …; this value will be 0" otherwise. */
static cl_int get_offset(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_mem *mem = object;

	return weft_info_answer_size(answer,
				     mem->image ? 0 : weft_mem_offset((cl_mem)(uintptr_t)mem));
}

/* "Return CL_TRUE if memobj is a buffer object that was created with CL_MEM_USE_HOST_PTR or is a sub-buffer object of [one] and
 * the host_ptr … is a SVM pointer": one of clSVMAlloc. */
static cl_int get_uses_svm_pointer(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_mem *mem = object;
	cl_mem within = mem->image ? NULL : weft_mem_outermost((cl_mem)(uintptr_t)mem)->within;

	return weft_info_answer_u32(answer,
				    within && within->allocation->kind == WEFT_ALLOCATION_SVM);
}

/* One for each device, in the context's order; 0 of those without the extension. */
static cl_int get_device_address(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_mem *mem = object;
	const cl_uint count = mem->context->num_devices;
	const struct weft_allocation *allocation =
		weft_mem_outermost((cl_mem)(uintptr_t)mem)->allocation;

	if (!allocation || allocation->kind != WEFT_ALLOCATION_BUFFER || mem->image)
		return CL_INVALID_OPERATION;
	cl_mem_device_address_ext *addresses = weft_calloc(count, sizeof(*addresses));
	if (!addresses)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; i < count; i++)
		addresses[i] = weft_device_shares_memory(mem->context->devices[i])
				       ? (uintptr_t)mem->address
				       : 0;
	answer->owned = addresses;
	return weft_info_answer_data(answer, addresses, count * sizeof(*addresses));
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_GETTER(CL_MEM_DEVICE_ADDRESS_EXT, get_device_address),
	WEFT_INFO_FIELD(CL_MEM_TYPE, struct _cl_mem, type),
	WEFT_INFO_FIELD(CL_MEM_FLAGS, struct _cl_mem, flags),
	WEFT_INFO_FIELD(CL_MEM_SIZE, struct _cl_mem, size),
	WEFT_INFO_FIELD(CL_MEM_HOST_PTR, struct _cl_mem, host_ptr),
	WEFT_INFO_GETTER(CL_MEM_MAP_COUNT, get_map_count),
	WEFT_INFO_GETTER(CL_MEM_REFERENCE_COUNT, weft_info_get_reference_count),
	WEFT_INFO_FIELD(CL_MEM_CONTEXT, struct _cl_mem, context),
	WEFT_INFO_FIELD(CL_MEM_ASSOCIATED_MEMOBJECT, struct _cl_mem, parent),
	WEFT_INFO_GETTER(CL_MEM_OFFSET, get_offset),
	WEFT_INFO_GETTER(CL_MEM_USES_SVM_POINTER, get_uses_svm_pointer),
	WEFT_INFO_LIST(CL_MEM_PROPERTIES, struct _cl_mem, properties, num_properties),
};
static const struct weft_info_table table = WEFT_INFO_OBJECT_TABLE(rows, WEFT_OBJECT_MEM);

cl_int CL_API_CALL weft_clGetMemObjectInfo(cl_mem mem, cl_mem_info param, size_t size, void *value,
					   size_t *size_ret)
{
	return weft_info_query_object(&table, mem, param, size, value, size_ret);
}
