/* SPDX-License-Identifier: MIT
 *
 * Entry points of features that no device offers, on programs that there are (the others: not_offered_test.c).
 */
#include "program_fixture.h"

static void test_program(void **state)
{
	struct program_fixture *f = *state;
	cl_program program = program_from(f->base.context, "x");

	assert_int_equal(clSetProgramReleaseCallback(program, NULL, NULL), CL_INVALID_OPERATION);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_program),
	};

	return cmocka_run_group_tests(tests, program_set_up, program_tear_down);
}
