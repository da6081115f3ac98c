/* SPDX-License-Identifier: MIT
 *
 * The entry points of contexts (specification 4.4).
 */
#include "alloc.h"
#include "check.h"
#include "device/device.h"
#include "device_enqueue/device_event.h"
#include "dispatch.h"
#include "entry_points.h"
#include "graph/termination.h"
#include "info/info.h"

/* Whether the pair at `property` names a property a second time. */
static bool is_repeated(const cl_context_properties *first, const cl_context_properties *property)
{
	for (; first != property; first += 2) {
		if (first[0] == property[0])
			return true;
	}
	return false;
}

#define INITIALIZED                                                                                \
	(CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR)

static cl_int check_properties(const cl_context_properties *properties)
{
	const cl_context_properties *property = properties;

	for (; property && property[0]; property += 2) {
		if (is_repeated(properties, property))
			return CL_INVALID_PROPERTY;
		switch (property[0]) {
		case CL_CONTEXT_PLATFORM:
			if (!weft_platform_valid((cl_platform_id)property[1]))
				return CL_INVALID_PLATFORM;
			break;
		case CL_CONTEXT_INTEROP_USER_SYNC:
			if (property[1] != CL_TRUE && property[1] != CL_FALSE)
				return CL_INVALID_PROPERTY;
			break;
		case CL_CONTEXT_TERMINATE_KHR:
			if (property[1] != CL_TRUE && property[1] != CL_FALSE)
				return CL_INVALID_PROPERTY;
			break;
		case CL_CONTEXT_MEMORY_INITIALIZE_KHR:
			if (property[1] & ~(cl_context_properties)INITIALIZED)
				return CL_INVALID_PROPERTY;
			break;
		default:
			return CL_INVALID_PROPERTY;
		}
	}
	return CL_SUCCESS;
}

/* In the order of clCreateContext's table of errors. */
static cl_int check_desc(const struct weft_context_desc *desc)
{
	cl_int err = check_properties(desc->properties);

	if (err == CL_SUCCESS && (!desc->devices || desc->num_devices == 0))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS && !desc->notify && desc->user_data)
		err = CL_INVALID_VALUE;
	for (cl_uint i = 0; err == CL_SUCCESS && i < desc->num_devices; i++)
		err = weft_check_device(desc->devices[i]);
	return err;
}

cl_context CL_API_CALL weft_clCreateContext(const cl_context_properties *properties,
					    cl_uint num_devices, const cl_device_id *devices,
					    weft_context_notify notify, void *user_data,
					    cl_int *errcode_ret)
{
	const struct weft_context_desc desc = {properties, devices, num_devices, notify, user_data};
	cl_context context = NULL;

	cl_int err = check_desc(&desc);
	if (err == CL_SUCCESS)
		err = weft_context_create(&desc, &context);
	weft_api_set_error(errcode_ret, err);
	return context;
}

/* The devices of a type; *devices is owned by the caller. */
static cl_int find_devices(cl_device_type type, cl_device_id **devices, cl_uint *count)
{
	cl_int err = weft_clGetDeviceIDs(weft_api_platform(), type, 0, NULL, count);

	if (err != CL_SUCCESS)
		return err;
	cl_device_id *list = weft_calloc(*count, sizeof(cl_device_id));
	if (!list)
		return CL_OUT_OF_HOST_MEMORY;
	err = weft_clGetDeviceIDs(weft_api_platform(), type, *count, list, NULL);
	if (err == CL_SUCCESS)
		*devices = list;
	else
		weft_free(list);
	return err;
}

cl_context CL_API_CALL weft_clCreateContextFromType(const cl_context_properties *properties,
						    cl_device_type type, weft_context_notify notify,
						    void *user_data, cl_int *errcode_ret)
{
	struct weft_context_desc desc = {properties, NULL, 0, notify, user_data};
	cl_device_id *devices = NULL;
	cl_context context = NULL;

	cl_int err = check_properties(properties);
	if (err == CL_SUCCESS && !notify && user_data)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = find_devices(type, &devices, &desc.num_devices);
	desc.devices = devices;
	if (err == CL_SUCCESS)
		err = weft_context_create(&desc, &context);
	weft_free(devices);
	weft_api_set_error(errcode_ret, err);
	return context;
}

cl_int CL_API_CALL weft_clSetContextDestructorCallback(cl_context context,
						       weft_context_destructor notify,
						       void *user_data)
{
	cl_int err = weft_check_context(context);

	if (err == CL_SUCCESS && !notify)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_context_add_destructor(context, notify, user_data);
	return err;
}

/* Nothing is waited for but the threads that leave kernels. */
cl_int CL_API_CALL weft_clTerminateContextKHR(cl_context context)
{
	cl_int err = weft_check_context(context);

	if (err != CL_SUCCESS)
		return err;
	if (!context->terminable)
		return CL_INVALID_OPERATION;
	if (atomic_exchange_explicit(&context->terminated, true, memory_order_seq_cst))
		return CL_CONTEXT_TERMINATED_KHR;
	weft_user_events_open(context);
	weft_device_events_open(context);
	for (cl_uint i = 0; i < context->num_devices; i++) {
		struct weft_device *device = context->devices[i]->impl;

		device->driver->interrupt(device, &context->terminated);
	}
	weft_context_report(context, "the context has been terminated");
	return CL_SUCCESS;
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_GETTER(CL_CONTEXT_REFERENCE_COUNT, weft_info_get_reference_count),
	WEFT_INFO_FIELD(CL_CONTEXT_NUM_DEVICES, struct _cl_context, num_devices),
	WEFT_INFO_LIST(CL_CONTEXT_DEVICES, struct _cl_context, devices, num_devices),
	WEFT_INFO_LIST(CL_CONTEXT_PROPERTIES, struct _cl_context, properties, num_properties),
};
static const struct weft_info_table table = WEFT_INFO_OBJECT_TABLE(rows, WEFT_OBJECT_CONTEXT);

cl_int CL_API_CALL weft_clGetContextInfo(cl_context context, cl_context_info param, size_t size,
					 void *value, size_t *size_ret)
{
	return weft_info_query_object(&table, context, param, size, value, size_ret);
}
