/* SPDX-License-Identifier: MIT
 *
 * Processes that fork and processes that end with work in flight. The work of the tests is done in
 * children; the parent looks at how they ended, and only the fork tests use the library in it.
 */
#include "child.h"
#include "fixture.h"
#include "latch.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* ThreadSanitizer supports no threads in the child of a process with threads. */
#if defined(__SANITIZE_THREAD__)
#define CAN_FORK 0
#else
#define CAN_FORK 1
#endif

struct setup {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
};

static bool set_up(struct setup *s)
{
	const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
						  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
	cl_platform_id platform;

	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &s->device, NULL) != CL_SUCCESS)
		return false;
	s->context = clCreateContext(NULL, 1, &s->device, NULL, NULL, NULL);
	s->queue = clCreateCommandQueueWithProperties(s->context, s->device, properties, NULL);
	return s->queue != NULL;
}

static struct latch called = LATCH_INITIALIZER;

static void CL_CALLBACK note_call(cl_event event, cl_int status, void *user_data)
{
	(void)event;
	(void)status;
	(void)user_data;
	latch_raise(&called);
}

/* A transfer, a callback and an orderly end; whether all worked. */
static bool use(void)
{
	struct setup s;
	char bytes[4096] = {1, 2, 3};
	char back[4096];
	cl_event event = NULL;

	if (!set_up(&s))
		return false;
	cl_mem mem = clCreateBuffer(s.context, 0, sizeof(bytes), NULL, NULL);
	latch_reset(&called);
	if (clEnqueueWriteBuffer(s.queue, mem, CL_FALSE, 0, sizeof(bytes), bytes, 0, NULL,
				 &event) ||
	    clSetEventCallback(event, CL_COMPLETE, note_call, NULL) ||
	    clEnqueueReadBuffer(s.queue, mem, CL_TRUE, 0, sizeof(back), back, 1, &event, NULL))
		return false;
	(void)latch_wait(&called, 1);
	clReleaseEvent(event);
	clReleaseMemObject(mem);
	clReleaseCommandQueue(s.queue);
	clReleaseContext(s.context);
	return memcmp(bytes, back, sizeof(bytes)) == 0;
}

