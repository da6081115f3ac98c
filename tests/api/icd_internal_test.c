/* SPDX-License-Identifier: MIT
 *
 * What a loader relies on (cl_khr_icd 2.0): the two words at the start of every object, the tags in the
 * table, and the loader's word in all that is made after it was set.
 */
#include "entry_points.h"

#include <CL/cl_icd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* How an object begins, as the extension's specification has it. */
struct icd_object {
	cl_icd_dispatch *dispatch;
	void *data;
};

static void check(const void *object, const void *data)
{
	const struct icd_object *icd = object;

	assert_non_null(object);
	assert_ptr_equal((intptr_t)icd->dispatch->clGetPlatformIDs, CL_ICD2_TAG_KHR);
	assert_ptr_equal((intptr_t)icd->dispatch->clUnloadCompiler, CL_ICD2_TAG_KHR);
	assert_ptr_equal(icd->data, data);
}

static void every_core_function_has_its_slot(void **state)
{
	cl_platform_id platform;

	(void)state;
	assert_int_equal(weft_clIcdGetPlatformIDsKHR(1, &platform, NULL), CL_SUCCESS);
	const cl_icd_dispatch *table = ((struct icd_object *)(void *)platform)->dispatch;
#define WEFT_ENTRY(name) assert_ptr_equal(table->name, weft_##name);
#define WEFT_TAGGED_ENTRY(name)
#define WEFT_EXTENSION_ENTRY(name)
#define WEFT_3_1_ENTRY(name)                                                                       \
	assert_ptr_equal(*(&table->clSetContextDestructorCallback + 1), weft_##name);
#include "entry_points.def"
#undef WEFT_ENTRY
#undef WEFT_EXTENSION_ENTRY
}

static void loaders_word_is_in_every_object(void **state)
{
	static int word;
	cl_platform_id platform;
	cl_device_id device;

	(void)state;
	assert_int_equal(clIcdGetPlatformIDsKHR(1, &platform, NULL), CL_SUCCESS);
	assert_int_equal(clIcdSetPlatformDispatchDataKHR(platform, &word), CL_SUCCESS);
	check(platform, &word);
	assert_int_equal(weft_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
			 CL_SUCCESS);
	check(device, &word);
	cl_context context = weft_clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	check(context, &word);
	cl_command_queue queue = weft_clCreateCommandQueue(context, device, 0, NULL);
	check(queue, &word);
	cl_mem mem = weft_clCreateBuffer(context, 0, 4096, NULL, NULL);
	check(mem, &word);
	const cl_buffer_region region = {0, 1024};
	cl_mem sub = weft_clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
	check(sub, &word);
	cl_event user = weft_clCreateUserEvent(context, NULL);
	check(user, &word);
	cl_event marker = NULL;
	assert_int_equal(weft_clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker), CL_SUCCESS);
	check(marker, &word);
	cl_command_buffer_khr commands = weft_clCreateCommandBufferKHR(1, &queue, NULL, NULL);
	check(commands, &word);
	assert_int_equal(weft_clReleaseCommandBufferKHR(commands), CL_SUCCESS);
	assert_int_equal(weft_clFinish(queue), CL_SUCCESS);
	weft_clReleaseEvent(marker);
	weft_clReleaseEvent(user);
	weft_clReleaseMemObject(sub);
	weft_clReleaseMemObject(mem);
	weft_clReleaseCommandQueue(queue);
	weft_clReleaseContext(context);
	/* Devices that were there before it was set have it, too. */
	assert_int_equal(clIcdSetPlatformDispatchDataKHR(platform, NULL), CL_SUCCESS);
	check(device, NULL);
	assert_int_equal(clIcdSetPlatformDispatchDataKHR(NULL, NULL), CL_INVALID_PLATFORM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_core_function_has_its_slot),
		cmocka_unit_test(loaders_word_is_in_every_object),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
