/* SPDX-License-Identifier: MIT
 *
 * Platform and device queries, sub-devices and timers (specification 4.1 to 4.3).
 */
#include "fixture.h"

#include <CL/cl_ext.h>
#include <stdio.h>

static cl_platform_id platform;
static cl_device_id device;

static int setup(void **state)
{
	(void)state;
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
			 CL_SUCCESS);
	return 0;
}

static void platforms(void **state)
{
	cl_uint count = 0;
	cl_platform_id again;

	(void)state;
	assert_int_equal(clGetPlatformIDs(0, NULL, &count), CL_SUCCESS);
	assert_true(count >= 1);
	assert_int_equal(clGetPlatformIDs(1, &again, NULL), CL_SUCCESS);
	assert_ptr_equal(again, platform);
	assert_int_equal(clGetPlatformIDs(0, &again, NULL), CL_INVALID_VALUE);
	assert_int_equal(clGetPlatformIDs(0, NULL, NULL), CL_INVALID_VALUE);
}

/* The four ways to ask: the size alone, the value, too little room, nothing at all. */
static void check_platform(cl_platform_info param)
{
	char value[8192];
	size_t size = 0;
	size_t again = 0;

	assert_int_equal(clGetPlatformInfo(platform, param, 0, NULL, &size), CL_SUCCESS);
	assert_true(size > 0 && size <= sizeof(value));
	assert_int_equal(clGetPlatformInfo(platform, param, size, value, &again), CL_SUCCESS);
	assert_int_equal(size, again);
	assert_int_equal(clGetPlatformInfo(platform, param, size - 1, value, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clGetPlatformInfo(platform, param, 0, NULL, NULL), CL_SUCCESS);
}

static void platform_info(void **state)
{
	static const cl_platform_info params[] = {CL_PLATFORM_PROFILE,
						  CL_PLATFORM_VERSION,
						  CL_PLATFORM_NUMERIC_VERSION,
						  CL_PLATFORM_NAME,
						  CL_PLATFORM_VENDOR,
						  CL_PLATFORM_EXTENSIONS,
						  CL_PLATFORM_EXTENSIONS_WITH_VERSION,
						  CL_PLATFORM_HOST_TIMER_RESOLUTION,
						  CL_PLATFORM_ICD_SUFFIX_KHR};
	char text[16];

	(void)state;
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		check_platform(params[i]);
	assert_int_equal(clGetPlatformInfo(platform, 0x1234, 0, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(
		clGetPlatformInfo(platform, CL_PLATFORM_ICD_SUFFIX_KHR, sizeof(text), text, NULL),
		CL_SUCCESS);
	assert_string_equal(text, "WEFT");
}

static cl_ulong number(cl_device_id which, cl_device_info param)
{
	cl_ulong value = 0;

	assert_int_equal(clGetDeviceInfo(which, param, sizeof(value), &value, NULL), CL_SUCCESS);
	return value;
}

static void device_ids(void **state)
{
	const cl_device_type type = number(device, CL_DEVICE_TYPE);
	cl_device_id list[64];
	cl_uint count = 0;

	(void)state;
	assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 64, list, &count),
			 CL_SUCCESS);
	assert_true(count >= 1);
	assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 64, list, &count),
			 CL_SUCCESS);
	assert_int_equal(count, 1);
	assert_ptr_equal(list[0], device);
	assert_int_equal(clGetDeviceIDs(platform, type, 0, NULL, &count), CL_SUCCESS);
	assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, NULL, &count),
			 CL_DEVICE_NOT_FOUND);
	assert_int_equal(clGetDeviceIDs(platform, type | CL_DEVICE_TYPE_GPU, 64, list, &count),
			 CL_SUCCESS);
	assert_int_equal(clGetDeviceIDs(platform, 0, 64, list, &count), CL_INVALID_DEVICE_TYPE);
	assert_int_equal(clGetDeviceIDs(platform, 1 << 20, 64, list, &count),
			 CL_INVALID_DEVICE_TYPE);
	assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, list, &count),
			 CL_INVALID_VALUE);
	assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, NULL),
			 CL_INVALID_VALUE);
}

