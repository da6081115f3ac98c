/* SPDX-License-Identifier: MIT
 *
 * Which devices a list names, of a loader that has another driver's CPU before Weft's; and which of them share a memory or a context.
 */
#include "devices/devices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <weft/memory_domain.h>

/* A platform has a CPU and other devices: ids are 10 times the platform's and 0 and on. The third one's card uses the host's memory. */
static const char *const platforms[] = {"Other", "Weft", "Third"};
static const cl_uint num_devices[] = {2, 4, 2};
#define PLATFORMS (sizeof(platforms) / sizeof(*platforms))
#define UNIFIED_CARD 31
/* Of Weft's devices. */
static const cl_uint memories[] = {0, 5, 5, 6};

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
	*count = num_devices[(uintptr_t)platform - 1];
	assert_true(room >= *count);
	for (size_t i = 0; i < *count; i++)
		ids[i] = (cl_device_id)(10 * (uintptr_t)platform + i);
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
	case CL_DEVICE_MEMORY_DOMAIN_WEFT:
		assert_int_equal((uintptr_t)device / 10, 2); /* others do not know it */
		*(cl_uint *)value = memories[(uintptr_t)device % 10];
		break;
	case CL_DEVICE_HOST_UNIFIED_MEMORY:
		*(cl_bool *)value = is_cpu || (uintptr_t)device == UNIFIED_CARD;
		break;
	case CL_DEVICE_TYPE:
		*(cl_device_type *)value = is_cpu ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU;
		break;
	default:
		snprintf((char *)value, size, is_cpu ? "processor" : "card");
	}
	return CL_SUCCESS;
}

static unsigned contexts;

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
					     const cl_device_id *devices,
					     void(CL_CALLBACK *notify)(const char *, const void *,
								       size_t, void *),
					     void *data, cl_int *code)
{
	(void)properties, (void)count, (void)devices, (void)notify, (void)data;
	*code = CL_SUCCESS;
	return (cl_context)(uintptr_t)++contexts;
}

static cl_int CL_API_CALL release_context(cl_context context)
{
	(void)context;
	contexts--;
	return CL_SUCCESS;
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
						 cl_command_queue_properties properties,
						 cl_int *code)
{
	(void)context, (void)device, (void)properties;
	*code = CL_SUCCESS;
	return NULL;
}

static void *CL_API_CALL get_function(cl_platform_id platform, const char *name)
{
	(void)platform, (void)name;
	return NULL;
}

static const struct weft_opencl cl = {.GetPlatformIDs = get_platforms,
				      .GetPlatformInfo = get_platform_info,
				      .GetDeviceIDs = get_devices,
				      .GetDeviceInfo = get_device_info,
				      .GetExtensionFunctionAddressForPlatform = get_function,
				      .CreateContext = create_context,
				      .ReleaseContext = release_context,
				      .CreateCommandQueue = create_queue};

static void check(const char *list, const uintptr_t *ids, size_t count)
{
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
	check(NULL, (const uintptr_t[]){20, 21, 22, 23, 11, 31}, 6);
	check("cpu", (const uintptr_t[]){20}, 1);
	check("cpu,gpu", (const uintptr_t[]){20, 21, 22, 23, 11, 31}, 6);
	check("gpu", (const uintptr_t[]){21, 22, 23, 11, 31}, 5);
	check("other,cpu", (const uintptr_t[]){10, 11, 20}, 3);
	check("all", (const uintptr_t[]){20, 21, 22, 23, 10, 11, 30, 31}, 8);
}

/* By device: its domain, and the first domain with the same context. */
static void check_memories(const char *list, const size_t (*expected)[2], size_t count)
{
	struct weft_devices devices = {0};
	struct weft_error error = {0};

	assert_true(weft_devices_find(&cl, list, &devices, &error));
	assert_true(weft_devices_open(&cl, &devices, &error));
	assert_int_equal(devices.count, count);
	for (size_t i = 0; i < count; i++) {
		const size_t domain = devices.items[i].domain;

		assert_int_equal(domain, expected[i][0]);
		assert_int_equal(devices.domains[domain].first, expected[i][1]);
		assert_ptr_equal(devices.domains[domain].context,
				 devices.domains[expected[i][1]].context);
	}
	weft_devices_destroy(&cl, &devices);
	assert_int_equal(contexts, 0);
}

static void test_memories(void **state)
{
	(void)state;
	check_memories(
		"all",
		(const size_t[][2]){{0, 0}, {1, 1}, {1, 1}, {2, 1}, {3, 3}, {4, 4}, {5, 5}, {5, 5}},
		8);
	check_memories("gpu", (const size_t[][2]){{0, 0}, {0, 0}, {1, 0}, {2, 2}, {3, 3}}, 5);
}

/* Of a platform's devices with one name. */
static void test_names(void **state)
{
	static const char *const names[] = {"card", "card (2)", "card (3)", "card", "card"};
	struct weft_devices devices = {0};
	struct weft_error error = {0};

	(void)state;
	assert_true(weft_devices_find(&cl, "gpu", &devices, &error));
	assert_int_equal(devices.count, 5);
	for (size_t i = 0; i < devices.count; i++)
		assert_string_equal(devices.items[i].name, names[i]);
	weft_devices_destroy(&cl, &devices);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_weft_is_first),
					   cmocka_unit_test(test_memories),
					   cmocka_unit_test(test_names)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
