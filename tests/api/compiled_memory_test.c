/* SPDX-License-Identifier: MIT
 *
 * Kernels with private arrays of any size, with the real compiler: they run, or the launch
 * says that there is no memory.
 */
#include "compiled_fixture.h"

#define SOURCE                                                                                     \
	"kernel void run(global uint *out) {\n"                                                    \
	"  uint a[SIZE], g = get_global_id(0);\n"                                                  \
	"  for (uint i = 0; i < 100; i++) a[i * (SIZE / 100)] = g + i;\n"                          \
	"#ifdef BARRIER\n"                                                                         \
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"                                                        \
	"#endif\n"                                                                                 \
	"  uint r = 0;\n"                                                                          \
	"  for (uint i = 0; i < 100; i++) r += a[i * (SIZE / 100)];\n"                             \
	"  out[g] = r;\n"                                                                          \
	"}\n"

#define ITEMS 64

/* What the launch returns; when it is CL_SUCCESS, the results are right. */
static cl_int launch(struct fixture *f, const char *options, const size_t *local)
{
	const size_t global = ITEMS;
	cl_uint out[ITEMS] = {0};
	cl_program program = compiled_program(f->context, SOURCE, options);
	cl_kernel kernel = clCreateKernel(program, "run", NULL);
	cl_mem mem = fixture_buffer(f, 0, sizeof(out), NULL);

	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
	cl_int err =
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &global, local, 0, NULL, NULL);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	if (err == CL_SUCCESS) {
		fixture_read(f, mem, out, sizeof(out));
		for (cl_uint i = 0; i < ITEMS; i++)
			assert_int_equal(out[i], 100 * i + 4950);
	}
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return err;
}

/* The last ones take nearly all that a group may have, 256 MiB, and in all groups of an accelerator nearly all its memory: a few
 * cache lines lie between what is kept across barriers. */
static void test_large_arrays(void **state)
{
	const size_t local = 4;

	assert_int_equal(launch(*state, "-DSIZE=262144", NULL), CL_SUCCESS);
	assert_int_equal(launch(*state, "-DSIZE=262144 -DBARRIER", NULL), CL_SUCCESS);
	assert_int_equal(launch(*state, "-DSIZE=16777000", &local), CL_SUCCESS);
	assert_int_equal(launch(*state, "-DSIZE=16777000 -DBARRIER", &local), CL_SUCCESS);
	assert_int_equal(launch(*state, "-DSIZE=16777000 -DBARRIER", NULL), CL_SUCCESS);
}

/* clEnqueueNDRangeKernel: "CL_OUT_OF_RESOURCES if there is a failure to queue the execution instance [...]
 * because of insufficient resources needed to execute the kernel". */
static void test_absurd_arrays(void **state)
{
	const size_t local = 1;

	assert_int_equal(launch(*state, "-DSIZE=(1UL<<42)", &local), CL_OUT_OF_RESOURCES);
	assert_int_equal(launch(*state, "-DSIZE=(1UL<<42) -DBARRIER", &local), CL_OUT_OF_RESOURCES);
	assert_int_equal(launch(*state, "-DSIZE=(1UL<<58)", &local), CL_OUT_OF_RESOURCES);
	assert_int_equal(launch(*state, "-DSIZE=1000", NULL), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_large_arrays),
		cmocka_unit_test(test_absurd_arrays),
	};

	return cmocka_run_group_tests(tests, compiled_set_up, fixture_tear_down);
}
