/* SPDX-License-Identifier: MIT
 *
 * cl_intel_unified_shared_memory 1.1: allocations that are the host's, a device's, or shared, all of them in the host's memory.
 * Of devices that work elsewhere, there are device allocations, if they offer shared virtual memory (allocation.h). Commands are
 * those of shared virtual memory.
 */
#include "check.h"
#include "entry_points.h"
#include "info/info.h"
#include "memory/allocation.h"
#include "svm.h"

/* ---- allocations ----------------------------------------------------------------------------- */

/* What the three functions get. */
struct request {
	cl_context context;
	cl_device_id device; /* or NULL */
	enum weft_allocation_kind kind;
	const cl_mem_properties_intel *properties;
	size_t size;
	cl_uint alignment;
};

#define PLACEMENTS                                                                                 \
	(CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL)

/* "if a memory property name … is not a supported property name, if the value … is not valid, or if the same property name is
 * specified more than once" */
static cl_int read_properties(const struct request *request, cl_mem_alloc_flags_intel *flags)
{
	const cl_mem_properties_intel *property = request->properties;
	cl_mem_alloc_flags_intel known = CL_MEM_ALLOC_WRITE_COMBINED_INTEL;

	*flags = 0;
	if (!property || !property[0])
		return CL_SUCCESS;
	if (property[0] != CL_MEM_ALLOC_FLAGS_INTEL || property[2])
		return CL_INVALID_PROPERTY;
	if (request->kind == WEFT_ALLOCATION_USM_SHARED)
		known |= PLACEMENTS;
	*flags = property[1];
	return (*flags & ~known) || (*flags & PLACEMENTS) == PLACEMENTS ? CL_INVALID_PROPERTY
									: CL_SUCCESS;
}

/* By the device, or without one by some device of the context. */
static bool is_supported(const struct request *request)
{
	if (request->kind == WEFT_ALLOCATION_USM_DEVICE)
		return weft_device_offers_svm(request->device);
	return request->device ? weft_device_shares_memory(request->device)
			       : weft_context_shares_memory(request->context);
}

/* "greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE" of the device, or "for any OpenCL device in context that supports" it */
static bool size_suits(const struct request *request)
{
	for (cl_uint i = 0; i < request->context->num_devices; i++) {
		cl_device_id device = request->context->devices[i];

		if ((request->device ? device == request->device
				     : weft_device_shares_memory(device)) &&
		    request->size > device->max_allocation)
			return false;
	}
	return request->size > 0;
}

static cl_int check_request(const struct request *request, cl_mem_alloc_flags_intel *flags)
{
	const cl_uint alignment = request->alignment;
	cl_int err = weft_check_context(request->context);

	if (err != CL_SUCCESS)
		return err;
	if ((request->device || request->kind == WEFT_ALLOCATION_USM_DEVICE) &&
	    (weft_check_device(request->device) != CL_SUCCESS ||
	     !weft_context_has_device(request->context, request->device)))
		return CL_INVALID_DEVICE;
	if (!is_supported(request))
		return CL_INVALID_OPERATION;
	if ((alignment & (alignment - 1)) || alignment > sizeof(cl_long16))
		return CL_INVALID_VALUE;
	err = read_properties(request, flags);
	if (err == CL_SUCCESS && !size_suits(request))
		err = CL_INVALID_BUFFER_SIZE;
	return err;
}

/* The codes of these functions have no CL_MEM_OBJECT_ALLOCATION_FAILURE. */
static void *allocate(const struct request *request, cl_int *errcode_ret)
{
	struct weft_allocation_desc desc = {
		.context = request->context,
		.allocation = {.kind = request->kind,
			       .device = request->device,
			       .device_owned = request->kind == WEFT_ALLOCATION_USM_DEVICE},
		.flags = CL_MEM_READ_WRITE,
		.size = request->size,
	};
	void *address = NULL;

	cl_int err = check_request(request, &desc.allocation.flags);
	if (err == CL_SUCCESS)
		err = weft_allocation_create(&desc, &address);
	weft_api_set_error(errcode_ret,
			   err == CL_MEM_OBJECT_ALLOCATION_FAILURE ? CL_OUT_OF_RESOURCES : err);
	return address;
}

