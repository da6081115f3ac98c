/* SPDX-License-Identifier: MIT
 *
 * What an application cannot provoke in command buffers from outside: allocations that fail, one after the other,
 * arguments that end during an update, and specialisations of kernels for a local size.
 */
#include "program_fixture.h"

#include "alloc.h"
#include "command_buffer/command_buffer.h"
#include "command_buffers.h"
#include "program/kernel.h"
#include "program/specialisations.h"

#include <sched.h>

#define ITEMS 64

static struct program_fixture *f;
static cl_program program;
static cl_kernel add;
static cl_mem mems[3];

static void set_args(cl_kernel kernel)
{
	const cl_int n = 5;

	for (cl_uint i = 0; i < 3; i++)
		assert_int_equal(clSetKernelArg(kernel, i, sizeof(cl_mem), &mems[i]), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 3, sizeof(n), &n), CL_SUCCESS);
}

static int set_up(void **state)
{
	assert_int_equal(program_set_up(state), 0);
	f = *state;
	command_buffers_find();
	program = program_built(f->base.context, "gains");
	add = program_kernel(program, "add");
	for (int i = 0; i < 3; i++) {
		cl_int numbers[ITEMS] = {0};

		mems[i] = fixture_buffer(&f->base, CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers);
	}
	set_args(add);
	return 0;
}

static int tear_down(void **state)
{
	for (int i = 0; i < 3; i++)
		assert_int_equal(clReleaseMemObject(mems[i]), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(add), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return program_tear_down(state);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static cl_int record_all(cl_command_buffer_khr buffer, cl_mutable_command_khr *handle)
{
	static const cl_command_properties_khr properties[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR, 0,
							       0};
	static const size_t zeros[3];
	static const size_t region[3] = {8, 2, 1};
	const size_t items = ITEMS;
	const size_t local = 8;
	cl_sync_point_khr point = 0;

	cl_int err = ext.clCommandFillBufferKHR(buffer, NULL, NULL, mems[0], "\1\0\0", 4, 0, 64, 0,
						NULL, &point, NULL);
	if (err == CL_SUCCESS)
		err = ext.clCommandCopyBufferKHR(buffer, NULL, NULL, mems[0], mems[1], 0, 0, 64, 1,
						 &point, NULL, NULL);
	if (err == CL_SUCCESS)
		err = ext.clCommandCopyBufferRectKHR(buffer, NULL, NULL, mems[1], mems[2], zeros,
						     zeros, region, 16, 0, 16, 0, 0, NULL, NULL,
						     NULL);
	if (err == CL_SUCCESS)
		err = ext.clCommandBarrierWithWaitListKHR(buffer, NULL, NULL, 0, NULL, NULL, NULL);
	for (int i = 0; i < 20 && err == CL_SUCCESS; i++)
		err = ext.clCommandNDRangeKernelKHR(buffer, NULL, properties, add, 1, NULL, &items,
						    &local, 0, NULL, NULL, handle);
	return err;
}

static cl_int change(cl_command_buffer_khr buffer, cl_mutable_command_khr handle)
{
	static const cl_command_buffer_update_type_khr type = WEFT_MUTABLE_DISPATCH_CONFIG;
	const cl_mutable_dispatch_arg_khr arg = {0, sizeof(cl_mem), &mems[1]};
	const struct weft_mutable_dispatch_config config = {
		.command = handle, .num_args = 1, .arg_list = &arg};
	const void *configs[] = {&config};

	return ext.clUpdateMutableCommandsKHR(buffer, 1, &type, configs);
}

/* Enqueues behind the gate, so that no driver takes memory in the time. */
static cl_int enqueue_twice(cl_command_buffer_khr buffer, cl_mutable_command_khr handle,
			    cl_event gate)
{
	cl_int err = ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, NULL);

	if (err == CL_SUCCESS)
		err = change(buffer, handle);
	if (err == CL_SUCCESS)
		err = ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, NULL);
	return err;
}

