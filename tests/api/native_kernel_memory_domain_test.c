/* SPDX-License-Identifier: MIT
 *
 * Native kernels, and callbacks, that wait for an accelerator while they run in the thread that tells of its ends. They
 * begin as soon as a command of the accelerator ends, which waits for a user event: all else is enqueued before.
 */
#include "described_context.h"

#include "latch.h"

#include <sched.h>

struct domains {
	cl_context context;
	cl_command_queue accel;
	cl_command_queue basic;
	cl_command_queue threads;
	cl_mem mem;
	cl_event gate;
	cl_event first; /* of the accelerator, behind the gate */
};

static void fill(const struct domains *d, cl_command_queue queue, cl_event wait, cl_event *event)
{
	const cl_uint pattern = 7;

	assert_int_equal(clEnqueueFillBuffer(queue, d->mem, &pattern, sizeof(pattern), 0,
					     sizeof(pattern), wait ? 1 : 0, wait ? &wait : NULL,
					     event),
			 CL_SUCCESS);
}

static int set_up(void **state)
{
	static struct domains domains;
	struct domains *d = &domains;
	cl_device_id devices[3];

	setenv("WEFT_THREADS", "1", 1);
	d->context = described_context("accel,basic,pthread", NULL, 3, devices);
	d->accel = fixture_queue(d->context, devices[0], 0);
	d->basic = fixture_queue(d->context, devices[1], 0);
	d->threads = fixture_queue(d->context, devices[2], 0);
	d->mem = clCreateBuffer(d->context, 0, 4, NULL, NULL);
	d->gate = clCreateUserEvent(d->context, NULL);
	fill(d, d->accel, d->gate, &d->first);
	*state = d;
	return 0;
}

static int tear_down(void **state)
{
	const struct domains *d = *state;

	assert_int_equal(clReleaseEvent(d->first), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(d->gate), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(d->mem), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(d->threads), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(d->basic), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(d->accel), CL_SUCCESS);
	assert_int_equal(clReleaseContext(d->context), CL_SUCCESS);
	return 0;
}

/* The native kernel waits for the first command alone. */
static void enqueue_native(const struct domains *d, void(CL_CALLBACK *function)(void *))
{
	assert_int_equal(clEnqueueNativeKernel(d->basic, function, (void *)(uintptr_t)&d, sizeof(d),
					       0, NULL, NULL, 1, &d->first, NULL),
			 CL_SUCCESS);
}

static void open_gate(const struct domains *d)
{
	assert_int_equal(clFlush(d->accel), CL_SUCCESS);
	assert_int_equal(clFlush(d->threads), CL_SUCCESS);
	assert_int_equal(clSetUserEventStatus(d->gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clFinish(d->basic), CL_SUCCESS);
}

static const struct domains *domains_of(void *data)
{
	return *(struct domains **)data;
}

static void CL_CALLBACK fill_and_finish(void *data)
{
	const struct domains *d = domains_of(data);

	fill(d, d->accel, NULL, NULL);
	assert_int_equal(clFinish(d->accel), CL_SUCCESS);
}

static void native_kernel_waits_for_the_accelerator(void **state)
{
	const struct domains *d = *state;

	enqueue_native(d, fill_and_finish);
	open_gate(d);
}

static void look_until_over(cl_event event)
{
	cl_int status = CL_QUEUED;

	while (status > CL_COMPLETE) {
		assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
						sizeof(status), &status, NULL),
				 CL_SUCCESS);
		sched_yield();
	}
}

static void CL_CALLBACK fill_and_look(void *data)
{
	const struct domains *d = domains_of(data);
	cl_event event;

	fill(d, d->accel, NULL, &event);
	assert_int_equal(clFlush(d->accel), CL_SUCCESS);
	look_until_over(event);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

/* It asks again and again, and calls nothing that waits. */
static void native_kernel_looks_at_the_accelerator(void **state)
{
	const struct domains *d = *state;

	enqueue_native(d, fill_and_look);
	open_gate(d);
}

static cl_event sibling;

static void CL_CALLBACK wait_for_sibling(void *unused)
{
	(void)unused;
	assert_int_equal(clWaitForEvents(1, &sibling), CL_SUCCESS);
}

static void CL_CALLBACK look_at_sibling(void *unused)
{
	(void)unused;
	look_until_over(sibling);
}

/* Another command, of the accelerator or of a worker, waits for the same as the native kernel, and was enqueued before or
 * after it: the thread that tells of the end may not have come to it. */
static void check_sibling(const struct domains *d, cl_command_queue queue, bool is_first,
			  void(CL_CALLBACK *function)(void *))
{
	if (!is_first)
		enqueue_native(d, function);
	assert_int_equal(clEnqueueMarkerWithWaitList(queue, 1, &d->first, &sibling), CL_SUCCESS);
	if (is_first)
		enqueue_native(d, function);
	open_gate(d);
	assert_int_equal(clReleaseEvent(sibling), CL_SUCCESS);
}

static void native_kernel_waits_for_what_waits_for_the_same(void **state)
{
	const struct domains *d = *state;

	check_sibling(d, d->accel, false, wait_for_sibling);
}

static void native_kernel_waits_for_older_command_of_a_worker(void **state)
{
	const struct domains *d = *state;

	check_sibling(d, d->threads, true, wait_for_sibling);
}

static void native_kernel_waits_for_newer_command_of_a_worker(void **state)
{
	const struct domains *d = *state;

	check_sibling(d, d->threads, false, wait_for_sibling);
}

static void native_kernel_looks_at_older_command_of_a_worker(void **state)
{
	const struct domains *d = *state;

	check_sibling(d, d->threads, true, look_at_sibling);
}

static void native_kernel_looks_at_newer_command_of_a_worker(void **state)
{
	const struct domains *d = *state;

	check_sibling(d, d->threads, false, look_at_sibling);
}

static struct latch called = LATCH_INITIALIZER;

static void CL_CALLBACK fill_and_finish_as_callback(cl_event event, cl_int status, void *data)
{
	const struct domains *d = data;

	(void)event;
	(void)status;
	fill(d, d->accel, NULL, NULL);
	assert_int_equal(clFinish(d->accel), CL_SUCCESS);
	(void)latch_raise(&called);
}

static void callback_waits_for_the_accelerator(void **state)
{
	struct domains *d = *state;

	assert_int_equal(clSetEventCallback(d->first, CL_COMPLETE, fill_and_finish_as_callback, d),
			 CL_SUCCESS);
	open_gate(d);
	(void)latch_wait(&called, 1);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(native_kernel_waits_for_the_accelerator),
		TEST(native_kernel_looks_at_the_accelerator),
		TEST(native_kernel_waits_for_what_waits_for_the_same),
		TEST(native_kernel_waits_for_older_command_of_a_worker),
		TEST(native_kernel_waits_for_newer_command_of_a_worker),
		TEST(native_kernel_looks_at_older_command_of_a_worker),
		TEST(native_kernel_looks_at_newer_command_of_a_worker),
		TEST(callback_waits_for_the_accelerator),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
