/* SPDX-License-Identifier: MIT
 *
 * The entry points of command queues (specification 5.1, 5.15).
 */
#include "check.h"
#include "entry_points.h"
#include "info.h"

#define HOST_BITS (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
#define DEVICE_BITS (CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT)

static cl_int check_device(cl_context context, cl_device_id device)
{
	cl_int err = weft_check_device(device);

	if (err == CL_SUCCESS && !weft_context_has_device(context, device))
		err = CL_INVALID_DEVICE;
	return err;
}

/* Whether the properties make sense is checked before whether they are offered: there are no on-device queues. */
static cl_int check_bits(cl_command_queue_properties bits)
{
	if (bits & ~(cl_command_queue_properties)(HOST_BITS | DEVICE_BITS))
		return CL_INVALID_VALUE;
	if ((bits & CL_QUEUE_ON_DEVICE) && !(bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
		return CL_INVALID_VALUE;
	if ((bits & CL_QUEUE_ON_DEVICE_DEFAULT) && !(bits & CL_QUEUE_ON_DEVICE))
		return CL_INVALID_VALUE;
	return bits & DEVICE_BITS ? CL_INVALID_QUEUE_PROPERTIES : CL_SUCCESS;
}

/* Reads the list into desc->properties and desc->num_properties. */
static cl_int read_properties(struct weft_queue_desc *desc)
{
	const cl_queue_properties *property = desc->property_list;
	bool has_bits = false;
	bool has_size = false;

	for (; property && property[0]; property += 2) {
		bool *seen = property[0] == CL_QUEUE_PROPERTIES ? &has_bits
			     : property[0] == CL_QUEUE_SIZE     ? &has_size
								: NULL;
		if (!seen || *seen)
			return CL_INVALID_VALUE;
		*seen = true;
		if (seen == &has_bits)
			desc->properties = property[1];
	}
	if (has_size && !(desc->properties & CL_QUEUE_ON_DEVICE))
		return CL_INVALID_VALUE;
	if (property)
		desc->num_properties = (cl_uint)(property - desc->property_list) + 1;
	return check_bits(desc->properties);
}

cl_command_queue CL_API_CALL
weft_clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
					const cl_queue_properties *properties, cl_int *errcode_ret)
{
	struct weft_queue_desc desc = {context, device, 0, properties, 0};
	cl_command_queue queue = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS)
		err = check_device(context, device);
	if (err == CL_SUCCESS)
		err = read_properties(&desc);
	if (err == CL_SUCCESS)
		err = weft_queue_create(&desc, &queue);
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
	const struct weft_queue_desc desc = {context, device, properties, NULL, 0};
	cl_command_queue queue = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS)
		err = check_device(context, device);
	if (err == CL_SUCCESS && (properties & ~(cl_command_queue_properties)HOST_BITS))
		err = CL_INVALID_VALUE;
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

/* Only on-device queues have a size. */
static cl_int get_size(const void *object, struct weft_info_answer *answer)
{
	(void)object;
	(void)answer;
	return CL_INVALID_COMMAND_QUEUE;
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_FIELD(CL_QUEUE_CONTEXT, struct _cl_command_queue, context),
	WEFT_INFO_FIELD(CL_QUEUE_DEVICE, struct _cl_command_queue, device),
	WEFT_INFO_GETTER(CL_QUEUE_REFERENCE_COUNT, weft_info_get_reference_count),
	WEFT_INFO_FIELD(CL_QUEUE_PROPERTIES, struct _cl_command_queue, properties),
	WEFT_INFO_LIST(CL_QUEUE_PROPERTIES_ARRAY, struct _cl_command_queue, property_list,
		       num_properties),
	WEFT_INFO_GETTER(CL_QUEUE_SIZE, get_size),
	WEFT_INFO_VALUE(CL_QUEUE_DEVICE_DEFAULT, cl_command_queue, NULL),
};
static const struct weft_info_table table = WEFT_INFO_OBJECT_TABLE(rows, WEFT_OBJECT_QUEUE);

cl_int CL_API_CALL weft_clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param,
					      size_t size, void *value, size_t *size_ret)
{
	return weft_info_query_object(&table, queue, param, size, value, size_ret);
}