/* Runs `body` in a child; how it ended. */
static int child(void (*body)(void))
{
	int status = -1;

	fflush(NULL);
	pid_t pid = fork_limited();
	assert_true(pid >= 0);
	if (pid == 0) {
		body();
		_exit(99);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* ---- ends with work in flight (first: the parent has not used the library yet) --------------- */

static struct latch started = LATCH_INITIALIZER;
static pthread_t enqueuer;

/* Never ends, except on a device that runs it in the thread that enqueues. */
static void CL_CALLBACK stay(void *argument)
{
	(void)argument;
	latch_raise(&started);
	while (!pthread_equal(pthread_self(), enqueuer))
		pause();
}

/* Half of the work waits for it. */
static cl_event user;

/* Returns when some of it runs. */
static void enqueue_work(struct setup *s)
{
	user = clCreateUserEvent(s->context, NULL);
	enqueuer = pthread_self();
	for (int i = 0; i < 50; i++)
		clEnqueueNativeKernel(s->queue, stay, NULL, 0, 0, NULL, NULL, i % 2 ? 1 : 0,
				      i % 2 ? &user : NULL, NULL);
	clFlush(s->queue);
	(void)latch_wait(&started, 1);
}

static void exit_while_running(void)
{
	struct setup s;

	if (!set_up(&s))
		_exit(1);
	enqueue_work(&s);
	exit(7);
}

static void exit_after_releasing_everything(void)
{
	struct setup s;

	if (!set_up(&s))
		_exit(1);
	enqueue_work(&s);
	clReleaseCommandQueue(s.queue);
	clReleaseContext(s.context);
	exit(7);
}

static void CL_CALLBACK exit_now(cl_event event, cl_int status, void *user_data)
{
	(void)event;
	(void)status;
	(void)user_data;
	exit(7);
}

static void exit_from_a_callback(void)
{
	struct setup s;
	cl_event event = NULL;

	if (!set_up(&s) || clEnqueueMarkerWithWaitList(s.queue, 0, NULL, &event) ||
	    clSetEventCallback(event, CL_COMPLETE, exit_now, NULL))
		_exit(1);
	clFlush(s.queue);
	for (;;)
		pause();
}

static void ends_with_work_in_flight(void **state)
{
	(void)state;
	assert_int_equal(child(exit_while_running), 7);
	assert_int_equal(child(exit_after_releasing_everything), 7);
	assert_int_equal(child(exit_from_a_callback), 7);
}

/* ---- forks ----------------------------------------------------------------------------------- */

static void use_and_exit(void)
{
	_exit(use() ? 7 : 1);
}

static void child_of_a_user_makes_its_own_context(void **state)
{
	struct setup s;

	(void)state;
	if (!CAN_FORK)
		skip();
	assert_true(use());
	/* Something lies around in the parent, too. */
	assert_true(set_up(&s));
	user = clCreateUserEvent(s.context, NULL);
	cl_event marker = NULL;
	assert_int_equal(clEnqueueMarkerWithWaitList(s.queue, 1, &user, &marker), CL_SUCCESS);
	assert_int_equal(child(use_and_exit), 7);
	/* Which the child has not touched. */
	assert_true(use());
	assert_int_equal(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &marker), CL_SUCCESS);
	clReleaseEvent(marker);
	clReleaseEvent(user);
	clReleaseCommandQueue(s.queue);
	clReleaseContext(s.context);
}

/* What a child finds: queues with commands that its parent has in flight, and the events of some. */
static struct {
	struct setup out_of_order;
	cl_command_queue in_order;
	cl_event markers[2];
} inherited;

/* Whether a queue with the parent's commands in it serves the child. */
static bool goes_on(cl_command_queue queue, cl_event parents)
{
	char bytes[64] = {1, 2, 3};
	char back[64];
	cl_int err;
	cl_event marker = NULL;
	cl_mem mem = clCreateBuffer(inherited.out_of_order.context, 0, sizeof(bytes), NULL, &err);

	if (err != CL_SUCCESS || clFinish(queue) != CL_SUCCESS ||
	    clWaitForEvents(1, &parents) != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ||
	    clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, sizeof(bytes), bytes, 0, NULL, NULL) ||
	    clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker) || clWaitForEvents(1, &marker) ||
	    clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(back), back, 0, NULL, NULL) ||
	    clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(back), back, 1, &parents, NULL) !=
		    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
		return false;
	clReleaseEvent(marker);
	clReleaseMemObject(mem);
	return clFinish(queue) == CL_SUCCESS && clReleaseCommandQueue(queue) == CL_SUCCESS &&
	       memcmp(bytes, back, sizeof(bytes)) == 0;
}

static void use_inherited_queues(void)
{
	_exit(goes_on(inherited.out_of_order.queue, inherited.markers[0]) &&
			      goes_on(inherited.in_order, inherited.markers[1])
		      ? 7
		      : 1);
}

static void child_waits_for_no_command_of_its_parent(void **state)
{
	struct setup *s = &inherited.out_of_order;

	(void)state;
	if (!CAN_FORK)
		skip();
	assert_true(set_up(s));
	inherited.in_order = clCreateCommandQueueWithProperties(s->context, s->device, NULL, NULL);
	cl_command_queue queues[2] = {s->queue, inherited.in_order};
	user = clCreateUserEvent(s->context, NULL);
	for (int i = 0; i < 2; i++)
		assert_int_equal(
			clEnqueueMarkerWithWaitList(queues[i], 1, &user, &inherited.markers[i]),
			CL_SUCCESS);
	assert_int_equal(child(use_inherited_queues), 7);
	assert_int_equal(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(clFinish(queues[i]), CL_SUCCESS);
		clReleaseEvent(inherited.markers[i]);
		clReleaseCommandQueue(queues[i]);
	}
	clReleaseEvent(user);
	clReleaseContext(s->context);
}

static void fork_and_use(void)
{
	if (!use())
		_exit(1);
	_exit(child(use_and_exit));
}

static void grandchild_works_too(void **state)
{
	(void)state;
	if (!CAN_FORK)
		skip();
	assert_true(use());
	assert_int_equal(child(fork_and_use), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_with_work_in_flight),
		cmocka_unit_test(child_of_a_user_makes_its_own_context),
		cmocka_unit_test(child_waits_for_no_command_of_its_parent),
		cmocka_unit_test(grandchild_works_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
