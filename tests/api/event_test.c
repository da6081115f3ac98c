/* SPDX-License-Identifier: MIT
 *
 * Events, user events, callbacks, profiling, markers and barriers (specification 5.11 to 5.14) from the
 * application's side.
 */
#include "fixture.h"
#include "latch.h"
#include "threads.h"
#include "told.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static cl_event marker_after(cl_command_queue queue, cl_uint num, const cl_event *waits)
{
	cl_event event = NULL;

	assert_int_equal(clEnqueueMarkerWithWaitList(queue, num, waits, &event), CL_SUCCESS);
	return event;
}

static void user_events(void **state)
{
	struct fixture *f = *state;
	cl_int err = 1;
	cl_event user = clCreateUserEvent(f->context, &err);
	cl_event command = marker_after(f->queue, 1, &user);

	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(fixture_status(user), CL_SUBMITTED);
	assert_int_equal(clSetUserEventStatus(user, CL_RUNNING), CL_INVALID_VALUE);
	assert_int_equal(clSetUserEventStatus(command, CL_COMPLETE), CL_INVALID_EVENT);
	assert_int_equal(clSetUserEventStatus(NULL, CL_COMPLETE), CL_INVALID_EVENT);
	assert_true(fixture_status(command) > CL_COMPLETE);
	assert_int_equal(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clSetUserEventStatus(user, CL_COMPLETE), CL_INVALID_OPERATION);
	assert_int_equal(clWaitForEvents(1, &command), CL_SUCCESS);
	assert_int_equal(fixture_status(command), CL_COMPLETE);
	assert_null(clCreateUserEvent(NULL, &err));
	assert_int_equal(err, CL_INVALID_CONTEXT);
	fixture_release_events((const cl_event[]){user, command, NULL});
}

