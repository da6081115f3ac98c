/* SPDX-License-Identifier: MIT
 *
 * What tests of builds share: a program of one source, and its log.
 */
#ifndef WEFT_TESTS_API_BUILD_LOGS_H
#define WEFT_TESTS_API_BUILD_LOGS_H

#include "fixture.h"

static inline cl_program create(struct fixture *f, const char *source)
{
	cl_int err = CL_SUCCESS;
	cl_program program = clCreateProgramWithSource(f->context, 1, &source, NULL, &err);

	assert_int_equal(err, CL_SUCCESS);
	return program;
}

/* Owned by the caller. */
static inline char *log_of(struct fixture *f, cl_program program)
{
	size_t size = 0;

	assert_int_equal(
		clGetProgramBuildInfo(program, f->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size),
		CL_SUCCESS);
	char *log = calloc(1, size + 1);
	assert_non_null(log);
	assert_int_equal(
		clGetProgramBuildInfo(program, f->device, CL_PROGRAM_BUILD_LOG, size, log, NULL),
		CL_SUCCESS);
	return log;
}

static inline void expect_in_log(struct fixture *f, cl_program program, const char *text)
{
	char *log = log_of(f, program);

	if (!strstr(log, text))
		fail_msg("no '%s' in the log: %s", text, log);
	free(log);
}

#endif
