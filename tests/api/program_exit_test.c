/* SPDX-License-Identifier: MIT
 *
 * Builds while the process ends, and while it forks.
 */
#include "program_fixture.h"

#include "child.h"
#include "latch.h"

#include <sys/wait.h>
#include <unistd.h>

static cl_program late;

/* Runs after the exit has waited for builds: it was registered before the compiler was opened. */
static void build_at_exit(void)
{
	_exit(clBuildProgram(late, 0, NULL, "", NULL, NULL) == CL_SUCCESS ? 7 : 8);
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
	pid_t child = fork_limited();
	assert_true(child >= 0);
	if (child == 0)
		build_and_exit();
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
}

/* ---- forks ----------------------------------------------------------------------------------- */

/* ThreadSanitizer supports no threads in the child of a process with threads. */
#if defined(__SANITIZE_THREAD__)
#define CAN_FORK 0
#else
#define CAN_FORK 1
#endif

static struct latch built = LATCH_INITIALIZER;

static void CL_CALLBACK note_built(cl_program program, void *user_data)
{
	(void)program;
	(void)user_data;
	latch_raise(&built);
}

/* The child finds a program that its parent is building: it can build it too. */
static void child_builds_what_its_parent_is_building(void **state)
{
	int status = -1;

	if (!CAN_FORK)
		skip();
	program_set_up(state);
	struct program_fixture *f = *state;
	cl_program program = program_from(f->base.context, "wait");
	f->compiler->set_gate(0);
	assert_int_equal(clBuildProgram(program, 0, NULL, "", note_built, NULL), CL_SUCCESS);
	f->compiler->wait_for_one();
	pid_t child = fork_limited();
	if (child == 0) {
		f->compiler->set_gate(1);
		_exit(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS &&
				      clCreateKernel(program, "add", NULL)
			      ? 7
			      : 8);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_INVALID_OPERATION);
	f->compiler->set_gate(1);
	(void)latch_wait(&built, 1);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	program_tear_down(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exit_before_a_build),
		cmocka_unit_test(child_builds_what_its_parent_is_building),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
