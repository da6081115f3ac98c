/* SPDX-License-Identifier: MIT
 *
 * Random command buffers on the fake driver's threads, submitted by several threads to several queues at once, some of
 * them released meanwhile. A command that starts for the n-th time finds everything that it comes after ended n times.
 */
#include "replay_fixture.h"

#include <pthread.h>
#include <stdlib.h>

#define COMMANDS 24
#define BUFFERS 4
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
static cl_command_queue queues[3];
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
		const struct weft_enqueue enqueue = {queues[rand_r(&seed) % 3],
						     CL_COMMAND_COMMAND_BUFFER_KHR,
						     before && i % 3 == 0, &before};

		if (weft_command_buffer_enqueue(&enqueue, buffers[rand_r(&seed) % BUFFERS],
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

static void random_submissions(void **state)
{
	(void)state;
	for (unsigned round = 0; round < ROUNDS; round++) {
		pthread_t threads[THREADS];

		for (unsigned i = 0; i < BUFFERS; i++) {
			buffers[i] = replay_buffer(
				queues[0], i % 2 ? CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR : 0);
			record(i, buffers[i]);
			assert_int_equal(weft_command_buffer_finalize(buffers[i]), CL_SUCCESS);
		}
		for (uintptr_t i = 0; i < THREADS; i++)
			assert_int_equal(pthread_create(&threads[i], NULL, submit,
							(void *)(round * THREADS + i + 1)),
					 0);
		for (unsigned i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
		for (unsigned i = 0; i < BUFFERS; i++)
			weft_object_release_api(&buffers[i]->base);
		for (unsigned i = 0; i < 3; i++)
			assert_int_equal(weft_queue_finish(queues[i]), CL_SUCCESS);
		assert_int_equal(atomic_load(&errors), 0);
		unsigned submissions = 0;
		for (unsigned i = 0; i < BUFFERS; i++) {
			submissions += atomic_load(&commands[i][0].ended);
			for (unsigned k = 0; k < COMMANDS; k++)
				assert_int_equal(atomic_load(&commands[i][k].ended),
						 atomic_load(&commands[i][0].ended));
		}
		assert_int_equal(submissions, THREADS * SUBMISSIONS);
	}
}

static int set_up(void **state)
{
	(void)state;
	graph_open(4, &device, &context);
	queues[0] = graph_queue(device, context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	queues[1] = graph_queue(device, context, 0);
	queues[2] = graph_queue(device, context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++)
		weft_object_release_api(&queues[i]->base);
	graph_close(device, context);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_submissions)};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
