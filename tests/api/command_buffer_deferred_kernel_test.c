/* SPDX-License-Identifier: MIT
 *
 * Command buffers with kernels whose code is made after their program is built: recording and submitting do not wait for
 * it, other commands of the buffer run in the time, and what cannot be made is the submission's error.
 */
#include "program_fixture.h"

#include "command_buffers.h"

#define ITEMS 64

static struct program_fixture *f;

static int set_up(void **state)
{
	assert_int_equal(program_set_up(state), 0);
	f = *state;
	command_buffers_find();
	return 0;
}

static cl_mem buffer_of(cl_int value)
{
	cl_int numbers[ITEMS];

	for (int i = 0; i < ITEMS; i++)
		numbers[i] = value;
	return fixture_buffer(&f->base, CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers);
}

static void record(cl_command_buffer_khr buffer, cl_kernel kernel)
{
	const size_t items = ITEMS;

	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &items,
						       NULL, 0, NULL, NULL, NULL),
			 CL_SUCCESS);
}

/* Submitted twice before there is code, and once more after that. */
static void submissions_wait_for_code(void **state)
{
	cl_mem mems[3] = {buffer_of(1), buffer_of(2), buffer_of(0)};
	const cl_int n = 5;
	cl_event events[2];
	cl_int err;

	(void)state;
	f->compiler->set_gate(0);
	cl_program program = program_built(f->base.context, "postponed slow");
	cl_kernel add = program_kernel(program, "add");
	cl_kernel nothing = program_kernel(program, "nothing");
	for (cl_uint i = 0; i < 3; i++)
		assert_int_equal(clSetKernelArg(add, i, sizeof(cl_mem), &mems[i]), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(add, 3, sizeof(n), &n), CL_SUCCESS);
	cl_command_buffer_khr buffer = ext.clCreateCommandBufferKHR(1, &f->base.queue, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	record(buffer, nothing);
	record(buffer, add);
	assert_int_equal(ext.clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		assert_int_equal(
			ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &events[i]),
			CL_SUCCESS);
	assert_int_equal(clFlush(f->base.queue), CL_SUCCESS);
	assert_true(fixture_status(events[0]) > CL_COMPLETE);
	f->compiler->set_gate(1);
	for (int round = 0; round < 2; round++) {
		const cl_int zero = 0;
		cl_int numbers[ITEMS];

		fixture_read(&f->base, mems[2], numbers, sizeof(numbers));
		for (int i = 0; i < ITEMS; i++)
			assert_int_equal(numbers[i], 8);
		assert_int_equal(clEnqueueFillBuffer(f->base.queue, mems[2], &zero, sizeof(zero), 0,
						     sizeof(numbers), 0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL),
				 CL_SUCCESS);
	}
	assert_int_equal(clWaitForEvents(2, events), CL_SUCCESS);
	assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
	assert_int_equal(ext.clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		assert_int_equal(clReleaseEvent(events[i]), CL_SUCCESS);
	for (int i = 0; i < 3; i++)
		assert_int_equal(clReleaseMemObject(mems[i]), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(add), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(nothing), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

static void what_cannot_be_made_fails(void **state)
{
	cl_program program = program_built(f->base.context, "postponed codeless");
	cl_kernel nothing = program_kernel(program, "nothing");
	cl_int err;

	(void)state;
	cl_command_buffer_khr buffer = ext.clCreateCommandBufferKHR(1, &f->base.queue, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	record(buffer, nothing);
	assert_int_equal(ext.clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
	for (int i = 0; i < 2; i++) {
		cl_event event;

		assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &event),
				 CL_SUCCESS);
		assert_int_equal(clWaitForEvents(1, &event),
				 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
		assert_int_equal(fixture_status(event), CL_BUILD_PROGRAM_FAILURE);
		assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	}
	assert_int_equal(ext.clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(nothing), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(submissions_wait_for_code),
		cmocka_unit_test(what_cannot_be_made_fails),
	};

	return cmocka_run_group_tests(tests, set_up, program_tear_down);
}