/* Every query of OpenCL 3.0 (specification, table 5), and those of the extensions that are offered. */
static void every_device_query_answers(void **state)
{
	static const cl_device_info extensions[] = {
		CL_DEVICE_UUID_KHR,       CL_DRIVER_UUID_KHR,
		CL_DEVICE_LUID_VALID_KHR, CL_DEVICE_LUID_KHR,
		CL_DEVICE_NODE_MASK_KHR,  CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR};
	char value[8192];
	unsigned answered = 0;

	(void)state;
	for (cl_device_info param = 0x1000; param < 0x1080; param++) {
		size_t size = 0;
		cl_int err = clGetDeviceInfo(device, param, 0, NULL, &size);

		if (err != CL_SUCCESS) {
			assert_int_equal(err, CL_INVALID_VALUE);
			continue;
		}
		answered++;
		assert_true(size <= sizeof(value));
		assert_int_equal(clGetDeviceInfo(device, param, size, value, NULL), CL_SUCCESS);
		if (size)
			assert_int_equal(clGetDeviceInfo(device, param, size - 1, value, NULL),
					 CL_INVALID_VALUE);
	}
	/* 0x1000 to 0x1079 but for numbers that OpenCL does not use or that an extension alone has. */
	assert_true(answered >= 105);
	for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++)
		assert_int_equal(clGetDeviceInfo(device, extensions[i], sizeof(value), value, NULL),
				 CL_SUCCESS);
	assert_int_equal(clGetDeviceInfo(device, 0, 0, NULL, NULL), CL_INVALID_VALUE);
}

/* The least that the specification asks of a full profile. */
static void values_are_what_the_specification_asks_for(void **state)
{
	const cl_ulong memory = number(device, CL_DEVICE_GLOBAL_MEM_SIZE);
	const cl_ulong allocation = number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
	const cl_ulong gib = 1 << 30;

	(void)state;
	assert_true(number(device, CL_DEVICE_MAX_COMPUTE_UNITS) >= 1);
	assert_true(allocation >= (memory / 4 < gib ? memory / 4 : gib) || allocation >= 32 << 20);
	assert_true(allocation <= memory);
	assert_true(number(device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) >= 64 << 10);
	assert_true(number(device, CL_DEVICE_LOCAL_MEM_SIZE) >= 32 << 10);
	assert_true(number(device, CL_DEVICE_MAX_PARAMETER_SIZE) >= 1024);
	assert_true(number(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) >= 8 * sizeof(cl_long16));
	assert_true(number(device, CL_DEVICE_PRINTF_BUFFER_SIZE) >= 1 << 20);
	assert_true(number(device, CL_DEVICE_MAX_CONSTANT_ARGS) >= 8);
	assert_int_equal(number(device, CL_DEVICE_REFERENCE_COUNT), 1);
	assert_int_equal(number(device, CL_DEVICE_PARENT_DEVICE), 0);
	assert_int_equal(number(device, CL_DEVICE_PLATFORM), (cl_ulong)(uintptr_t)platform);
}

static void names_and_versions_say_the_same(void **state)
{
	char names[4096];
	cl_name_version versions[128];
	size_t size = 0;
	char joined[4096] = "";

	(void)state;
	assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(names), names, NULL),
			 CL_SUCCESS);
	assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION,
					 sizeof(versions), versions, &size),
			 CL_SUCCESS);
	for (size_t i = 0; i < size / sizeof(versions[0]); i++) {
		if (i)
			strcat(joined, " ");
		strcat(joined, versions[i].name);
		assert_true(versions[i].version != 0);
	}
	assert_string_equal(joined, names);
	assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof(names), names, NULL),
			 CL_SUCCESS);
	assert_int_equal(strncmp(names, "OpenCL 3.1 ", 11), 0);
	assert_int_equal(number(device, CL_DEVICE_NUMERIC_VERSION), CL_MAKE_VERSION(3, 1, 0));
}

static void timers(void **state)
{
	cl_ulong on_device = 0;
	cl_ulong on_host = 0;
	cl_ulong later = 0;

	(void)state;
	assert_int_equal(clGetDeviceAndHostTimer(device, &on_device, &on_host), CL_SUCCESS);
	assert_int_equal(clGetHostTimer(device, &later), CL_SUCCESS);
	assert_true(on_host > 0 && later >= on_host);
	assert_int_equal(clGetDeviceAndHostTimer(device, NULL, &on_host), CL_INVALID_VALUE);
	assert_int_equal(clGetDeviceAndHostTimer(device, &on_device, NULL), CL_INVALID_VALUE);
	assert_int_equal(clGetHostTimer(device, NULL), CL_INVALID_VALUE);
}

/* ---- sub-devices ----------------------------------------------------------------------------- */

