/* SPDX-License-Identifier: MIT
 *
 * Transfers and maps that are done in the calling thread, without a command: what they owe to the others of their
 * queue all the same.
 */
#include "commands/mem_command.h"
#include "graph/event.h"
#include "graph_fixture.h"

#include <pthread.h>
#include <string.h>

#define WORDS 4096 /* of a buffer: as much as is copied in place */
#define BYTES (WORDS * sizeof(uint32_t))

struct fixture {
	cl_device_id device;
	cl_context context;
	cl_mem mem;
	uint32_t *words; /* of `mem` */
};

static int set_up(void **state, unsigned threads)
{
	static struct fixture fixture;
	struct fixture *f = &fixture;

	graph_open(threads, &f->device, &f->context);
	const struct weft_buffer_desc desc = {
		.context = f->context, .flags = CL_MEM_READ_WRITE, .size = BYTES};
	assert_int_equal(weft_buffer_create(&desc, &f->mem), CL_SUCCESS);
	f->words = (uint32_t *)(void *)f->mem->address;
	memset(f->words, 0, BYTES);
	*state = f;
	return 0;
}

static int setup(void **state)
{
	return set_up(state, 0);
}

static int setup_threads(void **state)
{
	return set_up(state, 1);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	weft_object_release_api(&f->mem->base);
	graph_close(f->device, f->context);
	return 0;
}

static cl_command_queue make_queue(struct fixture *f, cl_command_queue_properties properties)
{
	return graph_queue(f->device, f->context, properties);
}

static cl_int read_all(cl_command_queue queue, cl_mem mem, uint32_t *words)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_READ_BUFFER, 0, NULL};
	const struct weft_rect rect = {0, BYTES, BYTES, BYTES};
	const struct weft_mem_copy copy = {{mem, NULL, rect}, {NULL, words, rect}, {BYTES, 1, 1}};

	return weft_mem_enqueue_copy(&enqueue, &copy, true, NULL);
}

/* What else is in the queue may be in a batch that no other thread hands over. */
static void blocking_call_flushes(void **state)
{
	struct fixture *f = *state;
	cl_command_queue queue = make_queue(f, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_MAP_BUFFER, 0, NULL};
	const struct weft_mem_map map = {
		f->mem, CL_MAP_READ, {0, BYTES, BYTES, BYTES}, {BYTES, 1, 1}};
	static uint32_t words[WORDS];
	void *pointer;
	unsigned flushes = fake_flushes();

	assert_int_equal(read_all(queue, f->mem, words), CL_SUCCESS);
	assert_int_equal(fake_flushes(), flushes + 1);
	assert_int_equal(weft_mem_enqueue_map(&enqueue, &map, true, NULL, &pointer), CL_SUCCESS);
	assert_int_equal(fake_flushes(), flushes + 2);
	assert_int_equal(weft_mem_enqueue_unmap(&enqueue, f->mem, pointer, NULL), CL_SUCCESS);
	weft_object_release_api(&queue->base);
}

/* ---- beside another thread that enqueues ----------------------------------------------------- */

#define ROUNDS 20000

static cl_command_queue shared;
static _Atomic int errors;
static _Atomic bool over;

static void write_next(void *argument)
{
	uint32_t *words = argument;
	uint32_t next = words[0] + 1;

	for (int i = 0; i < WORDS; i++)
		words[i] = next;
}

static void *write_often(void *argument)
{
	const struct weft_enqueue enqueue = {shared, CL_COMMAND_NATIVE_KERNEL, 0, NULL};

	for (int i = 0; i < ROUNDS && !atomic_load(&over); i++) {
		cl_event event = NULL;

		if (weft_event_create(&enqueue, &event) != CL_SUCCESS) {
			atomic_fetch_add(&errors, 1);
			continue;
		}
		event->command.op = WEFT_OP_NATIVE;
		event->command.native.function = write_next;
		event->command.native.args = argument;
		if (weft_event_submit(event, NULL, false, NULL) != CL_SUCCESS ||
		    weft_queue_finish(shared) != CL_SUCCESS)
			atomic_fetch_add(&errors, 1);
	}
	atomic_store(&over, true);
	return NULL;
}

/* A command of an in-order queue sees another one's effects wholly or not at all, from whichever thread. */
static void in_order_queue_keeps_commands_apart(void **state)
{
	struct fixture *f = *state;
	static uint32_t words[WORDS];
	pthread_t thread;
	int torn = 0;

	shared = make_queue(f, 0);
	assert_int_equal(pthread_create(&thread, NULL, write_often, f->words), 0);
	while (!atomic_load(&over) && !torn) {
		assert_int_equal(read_all(shared, f->mem, words), CL_SUCCESS);
		torn = memcmp(words, words + 1, sizeof(words) - sizeof(words[0]));
	}
	atomic_store(&over, true);
	pthread_join(thread, NULL);
	assert_int_equal(torn, 0);
	assert_int_equal(atomic_load(&errors), 0);
	weft_object_release_api(&shared->base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(blocking_call_flushes, setup, teardown),
		cmocka_unit_test_setup_teardown(in_order_queue_keeps_commands_apart, setup_threads,
						teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
