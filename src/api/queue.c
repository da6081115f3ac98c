/* SPDX-License-Identifier: MIT
 *
 * The entry points of command queues (specification 5.1, 5.15).
 */
#include "check.h"
#include "device/device.h"
#include "entry_points.h"
#include "graph/device_queue.h"
#include "info/info.h"

#define HOST_BITS                                                                                  \
	(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE |                      \
	 CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL)
#define DEVICE_BITS (CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT)

static cl_int check_device(cl_context context, cl_device_id device)
{
	cl_int err = weft_check_device(device);

	if (err == CL_SUCCESS && !weft_context_has_device(context, device))
		err = CL_INVALID_DEVICE;
	return err;
}

/* Whether the properties make sense is checked before whether the device offers them. */
static cl_int check_bits(cl_device_id device, cl_command_queue_properties bits)
{
	if (bits & ~(cl_command_queue_properties)(HOST_BITS | DEVICE_BITS))
		return CL_INVALID_VALUE;
	if ((bits & CL_QUEUE_ON_DEVICE) && !(bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
		return CL_INVALID_VALUE;
	if ((bits & CL_QUEUE_ON_DEVICE_DEFAULT) && !(bits & CL_QUEUE_ON_DEVICE))
		return CL_INVALID_VALUE;
	if (bits & CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL) {
		if (bits & DEVICE_BITS)
			return CL_INVALID_VALUE;
		return weft_device_shares_memory(device) ? CL_SUCCESS : CL_INVALID_QUEUE_PROPERTIES;
	}
	return (bits & DEVICE_BITS) && !weft_device_properties(device)->enqueues
		       ? CL_INVALID_QUEUE_PROPERTIES
		       : CL_SUCCESS;
}

/* Of a queue on the device; `size` is what was asked for, 0 for the preferred size. */
static cl_int check_size(cl_queue_properties size, bool given, cl_uint *size_ret)
{
	if (!given)
		size = WEFT_DEVICE_QUEUE_PREFERRED_SIZE;
	if (size == 0)
		return CL_INVALID_VALUE;
	if (size > WEFT_DEVICE_QUEUE_MAX_SIZE)
		return CL_INVALID_QUEUE_PROPERTIES;
	*size_ret = (cl_uint)size;
	return CL_SUCCESS;
}

/* Properties of a list, each with its value; 0: it is not there. */
struct found {
	bool has[4];
	cl_queue_properties values[4];
};

enum { BITS, SIZE, PRIORITY, THROTTLE };

/* "CL_INVALID_VALUE if values specified in properties are not valid"; so is a property that is there twice. */
static cl_int find_properties(const struct weft_queue_desc *desc, struct found *found,
			      cl_uint *length)
{
	static const cl_queue_properties names[] = {
		[BITS] = CL_QUEUE_PROPERTIES,
		[SIZE] = CL_QUEUE_SIZE,
		[PRIORITY] = CL_QUEUE_PRIORITY_KHR,
		[THROTTLE] = CL_QUEUE_THROTTLE_KHR,
	};
	const cl_queue_properties *property = desc->property_list;

	for (; property && property[0]; property += 2) {
		size_t which = 0;

		while (which < 4 && names[which] != property[0])
			which++;
		if (which == 4 || found->has[which])
			return CL_INVALID_VALUE;
		found->has[which] = true;
		found->values[which] = property[1];
	}
	*length = property ? (cl_uint)(property - desc->property_list) + 1 : 0;
	return CL_SUCCESS;
}

/* cl_khr_priority_hints and cl_khr_throttle_hints: the values of both are the same. */
static bool hint_valid(const struct found *found, int which)
{
	const cl_queue_properties value = found->values[which];

	return !found->has[which] || value == CL_QUEUE_PRIORITY_HIGH_KHR ||
	       value == CL_QUEUE_PRIORITY_MED_KHR || value == CL_QUEUE_PRIORITY_LOW_KHR;
}

/* Reads the list into the rest of *desc. */
static cl_int read_properties(struct weft_queue_desc *desc)
{
	struct found found = {0};

	cl_int err = find_properties(desc, &found, &desc->num_properties);
	if (err != CL_SUCCESS)
		return err;
	desc->properties = found.values[BITS];
	if ((found.has[SIZE] && !(desc->properties & CL_QUEUE_ON_DEVICE)) ||
	    !hint_valid(&found, PRIORITY) || !hint_valid(&found, THROTTLE))
		return CL_INVALID_VALUE;
	if (found.values[PRIORITY] == CL_QUEUE_PRIORITY_HIGH_KHR)
		desc->priority = WEFT_PRIORITY_HIGH;
	else if (found.values[PRIORITY] == CL_QUEUE_PRIORITY_LOW_KHR)
		desc->priority = WEFT_PRIORITY_LOW;
	desc->throttled = found.values[THROTTLE] == CL_QUEUE_THROTTLE_LOW_KHR;
	err = check_bits(desc->device, desc->properties);
	if (err == CL_SUCCESS && (desc->properties & CL_QUEUE_ON_DEVICE))
		err = check_size(found.values[SIZE], found.has[SIZE], &desc->size);
	return err;
}

cl_command_queue CL_API_CALL
weft_clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
					const cl_queue_properties *properties, cl_int *errcode_ret)
{
	struct weft_queue_desc desc = {
		.context = context, .device = device, .property_list = properties};
	cl_command_queue queue = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS)
		err = check_device(context, device);
	if (err == CL_SUCCESS)
		err = read_properties(&desc);
	if (err == CL_SUCCESS)
		err = desc.size ? weft_device_queue_create(&desc, &queue)
				: weft_queue_create(&desc, &queue);
	weft_api_set_error(errcode_ret, err);
	return queue;
}