void *CL_API_CALL weft_clHostMemAllocINTEL(cl_context context,
					   const cl_mem_properties_intel *properties, size_t size,
					   cl_uint alignment, cl_int *errcode_ret)
{
	const struct request request = {context,    NULL, WEFT_ALLOCATION_USM_HOST,
					properties, size, alignment};

	return allocate(&request, errcode_ret);
}

void *CL_API_CALL weft_clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
					     const cl_mem_properties_intel *properties, size_t size,
					     cl_uint alignment, cl_int *errcode_ret)
{
	const struct request request = {context,    device, WEFT_ALLOCATION_USM_DEVICE,
					properties, size,   alignment};

	return allocate(&request, errcode_ret);
}

void *CL_API_CALL weft_clSharedMemAllocINTEL(cl_context context, cl_device_id device,
					     const cl_mem_properties_intel *properties, size_t size,
					     cl_uint alignment, cl_int *errcode_ret)
{
	const struct request request = {context,    device, WEFT_ALLOCATION_USM_SHARED,
					properties, size,   alignment};

	return allocate(&request, errcode_ret);
}

/* "It must be a value returned by …, or a NULL pointer." */
cl_int CL_API_CALL weft_clMemFreeINTEL(cl_context context, void *pointer)
{
	cl_int err = weft_check_context_handle(context);

	if (err == CL_SUCCESS && pointer &&
	    !weft_allocation_free(context, WEFT_ALLOCATION_USM, pointer))
		err = CL_INVALID_VALUE;
	return err;
}

/* Kernels may use it that have not been told of it: all commands of the context are waited for. */
cl_int CL_API_CALL weft_clMemBlockingFreeINTEL(cl_context context, void *pointer)
{
	cl_int err = weft_check_context_handle(context);

	if (err == CL_SUCCESS && pointer &&
	    !weft_allocation_is(context, WEFT_ALLOCATION_USM, pointer))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS && pointer)
		err = weft_queue_finish_all(context);
	return err == CL_SUCCESS ? weft_clMemFreeINTEL(context, pointer) : err;
}

/* ---- clGetMemAllocInfoINTEL ------------------------------------------------------------------ */

/* What a pointer leads to; all zeros without an allocation. */
struct pointer_view {
	cl_unified_shared_memory_type_intel type;
	void *base;
	size_t size;
	cl_device_id device;
	cl_mem_alloc_flags_intel flags;
};

static cl_unified_shared_memory_type_intel type_of(enum weft_allocation_kind kind)
{
	switch (kind) {
	case WEFT_ALLOCATION_USM_HOST:
		return CL_MEM_TYPE_HOST_INTEL;
	case WEFT_ALLOCATION_USM_DEVICE:
		return CL_MEM_TYPE_DEVICE_INTEL;
	case WEFT_ALLOCATION_USM_SHARED:
		return CL_MEM_TYPE_SHARED_INTEL;
	case WEFT_ALLOCATION_SVM:
	case WEFT_ALLOCATION_BUFFER:
		break;
	}
	return CL_MEM_TYPE_UNKNOWN_INTEL;
}

static struct pointer_view view_of(cl_context context, const void *pointer)
{
	const struct _cl_mem *mem = weft_allocation_find(pointer);
	const struct weft_allocation *allocation = mem ? mem->allocation : NULL;

