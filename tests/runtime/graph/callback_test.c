/* SPDX-License-Identifier: MIT
 *
 * Callbacks on events: each once, at its status, in the order in which they fall due, from a thread
 * where they may call back.
 */
#include "graph/event.h"
#include "graph_fixture.h"
#include "latch.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define MAX_CALLS 64

struct fixture {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
};

static int setup(void **state)
{
	static struct fixture f;

	graph_open(0, &f.device, &f.context);
	f.queue = graph_queue(f.device, f.context, 0);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	weft_object_release_api(&f->queue->base);
	graph_close(f->device, f->context);
	return 0;
}

/* What the callbacks thread has seen. A slot is written before `calls` counts it. */
static struct {
	cl_int status[MAX_CALLS];
	void *user_data[MAX_CALLS];
	cl_event event[MAX_CALLS];
	pthread_t thread;
	struct latch calls;
} seen = {.calls = LATCH_INITIALIZER};

static void CL_CALLBACK note(cl_event event, cl_int status, void *user_data)
{
	int call = latch_wait(&seen.calls, 0);

	seen.event[call] = event;
	seen.status[call] = status;
	seen.user_data[call] = user_data;
	seen.thread = pthread_self();
	latch_raise(&seen.calls);
}

static void wait_for_calls(int calls)
{
	assert_int_equal(latch_wait(&seen.calls, calls), calls);
}

static void add(cl_event event, cl_int status, const void *user_data)
{
	const struct weft_event_callback callback = {
		.function = note, .user_data = (void *)(uintptr_t)user_data, .status = status};

	assert_int_equal(weft_event_add_callback(event, &callback), CL_SUCCESS);
}

static cl_event enqueue(struct fixture *f, cl_uint num_waits, const cl_event *waits)
{
	const struct weft_enqueue desc = {f->queue, CL_COMMAND_NATIVE_KERNEL, num_waits, waits};
	cl_event event = NULL;

	assert_int_equal(weft_event_create(&desc, &event), CL_SUCCESS);
	assert_int_equal(weft_event_submit(event, NULL, false, &event), CL_SUCCESS);
	return event;
}

static void each_runs_at_its_status(void **state)
{
	struct fixture *f = *state;
	cl_event gate = NULL;

	latch_reset(&seen.calls);
	assert_int_equal(weft_event_create_user(f->context, &gate), CL_SUCCESS);
	cl_event event = enqueue(f, 1, &gate);
	add(event, CL_COMPLETE, "complete");
	add(event, CL_RUNNING, "running");
	add(event, CL_SUBMITTED, "submitted");
	assert_int_equal(weft_event_set_user_status(gate, CL_COMPLETE), CL_SUCCESS);
	wait_for_calls(1);
	assert_int_equal(seen.status[0], CL_SUBMITTED);
	fake_start(f->device, event);
	wait_for_calls(2);
	assert_int_equal(seen.status[1], CL_RUNNING);
	fake_end(f->device, event, WEFT_OK);
	wait_for_calls(3);
	assert_int_equal(seen.status[2], CL_COMPLETE);
	assert_string_equal(seen.user_data[2], "complete");
	assert_ptr_equal(seen.event[2], event);
	assert_false(pthread_equal(seen.thread, pthread_self()));
	/* What is due already runs at once, with the status that it was registered for. */
	add(event, CL_RUNNING, NULL);
	wait_for_calls(4);
	assert_int_equal(seen.status[3], CL_RUNNING);
	weft_object_release_api(&event->base);
	weft_object_release_api(&gate->base);
}