static cl_int use(cl_event gate)
{
	static const cl_command_buffer_properties_khr properties[] = {
		CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
	cl_mutable_command_khr handle = NULL;
	cl_int err;
	cl_command_buffer_khr buffer =
		ext.clCreateCommandBufferKHR(1, &f->base.queue, properties, &err);

	if (!buffer)
		return err;
	err = record_all(buffer, &handle);
	if (err == CL_SUCCESS)
		err = ext.clFinalizeCommandBufferKHR(buffer);
	if (err == CL_SUCCESS)
		err = enqueue_twice(buffer, handle, gate);
	command_buffer_release(buffer);
	return err;
}

static void without_memory(void **state)
{
	(void)state;
	for (long successes = 0;; successes++) {
		cl_event gate = clCreateUserEvent(f->base.context, NULL);

		weft_alloc_fail_after(successes);
		cl_int err = use(gate);
		bool failed = weft_alloc_has_failed();
		weft_alloc_fail_after(-1);
		/* without memory for what it shares with others, a command waits for all of them */
		assert_true(err == CL_SUCCESS || (failed && err == CL_OUT_OF_HOST_MEMORY));
		assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
		assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
		assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
		if (!failed)
			return;
	}
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* The argument counts as not set, and the command stays what it was. */
static void an_argument_ends_during_an_update(void **state)
{
	static const size_t items = ITEMS;
	cl_command_buffer_khr buffer =
		command_buffer_for(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
	cl_mutable_command_khr handle;
	(void)state;

	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 1, NULL, &items,
						       NULL, 0, NULL, NULL, &handle),
			 CL_SUCCESS);
	command_buffer_finalize(buffer);
	handle->launch.args->args[2].serial++; /* as if another thread had released it */
	assert_int_equal(change(buffer, handle), CL_INVALID_KERNEL_ARGS);
	assert_int_equal(command_buffer_state(buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
	command_buffer_run(buffer);
	handle->launch.args->args[2].serial--;
	assert_int_equal(change(buffer, handle), CL_SUCCESS);
	assert_int_equal(command_buffer_state(buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
	command_buffer_run(buffer);
	command_buffer_release(buffer);
}

/* ---- specialisations -------------------------------------------------------------------------------- */

static void zero_all(void)
{
	const cl_int zeros[ITEMS] = {0};

	for (int i = 0; i < 3; i++)
		assert_int_equal(clEnqueueWriteBuffer(f->base.queue, mems[i], CL_TRUE, 0,
						      sizeof(zeros), zeros, 0, NULL, NULL),
				 CL_SUCCESS);
}

/* Records the kernel, `add` of some program; its specialisation for the local size. */
static struct weft_specialisation *record_sized(cl_command_buffer_khr buffer, cl_kernel kernel,
						size_t local, cl_mutable_command_khr *handle)
{
	const struct weft_kernel_code *code = weft_kernel_code(kernel, f->base.device);
	const struct weft_ndrange range = {.global_size = {ITEMS, 1, 1},
					   .local_size = {local, 1, 1},
					   .num_groups = {ITEMS / local, 1, 1}};
	const struct weft_specialised_launch launch = {code->desc, &range, NULL};
	struct weft_specialisation *specialisation =
		weft_specialisations_find(code->specialisations, &launch).sized;
	const size_t items = ITEMS;

	assert_non_null(specialisation);
	weft_specialisation_put(specialisation); /* the program has it, too */
	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &items,
						       &local, 0, NULL, NULL, handle),
			 CL_SUCCESS);
	command_buffer_finalize(buffer);
	return specialisation;
}

static cl_int first_sum(void)
{
	cl_int number;

	fixture_read(&f->base, mems[2], &number, sizeof(number));
	return number;
}

static cl_int replay(cl_command_buffer_khr buffer)
{
	command_buffer_run(buffer);
	return first_sum();
}

static void wait_for_specialisation(struct weft_specialisation *specialisation)
{
	weft_specialisation_ran(specialisation, UINT64_C(1000000000));
	while (!weft_specialisation_code(specialisation))
		sched_yield();
}

/* A recorded kernel is timed, too, and runs its specialisation from when there is one. On a busy machine the first
 * replays may take so long that one is asked for; it comes when the gate is open. Replays with the code count as well, so that
 * the table does not take it for unused. The size is not that of the other test, where there may have been no memory for a
 * specialisation.
 */
static void specialisations(void **state)
{
	cl_command_buffer_khr buffer =
		command_buffer_for(f->base.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
	cl_mutable_command_khr handle;
	(void)state;

	f->compiler->set_gate(0);
	zero_all();
	struct weft_specialisation *specialisation = record_sized(buffer, add, 16, &handle);
	for (int i = 0; i < 5; i++)
		assert_int_equal(replay(buffer), 5);
	f->compiler->set_gate(1);
	wait_for_specialisation(specialisation);
	assert_int_equal(replay(buffer), 5 + FAKE_VERSION_EXTRA);
	const uint64_t before = atomic_load(&specialisation->items);
	assert_int_equal(replay(buffer), 5 + FAKE_VERSION_EXTRA);
	assert_int_equal(atomic_load(&specialisation->items), before + ITEMS);
	assert_int_equal(change(buffer, handle), CL_SUCCESS);
	assert_int_equal(replay(buffer), 5 + FAKE_VERSION_EXTRA);
	command_buffer_release(buffer);
}

/* A launch that waits for its code is one, when it comes to run. */
static void late_code_is_counted_once(void **state)
{
	cl_command_buffer_khr buffer = command_buffer_for(f->base.queue, 0);
	(void)state;

	f->compiler->set_gate(0);
	cl_program late = program_built(f->base.context, "postponed slow gains");
	cl_kernel kernel = program_kernel(late, "add");
	zero_all();
	set_args(kernel);
	struct weft_specialisation *specialisation = record_sized(buffer, kernel, 8, NULL);
	assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clFlush(f->base.queue), CL_SUCCESS);
	f->compiler->wait_for_one();
	f->compiler->set_gate(1);
	assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
	assert_int_equal(weft_specialisation_launches(specialisation), 1);
	wait_for_specialisation(specialisation);
	assert_int_equal(replay(buffer), 5 + FAKE_VERSION_EXTRA);
	command_buffer_release(buffer);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(late), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_memory),
		cmocka_unit_test(an_argument_ends_during_an_update),
		cmocka_unit_test(specialisations),
		cmocka_unit_test(late_code_is_counted_once),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
