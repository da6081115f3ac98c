/* SPDX-License-Identifier: MIT
 *
 * The fixture of tests of programs and kernels: two devices, and the fake compiler, so that no test of the
 * runtime waits for LLVM.
 */
#ifndef WEFT_TESTS_API_PROGRAM_FIXTURE_H
#define WEFT_TESTS_API_PROGRAM_FIXTURE_H

#include "described_context.h"

#include "fake_compiler.h"
#include "fake_kernels.h"

#include <dlfcn.h>

/* The second device of the platform, and a context of both. */
struct program_fixture {
	struct fixture base;
	cl_device_id devices[2];
	cl_context both;
	cl_program program; /* of the first device, where the test is set up by built_set_up */
	const struct fake_control *compiler;
};

static inline int program_set_up(void **state)
{
	static struct program_fixture fixture;
	struct program_fixture *f = &fixture;
	void *base;

	/* Before the library looks at its options. */
	setenv("WEFT_COMPILER", FAKE_COMPILER, 1);
	setenv("WEFT_CACHE", "0", 1);
	f->both = described_context("pthread,basic", NULL, 2, f->devices);
	fixture_set_up(&base);
	f->base = *(struct fixture *)base;
	void *library = dlopen(FAKE_COMPILER, RTLD_NOW | RTLD_LOCAL);
	assert_non_null(library);
	f->compiler = dlsym(library, FAKE_CONTROL_SYMBOL);
	assert_non_null(f->compiler);
	*state = f;
	return 0;
}

static inline int program_tear_down(void **state)
{
	struct program_fixture *f = *state;
	void *base = &f->base;

	assert_int_equal(clReleaseContext(f->both), CL_SUCCESS);
	return fixture_tear_down(&base);
}

static inline cl_program program_from(cl_context context, const char *source)
{
	cl_int err;
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(program);
	return program;
}

/* Built for all devices of the context, as OpenCL C 2.0: groups may differ in size. */
static inline cl_program program_built(cl_context context, const char *source)
{
	cl_program program = program_from(context, source);

	assert_int_equal(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0", NULL, NULL), CL_SUCCESS);
	return program;
}

static inline cl_program program_compiled(cl_context context, const char *source)
{
	cl_program program = program_from(context, source);

	assert_int_equal(clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL),
			 CL_SUCCESS);
	return program;
}

static inline cl_kernel program_kernel(cl_program program, const char *name)
{
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, name, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(kernel);
	return kernel;
}

static inline int built_set_up(void **state)
{
	int err = program_set_up(state);
	struct program_fixture *f = *state;

	f->program = program_built(f->base.context, "x");
	return err;
}

static inline int built_tear_down(void **state)
{
	struct program_fixture *f = *state;

	assert_int_equal(clReleaseProgram(f->program), CL_SUCCESS);
	return program_tear_down(state);
}

/* The kernel "add", out[i] = a[i] + b[i] + 5, with all its arguments: each buffer has these numbers. */
static inline cl_kernel program_add(cl_program program, cl_context context, const cl_int *numbers,
				    size_t count, cl_mem mems[3])
{
	cl_kernel kernel = program_kernel(program, "add");
	const cl_int n = 5;

	for (cl_uint i = 0; i < 3; i++) {
		mems[i] = fixture_buffer_in(context, CL_MEM_COPY_HOST_PTR, count * sizeof(cl_int),
					    (void *)(uintptr_t)numbers);
		assert_int_equal(clSetKernelArg(kernel, i, sizeof(cl_mem), &mems[i]), CL_SUCCESS);
	}
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(n), &n), CL_SUCCESS);
	return kernel;
}

static inline void program_release_mems(const cl_mem mems[3])
{
	for (int i = 0; i < 3; i++)
		assert_int_equal(clReleaseMemObject(mems[i]), CL_SUCCESS);
}

static inline cl_build_status program_status(cl_program program, cl_device_id device)
{
	cl_build_status status = 77;

	assert_int_equal(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS,
					       sizeof(status), &status, NULL),
			 CL_SUCCESS);
	return status;
}

static inline cl_program_binary_type program_type(cl_program program, cl_device_id device)
{
	cl_program_binary_type type = 77;

	assert_int_equal(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE,
					       sizeof(type), &type, NULL),
			 CL_SUCCESS);
	return type;
}

static inline void program_check_text(cl_program program, cl_device_id device,
				      cl_program_build_info param, const char *expected)
{
	char text[256];
	size_t size;

	assert_int_equal(clGetProgramBuildInfo(program, device, param, sizeof(text), text, &size),
			 CL_SUCCESS);
	assert_string_equal(text, expected);
	assert_int_equal(size, strlen(expected) + 1);
}

#endif
