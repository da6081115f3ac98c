/* SPDX-License-Identifier: MIT
 *
 * Random command buffers on each driver, submitted by several threads to several queues at once, and released while
 * some of that is pending. A command that starts for the n-th time finds everything that it comes after ended n times.
 */
#include "command_buffer/replay_fixture.h"

#include <pthread.h>
#include <stdlib.h>

#define COMMANDS 24
#define BUFFERS 4
#define QUEUES 3
#define THREADS 3
#define SUBMISSIONS 150 /* of a thread */
#define ROUNDS 8

struct command {
	_Atomic unsigned started;
	_Atomic unsigned ended;
	struct command *before[COMMANDS];
	unsigned num_before;
};

static cl_device_id device;
static cl_context context;
static cl_command_queue queues[QUEUES];
static struct command commands[BUFFERS][COMMANDS];
static cl_command_buffer_khr buffers[BUFFERS];
static atomic_uint errors;

static void run(void *args)
{
	struct command *command = args;
	unsigned turn = atomic_fetch_add(&command->started, 1) + 1;

	for (unsigned i = 0; i < command->num_before; i++) {
		if (atomic_load(&command->before[i]->ended) < turn)
			atomic_fetch_add(&errors, 1);
	}
	atomic_fetch_add(&command->ended, 1);
}

/* Each waits for some of those before it; now and then a barrier. */
static void record(unsigned number, cl_command_buffer_khr buffer)
{
	cl_sync_point_khr points[COMMANDS];
	unsigned barrier =
		0; /* commands before the last barrier, all of which come before the later ones */

	for (unsigned i = 0; i < COMMANDS; i++) {
		struct command *command = &commands[number][i];
		cl_sync_point_khr waits[COMMANDS];
		cl_uint num_waits = 0;

		*command = (struct command){0};
		if (rand() % 10 == 0) {
			(void)replay_record(buffer, NULL, NULL, 0, NULL);
			barrier = i;
		}
		for (unsigned k = 0; k < barrier; k++)
			command->before[command->num_before++] = &commands[number][k];
		for (unsigned k = 0; k < i; k++) {
			if (rand() % 6 > 0)
				continue;
			waits[num_waits++] = points[k];
			if (k >= barrier)
				command->before[command->num_before++] = &commands[number][k];
		}
		points[i] = replay_record(buffer, run, command, num_waits, waits);
	}
}

static void *submit(void *argument)
{
	unsigned seed = (unsigned)(uintptr_t)argument;
	cl_event before = NULL;

	for (unsigned i = 0; i < SUBMISSIONS; i++) {
		cl_event event = NULL;
		const struct weft_enqueue enqueue = {queues[rand_r(&seed) % QUEUES],
						     CL_COMMAND_COMMAND_BUFFER_KHR,
						     before && i % 3 == 0, &before};

		const struct weft_queue_list list = {&enqueue.queue, 1};

		if (weft_command_buffer_enqueue(&enqueue, &list, buffers[rand_r(&seed) % BUFFERS],
						&event) != CL_SUCCESS)
			atomic_fetch_add(&errors, 1);
		if (before)
			weft_object_release_api(&before->base);
		before = event;
	}
	if (weft_event_wait(before) != CL_COMPLETE)
		atomic_fetch_add(&errors, 1);
	weft_object_release_api(&before->base);
	return NULL;
}

static void open_device(const struct weft_driver *driver)
{
	fake_set_threads(4);
	assert_int_equal(weft_device_create(driver, 0, weft_driver_host(), 0, &device), CL_SUCCESS);
	const struct weft_context_desc desc = {.devices = &device, .num_devices = 1};
	assert_int_equal(weft_context_create(&desc, &context), CL_SUCCESS);
	for (unsigned i = 0; i < QUEUES; i++)
		queues[i] = graph_queue(device, context,
					i % 2 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

static void close_device(void)
{
	for (unsigned i = 0; i < QUEUES; i++)
		weft_object_release_api(&queues[i]->base);
	graph_close(device, context);
}

static void record_all(void)
{
	for (unsigned i = 0; i < BUFFERS; i++) {
		buffers[i] = replay_buffer(queues[0],
					   i % 2 ? CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR : 0);
		record(i, buffers[i]);
		assert_int_equal(weft_command_buffer_finalize(buffers[i]), CL_SUCCESS);
	}
}

/* Each command has run as often as its command buffer was submitted. */
static void check_counts(void)
{
	unsigned submissions = 0;

	for (unsigned i = 0; i < BUFFERS; i++) {
		submissions += atomic_load(&commands[i][0].ended);
		for (unsigned k = 0; k < COMMANDS; k++)
			assert_int_equal(atomic_load(&commands[i][k].ended),
					 atomic_load(&commands[i][0].ended));
	}
	assert_int_equal(submissions, THREADS * SUBMISSIONS);
	assert_int_equal(atomic_load(&errors), 0);
}

static void random_submissions(const struct weft_driver *driver)
{
	pthread_t threads[THREADS];

	open_device(driver);
	for (uintptr_t round = 0; round < ROUNDS; round++) {
		record_all();
		for (uintptr_t i = 0; i < THREADS; i++)
			assert_int_equal(pthread_create(&threads[i], NULL, submit,
							(void *)(round * THREADS + i + 1)),
					 0);
		for (unsigned i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
		for (unsigned i = 0; i < BUFFERS; i++)
			weft_object_release_api(&buffers[i]->base);
		for (unsigned i = 0; i < QUEUES; i++)
			assert_int_equal(weft_queue_finish(queues[i]), CL_SUCCESS);
		check_counts();
	}
	close_device();
}

static void on_the_fake_driver(void **state)
{
	(void)state;
	random_submissions(&fake_driver);
}

static void on_pthread(void **state)
{
	(void)state;
	random_submissions(&weft_pthread_driver);
}

static void on_basic(void **state)
{
	(void)state;
	random_submissions(&weft_basic_driver);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_the_fake_driver),
		cmocka_unit_test(on_pthread),
		cmocka_unit_test(on_basic),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
