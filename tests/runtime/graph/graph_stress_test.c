/* SPDX-License-Identifier: MIT
 *
 * The task graph with many threads at once: they enqueue, wait, release and call back, on queues
 * that they share, while the fake driver's threads run what is ready. Checked: each command runs
 * once, after all that it waits for, and everything ends. For ThreadSanitizer above all.
 */
#include "graph/event.h"
#include "graph_fixture.h"
#include "latch.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#define THREADS 4
#define COMMANDS 3000 /* per thread */
#define WINDOW 8      /* events that a thread keeps to wait for */
#define QUEUES 3

static cl_device_id device;
static cl_context context;
static cl_command_queue queues[QUEUES]; /* the first in order, the others not */

/* What one command did; lives longer than it. */
struct record {
	_Atomic int runs;
	const struct record *before[4]; /* what it waits for */
	int num_before;
};

static struct record records[THREADS][COMMANDS];
static _Atomic int too_early;
static struct latch callbacks = LATCH_INITIALIZER;

static void run_record(void *argument)
{
	struct record *record = argument;

	for (int i = 0; i < record->num_before; i++) {
		if (atomic_load(&record->before[i]->runs) != 1)
			atomic_fetch_add(&too_early, 1);
	}
	atomic_fetch_add(&record->runs, 1);
}

static void CL_CALLBACK count_callback(cl_event event, cl_int status, void *user_data)
{
	(void)event;
	(void)status;
	(void)user_data;
	latch_raise(&callbacks);
}

static unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

/* The thread's newest commands: what it may wait for. */
struct window {
	cl_event events[WINDOW];
	struct record *records[WINDOW];
	int count;
	cl_event waits[4]; /* the wait list of the command being enqueued */
};

static void keep(struct window *window, cl_event event, struct record *record)
{
	int slot = window->count++ % WINDOW;

	if (window->events[slot])
		weft_object_release_api(&window->events[slot]->base);
	window->events[slot] = event;
	window->records[slot] = record;
}

static cl_event enqueue(struct window *window, struct record *record, unsigned *seed)
{
	cl_event *waits = window->waits;
	struct weft_enqueue desc = {queues[next_random(seed) % QUEUES], CL_COMMAND_NATIVE_KERNEL, 0,
				    waits};
	cl_uint num_waits = next_random(seed) % 5;
	cl_event event = NULL;

	for (; desc.num_waits < num_waits && window->count; desc.num_waits++) {
		int slot = (int)(next_random(seed) % WINDOW);
		if (!window->events[slot])
			break;
		waits[desc.num_waits] = window->events[slot];
		record->before[record->num_before++] = window->records[slot];
	}
	if (weft_event_create(&desc, &event) != CL_SUCCESS)
		return NULL;
	event->command.op = WEFT_OP_NATIVE;
	event->command.native.function = run_record;
	event->command.native.args = record;
	return event;
}

static void enqueue_marker(unsigned *seed)
{
	const struct weft_enqueue desc = {queues[next_random(seed) % QUEUES], CL_COMMAND_MARKER, 0,
					  NULL};
	cl_event event = NULL;

	if (weft_event_create(&desc, &event) != CL_SUCCESS ||
	    weft_event_submit_marker(event, next_random(seed) % 2, NULL) != CL_SUCCESS)
		atomic_fetch_add(&too_early, 1);
}

static void *enqueue_all(void *argument)
{
	struct record *own = argument;
	unsigned seed = (unsigned)((uintptr_t)argument >> 4);
	struct window window = {.count = 0};
	const struct weft_event_callback callback = {.function = count_callback,
						     .status = CL_COMPLETE};

	for (int i = 0; i < COMMANDS; i++) {
		bool blocking = next_random(&seed) % 64 == 0;
		cl_event event = enqueue(&window, &own[i], &seed);

		if (weft_event_submit(event, NULL, blocking, &event) != CL_SUCCESS)
			atomic_fetch_add(&too_early, 1);
		if (i % 16 == 0 && weft_event_add_callback(event, &callback) != CL_SUCCESS)
			atomic_fetch_add(&too_early, 1);
		if (next_random(&seed) % 16 == 0)
			enqueue_marker(&seed);
		if (next_random(&seed) % 128 == 0 &&
		    weft_queue_finish(queues[next_random(&seed) % QUEUES]) != CL_SUCCESS)
			atomic_fetch_add(&too_early, 1);
		keep(&window, event, &own[i]);
	}
	for (int i = 0; i < WINDOW; i++)
		weft_object_release_api(&window.events[i]->base);
	return NULL;
}

