/* SPDX-License-Identifier: MIT
 *
 * printf from the source to standard output, with the real compiler: what a kernel prints is
 * complete, in the order of the work-groups, and there when the command has ended.
 */
#include "captured.h"
#include "compiled_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char source[] =
	"kernel void divergent(void) {\n"
	"  uint g = get_global_id(0);\n"
	"  if (g % 3 == 1) printf(\"%u of three\\n\", g);\n"
	"  else if (g % 3 == 2) for (uint i = 0; i < g % 4; i++) printf(\"%u.%u\\n\", g, i);\n"
	"}\n"
	"kernel void groups(void) {\n"
	"  printf(\"group %d item %d\\n\", (int)get_group_id(0), (int)get_local_id(0));\n"
	"}\n"
	"kernel void around(void) {\n"
	"  local int sum[16];\n"
	"  int l = get_local_id(0);\n"
	"  sum[l] = l;\n"
	"  printf(\"before %d\\n\", l);\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  if (l < 2) printf(\"after %d %d\\n\", l, sum[15 - l]);\n"
	"}\n"
	"kernel void values(float4 v, char2 c) {\n"
	"  printf(\"%s|%v4hlf|%v2hhd|%5.1f|%-4d|%c|%%|%lx\\n\", \"text\", v, c, 2.25f, 7, 'w', "
	"0x123456789abcdefL);\n"
	"}\n";

/* What the kernel prints; the caller frees the text. */
static char *printed(struct fixture *f, cl_kernel kernel, size_t global, size_t local)
{
	const struct capture output = capture_begin(STDOUT_FILENO);
	cl_int err =
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
	cl_int end = clFinish(f->queue);
	char *text = capture_end(&output);

	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(end, CL_SUCCESS);
	return text;
}

static cl_kernel kernel_named(struct fixture *f, const char *name)
{
	cl_program program = compiled_program(f->context, source, "");
	cl_kernel kernel = clCreateKernel(program, name, NULL);
	assert_non_null(kernel);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return kernel;
}

static void expect_printed(struct fixture *f, const char *name, const size_t sizes[2],
			   const char *expected)
{
	cl_kernel kernel = kernel_named(f, name);
	char *text = printed(f, kernel, sizes[0], sizes[1]);

	assert_string_equal(text, expected);
	free(text);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

/* A work-item's lines keep their order; work-items of a group come one after the other. */
static void test_divergent(void **state)
{
	expect_printed(*state, "divergent", (size_t[]){8, 8},
		       "1 of three\n2.0\n2.1\n4 of three\n5.0\n7 of three\n");
}

static void test_around_a_barrier(void **state)
{
	expect_printed(*state, "around", (size_t[]){16, 16},
		       "before 0\nbefore 1\nbefore 2\nbefore 3\nbefore 4\nbefore 5\nbefore 6\n"
		       "before 7\nbefore 8\nbefore 9\nbefore 10\nbefore 11\nbefore 12\n"
		       "before 13\nbefore 14\nbefore 15\nafter 0 15\nafter 1 14\n");
}

/* 100,000 lines of 12,500 groups, which the workers share. */
static void test_order_of_groups(void **state)
{
	cl_kernel kernel = kernel_named(*state, "groups");
	char *text = printed(*state, kernel, 100000, 8);
	const char *at = text;
	char line[64];

	for (int item = 0; item < 100000; item++) {
		int length = snprintf(line, sizeof(line), "group %d item %d\n", item / 8, item % 8);

		assert_memory_equal(at, line, (size_t)length);
		at += length;
	}
	assert_int_equal(*at, '\0');
	free(text);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static void test_values(void **state)
{
	const cl_float v[4] = {1.0f, -0.5f, 2.5f, 0.0f};
	const cl_char c[2] = {-1, 100};
	cl_kernel kernel = kernel_named(*state, "values");

	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(v), v), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(c), c), CL_SUCCESS);
	char *text = printed(*state, kernel, 1, 1);
	assert_string_equal(text, "text|1.000000,-0.500000,2.500000,0.000000|-1,100|  2.2|7   |w|%|"
				  "123456789abcdef\n");
	free(text);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_divergent),
		cmocka_unit_test(test_around_a_barrier),
		cmocka_unit_test(test_order_of_groups),
		cmocka_unit_test(test_values),
	};

	return cmocka_run_group_tests(tests, compiled_set_up, fixture_tear_down);
}