static void error_reaches_all(void **state)
{
	struct fixture *f = *state;
	cl_event gate = NULL;

	latch_reset(&seen.calls);
	assert_int_equal(weft_event_create_user(f->context, &gate), CL_SUCCESS);
	cl_event event = enqueue(f, 1, &gate);
	add(event, CL_SUBMITTED, NULL);
	add(event, CL_RUNNING, NULL);
	add(event, CL_COMPLETE, NULL);
	assert_int_equal(weft_event_set_user_status(gate, -9), CL_SUCCESS);
	wait_for_calls(3);
	for (int i = 1; i < 3; i++)
		assert_int_equal(seen.status[i], CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	weft_object_release_api(&event->base);
	weft_object_release_api(&gate->base);
}

static void order_is_that_of_registration(void **state)
{
	struct fixture *f = *state;
	cl_event event = enqueue(f, 0, NULL);
	static const char data[MAX_CALLS];

	latch_reset(&seen.calls);
	for (int i = 0; i < MAX_CALLS; i++)
		add(event, CL_COMPLETE, data + i);
	fake_run_all(f->device);
	wait_for_calls(MAX_CALLS);
	for (int i = 0; i < MAX_CALLS; i++)
		assert_ptr_equal(seen.user_data[i], data + i);
	weft_object_release_api(&event->base);
}

/* Callbacks of one event. If each looked at those before it, this would take minutes. */
#define MANY 200000

static struct latch counted = LATCH_INITIALIZER;
static bool in_order = true;

static void CL_CALLBACK count_in_order(cl_event event, cl_int status, void *user_data)
{
	static uintptr_t expected;

	(void)event;
	(void)status;
	in_order = in_order && (uintptr_t)user_data == expected;
	if (++expected == MANY)
		latch_raise(&counted);
}

static void there_may_be_any_number(void **state)
{
	struct fixture *f = *state;
	cl_event event = enqueue(f, 0, NULL);
	struct weft_event_callback callback = {.function = count_in_order, .status = CL_COMPLETE};

	for (uintptr_t i = 0; i < MANY; i++) {
		callback.user_data = (void *)i;
		assert_int_equal(weft_event_add_callback(event, &callback), CL_SUCCESS);
	}
	fake_run_all(f->device);
	assert_int_equal(latch_wait(&counted, 1), 1);
	assert_true(in_order);
	weft_object_release_api(&event->base);
}

/* The application may have given its reference away before the callback runs. */
static void event_lives_until_its_callback_has_run(void **state)
{
	struct fixture *f = *state;
	cl_event event = enqueue(f, 0, NULL);

	latch_reset(&seen.calls);
	add(event, CL_COMPLETE, NULL);
	weft_object_release_api(&event->base);
	fake_run_all(f->device);
	wait_for_calls(1);
}

static void user_event_calls_back(void **state)
{
	struct fixture *f = *state;
	cl_event gate = NULL;

	latch_reset(&seen.calls);
	assert_int_equal(weft_event_create_user(f->context, &gate), CL_SUCCESS);
	add(gate, CL_SUBMITTED, NULL);
	wait_for_calls(1);
	add(gate, CL_COMPLETE, NULL);
	/* Released without an end: ends in an error. */
	weft_object_release_api(&gate->base);
	wait_for_calls(2);
	assert_true(seen.status[1] < 0);
}

static struct latch chained = LATCH_INITIALIZER;

#define CHAIN_LENGTH 10

/* Enqueues, waits and releases from a callback. */
static void CL_CALLBACK chain(cl_event event, cl_int status, void *user_data)
{
	struct fixture *f = user_data;

	(void)status;
	weft_object_release_api(&event->base);
	if (latch_raise(&chained) == CHAIN_LENGTH)
		return;
	cl_event next = enqueue(f, 0, NULL);
	const struct weft_event_callback callback = {
		.function = chain, .user_data = f, .status = CL_COMPLETE};
	fake_run_all(f->device);
	if (weft_event_wait(next) == CL_COMPLETE)
		(void)!weft_event_add_callback(next, &callback);
}

static void callbacks_may_call_back(void **state)
{
	struct fixture *f = *state;
	cl_event event = enqueue(f, 0, NULL);
	const struct weft_event_callback callback = {
		.function = chain, .user_data = f, .status = CL_COMPLETE};

	assert_int_equal(weft_event_add_callback(event, &callback), CL_SUCCESS);
	fake_run_all(f->device);
	assert_int_equal(latch_wait(&chained, CHAIN_LENGTH), CHAIN_LENGTH);
}

static struct latch reports = LATCH_INITIALIZER;
static char reported[128];

static void CL_CALLBACK note_report(const char *text, const void *data, size_t size,
				    void *user_data)
{
	(void)data;
	(void)size;
	(void)user_data;
	snprintf(reported, sizeof(reported), "%s", text);
	latch_raise(&reports);
}

/* The context's callback, once for the command that fails and not for those that wait for it. */
static void failure_is_reported(void **state)
{
	struct fixture *f = *state;
	const struct weft_context_desc context_desc = {
		.devices = &f->device, .num_devices = 1, .notify = note_report};
	struct weft_queue_desc queue_desc = {.device = f->device};
	struct fixture own = {f->device, NULL, NULL};

	assert_int_equal(weft_context_create(&context_desc, &own.context), CL_SUCCESS);
	queue_desc.context = own.context;
	assert_int_equal(weft_queue_create(&queue_desc, &own.queue), CL_SUCCESS);
	cl_event event = enqueue(&own, 0, NULL);
	cl_event next = enqueue(&own, 1, &event);
	fake_run(f->device, event, WEFT_OUT_OF_RESOURCES);
	weft_object_release_api(&next->base);
	weft_object_release_api(&event->base);
	assert_int_equal(latch_wait(&reports, 1), 1);
	assert_non_null(strstr(reported, "-5"));
	weft_object_release_api(&own.queue->base);
	weft_object_release_api(&own.context->base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_runs_at_its_status),
		cmocka_unit_test(error_reaches_all),
		cmocka_unit_test(order_is_that_of_registration),
		cmocka_unit_test(there_may_be_any_number),
		cmocka_unit_test(event_lives_until_its_callback_has_run),
		cmocka_unit_test(user_event_calls_back),
		cmocka_unit_test(callbacks_may_call_back),
		cmocka_unit_test(failure_is_reported),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
