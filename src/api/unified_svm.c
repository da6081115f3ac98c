/* SPDX-License-Identifier: MIT
 *
 * cl_khr_unified_svm: shared virtual memory of several types (svm_types.h). The extension is experimental: its values are those of
 * the registry at 0.9.0, where nothing else is said the working draft of 0.2.0 is followed.
 */
#include "check.h"
#include "entry_points.h"
#include "memory/allocation.h"
#include "svm_types.h"

/* ---- allocations ----------------------------------------------------------------------------- */

/* A list of properties, read. */
struct request {
	cl_device_id device; /* or NULL */
	cl_svm_alloc_access_flags_khr access;
	cl_uint num_properties; /* elements, the zero included */
};

#define ACCESS_FLAGS                                                                               \
	(CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR |              \
	 CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR)

/* Whether the value is one of the property, which is then in *request. All allocations are aligned to the largest data type. */
static bool read_property(cl_context context, const cl_svm_alloc_properties_khr property[2],
			  struct request *request)
{
	const cl_svm_alloc_properties_khr value = property[1];

	switch (property[0]) {
	case CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR:
		request->device = (cl_device_id)(uintptr_t)value;
		return !value || (weft_check_device(request->device) == CL_SUCCESS &&
				  weft_context_has_device(context, request->device));
	case CL_SVM_ALLOC_ACCESS_FLAGS_KHR:
		request->access = value;
		return !(value & ~(cl_svm_alloc_access_flags_khr)ACCESS_FLAGS);
	case CL_SVM_ALLOC_ALIGNMENT_KHR:
		return (value & (value - 1)) == 0 && value <= sizeof(cl_long16);
	default:
		return false;
	}
}

static bool is_repeated(const cl_svm_alloc_properties_khr *properties, cl_uint index)
{
	for (cl_uint i = 0; i < index; i += 2) {
		if (properties[i] == properties[index])
			return true;
	}
	return false;
}

static cl_int read_properties(cl_context context, const cl_svm_alloc_properties_khr *properties,
			      struct request *request)
{
	cl_uint i = 0;

	*request = (struct request){0};
	for (; properties && properties[i]; i += 2) {
		if (is_repeated(properties, i) || !read_property(context, &properties[i], request))
			return CL_INVALID_PROPERTY;
	}
	request->num_properties = properties ? i + 1 : 0;
	return CL_SUCCESS;
}

/* The devices that an allocation is for: the one that it is associated with, or all of its context. */
static const cl_device_id *devices_of(cl_context context, const cl_device_id *associated,
				      cl_uint *count)
{
	*count = *associated ? 1 : context->num_devices;
	return *associated ? associated : context->devices;
}

/* "greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE" of one of the devices that has the type; WEFT_NUM_SVM_TYPES: of one of them. */
static bool is_too_large(const cl_device_id *devices, cl_uint count, cl_uint type, size_t size)
{
	for (cl_uint i = 0; i < count; i++) {
		if (size > devices[i]->max_allocation &&
		    (type == WEFT_NUM_SVM_TYPES || weft_svm_capabilities(devices[i], type)))
			return true;
	}
	return false;
}

static cl_int check_type(cl_context context, const struct request *request, cl_uint type,
			 size_t size)
{
	cl_uint count;
	const cl_device_id *devices = devices_of(context, &request->device, &count);
	const cl_svm_capabilities_khr found = weft_svm_common_capabilities(devices, count, type);

	if (type >= WEFT_NUM_SVM_TYPES)
		return CL_INVALID_VALUE;
	if (!found)
		return CL_INVALID_OPERATION;
	/* "The associated device handle property is required unless …" */
	if (!request->device && !(found & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR))
		return CL_INVALID_PROPERTY;
	return size == 0 || is_too_large(devices, count, type, size) ? CL_INVALID_BUFFER_SIZE
								     : CL_SUCCESS;
}

void *CL_API_CALL weft_clSVMAllocWithPropertiesKHR(cl_context context,
						   const cl_svm_alloc_properties_khr *properties,
						   cl_uint type, size_t size, cl_int *errcode_ret)
{
	struct weft_allocation_desc desc = {
		.context = context,
		.allocation = {.kind = WEFT_ALLOCATION_SVM,
			       .device_owned = type == WEFT_SVM_DEVICE,
			       .svm_type = type},
		.flags = CL_MEM_READ_WRITE,
		.fine_grained = type > WEFT_SVM_DEVICE,
		.size = size,
		.properties = properties,
	};
	struct request request;
	void *address = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS)
		err = read_properties(context, properties, &request);
	if (err == CL_SUCCESS)
		err = check_type(context, &request, type, size);
	if (err == CL_SUCCESS) {
		desc.allocation.device = request.device;
		desc.allocation.flags = request.access;
		desc.num_properties = request.num_properties;
		err = weft_allocation_create(&desc, &address);
	}
	weft_api_set_error(errcode_ret,
			   err == CL_MEM_OBJECT_ALLOCATION_FAILURE ? CL_OUT_OF_RESOURCES : err);
	return address;
}

