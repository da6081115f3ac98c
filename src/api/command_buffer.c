/* SPDX-License-Identifier: MIT
 *
 * The entry points of command buffers (specification: "Command-Buffers"): life, enqueueing, queries. The commands that
 * are recorded in them are in command_buffer_record.c.
 */
#include "command_buffer/command_buffer.h"
#include "check.h"
#include "device/device.h"
#include "entry_points.h"
#include "info/info.h"

#define FLAGS                                                                                      \
	(CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR |                  \
	 CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR)

static cl_int check_queues(cl_uint num_queues, const cl_command_queue *queues)
{
	cl_int err = CL_SUCCESS;

	for (cl_uint i = 0; queues && i < num_queues && err == CL_SUCCESS; i++)
		err = weft_check_queue(queues[i]);
	for (cl_uint i = 1; queues && i < num_queues && err == CL_SUCCESS; i++) {
		if (queues[i]->context != queues[0]->context)
			err = CL_INVALID_CONTEXT;
	}
	if (err == CL_SUCCESS && (num_queues == 0 || !queues))
		err = CL_INVALID_VALUE;
	return err == CL_SUCCESS ? weft_check_terminated(queues[0]->context) : err;
}

/* Whether the queues are of one root device, if it is asked for that they synchronize without the host. */
static cl_int check_sync(const struct weft_queue_list *queues, cl_command_buffer_flags_khr flags)
{
	if (!(flags & CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR))
		return CL_SUCCESS;
	for (cl_uint i = 1; i < queues->count; i++) {
		if (weft_device_root(queues->items[i]->device) !=
		    weft_device_root(queues->items[0]->device))
			return CL_INCOMPATIBLE_COMMAND_QUEUE_KHR;
	}
	return CL_SUCCESS;
}

/* Reads the list into desc. */
static cl_int read_properties(struct weft_command_buffer_desc *desc)
{
	const cl_command_buffer_properties_khr *property = desc->properties;
	bool has_flags = false;
	bool has_asserts = false;

	for (; property && property[0]; property += 2) {
		bool *seen = property[0] == CL_COMMAND_BUFFER_FLAGS_KHR ? &has_flags
			     : property[0] == CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR
				     ? &has_asserts
				     : NULL;
		if (!seen || *seen)
			return CL_INVALID_VALUE;
		*seen = true;
		if (seen == &has_flags)
			desc->flags = property[1];
		else
			desc->asserts = property[1];
	}
	if (property)
		desc->num_properties = (cl_uint)(property - desc->properties) + 1;
	if (desc->flags & ~(cl_command_buffer_flags_khr)FLAGS ||
	    desc->asserts & ~(cl_mutable_dispatch_asserts_khr)
				    CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR)
		return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

cl_command_buffer_khr CL_API_CALL weft_clCreateCommandBufferKHR(
	cl_uint num_queues, const cl_command_queue *queues,
	const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret)
{
	struct weft_command_buffer_desc desc = {.queues = {queues, num_queues},
						.properties = properties};
	cl_command_buffer_khr buffer = NULL;

	cl_int err = check_queues(num_queues, queues);
	if (err == CL_SUCCESS)
		err = read_properties(&desc);
	if (err == CL_SUCCESS)
		err = check_sync(&desc.queues, desc.flags);
	if (err == CL_SUCCESS)
		err = weft_command_buffer_create(&desc, &buffer);
	weft_api_set_error(errcode_ret, err);
	return buffer;
}

cl_int CL_API_CALL weft_clFinalizeCommandBufferKHR(cl_command_buffer_khr buffer)
{
	cl_int err = weft_check_command_buffer(buffer);

	if (err == CL_SUCCESS)
		err = weft_command_buffer_finalize(buffer);
	return err;
}

/* ---- enqueueing ------------------------------------------------------------------------------ */

/* Queues of all properties are compatible. `queues` becomes the list to use. */
static cl_int choose_queues(cl_command_buffer_khr buffer, struct weft_queue_list *queues)
{
	const struct weft_queue_list own = {buffer->queues, buffer->num_queues};

	if ((queues->count == 0) != (queues->items == NULL) ||
	    (queues->count > 0 && queues->count != own.count))
		return CL_INVALID_VALUE;
	if (queues->count == 0)
		*queues = own;
	cl_int err = CL_SUCCESS;
	for (cl_uint i = 0; i < own.count && err == CL_SUCCESS; i++)
		err = weft_check_queue(queues->items[i]);
	for (cl_uint i = 0; i < own.count && err == CL_SUCCESS; i++) {
		if (queues->items[i]->device != own.items[i]->device)
			err = CL_INVALID_DEVICE;
		else if (queues->items[i]->context != buffer->context)
			err = CL_INVALID_CONTEXT;
	}
	return err;
}

cl_int CL_API_CALL weft_clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
						  cl_command_buffer_khr buffer, cl_uint num_waits,
						  const cl_event *waits, cl_event *event)
{
	struct weft_enqueue enqueue = {NULL, CL_COMMAND_COMMAND_BUFFER_KHR, num_waits, waits};
	struct weft_queue_list list = {queues, num_queues};

	cl_int err = weft_check_command_buffer(buffer);
	if (err == CL_SUCCESS &&
	    weft_command_buffer_state(buffer) != CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR)
		err = CL_INVALID_OPERATION;
	if (err == CL_SUCCESS)
		err = choose_queues(buffer, &list);
	if (err != CL_SUCCESS)
		return err;
	enqueue.queue = list.items[0];
	err = weft_check_wait_list(&enqueue);
	if (err == CL_SUCCESS)
		err = weft_command_buffer_enqueue(&enqueue, &list, buffer, event);
	return err;
}

