/* SPDX-License-Identifier: MIT
 *
 * A program of the fake compiler whose kernel `add` is launched on the first device: tests tell by what it leaves which code has run.
 */
#ifndef WEFT_TESTS_API_ADD_RUN_H
#define WEFT_TESTS_API_ADD_RUN_H

#include "program_fixture.h"

#define ADD_RUN_ITEMS 64 /* elements of each buffer */

struct add_run {
	cl_program program;
	cl_kernel kernel;
	cl_command_queue queue;
	cl_mem mems[3];
};

/* Owns the program; all numbers are 0, so that `add` leaves 5 and what its version adds. */
static inline struct add_run add_run_of(const struct program_fixture *f, cl_program program)
{
	const cl_int numbers[ADD_RUN_ITEMS] = {0};
	struct add_run run = {.program = program};

	run.kernel = program_add(program, f->both, numbers, ADD_RUN_ITEMS, run.mems);
	run.queue = fixture_queue(f->both, f->devices[0], 0);
	return run;
}

static inline void add_run_release(struct add_run *run)
{
	program_release_mems(run->mems);
	assert_int_equal(clReleaseCommandQueue(run->queue), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(run->kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(run->program), CL_SUCCESS);
}

/* What it leaves in the first and the last of `global` elements. */
struct add_run_ends {
	cl_int first, last;
};

static inline struct add_run_ends add_run_read(const struct add_run *run, size_t global)
{
	cl_int numbers[ADD_RUN_ITEMS];

	assert_int_equal(clEnqueueReadBuffer(run->queue, run->mems[2], CL_TRUE, 0, sizeof(numbers),
					     numbers, 0, NULL, NULL),
			 CL_SUCCESS);
	return (struct add_run_ends){numbers[0], numbers[global - 1]};
}

static inline struct add_run_ends add_run_launch(const struct add_run *run, size_t global,
						 size_t local)
{
	assert_int_equal(clEnqueueNDRangeKernel(run->queue, run->kernel, 1, NULL, &global, &local,
						0, NULL, NULL),
			 CL_SUCCESS);
	return add_run_read(run, global);
}

/* The same where both ends have run the same code. */
static inline cl_int add_run_sum(const struct add_run *run, size_t global, size_t local)
{
	const struct add_run_ends ends = add_run_launch(run, global, local);

	assert_int_equal(ends.first, ends.last);
	return ends.first;
}

#endif
