/* SPDX-License-Identifier: MIT
 *
 * Every allocation of every way to make an object fails once: the code says so, nothing leaks (leak
 * sanitizer), and the next try works.
 */
#include "alloc.h"
#include "entry_points.h"
#include "options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

/* Makes something and unmakes it; CL_SUCCESS or the code. */
typedef cl_int (*attempt)(void);

/* With the n-th allocation failing, for n from 1 on until an attempt needs fewer. */
static void replay(attempt make)
{
	for (long n = 0;; n++) {
		assert_true(n < 1000);
		weft_alloc_fail_after(n);
		cl_int err = make();
		int failed = weft_alloc_has_failed();
		weft_alloc_fail_after(-1);
		if (!failed) {
			assert_int_equal(err, CL_SUCCESS);
			assert_true(n > 0);
			return;
		}
		assert_int_equal(err, CL_OUT_OF_HOST_MEMORY);
	}
}

static cl_int make_devices(void)
{
	cl_uint count = 0;

	if (weft_clIcdGetPlatformIDsKHR(1, &platform, NULL) != CL_SUCCESS)
		return CL_PLATFORM_NOT_FOUND_KHR;
	return weft_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &count);
}

static cl_int make_context(void)
{
	const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
						    (cl_context_properties)platform, 0};
	cl_int err;
	cl_context made = weft_clCreateContext(properties, 1, &device, NULL, NULL, &err);

	if (made)
		weft_clReleaseContext(made);
	return err;
}

static cl_int make_context_from_type(void)
{
	cl_int err;
	cl_context made = weft_clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, NULL, &err);

	if (made)
		weft_clReleaseContext(made);
	return err;
}

static void CL_CALLBACK ignore_context(cl_context destroyed, void *user_data)
{
	(void)destroyed;
	(void)user_data;
}

static cl_int make_context_callback(void)
{
	return weft_clSetContextDestructorCallback(context, ignore_context, NULL);
}

static cl_int make_queue(void)
{
	const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE,
						  0};
	cl_int err;
	cl_command_queue made =
		weft_clCreateCommandQueueWithProperties(context, device, properties, &err);

	if (made)
		weft_clReleaseCommandQueue(made);
	return err;
}

static cl_int make_user_event(void)
{
	cl_int err;
	cl_event made = weft_clCreateUserEvent(context, &err);

	if (made)
		weft_clReleaseEvent(made);
	return err;
}

static cl_int make_marker(void)
{
	cl_event waits[2] = {NULL, NULL};
	cl_int err = weft_clEnqueueMarkerWithWaitList(queue, 0, NULL, &waits[0]);

	if (err == CL_SUCCESS)
		err = weft_clEnqueueBarrierWithWaitList(queue, 1, waits, &waits[1]);
	weft_clFinish(queue);
	for (int i = 0; i < 2; i++) {
		if (waits[i])
			weft_clReleaseEvent(waits[i]);
	}
	return err;
}

static void CL_CALLBACK ignore_event(cl_event event, cl_int status, void *user_data)
{
	(void)event;
	(void)status;
	(void)user_data;
}

static cl_int make_event_callback(void)
{
	cl_event event = weft_clCreateUserEvent(context, NULL);

	if (!event)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int err = weft_clSetEventCallback(event, CL_COMPLETE, ignore_event, NULL);
	weft_clReleaseEvent(event);
	return err;
}

static cl_int make_sub_devices(void)
{
	const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	cl_device_id made[256];
	cl_uint count = 0;
	cl_int err = weft_clCreateSubDevices(device, properties, 256, made, &count);

	for (cl_uint i = 0; i < count; i++)
		weft_clReleaseDevice(made[i]);
	return err;
}

static void opening_devices(void **state)
{
	(void)state;
	/* Out of memory looks like no device, and is tried again. */
	for (long n = 0; !device; n++) {
		assert_true(n < 1000);
		weft_alloc_fail_after(n);
		cl_int err = make_devices();
		weft_alloc_fail_after(-1);
		assert_true(err == CL_SUCCESS || err == CL_OUT_OF_HOST_MEMORY);
	}
}

