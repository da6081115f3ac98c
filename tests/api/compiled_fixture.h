/* SPDX-License-Identifier: MIT
 *
 * The fixture of tests that compile kernels: the real compiler, and no cache.
 */
#ifndef WEFT_TESTS_API_COMPILED_FIXTURE_H
#define WEFT_TESTS_API_COMPILED_FIXTURE_H

#include "fixture.h"

/* Before the library looks at its options. */
static inline void compiled_options(void)
{
	setenv("WEFT_COMPILER", REAL_COMPILER, 1);
	setenv("WEFT_CACHE", "0", 1);
}

static inline int compiled_set_up(void **state)
{
	compiled_options();
	return fixture_set_up(state);
}

/* Builds the source for all devices of the context. */
static inline cl_program compiled_program(cl_context context, const char *source,
					  const char *options)
{
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);

	assert_non_null(program);
	assert_int_equal(clBuildProgram(program, 0, NULL, options, NULL, NULL), CL_SUCCESS);
	return program;
}

/* Builds another program from the binary of this one. */
static inline cl_program compiled_copy(const struct fixture *f, cl_program program)
{
	size_t size = 0;

	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL),
		CL_SUCCESS);
	unsigned char *binary = malloc(size);
	assert_non_null(binary);
	assert_int_equal(
		clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL),
		CL_SUCCESS);
	cl_program copy =
		clCreateProgramWithBinary(f->context, 1, &f->device, &size,
					  (const unsigned char **)(void *)&binary, NULL, NULL);
	assert_non_null(copy);
	assert_int_equal(clBuildProgram(copy, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	free(binary);
	return copy;
}

#endif
