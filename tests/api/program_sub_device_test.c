/* SPDX-License-Identifier: MIT
 *
 * A program that was built for a device serves its sub-devices: specification, the note at the end of 5.8.9.
 */
#include "program_fixture.h"

static cl_build_status status_of(cl_program program, cl_device_id device)
{
	cl_build_status status = 99;

	assert_int_equal(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS,
					       sizeof(status), &status, NULL),
			 CL_SUCCESS);
	return status;
}

static void build_of_the_parent_serves(void **state)
{
	struct program_fixture *f = *state;
	const cl_device_partition_property properties[] = {
		CL_DEVICE_PARTITION_BY_COUNTS, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
	cl_device_id devices[] = {f->base.device, NULL};
	cl_program_binary_type type = 0;

	if (clCreateSubDevices(f->base.device, properties, 1, &devices[1], NULL) != CL_SUCCESS)
		skip();
	cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, NULL);
	cl_program program = program_from(context, "x");
	assert_int_equal(status_of(program, devices[1]), CL_BUILD_NONE);
	assert_int_equal(clBuildProgram(program, 1, devices, "", NULL, NULL), CL_SUCCESS);
	assert_int_equal(status_of(program, devices[0]), CL_BUILD_SUCCESS);
	assert_int_equal(status_of(program, devices[1]), CL_BUILD_SUCCESS);
	assert_int_equal(clGetProgramBuildInfo(program, devices[1], CL_PROGRAM_BINARY_TYPE,
					       sizeof(type), &type, NULL),
			 CL_SUCCESS);
	assert_int_equal(type, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
	/* Its own failure is its own. */
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	program = program_from(context, "#error here");
	assert_int_equal(clBuildProgram(program, 1, &devices[1], "", NULL, NULL),
			 CL_BUILD_PROGRAM_FAILURE);
	assert_int_equal(status_of(program, devices[0]), CL_BUILD_NONE);
	assert_int_equal(status_of(program, devices[1]), CL_BUILD_ERROR);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
	assert_int_equal(clReleaseDevice(devices[1]), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(build_of_the_parent_serves),
	};

	return cmocka_run_group_tests(tests, program_set_up, program_tear_down);
}