static void making_contexts(void **state)
{
	(void)state;
	replay(make_context);
	replay(make_context_from_type);
	context = weft_clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	assert_non_null(context);
	replay(make_context_callback);
}

static void making_queues(void **state)
{
	(void)state;
	replay(make_queue);
	queue = weft_clCreateCommandQueue(context, device, 0, NULL);
	assert_non_null(queue);
}

static void making_events(void **state)
{
	(void)state;
	replay(make_user_event);
	replay(make_marker);
	replay(make_event_callback);
}

static cl_int make_semaphore(void)
{
	const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR,
							  CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
	cl_int err;
	cl_semaphore_khr made = weft_clCreateSemaphoreWithPropertiesKHR(context, properties, &err);

	if (err == CL_SUCCESS)
		err = weft_clEnqueueSignalSemaphoresKHR(queue, 1, &made, NULL, 0, NULL, NULL);
	if (err == CL_SUCCESS)
		err = weft_clEnqueueWaitSemaphoresKHR(queue, 1, &made, NULL, 0, NULL, NULL);
	if (made)
		weft_clReleaseSemaphoreKHR(made);
	return err;
}

static cl_int make_semaphore_with(cl_semaphore_properties_khr name,
				  cl_semaphore_properties_khr value)
{
	const cl_semaphore_properties_khr properties[] = {
		CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, name, value, 0, 0};
	cl_int err;
	cl_semaphore_khr made = weft_clCreateSemaphoreWithPropertiesKHR(context, properties, &err);

	if (made)
		weft_clReleaseSemaphoreKHR(made);
	return err;
}

static cl_int make_shared_semaphore(void)
{
	return make_semaphore_with(CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
				   CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
}

static cl_int make_signalled_semaphore(void)
{
	return make_semaphore_with(CL_SEMAPHORE_HANDLE_SYNC_FD_KHR,
				   (cl_semaphore_properties_khr)-1);
}

static void making_semaphores(void **state)
{
	(void)state;
	replay(make_semaphore);
	replay(make_shared_semaphore);
	replay(make_signalled_semaphore);
}

static cl_int make_svm(void)
{
	void *made = weft_clSVMAlloc(context, CL_MEM_READ_WRITE, 100, 0);

	weft_clSVMFree(context, made);
	return made ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/* What is for data has codes of its own. */
static cl_int out_of_memory(cl_int err)
{
	return err == CL_OUT_OF_RESOURCES || err == CL_MEM_OBJECT_ALLOCATION_FAILURE
		       ? CL_OUT_OF_HOST_MEMORY
		       : err;
}

static cl_int make_usm(void)
{
	cl_int err;
	void *made = weft_clSharedMemAllocINTEL(context, device, NULL, 1 << 20, 0, &err);

	weft_clMemFreeINTEL(context, made);
	return out_of_memory(err);
}

static cl_int make_addressed_buffer(void)
{
	const cl_mem_properties properties[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
	cl_mem_device_address_ext address;
	cl_int err;
	cl_mem made = weft_clCreateBufferWithProperties(context, properties, 0, 100, NULL, &err);

	if (err == CL_SUCCESS)
		err = weft_clGetMemObjectInfo(made, CL_MEM_DEVICE_ADDRESS_EXT, sizeof(address),
					      &address, NULL);
	if (made)
		weft_clReleaseMemObject(made);
	return out_of_memory(err);
}

static void making_shared_memory(void **state)
{
	(void)state;
	replay(make_svm);
	replay(make_usm);
	replay(make_addressed_buffer);
}

static void making_sub_devices(void **state)
{
	const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	cl_uint count = 0;

	(void)state;
	if (weft_clCreateSubDevices(device, properties, 0, NULL, &count) != CL_SUCCESS)
		skip();
	replay(make_sub_devices);
}

static int teardown(void **state)
{
	(void)state;
	weft_clReleaseCommandQueue(queue);
	weft_clReleaseContext(context);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opening_devices),      cmocka_unit_test(making_contexts),
		cmocka_unit_test(making_queues),        cmocka_unit_test(making_events),
		cmocka_unit_test(making_semaphores),    cmocka_unit_test(making_sub_devices),
		cmocka_unit_test(making_shared_memory),
	};
	return cmocka_run_group_tests(tests, NULL, teardown);
}
