/* SPDX-License-Identifier: MIT
 *
 * Arguments that lead to the same memory: code that is made for arguments that do not (weft_ndrange.apart) is left alone then.
 */
#include "compiled_fixture.h"

#include <string.h>

#define SOURCE                                                                                     \
	"kernel void sum(global int *c, global const int *a, int n) {\n"                           \
	"  size_t i = get_global_id(0);\n"                                                         \
	"  for (int k = 0; k < n; k++) c[i] += a[k] + 1;\n"                                        \
	"}\n"

#define COUNT 256 /* of the buffer */
#define START 64  /* of the sub-buffer */

static void fill(cl_int *numbers)
{
	for (cl_int i = 0; i < COUNT; i++)
		numbers[i] = 3 * i - 7;
}

static void sum(cl_int *c, const cl_int *a, cl_int n)
{
	for (cl_int k = 0; k < n; k++)
		*c += a[k] + 1;
}

/* One work-item adds to the first number behind `c` what is behind `a`. */
static void run(struct fixture *f, cl_kernel kernel, cl_mem c, cl_mem a)
{
	const size_t one = 1;
	const cl_int n = COUNT - START;

	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(c), &c), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(a), &a), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 2, sizeof(n), &n), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
		CL_SUCCESS);
}

static void test_overlap(void **state)
{
	struct fixture *f = *state;
	cl_int numbers[COUNT], expected[COUNT], other[COUNT];
	cl_program program = compiled_program(f->context, SOURCE, NULL);
	cl_kernel kernel = clCreateKernel(program, "sum", NULL);

	fill(numbers);
	cl_mem whole = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers);
	cl_mem apart = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers);
	cl_mem part = fixture_sub_buffer(whole, 0, START * sizeof(cl_int),
					 (COUNT - START) * sizeof(cl_int));
	memcpy(expected, numbers, sizeof(numbers));
	memcpy(other, numbers, sizeof(numbers));

	run(f, kernel, whole, whole);
	sum(expected, expected, COUNT - START);
	run(f, kernel, part, whole);
	sum(expected + START, expected, COUNT - START);
	run(f, kernel, whole, part);
	sum(expected, expected + START, COUNT - START);
	run(f, kernel, apart, whole);
	sum(other, expected, COUNT - START);

	fixture_read(f, whole, numbers, sizeof(numbers));
	assert_memory_equal(numbers, expected, sizeof(numbers));
	fixture_read(f, apart, numbers, sizeof(numbers));
	assert_memory_equal(numbers, other, sizeof(numbers));
	assert_int_equal(clReleaseMemObject(part), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(apart), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(whole), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overlap),
	};

	return cmocka_run_group_tests(tests, compiled_set_up, fixture_tear_down);
}