static void bad_partitions(void **state)
{
	const cl_ulong units = number(device, CL_DEVICE_MAX_COMPUTE_UNITS);
	const cl_device_partition_property unknown[] = {0x7777, 1, 0};
	const cl_device_partition_property none[] = {CL_DEVICE_PARTITION_EQUALLY, 0, 0};
	const cl_device_partition_property two[] = {CL_DEVICE_PARTITION_EQUALLY, 1,
						    CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	const cl_device_partition_property large[] = {CL_DEVICE_PARTITION_EQUALLY,
						      (cl_device_partition_property)units + 1, 0};
	const cl_device_partition_property whole[] = {CL_DEVICE_PARTITION_EQUALLY,
						      (cl_device_partition_property)units, 0};
	const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS,
						       (cl_device_partition_property)units, 1,
						       CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
	const cl_device_partition_property negative[] = {CL_DEVICE_PARTITION_BY_COUNTS, -1,
							 CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
	const cl_device_partition_property domain[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 0,
						       0};
	const cl_device_partition_property domains[] = {
		CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
		CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE | CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, 0};
	cl_uint num = 0;

	(void)state;
	assert_int_equal(clCreateSubDevices(NULL, none, 0, NULL, &num), CL_INVALID_DEVICE);
	assert_int_equal(clCreateSubDevices(device, NULL, 0, NULL, &num), CL_INVALID_VALUE);
	assert_int_equal(clCreateSubDevices(device, unknown, 0, NULL, &num), CL_INVALID_VALUE);
	assert_int_equal(clCreateSubDevices(device, none, 0, NULL, &num), CL_INVALID_VALUE);
	assert_int_equal(clCreateSubDevices(device, two, 0, NULL, &num), CL_INVALID_VALUE);
	assert_int_equal(clCreateSubDevices(device, domain, 0, NULL, &num), CL_INVALID_VALUE);
	assert_int_equal(clCreateSubDevices(device, domains, 0, NULL, &num), CL_INVALID_VALUE);
	assert_int_equal(clCreateSubDevices(device, large, 0, NULL, &num),
			 CL_INVALID_DEVICE_PARTITION_COUNT);
	assert_int_equal(clCreateSubDevices(device, whole, 0, NULL, &num),
			 CL_DEVICE_PARTITION_FAILED);
	assert_int_equal(clCreateSubDevices(device, counts, 0, NULL, &num),
			 CL_INVALID_DEVICE_PARTITION_COUNT);
	assert_int_equal(clCreateSubDevices(device, negative, 0, NULL, &num),
			 CL_INVALID_DEVICE_PARTITION_COUNT);
}

/* Along each domain that the device falls apart by, and no other. Returns the domain that was used, or 0. */
static cl_ulong split_along(cl_ulong domain)
{
	const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
							   (cl_device_partition_property)domain, 0};
	cl_device_partition_property type[4] = {0};
	cl_device_id subs[256];
	cl_ulong units = 0;
	cl_uint num = 0;

	if (clCreateSubDevices(device, properties, 256, subs, &num) != CL_SUCCESS)
		return 0;
	assert_true(num > 1);
	for (cl_uint i = 0; i < num; i++) {
		units += number(subs[i], CL_DEVICE_MAX_COMPUTE_UNITS);
		assert_int_equal(clGetDeviceInfo(subs[i], CL_DEVICE_PARTITION_TYPE, sizeof(type),
						 type, NULL),
				 CL_SUCCESS);
		assert_int_equal(type[0], CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
		assert_int_equal(clReleaseDevice(subs[i]), CL_SUCCESS);
	}
	assert_int_equal(units, number(device, CL_DEVICE_MAX_COMPUTE_UNITS));
	return (cl_ulong)type[1];
}

static void sub_devices_by_domain(void **state)
{
	static const cl_ulong domains[] = {
		CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
		CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
		CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE};
	const cl_ulong offered = number(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
	cl_device_partition_property schemes[4] = {0};
	cl_ulong first = 0;

	(void)state;
	for (int i = 0; i < 5; i++) {
		assert_int_equal(split_along(domains[i]), offered & domains[i]);
		if (!first)
			first = offered & domains[i];
	}
	assert_int_equal(split_along(CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE), first);
	assert_true(!(offered & CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE) == !first);
	assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, sizeof(schemes),
					 schemes, NULL),
			 CL_SUCCESS);
	assert_true((schemes[2] == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) == (first != 0));
	if (schemes[0] && !first) {
		const cl_device_partition_property next[] = {
			CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
			CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
		cl_uint num;

		assert_int_equal(clCreateSubDevices(device, next, 0, NULL, &num), CL_INVALID_VALUE);
	}
}

static void check_sub_device(cl_device_id sub, cl_ulong units)
{
	assert_int_equal(number(sub, CL_DEVICE_MAX_COMPUTE_UNITS), units);
	assert_int_equal(number(sub, CL_DEVICE_PARENT_DEVICE), (cl_ulong)(uintptr_t)device);
	assert_int_equal(number(sub, CL_DEVICE_REFERENCE_COUNT), 1);
	assert_int_equal(clRetainDevice(sub), CL_SUCCESS);
	assert_int_equal(number(sub, CL_DEVICE_REFERENCE_COUNT), 2);
	assert_int_equal(clReleaseDevice(sub), CL_SUCCESS);
	cl_context context = clCreateContext(NULL, 1, &sub, NULL, NULL, NULL);
	assert_non_null(context);
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, sub, NULL, NULL);
	assert_non_null(queue);
	/* The root is not of this context. */
	cl_int err;
	assert_null(clCreateCommandQueueWithProperties(context, device, NULL, &err));
	assert_int_equal(err, CL_INVALID_DEVICE);
	/* What was made in it keeps it alive. */
	assert_int_equal(clReleaseDevice(sub), CL_SUCCESS);
	assert_int_equal(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clFinish(queue), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
}

static void equal_sub_devices(void **state)
{
	const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	const cl_uint units = (cl_uint)number(device, CL_DEVICE_MAX_COMPUTE_UNITS);
	cl_device_partition_property type[4] = {0};
	cl_uint num = 0;
	size_t size = 0;

	(void)state;
	cl_device_id *subs = calloc(units, sizeof(cl_device_id));
	assert_non_null(subs);
	if (number(device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) == 0) {
		assert_int_equal(clCreateSubDevices(device, properties, units, subs, &num),
				 CL_DEVICE_PARTITION_FAILED);
		free(subs);
		return;
	}
	assert_int_equal(clCreateSubDevices(device, properties, 0, NULL, &num), CL_SUCCESS);
	assert_int_equal(num, units);
	assert_int_equal(clCreateSubDevices(device, properties, units - 1, subs, &num),
			 CL_INVALID_VALUE);
	assert_int_equal(clCreateSubDevices(device, properties, units, subs, &num), CL_SUCCESS);
	assert_int_equal(
		clGetDeviceInfo(subs[0], CL_DEVICE_PARTITION_TYPE, sizeof(type), type, &size),
		CL_SUCCESS);
	assert_int_equal(size, sizeof(properties));
	assert_memory_equal(type, properties, sizeof(properties));
	/* One unit cannot be divided. */
	assert_int_equal(clCreateSubDevices(subs[0], properties, 0, NULL, &num),
			 CL_DEVICE_PARTITION_FAILED);
	for (cl_uint i = 0; i < units; i++)
		check_sub_device(subs[i], 1);
	free(subs);
}

/* The element behind the counts is not read: DPC++ passes an array that ends before it. */
static void counted_sub_devices(void **state)
{
	const cl_device_partition_property properties[] = {
		CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 7};
	const cl_device_partition_property type[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1,
						     CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
	cl_device_partition_property said[5];
	cl_device_id subs[2];
	cl_uint num = 0;

	(void)state;
	if (number(device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) == 0)
		skip();
	assert_int_equal(clCreateSubDevices(device, properties, 2, subs, &num), CL_SUCCESS);
	assert_int_equal(num, 2);
	assert_int_equal(
		clGetDeviceInfo(subs[0], CL_DEVICE_PARTITION_TYPE, sizeof(said), said, NULL),
		CL_SUCCESS);
	assert_memory_equal(said, type, sizeof(type));
	check_sub_device(subs[0], 1);
	check_sub_device(subs[1], 1);
}

static void root_devices_are_not_counted(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(clReleaseDevice(device), CL_SUCCESS);
	assert_int_equal(clRetainDevice(device), CL_SUCCESS);
	assert_int_equal(number(device, CL_DEVICE_REFERENCE_COUNT), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(platforms),
		cmocka_unit_test(platform_info),
		cmocka_unit_test(device_ids),
		cmocka_unit_test(every_device_query_answers),
		cmocka_unit_test(values_are_what_the_specification_asks_for),
		cmocka_unit_test(names_and_versions_say_the_same),
		cmocka_unit_test(timers),
		cmocka_unit_test(bad_partitions),
		cmocka_unit_test(equal_sub_devices),
		cmocka_unit_test(sub_devices_by_domain),
		cmocka_unit_test(counted_sub_devices),
		cmocka_unit_test(root_devices_are_not_counted),
	};
	return cmocka_run_group_tests(tests, setup, NULL);
}
