/* SPDX-License-Identifier: MIT
 *
 * Native kernels that use another device than the one they run on.
 */
#include "program_fixture.h"

#include "latch.h"

struct other {
	cl_command_queue queue; /* of the device whose command ended last */
	cl_mem mem;
	cl_int err;
};

static struct latch enqueued = LATCH_INITIALIZER;

static void CL_CALLBACK wait_for_enqueue(void *unused)
{
	(void)unused;
	(void)latch_wait(&enqueued, 1);
}

static void CL_CALLBACK fill_and_finish(void *data)
{
	struct other *other = *(struct other **)data;
	const cl_uint pattern = 7;

	other->err = clEnqueueFillBuffer(other->queue, other->mem, &pattern, sizeof(pattern), 0,
					 sizeof(pattern), 0, NULL, NULL);
	if (other->err == CL_SUCCESS)
		other->err = clFinish(other->queue);
}

/* The thread that completes the first command runs the second, for the device without threads; what that one enqueues
 * must not lie in this thread. */
static void command_of_another_device_is_waited_for(void **state)
{
	struct program_fixture *f = *state;
	cl_command_queue threads =
		clCreateCommandQueueWithProperties(f->both, f->devices[0], NULL, NULL);
	cl_command_queue basic =
		clCreateCommandQueueWithProperties(f->both, f->devices[1], NULL, NULL);
	struct other other = {threads, clCreateBuffer(f->both, 0, 4, NULL, NULL), 1};
	struct other *argument = &other;
	cl_uint word = 0;
	cl_event first;

	assert_int_equal(clEnqueueNativeKernel(threads, wait_for_enqueue, NULL, 0, 0, NULL, NULL, 0,
					       NULL, &first),
			 CL_SUCCESS);
	assert_int_equal(clEnqueueNativeKernel(basic, fill_and_finish, &argument, sizeof(argument),
					       0, NULL, NULL, 1, &first, NULL),
			 CL_SUCCESS);
	(void)latch_raise(&enqueued);
	assert_int_equal(clFinish(basic), CL_SUCCESS);
	assert_int_equal(other.err, CL_SUCCESS);
	assert_int_equal(clEnqueueReadBuffer(threads, other.mem, CL_TRUE, 0, sizeof(word), &word, 0,
					     NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(word, 7);
	assert_int_equal(clReleaseEvent(first), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(other.mem), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(basic), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(threads), CL_SUCCESS);
}

/* The thread that sets a user event runs what waits for it on the device without threads; within, it runs and ends a
 * short command of the other one itself. */
static void user_event_starts_a_function_that_waits(void **state)
{
	struct program_fixture *f = *state;
	cl_command_queue threads =
		clCreateCommandQueueWithProperties(f->both, f->devices[0], NULL, NULL);
	cl_command_queue basic =
		clCreateCommandQueueWithProperties(f->both, f->devices[1], NULL, NULL);
	struct other other = {threads, clCreateBuffer(f->both, 0, 4, NULL, NULL), 1};
	struct other *argument = &other;
	cl_event gate = clCreateUserEvent(f->both, NULL);

	assert_int_equal(clEnqueueNativeKernel(basic, fill_and_finish, &argument, sizeof(argument),
					       0, NULL, NULL, 1, &gate, NULL),
			 CL_SUCCESS);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clFinish(basic), CL_SUCCESS);
	assert_int_equal(other.err, CL_SUCCESS);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(other.mem), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(basic), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(threads), CL_SUCCESS);
}

static int set_up(void **state)
{
	setenv("WEFT_THREADS", "4", 1);
	return program_set_up(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(command_of_another_device_is_waited_for),
		cmocka_unit_test(user_event_starts_a_function_that_waits),
	};
	return cmocka_run_group_tests(tests, set_up, program_tear_down);
}
