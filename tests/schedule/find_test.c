/* SPDX-License-Identifier: MIT
 *
 * Which devices a list names, of a loader that has another driver's CPU before Weft's.
 */
#include "devices/devices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A platform has two devices, a CPU and another one: ids are 10 times the platform's and 0 or 1. */
static const char *const platforms[] = {"Other", "Weft", "Third"};
#define PLATFORMS (sizeof(platforms) / sizeof(*platforms))

static cl_int CL_API_CALL get_platforms(cl_uint room, cl_platform_id *ids, cl_uint *count)
{
	assert_true(room >= PLATFORMS);
	for (size_t i = 0; i < PLATFORMS; i++)
		ids[i] = (cl_platform_id)(uintptr_t)(i + 1);
	*count = PLATFORMS;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info name,
					    size_t size, void *value, size_t *needed)
{
	(void)name, (void)needed;
	snprintf((char *)value, size, "%s", platforms[(uintptr_t)platform - 1]);
	return CL_SUCCESS;
}

static cl_int CL_API_CALL get_devices(cl_platform_id platform, cl_device_type type, cl_uint room,
				      cl_device_id *ids, cl_uint *count)
{
	(void)type;
	assert_true(room >= 2);
	for (size_t i = 0; i < 2; i++)
		ids[i] = (cl_device_id)(10 * (uintptr_t)platform + i);
	*count = 2;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size,
					  void *value, size_t *needed)
{
	const bool is_cpu = (uintptr_t)device % 10 == 0;

	(void)needed;
	switch (name) {
	case CL_DEVICE_COMPILER_AVAILABLE:
		*(cl_bool *)value = CL_TRUE;
		break;
	case CL_DEVICE_TYPE:
		*(cl_device_type *)value = is_cpu ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
		break;
	default:
		snprintf((char *)value, size, is_cpu ? "processor" : "card");
	}
	return CL_SUCCESS;
}

static void check(const char *list, const uintptr_t *ids, size_t count)
{
	static const struct weft_opencl cl = {.GetPlatformIDs = get_platforms,
					      .GetPlatformInfo = get_platform_info,
					      .GetDeviceIDs = get_devices,
					      .GetDeviceInfo = get_device_info};
	struct weft_devices devices = {0};
	struct weft_error error = {0};

	if (!weft_devices_find(&cl, list, &devices, &error))
		fail_msg("%s", error.text);
	assert_int_equal(devices.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal((uintptr_t)devices.items[i].id, ids[i]);
	weft_devices_destroy(&cl, &devices);
}

static void test_weft_is_first(void **state)
{
	(void)state;
	check(NULL, (const uintptr_t[]){20, 21, 11, 31}, 4);
	check("cpu", (const uintptr_t[]){20}, 1);
	check("cpu,gpu", (const uintptr_t[]){20, 21, 11, 31}, 4);
	check("gpu", (const uintptr_t[]){21, 11, 31}, 3);
	check("other,cpu", (const uintptr_t[]){10, 11, 20}, 3);
	check("all", (const uintptr_t[]){20, 21, 10, 11, 30, 31}, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_weft_is_first)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
