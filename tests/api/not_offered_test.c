/* SPDX-License-Identifier: MIT
 *
 * Entry points of features that no device offers: the codes that the specification names for this
 * case.
 */
#include "fixture.h"

static char bytes[64];

static cl_mem buffer;

static int set_up(void **state)
{
	fixture_set_up(state);
	struct fixture *f = *state;
	buffer = fixture_buffer(f, 0, 64, NULL);
	return 0;
}

static int tear_down(void **state)
{
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	return fixture_tear_down(state);
}

/* The devices say so too. */
static void test_device_queries(void **state)
{
	static const cl_device_info numbers[] = {CL_DEVICE_PIPE_SUPPORT};
	struct fixture *f = *state;
	char il[16];

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		cl_uint value = 1;
		assert_int_equal(
			clGetDeviceInfo(f->device, numbers[i], sizeof(value), &value, NULL),
			CL_SUCCESS);
		assert_int_equal(value, 0);
	}
	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_IL_VERSION, sizeof(il), il, NULL),
			 CL_SUCCESS);
	assert_string_equal(il, "");
}

static void check_created(const void *object, const cl_int *err, cl_int expected)
{
	assert_null(object);
	assert_int_equal(*err, expected);
}

static void test_create(void **state)
{
	struct fixture *f = *state;
	const cl_context contexts[2] = {f->context, NULL};

	for (int i = 0; i < 2; i++) {
		const cl_int expected = i ? CL_INVALID_CONTEXT : CL_INVALID_OPERATION;
		cl_context c = contexts[i];
		cl_int err = CL_SUCCESS;
		check_created(clCreatePipe(c, 0, 4, 4, NULL, &err), &err, expected);
		check_created(clCreateProgramWithIL(c, bytes, sizeof(bytes), &err), &err, expected);
		assert_null(clCreatePipe(c, 0, 4, 4, NULL, NULL));
	}
}

static void test_objects_that_cannot_be(void **state)
{
	struct fixture *f = *state;

	(void)f;
	assert_int_equal(clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 64, bytes, NULL),
			 CL_INVALID_MEM_OBJECT);
}

static void test_built_in_kernels(void **state)
{
	struct fixture *f = *state;
	cl_int err = CL_SUCCESS;

	check_created(clCreateProgramWithBuiltInKernels(NULL, 1, &f->device, "k", &err), &err,
		      CL_INVALID_CONTEXT);
	check_created(clCreateProgramWithBuiltInKernels(f->context, 0, NULL, "k", &err), &err,
		      CL_INVALID_VALUE);
	check_created(clCreateProgramWithBuiltInKernels(f->context, 1, &f->device, NULL, &err),
		      &err, CL_INVALID_VALUE);
	check_created(clCreateProgramWithBuiltInKernels(f->context, 1, &f->device, "k", &err), &err,
		      CL_INVALID_VALUE);
	check_created(clCreateProgramWithBuiltInKernels(
			      f->context, 1, &(cl_device_id){(cl_device_id)f->queue}, "k", &err),
		      &err, CL_INVALID_DEVICE);
}

static void test_programs_that_are_none(void **state)
{
	struct fixture *f = *state;
	const cl_program program = (cl_program)f->queue;

	assert_int_equal(clSetProgramSpecializationConstant(program, 0, 4, bytes),
			 CL_INVALID_PROGRAM);
	assert_int_equal(clSetProgramReleaseCallback(program, NULL, NULL), CL_INVALID_PROGRAM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_device_queries),
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_objects_that_cannot_be),
		cmocka_unit_test(test_built_in_kernels),
		cmocka_unit_test(test_programs_that_are_none),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
