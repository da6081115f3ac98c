/* SPDX-License-Identifier: MIT
 *
 * Entry points of features that no device offers, on programs and kernels that there are (the others:
 * not_offered_test.c).
 */
#include "program_fixture.h"

static char bytes[64];

static void test_program(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_from(f->base.context, "x");

	assert_int_equal(clSetProgramSpecializationConstant(program, 0, 4, bytes),
			 CL_INVALID_OPERATION);
	assert_int_equal(clSetProgramReleaseCallback(program, NULL, NULL), CL_INVALID_OPERATION);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void test_kernel_svm(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_built(f->base.context, "x");
	cl_kernel kernel = program_kernel(program, "add");

	assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, bytes), CL_INVALID_OPERATION);
	assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, bytes),
			 CL_INVALID_OPERATION);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static cl_int sub_group_error(cl_kernel kernel, cl_device_id device)
{
	size_t value;

	return clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
				       sizeof(value), &value, NULL);
}

static void test_sub_groups(void **state)
{
	struct program_fixture *f = *state;
	cl_program of_one = program_built(f->base.context, "x");
	cl_program of_both = program_built(f->both, "x");
	cl_kernel kernel = program_kernel(of_one, "add");
	cl_kernel kernel_of_both = program_kernel(of_both, "add");

	assert_int_equal(sub_group_error(kernel, f->base.device), CL_INVALID_OPERATION);
	assert_int_equal(sub_group_error(kernel, NULL), CL_INVALID_OPERATION);
	assert_int_equal(sub_group_error(kernel, f->devices[1]), CL_INVALID_DEVICE);
	assert_int_equal(sub_group_error(kernel, (cl_device_id)f->base.queue), CL_INVALID_DEVICE);
	assert_int_equal(sub_group_error(kernel_of_both, f->devices[1]), CL_INVALID_OPERATION);
	/* "if device is NULL but there is more than one device associated with kernel" */
	assert_int_equal(sub_group_error(kernel_of_both, NULL), CL_INVALID_DEVICE);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel_of_both), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(of_one), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(of_both), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_kernel_svm),
		cmocka_unit_test(test_sub_groups),
	};

	return cmocka_run_group_tests(tests, program_set_up, program_tear_down);
}
