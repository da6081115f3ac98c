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

static cl_command_queue queue_of(const struct program_fixture *f, int device)
{
	return fixture_queue(f->both, f->devices[device], 0);
}

static void enqueue_behind(cl_command_queue basic, struct other *other, cl_event event)
{
	assert_int_equal(clEnqueueNativeKernel(basic, fill_and_finish, &other, sizeof(other), 0,
					       NULL, NULL, 1, &event, NULL),
			 CL_SUCCESS);
}

static void release(const struct other *other, cl_command_queue basic)
{
	assert_int_equal(clReleaseMemObject(other->mem), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(basic), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(other->queue), CL_SUCCESS);
}

/* The thread that completes the first command, the only worker, runs the second, for the device without threads; what
 * that one enqueues must not lie in this thread, nor wait for it. */
static void command_of_another_device_is_waited_for(void **state)
{
	struct program_fixture *f = *state;
	cl_command_queue threads = queue_of(f, 0);
	cl_command_queue basic = queue_of(f, 1);
	struct other other = {threads, clCreateBuffer(f->both, 0, 4, NULL, NULL), 1};
	cl_uint word = 0;
	cl_event first;

	assert_int_equal(clEnqueueNativeKernel(threads, wait_for_enqueue, NULL, 0, 0, NULL, NULL, 0,
					       NULL, &first),
			 CL_SUCCESS);
	enqueue_behind(basic, &other, first);
	(void)latch_raise(&enqueued);
	assert_int_equal(clFinish(basic), CL_SUCCESS);
	assert_int_equal(other.err, CL_SUCCESS);
	assert_int_equal(clEnqueueReadBuffer(threads, other.mem, CL_TRUE, 0, sizeof(word), &word, 0,
					     NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(word, 7);
	assert_int_equal(clReleaseEvent(first), CL_SUCCESS);
	release(&other, basic);
}

/* The thread that sets a user event runs what waits for it on the device without threads; within, it runs and ends a
 * short command of the other one itself. */
static void user_event_starts_a_function_that_waits(void **state)
{
	struct program_fixture *f = *state;
	cl_command_queue threads = queue_of(f, 0);
	cl_command_queue basic = queue_of(f, 1);
	struct other other = {threads, clCreateBuffer(f->both, 0, 4, NULL, NULL), 1};
	cl_event gate = clCreateUserEvent(f->both, NULL);

	enqueue_behind(basic, &other, gate);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clFinish(basic), CL_SUCCESS);
	assert_int_equal(other.err, CL_SUCCESS);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
	release(&other, basic);
}

static int set_up(void **state)
{
	setenv("WEFT_THREADS", "1", 1); /* no other thread would run it */
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