static void failed_user_event(void **state)
{
	struct fixture *f = *state;
	cl_event user = clCreateUserEvent(f->context, NULL);
	cl_event command = marker_after(f->queue, 1, &user);
	cl_event next = marker_after(f->out_of_order, 1, &command);
	char byte = 0;

	assert_int_equal(clSetUserEventStatus(user, -42), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &next), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(fixture_status(user), -42);
	assert_true(fixture_status(command) < 0);
	assert_true(fixture_status(next) < 0);
	/* A blocking command says so itself. */
	cl_mem mem = clCreateBuffer(f->context, 0, 1, NULL, NULL);
	assert_int_equal(clEnqueueReadBuffer(f->queue, mem, CL_TRUE, 0, 1, &byte, 1, &user, NULL),
			 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	/* And the queue goes on. */
	assert_int_equal(clEnqueueReadBuffer(f->queue, mem, CL_TRUE, 0, 1, &byte, 0, NULL, NULL),
			 CL_SUCCESS);
	clReleaseMemObject(mem);
	fixture_release_events((const cl_event[]){user, command, next, NULL});
}

static void bad_waits(void **state)
{
	struct fixture *f = *state;
	cl_event user = clCreateUserEvent(f->context, NULL);
	cl_event other = clCreateUserEvent(f->other_context, NULL);
	const cl_event both[] = {user, other};
	const cl_event with_null[] = {user, NULL};

	assert_int_equal(clWaitForEvents(0, &user), CL_INVALID_VALUE);
	assert_int_equal(clWaitForEvents(1, NULL), CL_INVALID_VALUE);
	assert_int_equal(clWaitForEvents(2, both), CL_INVALID_CONTEXT);
	assert_int_equal(clWaitForEvents(2, with_null), CL_INVALID_EVENT);
	assert_int_equal(clEnqueueMarkerWithWaitList(f->queue, 1, NULL, NULL),
			 CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(clEnqueueMarkerWithWaitList(f->queue, 0, &user, NULL),
			 CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(clEnqueueMarkerWithWaitList(f->queue, 2, with_null, NULL),
			 CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(clEnqueueMarkerWithWaitList(f->queue, 1, &other, NULL),
			 CL_INVALID_CONTEXT);
	assert_int_equal(clEnqueueBarrierWithWaitList(f->queue, 1, NULL, NULL),
			 CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(clEnqueueBarrierWithWaitList(f->queue, 1, &other, NULL),
			 CL_INVALID_CONTEXT);
	assert_int_equal(clEnqueueMarker(f->queue, NULL), CL_INVALID_VALUE);
	assert_int_equal(clEnqueueWaitForEvents(f->queue, 0, &user), CL_INVALID_VALUE);
	assert_int_equal(clEnqueueWaitForEvents(f->queue, 1, NULL), CL_INVALID_VALUE);
	assert_int_equal(clEnqueueWaitForEvents(f->queue, 1, &other), CL_INVALID_CONTEXT);
	fixture_release_events((const cl_event[]){user, other, NULL});
}

static void event_info(void **state)
{
	struct fixture *f = *state;
	cl_event user = clCreateUserEvent(f->context, NULL);
	cl_event marker = marker_after(f->queue, 0, NULL);
	void *pointer = f;
	cl_uint number = 0;
	size_t size = 0;

	assert_int_equal(clGetEventInfo(user, CL_EVENT_COMMAND_QUEUE, sizeof(pointer),
					(void *)&pointer, NULL),
			 CL_SUCCESS);
	assert_null(pointer);
	assert_int_equal(clGetEventInfo(marker, CL_EVENT_COMMAND_QUEUE, sizeof(pointer),
					(void *)&pointer, NULL),
			 CL_SUCCESS);
	assert_ptr_equal(pointer, f->queue);
	assert_int_equal(
		clGetEventInfo(marker, CL_EVENT_CONTEXT, sizeof(pointer), (void *)&pointer, &size),
		CL_SUCCESS);
	assert_ptr_equal(pointer, f->context);
	assert_int_equal(size, sizeof(pointer));
	assert_int_equal(
		clGetEventInfo(marker, CL_EVENT_COMMAND_TYPE, sizeof(number), &number, NULL),
		CL_SUCCESS);
	assert_int_equal(number, CL_COMMAND_MARKER);
	assert_int_equal(clGetEventInfo(user, CL_EVENT_COMMAND_TYPE, sizeof(number), &number, NULL),
			 CL_SUCCESS);
	assert_int_equal(number, CL_COMMAND_USER);
	assert_int_equal(clRetainEvent(user), CL_SUCCESS);
	assert_int_equal(
		clGetEventInfo(user, CL_EVENT_REFERENCE_COUNT, sizeof(number), &number, NULL),
		CL_SUCCESS);
	assert_int_equal(number, 2);
	assert_int_equal(clReleaseEvent(user), CL_SUCCESS);
	assert_int_equal(clGetEventInfo(user, 0, 0, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(clGetEventInfo(user, CL_EVENT_CONTEXT, 1, (void *)&pointer, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	fixture_release_events((const cl_event[]){user, marker, NULL});
}

/* ---- callbacks ------------------------------------------------------------------------------- */

static _Atomic cl_int called_with;
static struct latch calls = LATCH_INITIALIZER;

static void CL_CALLBACK note_call(cl_event event, cl_int status, void *user_data)
{
	(void)event;
	(void)user_data;
	atomic_store(&called_with, status);
	latch_raise(&calls);
}

static void callbacks(void **state)
{
	struct fixture *f = *state;
	cl_event user = clCreateUserEvent(f->context, NULL);
	cl_event marker = marker_after(f->queue, 1, &user);

	assert_int_equal(clSetEventCallback(NULL, CL_COMPLETE, note_call, NULL), CL_INVALID_EVENT);
	assert_int_equal(clSetEventCallback(marker, CL_COMPLETE, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(clSetEventCallback(marker, CL_QUEUED, note_call, NULL), CL_INVALID_VALUE);
	assert_int_equal(clSetEventCallback(marker, -1, note_call, NULL), CL_INVALID_VALUE);
	for (cl_int type = CL_COMPLETE; type <= CL_SUBMITTED; type++)
		assert_int_equal(clSetEventCallback(marker, type, note_call, NULL), CL_SUCCESS);
	assert_int_equal(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clFlush(f->queue), CL_SUCCESS);
	assert_int_equal(latch_wait(&calls, 3), 3);
	assert_int_equal(atomic_load(&called_with), CL_COMPLETE);
	fixture_release_events((const cl_event[]){user, marker, NULL});
}

static void CL_CALLBACK do_nothing(void *unused)
{
	(void)unused;
}

static cl_mem target;

static cl_int enqueue_one(cl_command_queue queue, int kind, const cl_event *wait, cl_event *event)
{
	static char bytes[64];
	const size_t origin[3] = {0, 0, 0};
	const size_t region[3] = {8, 1, 1};
	cl_int err = 77;

	switch (kind) {
	case 0:
		return clEnqueueMarkerWithWaitList(queue, 1, wait, event);
	case 1:
		return clEnqueueBarrierWithWaitList(queue, 1, wait, event);
	case 2:
		return clEnqueueFillBuffer(queue, target, "", 1, 0, 64, 1, wait, event);
	case 3:
		return clEnqueueWriteBuffer(queue, target, CL_FALSE, 0, 64, bytes, 1, wait, event);
	case 4:
		return clEnqueueCopyBuffer(queue, target, target, 0, 32, 32, 1, wait, event);
	case 5:
		return clEnqueueReadBufferRect(queue, target, CL_FALSE, origin, origin, region, 0,
					       0, 0, 0, bytes, 1, wait, event);
	case 6:
		(void)clEnqueueMapBuffer(queue, target, CL_FALSE, CL_MAP_READ, 0, 64, 1, wait,
					 event, &err);
		return err;
	case 7:
		return clEnqueueMigrateMemObjects(queue, 1, &target, 0, 1, wait, event);
	case 8:
		return clEnqueueNativeKernel(queue, do_nothing, NULL, 0, 0, NULL, NULL, 1, wait,
					     event);
	default:
		return 1;
	}
}

/* Of a command that is not run, all callbacks get the error: it was never submitted, nor running. */
static void callbacks_of_what_fails(void **state)
{
	struct fixture *f = *state;
	cl_command_queue queues[] = {
		f->queue, f->out_of_order,
		fixture_queue(f->context, f->device, CL_QUEUE_PROFILING_ENABLE)};
	static struct told told;
	cl_int err;

	target = fixture_buffer(f, 0, 64, NULL);
	for (int kind = 0; kind < 27; kind++) {
		cl_command_queue queue = queues[kind / 9];
		cl_event user = clCreateUserEvent(f->context, NULL);
		cl_event event = NULL;

		err = enqueue_one(queue, kind % 9, &user, &event);
		if (err == CL_INVALID_OPERATION && kind % 9 == 8) { /* the device runs none */
			assert_int_equal(clReleaseEvent(user), CL_SUCCESS);
			continue;
		}
		assert_int_equal(err, CL_SUCCESS);
		told_ask(&told, event);
		assert_int_equal(clSetUserEventStatus(user, -42), CL_SUCCESS);
		assert_int_equal(clFlush(queue), CL_SUCCESS);
		told_check(&told, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
		assert_int_equal(clReleaseEvent(user), CL_SUCCESS);
		assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	}
	assert_int_equal(clReleaseCommandQueue(queues[2]), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(target), CL_SUCCESS);
}

/* ---- profiling ------------------------------------------------------------------------------- */

static void profiling(void **state)
{
	static const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
							 CL_QUEUE_PROFILING_ENABLE, 0};
	static const cl_profiling_info params[] = {
		CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
		CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END,
		CL_PROFILING_COMMAND_COMPLETE};
	struct fixture *f = *state;
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(f->context, f->device, properties, NULL);
	cl_event user = clCreateUserEvent(f->context, NULL);
	cl_event marker = marker_after(queue, 1, &user);
	cl_event plain = marker_after(f->queue, 0, NULL);
	cl_ulong before = 0;
	cl_ulong after = 0;
	cl_ulong host = 0;
	cl_ulong times[5];
	size_t size = 0;

	assert_int_equal(clGetDeviceAndHostTimer(f->device, &before, &host), CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	/* Not yet; never, without the queue's property; never, of a user event. */
	assert_int_equal(clGetEventProfilingInfo(marker, params[0], sizeof(cl_ulong), times, NULL),
			 CL_PROFILING_INFO_NOT_AVAILABLE);
	assert_int_equal(clGetEventProfilingInfo(plain, params[0], sizeof(cl_ulong), times, NULL),
			 CL_PROFILING_INFO_NOT_AVAILABLE);
	assert_int_equal(clGetEventProfilingInfo(user, params[0], sizeof(cl_ulong), times, NULL),
			 CL_PROFILING_INFO_NOT_AVAILABLE);
	assert_int_equal(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clFinish(queue), CL_SUCCESS);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(clGetEventProfilingInfo(marker, params[i], sizeof(cl_ulong),
							 &times[i], &size),
				 CL_SUCCESS);
		assert_int_equal(size, sizeof(cl_ulong));
		assert_true(i == 0 || times[i] >= times[i - 1]);
	}
	/* The same clock as the device's timer. */
	assert_int_equal(clGetDeviceAndHostTimer(f->device, &after, &host), CL_SUCCESS);
	assert_true(times[0] <= before && times[1] >= before && times[4] <= after);
	assert_int_equal(clGetEventProfilingInfo(marker, 0, 0, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(clGetEventProfilingInfo(marker, params[0], 4, times, NULL),
			 CL_INVALID_VALUE);
	fixture_release_events((const cl_event[]){user, marker, plain, NULL});
	clReleaseCommandQueue(queue);
}

/* ---- markers and barriers -------------------------------------------------------------------- */

static void barriers_in_an_out_of_order_queue(void **state)
{
	struct fixture *f = *state;
	cl_event user = clCreateUserEvent(f->context, NULL);
	cl_event held = marker_after(f->out_of_order, 1, &user);
	cl_event marker = NULL;
	cl_event later = NULL;

	assert_int_equal(clEnqueueMarker(f->out_of_order, &marker), CL_SUCCESS);
	assert_int_equal(clEnqueueBarrier(f->out_of_order), CL_SUCCESS);
	cl_event ready = clCreateUserEvent(f->context, NULL);
	assert_int_equal(clSetUserEventStatus(ready, CL_COMPLETE), CL_SUCCESS);
	later = marker_after(f->out_of_order, 1, &ready);
	assert_int_equal(clFlush(f->out_of_order), CL_SUCCESS);
	assert_true(fixture_status(held) > CL_COMPLETE);
	assert_true(fixture_status(marker) > CL_COMPLETE);
	assert_true(fixture_status(later) > CL_COMPLETE);
	assert_int_equal(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clFinish(f->out_of_order), CL_SUCCESS);
	assert_int_equal(fixture_status(later), CL_COMPLETE);
	fixture_release_events((const cl_event[]){user, held, marker, ready, later, NULL});
}

static void waiting_in_the_queue(void **state)
{
	struct fixture *f = *state;
	cl_event user = clCreateUserEvent(f->context, NULL);
	cl_event ready = clCreateUserEvent(f->context, NULL);

	assert_int_equal(clEnqueueWaitForEvents(f->out_of_order, 1, &user), CL_SUCCESS);
	assert_int_equal(clSetUserEventStatus(ready, CL_COMPLETE), CL_SUCCESS);
	cl_event later = marker_after(f->out_of_order, 1, &ready);
	assert_int_equal(clFlush(f->out_of_order), CL_SUCCESS);
	assert_true(fixture_status(later) > CL_COMPLETE);
	assert_int_equal(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &later), CL_SUCCESS);
	fixture_release_events((const cl_event[]){user, ready, later, NULL});
}

/* ---- releases while another thread waits ----------------------------------------------------- */

struct waiter {
	cl_command_queue queue;
	cl_event event;
};

static void *finish(void *argument)
{
	struct waiter *waiter = argument;

	assert_int_equal(clFinish(waiter->queue), CL_SUCCESS);
	return NULL;
}

static void *wait_for_event(void *argument)
{
	struct waiter *waiter = argument;

	assert_int_equal(clWaitForEvents(1, &waiter->event), CL_SUCCESS);
	return NULL;
}

static void CL_CALLBACK release_it(cl_event event, cl_int status, void *user_data)
{
	(void)status;
	(void)user_data;
	clReleaseEvent(event);
}

static pthread_t start_waiter(struct waiter *waiter, void *(*body)(void *))
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, body, waiter), 0);
	wait_until_others_sleep(); /* so it waits */
	return thread;
}

/* Only the command keeps the queue, and nothing the event, while they are waited for. */
static void released_while_waited_for(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 50; i++) {
		cl_command_queue queue =
			clCreateCommandQueueWithProperties(f->context, f->device, NULL, NULL);
		cl_event user = clCreateUserEvent(f->context, NULL);
		cl_event marker = marker_after(queue, 1, &user);
		struct waiter waiters[2] = {{queue, marker}, {queue, marker}};

		assert_int_equal(clSetEventCallback(marker, CL_COMPLETE, release_it, NULL),
				 CL_SUCCESS);
		pthread_t finisher = start_waiter(&waiters[0], finish);
		pthread_t waiter = start_waiter(&waiters[1], wait_for_event);
		assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
		assert_int_equal(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
		pthread_join(finisher, NULL);
		pthread_join(waiter, NULL);
		clReleaseEvent(user);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(user_events),
		TEST(failed_user_event),
		TEST(bad_waits),
		TEST(event_info),
		TEST(callbacks),
		TEST(callbacks_of_what_fails),
		TEST(profiling),
		TEST(barriers_in_an_out_of_order_queue),
		TEST(waiting_in_the_queue),
		TEST(released_while_waited_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