/* ---- copies for other queues ----------------------------------------------------------------- */

static cl_int check_handles(cl_command_buffer_khr buffer, const struct weft_remapping *remapping,
			    const cl_mutable_command_khr *handles_ret)
{
	const bool none = remapping->num_handles == 0;

	if ((remapping->handles == NULL) != none || (handles_ret == NULL) != none)
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < remapping->num_handles; i++) {
		if (!weft_mutable_command_valid(remapping->handles[i]) ||
		    remapping->handles[i]->buffer != buffer)
			return CL_INVALID_VALUE;
	}
	return CL_SUCCESS;
}

cl_command_buffer_khr CL_API_CALL weft_clRemapCommandBufferKHR(
	cl_command_buffer_khr buffer, cl_bool automatic, cl_uint num_queues,
	const cl_command_queue *queues, cl_uint num_handles, const cl_mutable_command_khr *handles,
	cl_mutable_command_khr *handles_ret, cl_int *errcode_ret)
{
	const struct weft_remapping remapping = {
		{queues, num_queues}, automatic != CL_FALSE, num_handles, handles};
	cl_command_buffer_khr copy = NULL;

	cl_int err = weft_check_command_buffer(buffer);
	if (err == CL_SUCCESS &&
	    (num_queues == 0 || !queues || (!automatic && num_queues != buffer->num_queues)))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = check_handles(buffer, &remapping, handles_ret);
	if (err == CL_SUCCESS)
		err = check_queues(num_queues, queues);
	if (err == CL_SUCCESS && queues[0]->context != buffer->context)
		err = CL_INVALID_CONTEXT;
	if (err == CL_SUCCESS)
		err = check_sync(&remapping.queues, buffer->flags);
	if (err == CL_SUCCESS)
		err = weft_command_buffer_remap(buffer, &remapping, handles_ret, &copy);
	weft_api_set_error(errcode_ret, err);
	return copy;
}

/* ---- queries --------------------------------------------------------------------------------- */

static cl_int get_state(const void *object, struct weft_info_answer *answer)
{
	return weft_info_answer_u32(
		answer, weft_command_buffer_state((cl_command_buffer_khr)(uintptr_t)object));
}

#define FIELD(param, field) WEFT_INFO_FIELD(param, struct _cl_command_buffer_khr, field)
static const struct weft_info_row rows[] = {
	FIELD(CL_COMMAND_BUFFER_NUM_QUEUES_KHR, num_queues),
	WEFT_INFO_LIST(CL_COMMAND_BUFFER_QUEUES_KHR, struct _cl_command_buffer_khr, queues,
		       num_queues),
	WEFT_INFO_GETTER(CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, weft_info_get_reference_count),
	WEFT_INFO_GETTER(CL_COMMAND_BUFFER_STATE_KHR, get_state),
	WEFT_INFO_LIST(CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, struct _cl_command_buffer_khr,
		       properties, num_properties),
	FIELD(CL_COMMAND_BUFFER_CONTEXT_KHR, context),
};
#undef FIELD
static const struct weft_info_table table =
	WEFT_INFO_OBJECT_TABLE(rows, WEFT_OBJECT_COMMAND_BUFFER);

cl_int CL_API_CALL weft_clGetCommandBufferInfoKHR(cl_command_buffer_khr buffer,
						  cl_command_buffer_info_khr param, size_t size,
						  void *value, size_t *size_ret)
{
	return weft_info_query_object(&table, buffer, param, size, value, size_ret);
}
