/* SPDX-License-Identifier: MIT
 *
 * The functions of cl_khr_semaphore and cl_khr_external_semaphore, as an application finds them, and semaphores of a fixture.
 */
#ifndef WEFT_TESTS_API_SEMAPHORES_H
#define WEFT_TESTS_API_SEMAPHORES_H

#include "fixture.h"

#include <CL/cl_ext.h>

/* Newer than Debian's headers. */
#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#endif
#ifndef CL_SEMAPHORE_EXPORTABLE_KHR
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
#endif

struct semaphores {
	clCreateSemaphoreWithPropertiesKHR_fn create;
	clRetainSemaphoreKHR_fn retain;
	clReleaseSemaphoreKHR_fn release;
	clGetSemaphoreInfoKHR_fn info;
	clEnqueueWaitSemaphoresKHR_fn wait;
	clEnqueueSignalSemaphoresKHR_fn signal;
	clGetSemaphoreHandleForTypeKHR_fn handle;
	cl_int(CL_API_CALL *import_again)(cl_semaphore_khr, cl_properties *, int);
};

static struct semaphores semaphores;

static inline void *extension_function(const char *name)
{
	cl_platform_id platform;

	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	void *function = clGetExtensionFunctionAddressForPlatform(platform, name);
	assert_non_null(function);
	return function;
}

#define FIND(member, name)                                                                         \
	semaphores.member = (__typeof__(semaphores.member))extension_function(name)
static inline int semaphores_set_up(void **state)
{
	FIND(create, "clCreateSemaphoreWithPropertiesKHR");
	FIND(retain, "clRetainSemaphoreKHR");
	FIND(release, "clReleaseSemaphoreKHR");
	FIND(info, "clGetSemaphoreInfoKHR");
	FIND(wait, "clEnqueueWaitSemaphoresKHR");
	FIND(signal, "clEnqueueSignalSemaphoresKHR");
	FIND(handle, "clGetSemaphoreHandleForTypeKHR");
	FIND(import_again, "clReImportSemaphoreSyncFdKHR");
	return fixture_set_up(state);
}
#undef FIND

#define PROPERTY(value) ((cl_semaphore_properties_khr)(uintptr_t)(value))

/* Binary; with one more property, or with 0. */
static inline cl_semaphore_khr semaphore_with(cl_context context, cl_semaphore_properties_khr name,
					      cl_semaphore_properties_khr value)
{
	const cl_semaphore_properties_khr properties[] = {
		CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, name, value, 0, 0};
	cl_int err;
	cl_semaphore_khr semaphore = semaphores.create(context, properties, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(semaphore);
	return semaphore;
}

static inline cl_semaphore_khr semaphore_new(cl_context context)
{
	return semaphore_with(context, 0, 0);
}

static inline cl_event semaphore_wait(cl_command_queue queue, cl_semaphore_khr semaphore)
{
	cl_event event;

	assert_int_equal(semaphores.wait(queue, 1, &semaphore, NULL, 0, NULL, &event), CL_SUCCESS);
	return event;
}

/* After `before`, unless that is NULL. */
static inline cl_event semaphore_signal(cl_command_queue queue, cl_semaphore_khr semaphore,
					cl_event before)
{
	cl_event event;

	assert_int_equal(semaphores.signal(queue, 1, &semaphore, NULL, before != NULL,
					   before ? &before : NULL, &event),
			 CL_SUCCESS);
	return event;
}

/* Two sub-devices and their context; false where the device has not just two units. */
static inline bool two_parts(struct fixture *f, cl_device_id parts[2], cl_context *context)
{
	const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	cl_uint count;
	cl_int err;

	if (clCreateSubDevices(f->device, equally, 0, NULL, &count) != CL_SUCCESS || count != 2)
		return false;
	assert_int_equal(clCreateSubDevices(f->device, equally, 2, parts, NULL), CL_SUCCESS);
	*context = clCreateContext(NULL, 2, parts, NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	return true;
}

static inline void release_parts(cl_device_id parts[2], cl_context context)
{
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
	assert_int_equal(clReleaseDevice(parts[0]), CL_SUCCESS);
	assert_int_equal(clReleaseDevice(parts[1]), CL_SUCCESS);
}

static inline cl_semaphore_payload_khr semaphore_payload(cl_semaphore_khr semaphore)
{
	cl_semaphore_payload_khr payload = 77;

	assert_int_equal(semaphores.info(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof(payload),
					 &payload, NULL),
			 CL_SUCCESS);
	return payload;
}

/* What commands on a list of objects have in common; CALL(queue, count, objects, num_waits, waits), where `f` is the fixture and
 * `failed` an event that has. */
#define EXPECT_LIST_ERRORS(CALL, object)                                                           \
	assert_int_equal(CALL(NULL, 1, object, 0, NULL), CL_INVALID_COMMAND_QUEUE);                \
	assert_int_equal(CALL(f->queue, 0, object, 0, NULL), CL_INVALID_VALUE);                    \
	assert_int_equal(CALL(f->queue, 1, NULL, 0, NULL), CL_INVALID_VALUE);                      \
	assert_int_equal(CALL(f->queue, 1, object, 1, NULL), CL_INVALID_EVENT_WAIT_LIST);          \
	assert_int_equal(CALL(f->queue, 1, object, 0, &failed), CL_INVALID_EVENT_WAIT_LIST);       \
	assert_int_equal(CALL(f->queue, 1, object, 1, &failed),                                    \
			 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)

static inline void semaphore_release(cl_semaphore_khr semaphore)
{
	assert_int_equal(semaphores.release(semaphore), CL_SUCCESS);
}

#endif
