/* SPDX-License-Identifier: MIT
 *
 * clSetProgramReleaseCallback (specification 5.8): its errors, and when the callbacks are called. That they come after the program's
 * destructors: compiled_cxx_test.c.
 */
#include "program_fixture.h"

static int order[3];
static int num_called;

static void CL_CALLBACK note(cl_program program, void *user_data)
{
	(void)program;
	order[num_called++] = *(int *)user_data;
}

static void test_errors(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_from(f->base.context, "x");

	assert_int_equal(clSetProgramReleaseCallback(NULL, note, NULL), CL_INVALID_PROGRAM);
	assert_int_equal(clSetProgramReleaseCallback((cl_program)f->base.queue, note, NULL),
			 CL_INVALID_PROGRAM);
	assert_int_equal(clSetProgramReleaseCallback(program, NULL, NULL), CL_INVALID_VALUE);
	/* one that has been built, and has no destructors */
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clSetProgramReleaseCallback(program, note, NULL), CL_INVALID_OPERATION);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* A kernel keeps the program, so its release is the last. */
static void test_the_newest_is_called_first(void **state)
{
	struct program_fixture *f = *state;
	int names[] = {1, 2, 3};
	cl_program program = program_from(f->base.context, "x");

	num_called = 0;
	for (int i = 0; i < 3; i++)
		assert_int_equal(clSetProgramReleaseCallback(program, note, &names[i]), CL_SUCCESS);
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	cl_kernel kernel = clCreateKernel(program, "add", NULL);
	assert_non_null(kernel);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(num_called, 0);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(num_called, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(order[i], 3 - i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_the_newest_is_called_first),
	};

	return cmocka_run_group_tests(tests, program_set_up, program_tear_down);
}