	if (!allocation || mem->context != context || !(allocation->kind & WEFT_ALLOCATION_USM))
		return (struct pointer_view){.type = CL_MEM_TYPE_UNKNOWN_INTEL};
	return (struct pointer_view){type_of(allocation->kind), mem->address, mem->size,
				     allocation->device, allocation->flags};
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_FIELD(CL_MEM_ALLOC_TYPE_INTEL, struct pointer_view, type),
	WEFT_INFO_FIELD(CL_MEM_ALLOC_BASE_PTR_INTEL, struct pointer_view, base),
	WEFT_INFO_FIELD(CL_MEM_ALLOC_SIZE_INTEL, struct pointer_view, size),
	WEFT_INFO_FIELD(CL_MEM_ALLOC_DEVICE_INTEL, struct pointer_view, device),
	WEFT_INFO_FIELD(CL_MEM_ALLOC_FLAGS_INTEL, struct pointer_view, flags),
};
static const struct weft_info_table table = WEFT_INFO_TABLE(rows);

cl_int CL_API_CALL weft_clGetMemAllocInfoINTEL(cl_context context, const void *pointer,
					       cl_mem_info_intel param, size_t size, void *value,
					       size_t *size_ret)
{
	cl_int err = weft_check_context_handle(context);

	if (err != CL_SUCCESS)
		return err;
	const struct pointer_view view = view_of(context, pointer);
	return weft_info_query(&table, &view, param, size, value, size_ret);
}

/* ---- kernels and commands -------------------------------------------------------------------- */

/* "For all devices, any pointer value is valid and may be set" (1.1.0). */
cl_int CL_API_CALL weft_clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint index,
						      const void *value)
{
	cl_int err = weft_check_kernel(kernel);

	return err == CL_SUCCESS ? weft_kernel_set_address(kernel, index, value) : err;
}

cl_int CL_API_CALL weft_clEnqueueMemFillINTEL(cl_command_queue queue, void *pointer,
					      const void *pattern, size_t pattern_size, size_t size,
					      cl_uint num_waits, const cl_event *waits,
					      cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_MEMFILL_INTEL, num_waits, waits};
	struct weft_mem_fill fill = {.pattern = pattern, .pattern_size = pattern_size};

	return weft_api_svm_fill(&enqueue, pointer, size, &fill, event);
}

cl_int CL_API_CALL weft_clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking,
					     void *destination, const void *source, size_t size,
					     cl_uint num_waits, const cl_event *waits,
					     cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_MEMCPY_INTEL, num_waits, waits};
	const struct weft_svm_copy_call call = {destination, source, size, blocking != CL_FALSE};

	return weft_api_svm_copy(&enqueue, &call, event);
}

static cl_int enqueue_hint(const struct weft_enqueue *enqueue, bool valid, cl_event *event)
{
	cl_int err = weft_svm_check_queue(enqueue->queue);

	if (err == CL_SUCCESS && !valid)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(enqueue);
	if (err == CL_SUCCESS)
		err = weft_svm_enqueue_hint(enqueue, event);
	return err;
}

/* Without flags, to the queue's device, as 1.2.0 has it. */
cl_int CL_API_CALL weft_clEnqueueMigrateMemINTEL(cl_command_queue queue, const void *pointer,
						 size_t size, cl_mem_migration_flags flags,
						 cl_uint num_waits, const cl_event *waits,
						 cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_MIGRATEMEM_INTEL, num_waits, waits};
	const cl_mem_migration_flags known =
		CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;

	(void)pointer;
	(void)size;
	return enqueue_hint(&enqueue, !(flags & ~known), event);
}

/* No advice has been defined: "Enum values 0x4208-0x420F are reserved for future memory advices". */
cl_int CL_API_CALL weft_clEnqueueMemAdviseINTEL(cl_command_queue queue, const void *pointer,
						size_t size, cl_mem_advice_intel advice,
						cl_uint num_waits, const cl_event *waits,
						cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_MEMADVISE_INTEL, num_waits, waits};

	(void)pointer;
	(void)size;
	return enqueue_hint(&enqueue, advice == 0, event);
}
