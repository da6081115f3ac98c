/* SPDX-License-Identifier: MIT
 *
 * What two devices' memories have of an object while others write it: OpenCL is an array for each device.
 */
#include "engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BYTES 8
#define FIRST_HALF ((struct weft_range){0, BYTES / 2})

static unsigned char contents[2][BYTES]; /* of the devices' memories */
static struct weft_engine engine;
static struct weft_object *object;
static unsigned writes_left; /* of another device, while the next transfers run */
static unsigned transfers;

static unsigned char *content_of(cl_mem memory)
{
	return contents[(uintptr_t)memory - 1];
}

static struct weft_move move_of(size_t device, struct weft_range range)
{
	return (struct weft_move){.object = object, .device = device, .range = range};
}

/* The first device writes the first half, and it goes to the host's memory. */
static void write_elsewhere(void)
{
	const struct weft_move move = move_of(0, FIRST_HALF);
	struct weft_error error = {0};

	memset(contents[0], (int)(10 + writes_left), BYTES / 2);
	weft_object_claim(&engine, object);
	assert_true(weft_memory_written(&engine, &move, &error));
	assert_true(weft_memory_to_host(&engine, &move, &error));
	weft_object_release(&engine, object);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocks,
				       size_t offset, size_t size, const void *from,
				       cl_uint num_waits, const cl_event *waits, cl_event *event)
{
	(void)queue, (void)blocks, (void)num_waits, (void)waits, (void)event;
	transfers++;
	memcpy(content_of(memory) + offset, from, size);
	if (writes_left > 0) {
		writes_left--;
		write_elsewhere();
	}
	return CL_SUCCESS;
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocks,
				      size_t offset, size_t size, void *to, cl_uint num_waits,
				      const cl_event *waits, cl_event *event)
{
	(void)queue, (void)blocks, (void)num_waits, (void)waits, (void)event;
	memcpy(to, content_of(memory) + offset, size);
	return CL_SUCCESS;
}

static cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event *events)
{
	(void)count, (void)events;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL release_event(cl_event event)
{
	(void)event;
	return CL_SUCCESS;
}

/* The second device gets the whole object while the first one writes half of it, as often as `writes`. */
static void fill_while_written(unsigned writes)
{
	static char names[2][2] = {"a", "b"};
	static const struct weft_opencl cl = {.EnqueueWriteBuffer = write_buffer,
					      .EnqueueReadBuffer = read_buffer,
					      .WaitForEvents = wait_for_events,
					      .ReleaseEvent = release_event};
	unsigned char host[BYTES];
	const struct weft_spec_buffer buffer = {.bytes = BYTES};
	struct weft_traffic traffic[2] = {{.bytes = 0}};
	struct weft_domain domains[2] = {{.num_devices = 1}, {.num_devices = 1}};
	struct weft_device items[2] = {{.name = names[0]}, {.name = names[1], .domain = 1}};
	const struct weft_devices devices = {
		.items = items, .count = 2, .domains = domains, .num_domains = 2};
	struct weft_copy copies[2] = {{.memory = (cl_mem)(uintptr_t)1},
				      {.memory = (cl_mem)(uintptr_t)2}};
	struct weft_object described = {.buffer = &buffer, .host = host, .copies = copies};
	struct weft_error error = {0};

	engine = (struct weft_engine){.cl = &cl, .devices = &devices, .error = &error};
	weft_mutex_init(&engine.lock, WEFT_RANK_SCHEDULE);
	weft_condition_init(&engine.changed);
	weft_mutex_lock(&engine.lock);
	engine.board.traffic = traffic;
	weft_mutex_unlock(&engine.lock);
	object = &described;
	writes_left = writes;
	transfers = 0;
	memset(host, 1, sizeof(host));
	assert_true(weft_ranges_add(&described.in_host, (struct weft_range){0, BYTES}));

	const struct weft_move all = move_of(1, (struct weft_range){0, BYTES});
	weft_object_claim(&engine, object);
	assert_true(weft_memory_to_device(&engine, &all, &error));
	weft_object_release(&engine, object);
	assert_int_equal(transfers, writes + 1);
	assert_memory_equal(contents[1], host, BYTES);
	assert_int_equal(host[0], writes > 0 ? 10 : 1);

	for (size_t d = 0; d < 2; d++)
		weft_ranges_destroy(&copies[d].valid);
	weft_ranges_destroy(&described.in_host);
	weft_ranges_destroy(&described.zeros);
	weft_mutex_lock(&engine.lock);
	weft_timeline_destroy(&engine.timeline);
	weft_mutex_unlock(&engine.lock);
	weft_condition_destroy(&engine.changed);
	weft_mutex_destroy(&engine.lock);
}

static void test_written_while_it_moves(void **state)
{
	(void)state;
	for (unsigned writes = 0; writes < 4; writes++)
		fill_while_written(writes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_written_while_it_moves)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
