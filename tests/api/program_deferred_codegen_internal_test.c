/* SPDX-License-Identifier: MIT
 *
 * Code that is made later, from behind the entry points: allocations that fail, one after the other, wherever they are
 * made; what the kernel cache keeps of a program until it is whole, and from then on.
 */
#include "program_fixture.h"

#include "alloc.h"
#include "node/wait.h"
#include "options.h"
#include "program/deferred_codegen.h"
#include "program/program.h"
#include "threads.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static struct program_fixture *f;
static char folder[] = "/tmp/weft-late-XXXXXX";

static int set_up(void **state)
{
	/* Options are read once. */
	setenv("WEFT_COMPILER", FAKE_COMPILER, 1);
	setenv("WEFT_DEVICES", "pthread,basic", 1);
	setenv("WEFT_THREADS", "4", 1); /* some of them stand at the gate */
	assert_non_null(mkdtemp(folder));
	setenv("WEFT_CACHE_DIR", folder, 1);
	(void)weft_options();
	assert_int_equal(program_set_up(state), 0);
	f = *state;
	return 0;
}

static int tear_down(void **state)
{
	char command[64];

	/* What was dropped last may be written at this time. */
	snprintf(command, sizeof(command), "rm -rf '%s' 2>/dev/null", folder);
	while (system(command) != 0)
		sched_yield();
	return program_tear_down(state);
}

static void set_deferred_codegen(bool deferred)
{
	((struct weft_options *)(uintptr_t)weft_options())->late_code = deferred;
}

static void wait_for_all(cl_program program)
{
	size_t sizes[2];

	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes, NULL),
		CL_SUCCESS);
}

static void wait_for_unit(struct weft_codegen_unit *unit)
{
	struct weft_waiter waiter;

	weft_waiter_init(&waiter);
	if (weft_codegen_unit_wait(unit, &waiter.edge))
		weft_waiter_sleep(&waiter, NULL);
}

/* There is no other handle to the program. */
static struct weft_deferred_codegen *codegen_of(cl_program program)
	WEFT_TSA(no_thread_safety_analysis)
{
	return program->builds[0].codegen;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* From the source to all code, on both devices. */
static cl_int make(const char *source)
{
	cl_program program = clCreateProgramWithSource(f->both, 1, &source, NULL, NULL);
	size_t sizes[2];

	if (!program)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int err = clBuildProgram(program, 0, NULL, "", NULL, NULL);
	if (err == CL_SUCCESS)
		err = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(sizes), sizes,
				       NULL);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return err;
}

/* In the calling thread and in the background. What only the cache lacks memory for is not an error. */
static void every_allocation_may_fail(void **state)
{
	char source[32];
	bool failed = true;

	(void)state;
	for (long n = 0; failed; n++) {
		assert_true(n < 1000);
		snprintf(source, sizeof(source), "postponed %ld", n);
		weft_alloc_fail_after(n);
		cl_int err = make(source);
		failed = weft_alloc_has_failed();
		weft_alloc_fail_after(-1);
		assert_true(err == CL_SUCCESS || (failed && err == CL_OUT_OF_HOST_MEMORY));
		assert_int_equal(make(source), CL_SUCCESS);
	}
}

static void what_is_no_archive_is_refused(void **state)
{
	const struct weft_cache_key key = {.time = 0};
	struct weft_program_binary_desc desc = {.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
						.bytes = "WEFTARC\0and then nothing that fits it",
						.size = 38};
	struct weft_deferred_codegen *codegen = NULL;

	(void)state;
	for (; desc.size > 0; desc.size--) {
		struct weft_program_binary *binary = weft_program_binary_create(&desc);
		const struct weft_deferred_codegen_desc codegen_desc = {binary, &key, 1, false};

		assert_non_null(binary);
		assert_int_equal(weft_deferred_codegen_create(&codegen_desc, &codegen),
				 WEFT_INVALID_BINARY);
		weft_program_binary_put(binary);
	}
	assert_null(codegen);
}

/* ---- the cache ------------------------------------------------------------------------------- */

static void whole_programs_are_cached(void **state)
{
	cl_program program = program_built(f->both, "postponed whole");

	(void)state;
	assert_non_null(codegen_of(program));
	wait_for_all(program);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	int calls = f->compiler->calls();
	program = program_built(f->both, "postponed whole");
	assert_null(codegen_of(program));
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(f->compiler->calls(), calls);
}

static void wait_for_all_but_one(cl_program program)
{
	for (uint32_t i = 0; i < FAKE_NUM_KERNELS; i++) {
		if (i != FAKE_SLOW_UNIT)
			wait_for_unit(weft_deferred_codegen_unit(codegen_of(program), i));
	}
}

/* While a program is not whole, another build of it makes nothing that is there. */
static void units_are_cached_until_then(void **state)
{
	cl_program programs[2];

	(void)state;
	f->compiler->set_gate(0);
	programs[0] = program_built(f->both, "postponed slow units");
	wait_for_all_but_one(programs[0]);
	f->compiler->wait_for_one();
	int calls = f->compiler->calls();
	programs[1] = program_built(f->both, "postponed slow units");
	assert_non_null(codegen_of(programs[1]));
	wait_for_all_but_one(programs[1]);
	assert_in_range(f->compiler->calls() - calls, 0, 1); /* the slow one */
	f->compiler->set_gate(1);
	for (int i = 0; i < 2; i++) {
		wait_for_all(programs[i]);
		assert_int_equal(clReleaseProgram(programs[i]), CL_SUCCESS);
	}
	calls = f->compiler->calls();
	programs[0] = program_built(f->both, "postponed slow units");
	assert_null(codegen_of(programs[0]));
	assert_int_equal(f->compiler->calls(), calls);
	assert_int_equal(clReleaseProgram(programs[0]), CL_SUCCESS);
}

/* A program that is released before its code is made: the cache gets it all the same. */
static void what_is_given_up_is_cached(void **state)
{
	(void)state;
	wait_until_others_sleep(); /* for what other tests have dropped */
	int calls = f->compiler->calls();
	f->compiler->set_gate(0);
	cl_program program = program_built(f->both, "postponed slow given up");
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	f->compiler->set_gate(1);
	while (f->compiler->calls() < calls + 1 + FAKE_NUM_KERNELS)
		sched_yield();
}

/* A process that wants code with the build does not take an archive that another process has left. */
static void archives_are_not_for_everybody(void **state)
{
	(void)state;
	f->compiler->set_gate(0);
	cl_program program = program_built(f->both, "postponed slow option");
	f->compiler->wait_for_one();
	set_deferred_codegen(false);
	cl_program other = program_built(f->both, "postponed slow option");
	set_deferred_codegen(true);
	assert_null(codegen_of(other));
	f->compiler->set_gate(1);
	assert_int_equal(clReleaseProgram(other), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

int main(void)
{
	/* Those last that leave something to do in the background. */
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_archive_is_refused),
		cmocka_unit_test(whole_programs_are_cached),
		cmocka_unit_test(units_are_cached_until_then),
		cmocka_unit_test(archives_are_not_for_everybody),
		cmocka_unit_test(what_is_given_up_is_cached),
		cmocka_unit_test(every_allocation_may_fail),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