/* "This extension does not define any free properties", and the registry has no flags. */
cl_int CL_API_CALL weft_clSVMFreeWithPropertiesKHR(cl_context context,
						   const cl_svm_free_properties_khr *properties,
						   cl_svm_free_flags_khr flags, void *pointer)
{
	cl_int err = weft_check_context_handle(context);

	if (err == CL_SUCCESS && properties && properties[0])
		err = CL_INVALID_PROPERTY;
	if (err == CL_SUCCESS && flags)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS && pointer &&
	    !weft_allocation_free(context, WEFT_ALLOCATION_SVM, pointer))
		err = CL_INVALID_VALUE;
	return err;
}

/* ---- clGetSVMPointerInfoKHR ------------------------------------------------------------------ */

/* What a pointer leads to. */
struct pointer_view {
	cl_uint type; /* CL_UINT_MAX: to no shared virtual memory of the context; then all else is 0 */
	cl_svm_capabilities_khr capabilities;
	const cl_mem_properties *properties;
	cl_uint num_properties;
	cl_svm_alloc_access_flags_khr access;
	void *base;
	size_t size;
	cl_device_id device;
};

static struct pointer_view view_of(cl_context context, cl_device_id device, const void *pointer)
{
	const struct _cl_mem *mem = weft_allocation_find(pointer);
	const struct weft_allocation *allocation = mem ? mem->allocation : NULL;
	cl_uint count;

	if (!allocation || mem->context != context || allocation->kind != WEFT_ALLOCATION_SVM)
		return (struct pointer_view){.type = CL_UINT_MAX};
	const cl_device_id asked = device ? device : allocation->device;
	const cl_device_id *devices = devices_of(context, &asked, &count);
	return (struct pointer_view){
		.type = allocation->svm_type,
		.capabilities = weft_svm_common_capabilities(devices, count, allocation->svm_type),
		.properties = mem->properties,
		.num_properties = mem->num_properties,
		.access = allocation->flags,
		.base = mem->address,
		.size = mem->size,
		.device = allocation->device,
	};
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_FIELD(CL_SVM_INFO_TYPE_INDEX_KHR, struct pointer_view, type),
	WEFT_INFO_FIELD(CL_SVM_INFO_CAPABILITIES_KHR, struct pointer_view, capabilities),
	WEFT_INFO_LIST(CL_SVM_INFO_PROPERTIES_KHR, struct pointer_view, properties, num_properties),
	WEFT_INFO_FIELD(CL_SVM_INFO_ACCESS_FLAGS_KHR, struct pointer_view, access),
	WEFT_INFO_FIELD(CL_SVM_INFO_BASE_PTR_KHR, struct pointer_view, base),
	WEFT_INFO_FIELD(CL_SVM_INFO_SIZE_KHR, struct pointer_view, size),
	WEFT_INFO_FIELD(CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, struct pointer_view, device),
};
static const struct weft_info_table table = WEFT_INFO_TABLE(rows);

cl_int CL_API_CALL weft_clGetSVMPointerInfoKHR(cl_context context, cl_device_id device,
					       const void *pointer, cl_svm_pointer_info_khr param,
					       size_t size, void *value, size_t *size_ret)
{
	cl_int err = weft_check_context_handle(context);

	if (err == CL_SUCCESS && device && !weft_context_has_device(context, device))
		err = CL_INVALID_DEVICE;
	if (err != CL_SUCCESS)
		return err;
	const struct pointer_view view = view_of(context, device, pointer);
	return weft_info_query(&table, &view, param, size, value, size_ret);
}

/* ---- clGetSVMSuggestedTypeIndexKHR ----------------------------------------------------------- */

#define CAPABILITIES ((cl_svm_capabilities_khr)CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR * 2 - 1)

/* The type that has all of the required capabilities, and most of the desired ones. */
static cl_uint suggest(const cl_device_id *devices, cl_uint count, cl_svm_capabilities_khr required,
		       cl_svm_capabilities_khr desired)
{
	cl_uint best = CL_UINT_MAX;
	int most = -1;

	for (cl_uint type = 0; type < WEFT_NUM_SVM_TYPES; type++) {
		const cl_svm_capabilities_khr own =
			weft_svm_common_capabilities(devices, count, type);
		const int number = __builtin_popcountll(own & desired);

		if (own && !(required & ~own) && number > most) {
			best = type;
			most = number;
		}
	}
	return best;
}

cl_int CL_API_CALL weft_clGetSVMSuggestedTypeIndexKHR(cl_context context,
						      cl_svm_capabilities_khr required,
						      cl_svm_capabilities_khr desired,
						      const cl_svm_alloc_properties_khr *properties,
						      size_t size, cl_uint *type)
{
	struct request request;
	cl_uint count;

	cl_int err = weft_check_context_handle(context);
	if (err == CL_SUCCESS)
		err = read_properties(context, properties, &request);
	if (err == CL_SUCCESS && ((required | desired) & ~CAPABILITIES))
		err = CL_INVALID_VALUE;
	if (err != CL_SUCCESS)
		return err;
	const cl_device_id *devices = devices_of(context, &request.device, &count);
	if (is_too_large(devices, count, WEFT_NUM_SVM_TYPES, size))
		return CL_INVALID_BUFFER_SIZE;
	if (!type)
		return CL_INVALID_VALUE;
	*type = suggest(devices, count, required, desired);
	return CL_SUCCESS;
}
