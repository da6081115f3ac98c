/* SPDX-License-Identifier: MIT
 *
 * Hints of queues: of what is ready, commands of high priority run first and those of low priority last; and what is wrong in the
 * list of a queue's properties.
 */
#include "program_fixture.h"

#include "latch.h"

#include <CL/cl_ext.h>

#define ITEMS 64
#define LAUNCHES 8

static struct program_fixture *f;

static int set_up(void **state)
{
	setenv("WEFT_THREADS", "1", 0); /* so that the order can be seen */
	assert_int_equal(built_set_up(state), 0);
	f = *state;
	return 0;
}

static cl_command_queue queue_with(cl_command_queue_properties bits, cl_queue_properties name,
				   cl_queue_properties value)
{
	const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, name, value, 0};
	cl_int err;
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(f->base.context, f->base.device, list, &err);

	assert_int_equal(err, CL_SUCCESS);
	return queue;
}

static struct latch entered = LATCH_INITIALIZER;
static struct latch released = LATCH_INITIALIZER;

static void CL_CALLBACK hold_worker(void *unused)
{
	(void)unused;
	latch_raise(&entered);
	(void)latch_wait(&released, 1);
}

/* While the only worker is held up, launches become ready, those of low priority first. */
static void the_order_follows_the_priority(void **state)
{
	static const cl_queue_properties priorities[] = {
		CL_QUEUE_PRIORITY_LOW_KHR, CL_QUEUE_PRIORITY_MED_KHR, CL_QUEUE_PRIORITY_HIGH_KHR};
	const size_t items = ITEMS;
	const cl_int numbers[ITEMS] = {0};
	cl_command_queue queues[3];
	cl_event events[3][LAUNCHES];
	cl_mem mems[3];
	cl_event held;

	(void)state;
	if (strcmp(getenv("WEFT_THREADS"), "1") != 0)
		skip();
	cl_kernel kernel = program_add(f->program, f->base.context, numbers, ITEMS, mems);
	assert_int_equal(clEnqueueNativeKernel(f->base.queue, hold_worker, NULL, 0, 0, NULL, NULL,
					       0, NULL, &held),
			 CL_SUCCESS);
	assert_int_equal(clFlush(f->base.queue), CL_SUCCESS);
	(void)latch_wait(&entered, 1);
	for (int p = 0; p < 3; p++) {
		queues[p] = queue_with(CL_QUEUE_PROFILING_ENABLE |
					       CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
				       CL_QUEUE_PRIORITY_KHR, priorities[p]);
		for (int i = 0; i < LAUNCHES; i++)
			assert_int_equal(clEnqueueNDRangeKernel(queues[p], kernel, 1, NULL, &items,
								NULL, 0, NULL, &events[p][i]),
					 CL_SUCCESS);
		assert_int_equal(clFlush(queues[p]), CL_SUCCESS);
	}
	latch_raise(&released);
	for (int p = 0; p < 3; p++)
		assert_int_equal(clWaitForEvents(LAUNCHES, events[p]), CL_SUCCESS);
	for (int p = 0; p < 2; p++) {
		for (int i = 0; i < LAUNCHES * LAUNCHES; i++)
			assert_true(
				fixture_time(events[p][i / LAUNCHES], CL_PROFILING_COMMAND_START) >=
				fixture_time(events[p + 1][i % LAUNCHES],
					     CL_PROFILING_COMMAND_END));
	}
	for (int p = 0; p < 3; p++) {
		for (int i = 0; i < LAUNCHES; i++)
			assert_int_equal(clReleaseEvent(events[p][i]), CL_SUCCESS);
		assert_int_equal(clReleaseCommandQueue(queues[p]), CL_SUCCESS);
	}
	assert_int_equal(clReleaseEvent(held), CL_SUCCESS);
	program_release_mems(mems);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

/* Launches of every priority and throttle at the same time, in a queue each, and by a thread that waits for them. */
static void all_of_them_end(void **state)
{
	static const cl_queue_properties lists[][2] = {
		{CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR},
		{CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR},
		{CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_LOW_KHR},
		{CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_HIGH_KHR}};
	enum { QUEUES = sizeof(lists) / sizeof(lists[0]), LONG = 1 << 16, ROUNDS = 20 };
	const size_t items = LONG;
	static cl_int numbers[LONG];
	cl_command_queue queues[QUEUES];
	cl_kernel kernels[QUEUES];
	cl_mem mems[QUEUES][3];
	cl_event user = clCreateUserEvent(f->base.context, NULL);

	(void)state;
	for (int q = 0; q < QUEUES; q++) {
		queues[q] = queue_with(0, lists[q][0], lists[q][1]);
		kernels[q] = program_add(f->program, f->base.context, numbers, LONG, mems[q]);
	}
	for (int i = 0; i < ROUNDS * QUEUES; i++)
		assert_int_equal(clEnqueueNDRangeKernel(queues[i % QUEUES], kernels[i % QUEUES], 1,
							NULL, &items, NULL, i < QUEUES,
							i < QUEUES ? &user : NULL, NULL),
				 CL_SUCCESS);
	assert_int_equal(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
	for (int q = 0; q < QUEUES; q++) {
		cl_int last = 0;

		assert_int_equal(clEnqueueReadBuffer(queues[q], mems[q][2], CL_TRUE,
						     (LONG - 1) * sizeof(last), sizeof(last), &last,
						     0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(last, 5);
		assert_int_equal(clReleaseCommandQueue(queues[q]), CL_SUCCESS);
		assert_int_equal(clReleaseKernel(kernels[q]), CL_SUCCESS);
		program_release_mems(mems[q]);
	}
	assert_int_equal(clReleaseEvent(user), CL_SUCCESS);
}

static void hints_are_checked(void **state)
{
	static const cl_queue_properties wrongs[][5] = {
		{CL_QUEUE_PRIORITY_KHR, 0, 0},
		{CL_QUEUE_PRIORITY_KHR, 8, 0},
		{CL_QUEUE_PRIORITY_KHR, 3, 0},
		{CL_QUEUE_THROTTLE_KHR, 0, 0},
		{CL_QUEUE_PRIORITY_KHR, 1, CL_QUEUE_PRIORITY_KHR, 1, 0},
		{CL_QUEUE_THROTTLE_KHR, 1, CL_QUEUE_THROTTLE_KHR, 1, 0},
	};
	cl_int err = 1;

	(void)state;
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		assert_null(clCreateCommandQueueWithProperties(f->base.context, f->base.device,
							       wrongs[i], &err));
		assert_int_equal(err, CL_INVALID_VALUE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_follows_the_priority),
		cmocka_unit_test(all_of_them_end),
		cmocka_unit_test(hints_are_checked),
	};
	return cmocka_run_group_tests(tests, set_up, built_tear_down);
}
