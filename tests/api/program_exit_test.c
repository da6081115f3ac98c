/* SPDX-License-Identifier: MIT
 *
 * Builds while the process ends, when the compiler is about to be torn down or is already.
 */
#include "program_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

static cl_program late;

/* Runs after the compiler's own end: it was registered before the compiler was opened. */
static void build_at_exit(void)
{
	cl_int err = clBuildProgram(late, 0, NULL, "", NULL, NULL);

	_exit(err == CL_COMPILER_NOT_AVAILABLE ? 7 : 8);
}

static void build_and_exit(void)
{
	void *state;

	program_set_up(&state);
	struct program_fixture *f = state;
	atexit(build_at_exit);
	late = program_from(f->base.context, "late");
	if (clBuildProgram(program_from(f->base.context, "early"), 0, NULL, "", NULL, NULL) !=
	    CL_SUCCESS)
		_exit(9);
	exit(0);
}

static void exit_before_a_build(void **state)
{
	int status = -1;

	(void)state;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0)
		build_and_exit();
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exit_before_a_build),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
