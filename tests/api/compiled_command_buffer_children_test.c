/* SPDX-License-Identifier: MIT
 *
 * Kernels that enqueue kernels, recorded in command buffers: what follows them sees what all their children have done.
 */
#include "command_buffers.h"
#include "compiled_fixture.h"
#include "enqueue_kernels.h"

enum { ITEMS = 64, BYTES = ITEMS * sizeof(cl_int) };

static cl_program program;
static cl_command_queue device_queue;
static cl_mem results, copy;

static int set_up(void **state)
{
	const cl_queue_properties properties[] = {
		CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
		0};
	int failed = compiled_set_up(state);
	struct fixture *f = *state;
	cl_int err;

	command_buffers_find();
	program = compiled_program(f->context, launches_source, "-cl-std=CL3.0");
	device_queue = clCreateCommandQueueWithProperties(f->context, f->device, properties, &err);
	assert_int_equal(err, CL_SUCCESS);
	results = fixture_buffer(f, 0, BYTES, NULL);
	copy = fixture_buffer(f, 0, BYTES, NULL);
	return failed;
}

static int tear_down(void **state)
{
	assert_int_equal(clReleaseMemObject(results), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(copy), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(device_queue), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return fixture_tear_down(state);
}

/* Fills the results with zeros, runs "each_flag", whose children add 18 to each, and copies them. */
static cl_command_buffer_khr record(cl_command_queue queue, cl_command_buffer_flags_khr flags,
				    cl_mutable_command_khr *handle)
{
	const cl_int zero = 0;
	const size_t items = ITEMS;
	cl_command_buffer_khr buffer = command_buffer_for(queue, flags);
	cl_kernel kernel = clCreateKernel(program, "each_flag", NULL);
	cl_sync_point_khr points[2];

	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(results), &results), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(device_queue), &device_queue),
			 CL_SUCCESS);
	assert_int_equal(ext.clCommandFillBufferKHR(buffer, NULL, NULL, results, &zero,
						    sizeof(zero), 0, BYTES, 0, NULL, &points[0],
						    NULL),
			 CL_SUCCESS);
	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &items,
						       NULL, 1, &points[0], &points[1], handle),
			 CL_SUCCESS);
	assert_int_equal(ext.clCommandCopyBufferKHR(buffer, NULL, NULL, results, copy, 0, 0, BYTES,
						    1, &points[1], NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	command_buffer_finalize(buffer);
	return buffer;
}

static void expect(struct fixture *f, size_t count)
{
	cl_int words[ITEMS];

	assert_int_equal(
		clEnqueueReadBuffer(f->queue, copy, CL_TRUE, 0, BYTES, words, 0, NULL, NULL),
		CL_SUCCESS);
	for (size_t i = 0; i < ITEMS; i++)
		assert_int_equal(words[i], i < count ? 18 : 0);
}

static void what_follows_sees_the_children(void **state)
{
	struct fixture *f = *state;
	cl_command_queue queues[] = {f->queue, f->out_of_order};

	for (int i = 0; i < 2; i++) {
		cl_command_buffer_khr buffer = record(queues[i], 0, NULL);
		cl_command_queue queue = NULL;
		cl_event event;

		for (int turn = 0; turn < 3; turn++) {
			command_buffer_run(buffer);
			expect(f, ITEMS);
		}
		assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &event),
				 CL_SUCCESS);
		assert_int_equal(
			clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue, NULL),
			CL_SUCCESS);
		assert_ptr_equal(queue, queues[i]);
		assert_int_equal(clFinish(queue), CL_SUCCESS);
		assert_int_equal(fixture_status(event), CL_COMPLETE);
		assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
		command_buffer_release(buffer);
	}
}

static void updates_change_it(void **state)
{
	struct fixture *f = *state;
	const size_t fewer = 10;
	cl_mutable_command_khr handle;
	cl_command_buffer_khr buffer = record(f->queue, CL_COMMAND_BUFFER_MUTABLE_KHR, &handle);
	const struct weft_mutable_dispatch_config config = {.command = handle,
							    .global_work_size = &fewer};
	const cl_command_buffer_update_type_khr type = WEFT_MUTABLE_DISPATCH_CONFIG;
	const void *configs[] = {&config};

	command_buffer_run(buffer);
	expect(f, ITEMS);
	assert_int_equal(ext.clUpdateMutableCommandsKHR(buffer, 1, &type, configs), CL_SUCCESS);
	command_buffer_run(buffer);
	expect(f, fewer);
	command_buffer_release(buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_follows_sees_the_children),
		cmocka_unit_test(updates_change_it),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