static void everything_runs_once_and_in_order(void **state)
{
	pthread_t threads[THREADS];

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, enqueue_all, records[i]), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < QUEUES; i++)
		assert_int_equal(weft_queue_finish(queues[i]), CL_SUCCESS);
	for (int i = 0; i < THREADS; i++) {
		for (int j = 0; j < COMMANDS; j++)
			assert_int_equal(atomic_load(&records[i][j].runs), 1);
	}
	assert_int_equal(atomic_load(&too_early), 0);
	(void)latch_wait(&callbacks, THREADS * ((COMMANDS + 15) / 16));
}

/* ---- a user event that ends while commands are added behind it ------------------------------- */

static void *enqueue_behind(void *argument)
{
	cl_event gate = argument;
	const struct weft_enqueue desc = {queues[1], CL_COMMAND_NATIVE_KERNEL, 1, &gate};

	for (int i = 0; i < 200; i++) {
		cl_event event = NULL;

		if (weft_event_create(&desc, &event) != CL_SUCCESS ||
		    weft_event_submit(event, NULL, false, NULL) != CL_SUCCESS)
			atomic_fetch_add(&too_early, 1);
	}
	return NULL;
}

static void user_event_ends_while_others_join(void **state)
{
	(void)state;
	for (int round = 0; round < 50; round++) {
		pthread_t threads[THREADS];
		cl_event gate = NULL;

		assert_int_equal(weft_event_create_user(context, &gate), CL_SUCCESS);
		for (int i = 0; i < THREADS; i++)
			assert_int_equal(pthread_create(&threads[i], NULL, enqueue_behind, gate),
					 0);
		sched_yield();
		assert_int_equal(weft_event_set_user_status(gate, round % 2 ? -1 : CL_COMPLETE),
				 CL_SUCCESS);
		for (int i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
		weft_object_release_api(&gate->base);
		assert_int_equal(weft_queue_finish(queues[1]), CL_SUCCESS);
	}
	assert_int_equal(atomic_load(&too_early), 0);
}

/* ---- queues without a handle, whose commands become ready ------------------------------------ */

#define RELEASED 32 /* queues at once */

static struct latch runs = LATCH_INITIALIZER;

static void raise_runs(void *unused)
{
	(void)unused;
	latch_raise(&runs);
}

static void *open_gate(void *gate)
{
	if (weft_event_set_user_status(gate, CL_COMPLETE) != CL_SUCCESS)
		atomic_fetch_add(&too_early, 1);
	return NULL;
}

static cl_command_queue make_queue_behind(cl_event gate, bool in_order)
{
	const struct weft_queue_desc desc = {
		.context = context,
		.device = device,
		.properties = in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
	cl_command_queue queue = NULL;
	cl_event event = NULL;

	assert_int_equal(weft_queue_create(&desc, &queue), CL_SUCCESS);
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_NATIVE_KERNEL, 1, &gate};
	assert_int_equal(weft_event_create(&enqueue, &event), CL_SUCCESS);
	event->command.op = WEFT_OP_NATIVE;
	event->command.native.function = raise_runs;
	assert_int_equal(weft_event_submit(event, NULL, false, NULL), CL_SUCCESS);
	return queue;
}

static void queues_are_released_while_their_commands_become_ready(void **state)
{
	(void)state;
	for (int round = 1; round <= 200; round++) {
		cl_command_queue released[RELEASED];
		cl_event gate = NULL;
		pthread_t thread;

		assert_int_equal(weft_event_create_user(context, &gate), CL_SUCCESS);
		for (int i = 0; i < RELEASED; i++)
			released[i] = make_queue_behind(gate, i % 2);
		assert_int_equal(pthread_create(&thread, NULL, open_gate, gate), 0);
		for (int i = 0; i < RELEASED; i++)
			assert_true(weft_object_release_api(&released[i]->base));
		pthread_join(thread, NULL);
		assert_true(latch_wait(&runs, round * RELEASED) >= round * RELEASED);
		weft_object_release_api(&gate->base);
	}
	assert_int_equal(atomic_load(&too_early), 0);
}

static int setup(void **state)
{
	(void)state;
	graph_open(3, &device, &context);
	for (int i = 0; i < QUEUES; i++)
		queues[i] = graph_queue(device, context,
					i ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	for (int i = 0; i < QUEUES; i++)
		weft_object_release_api(&queues[i]->base);
	graph_close(device, context);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_runs_once_and_in_order),
		cmocka_unit_test(user_event_ends_while_others_join),
		cmocka_unit_test(queues_are_released_while_their_commands_become_ready),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
