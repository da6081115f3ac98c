/* SPDX-License-Identifier: MIT
 *
 * clGetKernelSubGroupInfo, and what the device and clGetKernelWorkGroupInfo say about sub-groups. The kernel "add"
 * has 8 lanes, "look" one; "fixed" is for groups of 8 by 4 by 2, and
 * "pairs", of 8 lanes, for groups of two sub-groups.
 */
#include "program_fixture.h"

#include <CL/cl_ext.h>
#include <stdint.h>

/* One number, for a local size of `dimensions`. */
static size_t ask(cl_kernel kernel, cl_kernel_sub_group_info param, const size_t *local,
		  size_t dimensions)
{
	size_t value = 77, size = 0;

	assert_int_equal(clGetKernelSubGroupInfo(kernel, NULL, param, dimensions * sizeof(size_t),
						 local, sizeof(value), &value, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(value));
	return value;
}

static size_t group_limit(cl_kernel kernel)
{
	size_t limit;

	assert_int_equal(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE,
						  sizeof(limit), &limit, NULL),
			 CL_SUCCESS);
	return limit;
}

static void test_sizes_and_counts(void **state)
{
	struct program_fixture *f = *state;
	static const size_t row[3] = {20, 1, 1}, box[3] = {5, 3, 2}, item[3] = {1, 1, 1};
	cl_kernel add = program_kernel(f->program, "add"),
		  look = program_kernel(f->program, "look");

	for (size_t d = 1; d <= 3; d++) {
		assert_int_equal(ask(add, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, row, d), 8);
		assert_int_equal(ask(add, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, row, d), 3);
		assert_int_equal(ask(add, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, item, d), 1);
		assert_int_equal(ask(look, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, row, d), 1);
		assert_int_equal(ask(look, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, row, d), 20);
	}
	assert_int_equal(ask(add, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, box, 1), 1);
	assert_int_equal(ask(add, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, box, 2), 2);
	assert_int_equal(ask(add, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, box, 3), 4);
	assert_int_equal(ask(add, CL_KERNEL_MAX_NUM_SUB_GROUPS, NULL, 0),
			 (group_limit(add) + 7) / 8);
	assert_int_equal(ask(look, CL_KERNEL_MAX_NUM_SUB_GROUPS, NULL, 0), group_limit(look));
	assert_int_equal(ask(add, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, NULL, 0), 0);
	assert_int_equal(ask(add, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, NULL, 0), 0);
	assert_int_equal(clReleaseKernel(add), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(look), CL_SUCCESS);
}

/* What local size has so many sub-groups, in `dimensions`. */
static void check_local_size(cl_kernel kernel, size_t count, size_t dimensions, size_t expected)
{
	size_t local[3] = {77, 77, 77}, size = 0;

	assert_int_equal(clGetKernelSubGroupInfo(
				 kernel, NULL, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
				 sizeof(count), &count, dimensions * sizeof(size_t), local, &size),
			 CL_SUCCESS);
	assert_int_equal(size, dimensions * sizeof(size_t));
	assert_int_equal(local[0], expected);
	for (size_t d = 1; d < 3; d++)
		assert_int_equal(local[d], d >= dimensions ? 77 : expected ? 1 : 0);
}

static void test_local_sizes(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel add = program_kernel(f->program, "add"),
		  fixed = program_kernel(f->program, "fixed");

	for (size_t d = 1; d <= 3; d++) {
		check_local_size(add, 3, d, 24);
		check_local_size(add, group_limit(add) / 8, d, group_limit(add) / 8 * 8);
		check_local_size(add, group_limit(add) / 8 + 1, d, 0);
		check_local_size(add, 0, d, 0);
		check_local_size(add, SIZE_MAX / 2, d, 0);
		/* Its groups have three dimensions. */
		check_local_size(fixed, 8, d, 0);
	}
	assert_int_equal(clReleaseKernel(add), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(fixed), CL_SUCCESS);
}

static cl_int launch(struct program_fixture *f, cl_kernel kernel, size_t global,
		     const size_t *local)
{
	return clEnqueueNDRangeKernel(f->base.queue, kernel, 1, NULL, &global, local, 0, NULL,
				      NULL);
}

