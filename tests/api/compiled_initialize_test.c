/* SPDX-License-Identifier: MIT
 *
 * Contexts whose kernels find zeros in private and local memory (cl_khr_initialize_memory), whatever earlier work-groups and
 * kernels have left there.
 */
#include "compiled_fixture.h"

#include <CL/cl_ext.h>

#define LOCAL 1 /* bits of CL_CONTEXT_MEMORY_INITIALIZE_KHR */
#define PRIVATE 2
#define ITEMS 4096
#define GROUP 64

static const char source[] =
	/* leaves other values than zeros behind */
	"kernel void litter(global int *out, local int *argument) {\n"
	"  local int variable[64]; int array[40];\n"
	"  size_t l = get_local_id(0);\n"
	"  for (int i = 0; i < 40; i++) array[i] = (int)l + i + 1;\n"
	"  variable[l] = argument[l] = array[l % 40];\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  out[get_global_id(0)] = variable[63 - l] + argument[63 - l] + array[out[0] & 31];\n"
	"}\n"
	"kernel void sum_private(global int *out) {\n"
	"  int array[40], number; struct { char c; int4 v; } s;\n"
	"  int sum = number + s.c + s.v.x + s.v.w;\n"
	"  for (int i = 0; i < 40; i++) sum |= array[(i + out[0]) % 40];\n"
	"  out[get_global_id(0)] = sum;\n"
	"}\n"
	"kernel void sum_local(global int *out, local int *argument) {\n"
	"  local int variable[64], never;\n"
	"  size_t l = get_local_id(0);\n"
	"  int before = variable[l] | argument[l] | variable[63 - l] | never;\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  variable[l] = argument[l] = (int)l + 1;\n"
	"  barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  out[get_global_id(0)] = before + (variable[63 - l] != 64 - (int)l);\n"
	"}\n";

static cl_context context_with(struct fixture *f, cl_context_properties memories)
{
	const cl_context_properties properties[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, memories, 0};
	cl_int err;
	cl_context context = clCreateContext(properties, 1, &f->device, NULL, NULL, &err);

	assert_int_equal(err, CL_SUCCESS);
	return context;
}

static void run(cl_command_queue queue, cl_program program, const char *name, cl_mem out,
		bool has_local)
{
	const size_t items = ITEMS;
	const size_t group = GROUP;
	cl_kernel kernel = clCreateKernel(program, name, NULL);

	assert_non_null(kernel);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(cl_mem), &out), CL_SUCCESS);
	if (has_local)
		assert_int_equal(clSetKernelArg(kernel, 1, GROUP * sizeof(cl_int), NULL),
				 CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static void kernels_find_zeros(void **state)
{
	static const char *const options[] = {"", "-cl-opt-disable"};
	static cl_int numbers[ITEMS];
	struct fixture *f = *state;
	cl_context context = context_with(f, LOCAL | PRIVATE);
	cl_command_queue queue = fixture_queue(context, f->device, 0);
	cl_mem out = fixture_buffer_in(context, 0, sizeof(numbers), NULL);
	const cl_int zero = 0;

	for (int o = 0; o < 2; o++) {
		cl_program program = compiled_program(context, source, options[o]);

		for (int i = 0; i < 4; i++) {
			const bool local = i % 2;

			assert_int_equal(clEnqueueFillBuffer(queue, out, &zero, sizeof(zero), 0,
							     sizeof(numbers), 0, NULL, NULL),
					 CL_SUCCESS);
			run(queue, program, "litter", out, true);
			assert_int_equal(clEnqueueFillBuffer(queue, out, &zero, sizeof(zero), 0,
							     sizeof(numbers), 0, NULL, NULL),
					 CL_SUCCESS);
			run(queue, program, local ? "sum_local" : "sum_private", out, local);
			assert_int_equal(clEnqueueReadBuffer(queue, out, CL_TRUE, 0,
							     sizeof(numbers), numbers, 0, NULL,
							     NULL),
					 CL_SUCCESS);
			for (int k = 0; k < ITEMS; k++)
				assert_int_equal(numbers[k], 0);
		}
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	}
	assert_int_equal(clReleaseMemObject(out), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
}

static void contexts_check_and_tell_it(void **state)
{
	struct fixture *f = *state;
	const cl_context_properties wrong[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, 4, 0};
	const cl_context_properties twice[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, LOCAL,
					       CL_CONTEXT_MEMORY_INITIALIZE_KHR, LOCAL, 0};
	cl_context_properties got[4] = {0};
	size_t size;
	cl_int err;

	assert_null(clCreateContext(wrong, 1, &f->device, NULL, NULL, &err));
	assert_int_equal(err, CL_INVALID_PROPERTY);
	assert_null(clCreateContext(twice, 1, &f->device, NULL, NULL, &err));
	assert_int_equal(err, CL_INVALID_PROPERTY);
	cl_context context = context_with(f, PRIVATE);
	assert_int_equal(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof(got), got, &size),
			 CL_SUCCESS);
	assert_int_equal(size, 3 * sizeof(got[0]));
	assert_int_equal(got[1], PRIVATE);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_find_zeros),
		cmocka_unit_test(contexts_check_and_tell_it),
	};
	return cmocka_run_group_tests(tests, compiled_set_up, fixture_tear_down);
}
