/* SPDX-License-Identifier: MIT
 *
 * Shared virtual memory where there are accelerators, whose memory the host does not reach: they refuse it, and CPU devices of
 * the same context offer it as ever.
 */
#include "compiled_fixture.h"
#include "described_context.h"

static const char *const source =
	"kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }\n";

static cl_device_id devices[2]; /* a CPU and an accelerator */

static int set_up(void **state)
{
	compiled_options();
	cl_context both = described_context("pthread,accel", NULL, 2, devices);
	*state = both;
	return 0;
}

static int tear_down(void **state)
{
	return clReleaseContext(*state) != CL_SUCCESS;
}

static void expect_refused(cl_command_queue queue, void *memory)
{
	const void *pointers[] = {memory};
	char bytes[64] = {0};

	assert_int_equal(clEnqueueSVMMemcpy(queue, CL_TRUE, memory, bytes, 8, 0, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueSVMMemFill(queue, memory, bytes, 1, 8, 0, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, 8, 0, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL), CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueSVMMigrateMem(queue, 1, pointers, NULL, 0, 0, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueSVMFree(queue, 1, &memory, NULL, NULL, 0, NULL, NULL),
			 CL_INVALID_OPERATION);
}

static cl_kernel make_kernel(cl_context context)
{
	cl_program program = compiled_program(context, source, NULL);
	cl_kernel kernel = clCreateKernel(program, "twice", NULL);

	assert_non_null(kernel);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return kernel;
}

static void accelerators_refuse_it(void **state)
{
	cl_context context = clCreateContext(NULL, 1, &devices[1], NULL, NULL, NULL);
	cl_device_svm_capabilities capabilities = 1;
	const cl_bool yes = CL_TRUE;
	const cl_bool no = CL_FALSE;
	char bytes[64];
	void *pointers[] = {bytes};

	(void)state;
	assert_non_null(context);
	assert_int_equal(clGetDeviceInfo(devices[1], CL_DEVICE_SVM_CAPABILITIES,
					 sizeof(capabilities), &capabilities, NULL),
			 CL_SUCCESS);
	assert_int_equal(capabilities, 0);
	assert_null(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
	clSVMFree(context, bytes);
	cl_command_queue queue = fixture_queue(context, devices[1], 0);
	cl_kernel kernel = make_kernel(context);
	expect_refused(queue, bytes);
	assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, bytes), CL_INVALID_OPERATION);
	assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(pointers),
					     pointers),
			 CL_INVALID_OPERATION);
	assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
					     sizeof(yes), &yes),
			 CL_INVALID_OPERATION);
	assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
					     sizeof(no), &no),
			 CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
}

/* A buffer in shared memory goes to the accelerator and back by transfers. */
static void others_of_the_context_offer_it(void **state)
{
	enum { WORDS = 1000 };
	cl_context context = *state;
	cl_command_queue cpu = fixture_queue(context, devices[0], 0);
	cl_command_queue accelerator = fixture_queue(context, devices[1], 0);
	cl_kernel kernel = make_kernel(context);
	const size_t global = WORDS;
	const cl_int three = 3;
	cl_int result[WORDS];

	assert_null(clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
	cl_int *words = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(result), 0);
	assert_non_null(words);
	expect_refused(accelerator, words);

	assert_int_equal(clEnqueueSVMMemFill(cpu, words, &three, sizeof(three), sizeof(result), 0,
					     NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, words), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(accelerator, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
		CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueNDRangeKernel(cpu, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(cpu), CL_SUCCESS);

	cl_mem view = fixture_buffer_in(context, CL_MEM_USE_HOST_PTR, sizeof(result), words);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(view), &view), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(accelerator, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clFinish(accelerator), CL_SUCCESS);
	assert_int_equal(
		clEnqueueReadBuffer(cpu, view, CL_FALSE, 0, sizeof(result), words, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(
		clEnqueueSVMMemcpy(cpu, CL_TRUE, result, words, sizeof(result), 0, NULL, NULL),
		CL_SUCCESS);
	for (int i = 0; i < WORDS; i++)
		assert_int_equal(result[i], 12);
	assert_int_equal(clReleaseMemObject(view), CL_SUCCESS);
	clSVMFree(context, words);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(cpu), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(accelerator), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accelerators_refuse_it),
		cmocka_unit_test(others_of_the_context_offer_it),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
