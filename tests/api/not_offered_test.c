/* SPDX-License-Identifier: MIT
 *
 * Entry points of features that no device offers: the codes that the specification names for this
 * case.
 */
#include "fixture.h"

static void check_created(const void *object, const cl_int *err, cl_int expected)
{
	assert_null(object);
	assert_int_equal(*err, expected);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_built_in_kernels),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
