/* SPDX-License-Identifier: MIT
 *
 * A SPIR-V module whose kernel enqueues a kernel (enqueue.spvasm).
 */
#include "compiled_fixture.h"

#include <stdio.h>

enum { FIRST = 8, ITEMS = 16, NUMBER = 100 };
enum { STATUS = 32, RANGE_SUB_GROUPS, GROUP_SIZE, MOST_SUB_GROUPS, SIZE_OF_THREE, WORDS };

static cl_program build_module(const struct fixture *f)
{
	static unsigned char module[65536];
	FILE *file = fopen(ENQUEUE_MODULE, "rb");

	assert_non_null(file);
	size_t size = fread(module, 1, sizeof(module), file);
	assert_int_equal(fclose(file), 0);
	cl_program program = clCreateProgramWithIL(f->context, module, size, NULL);
	assert_non_null(program);
	assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	return program;
}

static cl_command_queue make_default_queue(const struct fixture *f)
{
	const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
						  CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
							  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
						  0};
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(f->context, f->device, properties, NULL);

	assert_non_null(queue);
	return queue;
}

static void check(const cl_uint *words)
{
	assert_int_equal(words[STATUS], 0);
	for (cl_uint i = 0; i < STATUS; i++)
		assert_int_equal(words[i], i >= FIRST && i < FIRST + ITEMS ? NUMBER + i : 0);
	assert_true(words[RANGE_SUB_GROUPS] >= 1 && words[RANGE_SUB_GROUPS] <= 4);
	assert_true(words[GROUP_SIZE] >= 4);
	assert_true(words[MOST_SUB_GROUPS] >= 1 && words[MOST_SUB_GROUPS] <= words[GROUP_SIZE]);
	assert_int_equal(words[SIZE_OF_THREE] % 3, 0);
	assert_true(words[SIZE_OF_THREE] <= words[GROUP_SIZE]);
}

static void test_enqueue(void **state)
{
	struct fixture *f = *state;
	const size_t one = 1;
	cl_device_device_enqueue_capabilities capabilities = 0;
	cl_uint words[WORDS] = {0};

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
					 sizeof(capabilities), &capabilities, NULL),
			 CL_SUCCESS);
	if (!(capabilities & CL_DEVICE_QUEUE_SUPPORTED))
		return;
	cl_command_queue device_queue = make_default_queue(f);
	cl_program program = build_module(f);
	cl_mem results =
		fixture_buffer(f, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof(words), words);
	cl_kernel kernel = clCreateKernel(program, "k", NULL);
	assert_non_null(kernel);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(results), &results), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clEnqueueReadBuffer(f->queue, results, CL_TRUE, 0, sizeof(words), words, 0,
					     NULL, NULL),
			 CL_SUCCESS);
	check(words);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(results), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(device_queue), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_enqueue)};

	return cmocka_run_group_tests(tests, compiled_set_up, fixture_tear_down);
}