cl_command_queue CL_API_CALL weft_clCreateCommandQueueWithPropertiesKHR(
	cl_context context, cl_device_id device, const cl_queue_properties_khr *properties,
	cl_int *errcode_ret)
{
	return weft_clCreateCommandQueueWithProperties(context, device, properties, errcode_ret);
}

cl_command_queue CL_API_CALL weft_clCreateCommandQueue(cl_context context, cl_device_id device,
						       cl_command_queue_properties properties,
						       cl_int *errcode_ret)
{
	const struct weft_queue_desc desc = {
		.context = context, .device = device, .properties = properties};
	cl_command_queue queue = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS)
		err = check_device(context, device);
	if (err == CL_SUCCESS && (properties & ~(cl_command_queue_properties)HOST_BITS))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = check_bits(device, properties);
	if (err == CL_SUCCESS)
		err = weft_queue_create(&desc, &queue);
	weft_api_set_error(errcode_ret, err);
	return queue;
}

/* Only OpenCL 1.0 devices change a queue's properties (specification 5.1). */
cl_int CL_API_CALL weft_clSetCommandQueueProperty(cl_command_queue queue,
						  cl_command_queue_properties properties,
						  cl_bool enable,
						  cl_command_queue_properties *old_properties)
{
	cl_int err = weft_check_queue(queue);

	(void)properties;
	(void)enable;
	(void)old_properties;
	return err == CL_SUCCESS ? CL_INVALID_OPERATION : err;
}

cl_int CL_API_CALL weft_clFlush(cl_command_queue queue)
{
	cl_int err = weft_check_queue(queue);

	if (err == CL_SUCCESS)
		weft_queue_flush(queue);
	return err;
}

cl_int CL_API_CALL weft_clFinish(cl_command_queue queue)
{
	cl_int err = weft_check_queue(queue);

	if (err == CL_SUCCESS)
		err = weft_queue_finish(queue);
	return err;
}

/* A queue of the host has none. */
static cl_int get_size(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_command_queue *queue = object;

	return queue->size ? weft_info_answer_u32(answer, queue->size) : CL_INVALID_COMMAND_QUEUE;
}

static cl_int get_default(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_command_queue *queue = object;
	cl_command_queue found = weft_device_queue_get_default(queue->context, queue->device);

	if (found)
		weft_object_put(&found->base);
	return weft_info_answer_pointer(answer, found);
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_FIELD(CL_QUEUE_CONTEXT, struct _cl_command_queue, context),
	WEFT_INFO_FIELD(CL_QUEUE_DEVICE, struct _cl_command_queue, device),
	WEFT_INFO_GETTER(CL_QUEUE_REFERENCE_COUNT, weft_info_get_reference_count),
	WEFT_INFO_FIELD(CL_QUEUE_PROPERTIES, struct _cl_command_queue, properties),
	WEFT_INFO_LIST(CL_QUEUE_PROPERTIES_ARRAY, struct _cl_command_queue, property_list,
		       num_properties),
	WEFT_INFO_GETTER(CL_QUEUE_SIZE, get_size),
	WEFT_INFO_GETTER(CL_QUEUE_DEVICE_DEFAULT, get_default),
};
static const struct weft_info_table table = WEFT_INFO_OBJECT_TABLE(rows, WEFT_OBJECT_QUEUE);

cl_int CL_API_CALL weft_clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param,
					      size_t size, void *value, size_t *size_ret)
{
	return weft_info_query_object(&table, queue, param, size, value, size_ret);
}

cl_int CL_API_CALL weft_clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
						       cl_command_queue queue)
{
	cl_int err = weft_check_context(context);

	if (err == CL_SUCCESS)
		err = check_device(context, device);
	if (err == CL_SUCCESS && !weft_device_properties(device)->enqueues)
		err = CL_INVALID_OPERATION;
	if (err == CL_SUCCESS && (!weft_queue_valid(queue) || !weft_queue_is_on_device(queue) ||
				  queue->device != device || queue->context != context))
		err = CL_INVALID_COMMAND_QUEUE;
	if (err == CL_SUCCESS)
		weft_device_queue_set_default(queue);
	return err;
}
