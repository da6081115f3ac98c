/* SPDX-License-Identifier: MIT
 *
 * Copies of command buffers for other queues (clRemapCommandBufferKHR), and every error of making them.
 */
#include "device_queues.h"

static cl_command_buffer_khr remapped(cl_command_buffer_khr buffer, cl_bool automatic,
				      cl_uint count, const cl_command_queue *queues)
{
	cl_int err;
	cl_command_buffer_khr copy =
		ext.clRemapCommandBufferKHR(buffer, automatic, count, queues, 0, NULL, NULL, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(command_buffer_state(copy), command_buffer_state(buffer));
	return copy;
}

/* Each command on another device; all on one; and on queues without an order. */
static void copies_do_the_same(void **state)
{
	cl_mem first = zeros(), second = zeros();
	cl_command_buffer_khr buffer = record_round(m->queues, first, second);
	cl_command_queue turned[NUM_DEVICES];
	cl_command_buffer_khr copies[3];

	(void)state;
	for (int i = 0; i < NUM_DEVICES; i++)
		turned[i] = m->queues[(i + 1) % NUM_DEVICES];
	copies[0] = remapped(buffer, CL_FALSE, NUM_DEVICES, turned);
	copies[1] = remapped(buffer, CL_TRUE, 1, &turned[1]);
	turned[0] = fixture_queue(m->context, m->devices[APART],
				  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	copies[2] = remapped(copies[1], CL_TRUE, 2, turned);
	command_buffer_release(buffer);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(memories_add(m, PTHREAD, second, 1, NULL, NULL), CL_SUCCESS);
		assert_int_equal(clFinish(m->queues[PTHREAD]), CL_SUCCESS);
		command_buffer_run(copies[i]);
		expect(first, 7 + NUM_DEVICES);
		expect(second, 7 + NUM_DEVICES);
		command_buffer_release(copies[i]);
	}
	assert_int_equal(clReleaseCommandQueue(turned[0]), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(first), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(second), CL_SUCCESS);
}

static void update_value(cl_command_buffer_khr buffer, cl_mutable_command_khr command,
			 cl_uint value)
{
	const cl_mutable_dispatch_arg_khr arg = {1, sizeof(value), &value};
	const struct weft_mutable_dispatch_config config = {
		.command = command, .num_args = 1, .arg_list = &arg};
	const cl_command_buffer_update_type_khr type = WEFT_MUTABLE_DISPATCH_CONFIG;
	const void *configs[] = {&config};

	assert_int_equal(ext.clUpdateMutableCommandsKHR(buffer, 1, &type, configs), CL_SUCCESS);
}

/* A copy has the arguments of the original, also if the kernel object has others by then, and updates of its own; arguments may yet be
 * missing. */
static void copies_are_updated(void **state)
{
	const cl_command_queue from[2] = {m->queues[PTHREAD], m->queues[FIRST]};
	const cl_command_queue to[2] = {m->queues[APART], m->queues[BASIC]};
	const size_t count = COUNT;
	cl_mem mem = zeros();
	cl_command_buffer_khr buffers[2] = {
		command_buffer_on(2, from, CL_COMMAND_BUFFER_MUTABLE_KHR)};
	cl_mutable_command_khr handles[2];
	const cl_command_properties_khr arguments[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
						       CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
	cl_kernel add = clCreateKernel(m->program, "add", NULL);
	cl_int err;

	(void)state;
	assert_int_equal(clSetKernelArg(add, 0, sizeof(mem), &mem), CL_SUCCESS);
	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffers[0], from[0], arguments, add, 1, NULL,
						       &count, NULL, 0, NULL, NULL, &handles[0]),
			 CL_SUCCESS);
	command_buffer_finalize(buffers[0]);
	buffers[1] = ext.clRemapCommandBufferKHR(buffers[0], CL_FALSE, 2, to, 1, handles,
						 &handles[1], &err);
	assert_int_equal(err, CL_SUCCESS);
	for (int i = 0; i < 2; i++) {
		cl_command_queue queue;

		assert_int_equal(command_buffer_state(buffers[i]),
				 CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
		assert_int_equal(ext.clGetMutableCommandInfoKHR(
					 handles[i], CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR,
					 sizeof(queue), &queue, NULL),
				 CL_SUCCESS);
		assert_ptr_equal(queue, i ? to[0] : from[0]);
		update_value(buffers[i], handles[i], i ? 10 : 1);
		command_buffer_run(buffers[i]);
	}
	expect(mem, 11);
	cl_command_buffer_khr last = remapped(buffers[1], CL_FALSE, 2, from);
	command_buffer_run(last);
	expect(mem, 21);
	command_buffer_release(last);
	for (int i = 0; i < 2; i++)
		command_buffer_release(buffers[i]);
	assert_int_equal(clReleaseKernel(add), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

static void copies_check_their_arguments(void **state)
{
	cl_command_queue queues[] = {m->queues[0], m->queues[1]};
	cl_command_queue wrong[] = {m->queues[0], (cl_command_queue)m->context};
	cl_context other = clCreateContext(NULL, 1, m->devices, NULL, NULL, NULL);
	cl_command_queue foreign = fixture_queue(other, m->devices[0], 0);
	cl_command_queue mixed[] = {m->queues[0], foreign};
	cl_command_buffer_khr buffer = command_buffer_on(2, queues, CL_COMMAND_BUFFER_MUTABLE_KHR);
	cl_command_buffer_khr plain =
		command_buffer_on(1, queues, CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR);
	cl_mutable_command_khr handle = (cl_mutable_command_khr)m->context, result;
	const size_t count = COUNT;
	char bytes[4];
	cl_int err;

	(void)state;
#define REMAP(buffer, automatic, n, queues, num_handles, handles, handles_ret)                     \
	(assert_null(ext.clRemapCommandBufferKHR(buffer, automatic, n, queues, num_handles,        \
						 handles, handles_ret, &err)),                     \
	 err)
	assert_int_equal(REMAP(NULL, 0, 2, queues, 0, NULL, NULL), CL_INVALID_COMMAND_BUFFER_KHR);
	assert_int_equal(REMAP(buffer, 1, 0, queues, 0, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(REMAP(buffer, 1, 2, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(REMAP(buffer, 0, 1, queues, 0, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(REMAP(buffer, 0, 2, queues, 1, NULL, &result), CL_INVALID_VALUE);
	assert_int_equal(REMAP(buffer, 0, 2, queues, 1, &handle, NULL), CL_INVALID_VALUE);
	assert_int_equal(REMAP(buffer, 0, 2, queues, 0, &handle, NULL), CL_INVALID_VALUE);
	assert_int_equal(REMAP(buffer, 0, 2, queues, 0, NULL, &result), CL_INVALID_VALUE);
	assert_int_equal(REMAP(buffer, 0, 2, queues, 1, &handle, &result), CL_INVALID_VALUE);
	assert_int_equal(REMAP(buffer, 0, 2, wrong, 0, NULL, NULL), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(REMAP(buffer, 0, 2, mixed, 0, NULL, NULL), CL_INVALID_CONTEXT);
	assert_int_equal(REMAP(plain, 0, 1, &foreign, 0, NULL, NULL), CL_INVALID_CONTEXT);
	assert_int_equal(REMAP(plain, 1, 2, queues, 0, NULL, NULL),
			 CL_INCOMPATIBLE_COMMAND_QUEUE_KHR);
	/* a handle of another command buffer */
	cl_mem mem = zeros();
	record_add(buffer, queues[0], mem, 1, 0);
	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, queues[0], NULL, m->add, 1, NULL,
						       &count, NULL, 0, NULL, NULL, &handle),
			 CL_SUCCESS);
	assert_int_equal(REMAP(plain, 0, 1, queues, 1, &handle, &result), CL_INVALID_VALUE);
	/* an accelerator shares no memory but its own */
	assert_int_equal(ext.clCommandSVMMemFillKHR(buffer, queues[0], NULL, bytes, "ab", 2, 4, 0,
						    NULL, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(REMAP(buffer, 1, 1, &m->queues[APART], 0, NULL, NULL), CL_INVALID_VALUE);
#undef REMAP
	command_buffer_release(buffer);
	command_buffer_release(plain);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(foreign), CL_SUCCESS);
	assert_int_equal(clReleaseContext(other), CL_SUCCESS);
}

static void kernels_must_be_built_for_the_device(void **state)
{
	const size_t count = COUNT;
	cl_mem mem = zeros();
	cl_command_buffer_khr buffer = command_buffer_on(1, m->queues, 0);
	cl_program partial = clCreateProgramWithSource(
		m->context, 1, (const char *[]){memories_source}, NULL, NULL);
	cl_int err;

	(void)state;
	assert_int_equal(clBuildProgram(partial, 1, m->devices, NULL, NULL, NULL), CL_SUCCESS);
	cl_kernel empty = clCreateKernel(partial, "empty", NULL);
	assert_int_equal(clSetKernelArg(empty, 0, sizeof(mem), &mem), CL_SUCCESS);
	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, empty, 1, NULL, &count,
						       NULL, 0, NULL, NULL, NULL),
			 CL_SUCCESS);
	assert_null(ext.clRemapCommandBufferKHR(buffer, CL_FALSE, 1, &m->queues[APART], 0, NULL,
						NULL, &err));
	assert_int_equal(err, CL_INVALID_PROGRAM_EXECUTABLE);
	command_buffer_release(buffer);
	assert_int_equal(clReleaseKernel(empty), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(partial), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_do_the_same),
		cmocka_unit_test(copies_are_updated),
		cmocka_unit_test(copies_check_their_arguments),
		cmocka_unit_test(kernels_must_be_built_for_the_device),
	};

	return cmocka_run_group_tests(tests, device_queues_set_up, memories_tear_down);
}