static void test_required_count(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel pairs = program_kernel(f->program, "pairs");

	assert_int_equal(ask(pairs, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, NULL, 0), 2);
	assert_int_equal(ask(pairs, CL_KERNEL_MAX_NUM_SUB_GROUPS, NULL, 0), 2);
	assert_int_equal(group_limit(pairs), 16);
	check_local_size(pairs, 2, 3, 16);
	check_local_size(pairs, 1, 3, 0);
	check_local_size(pairs, 3, 3, 0);
	for (size_t local = 1; local <= 24; local++)
		assert_int_equal(launch(f, pairs, 720720, &local),
				 local > 8 && local <= 16 ? CL_SUCCESS
							  : CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(launch(f, pairs, 33, NULL), CL_SUCCESS);
	assert_int_equal(launch(f, pairs, 1, NULL), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(pairs), CL_SUCCESS);
}

static cl_int ask_error(cl_kernel kernel, cl_kernel_sub_group_info param, size_t input_size,
			const void *input, size_t size)
{
	size_t value;

	return clGetKernelSubGroupInfo(kernel, NULL, param, input_size, input, size, &value, NULL);
}

static void test_values(void **state)
{
	struct program_fixture *f = *state;
	static const size_t local[4] = {8, 1, 1, 1}, none[2] = {8, 0};
	static const cl_kernel_sub_group_info of_range[] = {
		CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE};
	const cl_kernel_sub_group_info count = CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT;
	cl_kernel add = program_kernel(f->program, "add");

	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(ask_error(add, of_range[i], 8, NULL, 8), CL_INVALID_VALUE);
		assert_int_equal(ask_error(add, of_range[i], 0, local, 8), CL_INVALID_VALUE);
		assert_int_equal(ask_error(add, of_range[i], 12, local, 8), CL_INVALID_VALUE);
		assert_int_equal(ask_error(add, of_range[i], 32, local, 8), CL_INVALID_VALUE);
		assert_int_equal(ask_error(add, of_range[i], 16, none, 8), CL_INVALID_VALUE);
		assert_int_equal(ask_error(add, of_range[i], 8, local, 4), CL_INVALID_VALUE);
	}
	assert_int_equal(ask_error(add, count, 8, NULL, 8), CL_INVALID_VALUE);
	assert_int_equal(ask_error(add, count, 16, local, 8), CL_INVALID_VALUE);
	assert_int_equal(ask_error(add, count, 8, local, 4), CL_INVALID_VALUE);
	assert_int_equal(ask_error(add, CL_KERNEL_FUNCTION_NAME, 8, local, 8), CL_INVALID_VALUE);
	assert_int_equal(clReleaseKernel(add), CL_SUCCESS);
}

static cl_int device_error(cl_kernel kernel, cl_device_id device)
{
	size_t value;

	return clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
				       sizeof(value), &value, NULL);
}

static void test_devices(void **state)
{
	struct program_fixture *f = *state;
	cl_program of_both = program_built(f->both, "x");
	cl_kernel kernel = program_kernel(f->program, "add");
	cl_kernel kernel_of_both = program_kernel(of_both, "add");

	assert_int_equal(device_error(kernel, f->base.device), CL_SUCCESS);
	assert_int_equal(device_error(kernel, NULL), CL_SUCCESS);
	assert_int_equal(device_error(kernel, f->devices[1]), CL_INVALID_DEVICE);
	assert_int_equal(device_error(kernel, (cl_device_id)f->base.queue), CL_INVALID_DEVICE);
	assert_int_equal(device_error(kernel_of_both, f->devices[1]), CL_SUCCESS);
	assert_int_equal(device_error((cl_kernel)f->base.queue, NULL), CL_INVALID_KERNEL);
	/* "if device is NULL but there is more than one device associated with kernel" */
	assert_int_equal(device_error(kernel_of_both, NULL), CL_INVALID_DEVICE);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel_of_both), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(of_both), CL_SUCCESS);
}

static void test_device_queries(void **state)
{
	struct program_fixture *f = *state;
	size_t sizes[16], size, largest;
	cl_uint most;
	cl_bool independent = CL_TRUE;
	char extensions[4096];

	assert_int_equal(clGetDeviceInfo(f->base.device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof(most),
					 &most, NULL),
			 CL_SUCCESS);
	assert_int_equal(clGetDeviceInfo(f->base.device, CL_DEVICE_MAX_WORK_GROUP_SIZE,
					 sizeof(largest), &largest, NULL),
			 CL_SUCCESS);
	assert_int_equal(most, largest);
	assert_int_equal(clGetDeviceInfo(f->base.device,
					 CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
					 sizeof(independent), &independent, NULL),
			 CL_SUCCESS);
	assert_int_equal(independent, CL_FALSE);
	/* "This query must return CL_TRUE for devices that support the cl_khr_subgroups extension" */
	assert_int_equal(clGetDeviceInfo(f->base.device, CL_DEVICE_EXTENSIONS, sizeof(extensions),
					 extensions, NULL),
			 CL_SUCCESS);
	assert_null(strstr(extensions, "cl_khr_subgroups"));
	assert_non_null(strstr(extensions, "cl_khr_subgroup_ballot"));
	assert_int_equal(clGetDeviceInfo(f->base.device, CL_DEVICE_SUB_GROUP_SIZES_INTEL,
					 sizeof(sizes), sizes, &size),
			 CL_SUCCESS);
	assert_int_equal(size, 4 * sizeof(sizes[0]));
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(sizes[i], (size_t)4 << i);
}

/* "a return value of 0 will always indicate that" nothing is spilled */
static void test_spill_memory(void **state)
{
	struct program_fixture *f = *state;
	cl_kernel spills = program_kernel(f->program, "spills"),
		  add = program_kernel(f->program, "add");
	cl_ulong bytes = 0;

	assert_int_equal(clGetKernelWorkGroupInfo(spills, NULL, CL_KERNEL_SPILL_MEM_SIZE_INTEL,
						  sizeof(bytes), &bytes, NULL),
			 CL_SUCCESS);
	assert_int_equal(bytes, FAKE_SPILL);
	assert_int_equal(clGetKernelWorkGroupInfo(add, NULL, CL_KERNEL_SPILL_MEM_SIZE_INTEL,
						  sizeof(bytes), &bytes, NULL),
			 CL_SUCCESS);
	assert_int_equal(bytes, 1);
	assert_int_equal(clReleaseKernel(spills), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(add), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes_and_counts), cmocka_unit_test(test_local_sizes),
		cmocka_unit_test(test_values),           cmocka_unit_test(test_devices),
		cmocka_unit_test(test_required_count),   cmocka_unit_test(test_device_queries),
		cmocka_unit_test(test_spill_memory),
	};

	return cmocka_run_group_tests(tests, built_set_up, built_tear_down);
}
