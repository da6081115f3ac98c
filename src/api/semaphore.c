/* SPDX-License-Identifier: MIT
 *
 * The entry points of semaphores (cl_khr_semaphore, cl_khr_external_semaphore with opaque_fd and sync_fd).
 */
#include "semaphore/semaphore.h"

#include "check.h"
#include "entry_points.h"
#include "info/info.h"
#include "semaphore_properties.h"

static cl_int check_semaphore(cl_semaphore_khr semaphore)
{
	return weft_check_object(semaphore, WEFT_OBJECT_SEMAPHORE);
}

cl_semaphore_khr CL_API_CALL weft_clCreateSemaphoreWithPropertiesKHR(
	cl_context context, const cl_semaphore_properties_khr *properties, cl_int *errcode_ret)
{
	struct weft_semaphore_desc desc;
	cl_semaphore_khr semaphore = NULL;

	cl_int err = weft_check_context(context);
	if (err == CL_SUCCESS)
		err = weft_semaphore_read_properties(context, properties, &desc);
	if (err == CL_SUCCESS)
		err = weft_semaphore_create(&desc, &semaphore);
	weft_api_set_error(errcode_ret, err);
	return semaphore;
}

/* ---- commands -------------------------------------------------------------------------------- */

/* "if the device associated with command_queue is not same as one of the devices …", or the semaphore's context does not
 * contain it; "if the context associated with command_queue and any of the semaphore objects … are not the same" */
static cl_int check_use(cl_command_queue queue, cl_semaphore_khr semaphore)
{
	if (queue->device != semaphore->device)
		return CL_INVALID_COMMAND_QUEUE;
	return queue->context == semaphore->context ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

/* No type of semaphore has a payload to be given. */
static cl_int enqueue(const struct weft_enqueue *enqueue, cl_uint count,
		      const cl_semaphore_khr *semaphores, cl_event *event)
{
	cl_int err = weft_check_queue(enqueue->queue);

	if (err == CL_SUCCESS && (count == 0 || !semaphores))
		err = CL_INVALID_VALUE;
	for (cl_uint i = 0; i < count && err == CL_SUCCESS; i++)
		err = check_semaphore(semaphores[i]);
	for (cl_uint i = 0; i < count && err == CL_SUCCESS; i++)
		err = check_use(enqueue->queue, semaphores[i]);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(enqueue);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list_status(enqueue);
	if (err != CL_SUCCESS)
		return err;
	return enqueue->type == CL_COMMAND_SEMAPHORE_WAIT_KHR
		       ? weft_semaphore_enqueue_wait(enqueue, count, semaphores, event)
		       : weft_semaphore_enqueue_signal(enqueue, count, semaphores, event);
}

cl_int CL_API_CALL weft_clEnqueueWaitSemaphoresKHR(cl_command_queue queue, cl_uint count,
						   const cl_semaphore_khr *semaphores,
						   const cl_semaphore_payload_khr *payloads,
						   cl_uint num_waits, const cl_event *waits,
						   cl_event *event)
{
	(void)payloads;
	return enqueue(
		&(struct weft_enqueue){queue, CL_COMMAND_SEMAPHORE_WAIT_KHR, num_waits, waits},
		count, semaphores, event);
}

cl_int CL_API_CALL weft_clEnqueueSignalSemaphoresKHR(cl_command_queue queue, cl_uint count,
						     const cl_semaphore_khr *semaphores,
						     const cl_semaphore_payload_khr *payloads,
						     cl_uint num_waits, const cl_event *waits,
						     cl_event *event)
{
	(void)payloads;
	return enqueue(
		&(struct weft_enqueue){queue, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, num_waits, waits},
		count, semaphores, event);
}

/* ---- external handles ------------------------------------------------------------------------ */

cl_int CL_API_CALL weft_clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr semaphore,
						       cl_device_id device,
						       cl_external_semaphore_handle_type_khr type,
						       size_t size, void *handle, size_t *size_ret)
{
	int fd = -1;

	cl_int err = check_semaphore(semaphore);
	if (err == CL_SUCCESS)
		err = weft_check_device(device);
	if (err == CL_SUCCESS && device != semaphore->device)
		err = CL_INVALID_DEVICE;
	if (err == CL_SUCCESS && (type == 0 || type != semaphore->exported))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS && handle && size < sizeof(fd))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS && handle)
		err = weft_semaphore_export(semaphore, &fd);
	return err == CL_SUCCESS ? weft_info_return(&fd, sizeof(fd), size, handle, size_ret) : err;
}

cl_int CL_API_CALL weft_clReImportSemaphoreSyncFdKHR(
	cl_semaphore_khr semaphore, cl_semaphore_reimport_properties_khr *properties, int fd)
{
	cl_int err = check_semaphore(semaphore);

	if (err == CL_SUCCESS && semaphore->imported != CL_SEMAPHORE_HANDLE_SYNC_FD_KHR)
		err = CL_INVALID_SEMAPHORE_KHR;
	if (err == CL_SUCCESS && properties && properties[0])
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS && !weft_semaphore_can_import(semaphore->imported, fd))
		err = CL_INVALID_VALUE;
	return err == CL_SUCCESS ? weft_semaphore_import_again(semaphore, fd) : err;
}

/* ---- queries --------------------------------------------------------------------------------- */

static cl_int get_payload(const void *object, struct weft_info_answer *answer)
{
	return weft_info_answer_u64(
		answer, weft_semaphore_is_signalled((cl_semaphore_khr)(uintptr_t)object));
}

static cl_int get_export_types(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_semaphore_khr *semaphore = object;

	return weft_info_answer_data(answer, &semaphore->exported,
				     semaphore->exported ? sizeof(semaphore->exported) : 0);
}

static cl_int get_exportable(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_semaphore_khr *semaphore = object;

	return weft_info_answer_u32(answer, semaphore->exported ? CL_TRUE : CL_FALSE);
}

#define FIELD(param, field) WEFT_INFO_FIELD(param, struct _cl_semaphore_khr, field)
static const struct weft_info_row rows[] = {
	FIELD(CL_SEMAPHORE_CONTEXT_KHR, context),
	WEFT_INFO_GETTER(CL_SEMAPHORE_REFERENCE_COUNT_KHR, weft_info_get_reference_count),
	WEFT_INFO_LIST(CL_SEMAPHORE_PROPERTIES_KHR, struct _cl_semaphore_khr, properties,
		       num_properties),
	WEFT_INFO_VALUE(CL_SEMAPHORE_TYPE_KHR, cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR),
	WEFT_INFO_GETTER(CL_SEMAPHORE_PAYLOAD_KHR, get_payload),
	FIELD(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, device), /* a list of one */
	WEFT_INFO_GETTER(CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, get_export_types),
	WEFT_INFO_GETTER(CL_SEMAPHORE_EXPORTABLE_KHR, get_exportable),
};
#undef FIELD
static const struct weft_info_table table = WEFT_INFO_OBJECT_TABLE(rows, WEFT_OBJECT_SEMAPHORE);

cl_int CL_API_CALL weft_clGetSemaphoreInfoKHR(cl_semaphore_khr semaphore,
					      cl_semaphore_info_khr param, size_t size, void *value,
					      size_t *size_ret)
{
	return weft_info_query_object(&table, semaphore, param, size, value, size_ret);
}
