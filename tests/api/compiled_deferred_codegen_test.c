/* SPDX-License-Identifier: MIT
 *
 * Kernels that are large enough for their code to be made after the build, with the real compiler: they compute the same as
 * those of the whole program's binary, however they came about.
 */
#include "compiled_fixture.h"

#include <stdio.h>

#define KERNELS 3
#define ITEMS 64
#define GROUP 16

/* They differ; the last two share a variable. */
#define KERNEL(number, extra)                                                                      \
	"kernel void k" #number "(global float *d, int n)\n"                                       \
	"{\n"                                                                                      \
	"	local float t[16];\n"                                                                    \
	"	size_t l = get_local_id(0), g = get_global_id(0);\n"                                     \
	"	float x = d[g];\n"                                                                       \
	"	for (int i = 0; i < n; i++) {\n"                                                         \
	"		t[l] = sin(x) + " #number ".5f * cos(x);\n"                                \
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"                                                        \
	"		x += tan(t[(l + i) % 16]) * pow(x, 0.3f);\n"                                            \
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"                                                        \
	"	}\n"                                                                                     \
	"	d[g] = x" extra ";\n"                                                              \
	"}\n"

static const char source[] =
	"global float offset = 1;\n" KERNEL(0, "") KERNEL(1, "+ offset") KERNEL(2, "- offset");

/* Launches all of them, each on its own buffer, and reads what they have left. */
static void run(struct fixture *f, cl_program program, cl_float results[KERNELS][ITEMS])
{
	const size_t items = ITEMS, group = GROUP;
	cl_mem mems[KERNELS];
	const cl_int n = 3;

	for (int k = KERNELS - 1; k >= 0; k--) { /* the last first */
		char name[4];

		snprintf(name, sizeof(name), "k%d", k);
		cl_kernel kernel = clCreateKernel(program, name, NULL);
		assert_non_null(kernel);
		for (int i = 0; i < ITEMS; i++)
			results[k][i] = (cl_float)(k + i) / 16;
		mems[k] = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, sizeof(results[k]), results[k]);
		assert_int_equal(clSetKernelArg(kernel, 0, sizeof(cl_mem), &mems[k]), CL_SUCCESS);
		assert_int_equal(clSetKernelArg(kernel, 1, sizeof(n), &n), CL_SUCCESS);
		assert_int_equal(clEnqueueNDRangeKernel(f->out_of_order, kernel, 1, NULL, &items,
							&group, 0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	}
	assert_int_equal(clFinish(f->out_of_order), CL_SUCCESS);
	for (int k = 0; k < KERNELS; k++) {
		fixture_read(f, mems[k], results[k], sizeof(results[k]));
		assert_int_equal(clReleaseMemObject(mems[k]), CL_SUCCESS);
	}
}

static cl_program program_built(struct fixture *f, bool link)
{
	static const char *text = source;
	static const char options[] = "-cl-std=CL3.0";
	cl_int err;

	if (!link)
		return compiled_program(f->context, source, options);
	cl_program program = clCreateProgramWithSource(f->context, 1, &text, NULL, NULL);
	assert_int_equal(clCompileProgram(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL),
			 CL_SUCCESS);
	cl_program linked = clLinkProgram(f->context, 0, NULL, NULL, 1, &program, NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return linked;
}

static void results_are_the_same(void **state)
{
	struct fixture *f = *state;

	for (int link = 0; link < 2; link++) {
		cl_float late[KERNELS][ITEMS], whole[KERNELS][ITEMS];
		cl_program program = program_built(f, link);

		run(f, program, late);
		cl_program copy = compiled_copy(f, program);
		run(f, copy, whole);
		assert_memory_equal(late, whole, sizeof(late));
		assert_true(late[0][1] != late[1][1]);
		assert_int_equal(clReleaseProgram(copy), CL_SUCCESS);
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_the_same)};

	return cmocka_run_group_tests(tests, compiled_set_up, fixture_tear_down);
}
