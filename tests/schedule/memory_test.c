/* SPDX-License-Identifier: MIT
 *
 * What two devices' memories have of an object while others write it, and where they get it from: OpenCL is an array for each device.
 */
#include "engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BYTES 8
#define FIRST_HALF ((struct weft_range){0, BYTES / 2})
#define SECOND_HALF ((struct weft_range){BYTES / 2, BYTES})
#define WHOLE ((struct weft_range){0, BYTES})

static unsigned char contents[3][BYTES]; /* of the devices' memories; of another object's */
static struct weft_engine engine;
static struct weft_object *object;
static unsigned writes_left; /* of another device, while the next transfers run */
static unsigned transfers;
static void (*next_transfer)(
	void); /* what happens while the next transfer to a device runs; NULL: nothing */
static unsigned copies_between;

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
	if (next_transfer) {
		void (*happens)(void) = next_transfer;

		next_transfer = NULL;
		happens();
	}
	if (writes_left > 0) {
		writes_left--;
		write_elsewhere();
	}
	return CL_SUCCESS;
}

static cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to,
				      size_t from_offset, size_t to_offset, size_t size,
				      cl_uint num_waits, const cl_event *waits, cl_event *event)
{
	(void)queue, (void)num_waits, (void)waits, (void)event;
	copies_between++;
	memcpy(content_of(to) + to_offset, content_of(from) + from_offset, size);
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

static struct weft_domain domains[2] = {{.num_devices = 1}, {.num_devices = 1}};
static struct weft_device items[2];
static struct weft_copy copies[2];
static struct weft_incoming incoming[2];

/* Two devices with memories of their own, in one context or in two. The host has the whole object, filled with 1. */
static void begin(bool share_context)
{
	static char names[2][2] = {"a", "b"};
	static const struct weft_opencl cl = {.EnqueueWriteBuffer = write_buffer,
					      .EnqueueReadBuffer = read_buffer,
					      .EnqueueCopyBuffer = copy_buffer,
					      .WaitForEvents = wait_for_events,
					      .ReleaseEvent = release_event};
	static unsigned char host[BYTES];
	static const struct weft_spec_buffer buffer = {.bytes = BYTES};
	static struct weft_traffic traffic[2];
	static const struct weft_devices devices = {
		.items = items, .count = 2, .domains = domains, .num_domains = 2};
	static struct weft_object described;
	static struct weft_error error;

	for (uintptr_t d = 0; d < 2; d++) {
		domains[d].context = (cl_context)(share_context ? 1 : d + 1);
		items[d] = (struct weft_device){.name = names[d], .domain = d};
		copies[d] = (struct weft_copy){.memory = (cl_mem)(d + 1)};
	}
	described = (struct weft_object){
		.buffer = &buffer, .host = host, .copies = copies, .incoming = incoming};
	engine = (struct weft_engine){.cl = &cl, .devices = &devices, .error = &error};
	weft_mutex_init(&engine.lock, WEFT_RANK_SCHEDULE);
	weft_condition_init(&engine.changed);
	weft_mutex_lock(&engine.lock);
	engine.board.traffic = traffic;
	weft_mutex_unlock(&engine.lock);
	object = &described;
	writes_left = 0;
	transfers = 0;
	copies_between = 0;
	memset(host, 1, sizeof(host));
	memset(contents, 0, sizeof(contents));
	memset(incoming, 0, sizeof(incoming));
	assert_true(weft_ranges_add(&described.in_host, WHOLE));
}

static void end(void)
{
	for (size_t d = 0; d < 2; d++)
		weft_ranges_destroy(&copies[d].valid);
	weft_ranges_destroy(&object->in_host);
	weft_ranges_destroy(&object->zeros);
	weft_ranges_destroy(&object->own);
	weft_mutex_lock(&engine.lock);
	weft_timeline_destroy(&engine.timeline);
	weft_mutex_unlock(&engine.lock);
	weft_condition_destroy(&engine.changed);
	weft_mutex_destroy(&engine.lock);
}

static void fill(size_t device, struct weft_range range)
{
	const struct weft_move move = move_of(device, range);
	struct weft_error error = {0};

	weft_object_claim(&engine, object);
	assert_true(weft_memory_to_device(&engine, &move, &error));
	weft_object_release(&engine, object);
}

/* The second device gets the whole object while the first one writes half of it, as often as `writes`. */
static void fill_while_written(unsigned writes)
{
	begin(false);
	writes_left = writes;
	fill(1, WHOLE);
	assert_int_equal(transfers, writes + 1);
	assert_memory_equal(contents[1], object->host, BYTES);
	assert_int_equal(object->host[0], writes > 0 ? 10 : 1);
	end();
}

static void test_written_while_it_moves(void **state)
{
	(void)state;
	for (unsigned writes = 0; writes < 4; writes++)
		fill_while_written(writes);
}

/* The first device has written half of it: that comes from its memory, the rest from the host. */
static void get_what_another_has(bool share_context, bool likes_peers)
{
	const struct weft_move move = move_of(0, FIRST_HALF);
	struct weft_error error = {0};

	begin(share_context);
	domains[0].likes_peers = domains[1].likes_peers = likes_peers;
	memset(contents[0], 7, BYTES / 2);
	weft_object_claim(&engine, object);
	assert_true(weft_memory_written(&engine, &move, &error));
	weft_object_release(&engine, object);
	fill(1, WHOLE);
	assert_int_equal(copies_between, share_context ? 1 : 0);
	assert_int_equal(transfers, 1);
	for (size_t i = 0; i < BYTES; i++)
		assert_int_equal(contents[1][i], i < BYTES / 2 ? 7 : 1);
	assert_int_equal(weft_ranges_contain(&object->in_host, FIRST_HALF), !share_context);
	fill(0, WHOLE); /* the rest, which the other one has by now, and the host */
	assert_int_equal(copies_between, share_context + (share_context && likes_peers));
	assert_int_equal(transfers, 2 - (share_context && likes_peers));
	assert_memory_equal(contents[0], contents[1], BYTES);
	end();
}

static void test_from_another_device(void **state)
{
	(void)state;
	get_what_another_has(true, true);
	get_what_another_has(true, false);
	get_what_another_has(false, false);
}

/* The object begins with the content of another one, half of which the first device has: each half comes from where it is, and is inherited once. */
static void test_inherited(void **state)
{
	static struct weft_copy source_copies[2];
	static unsigned char host[BYTES];
	static const struct weft_spec_buffer buffer = {.bytes = BYTES};
	struct weft_object source = {.buffer = &buffer, .host = host, .copies = source_copies};
	struct weft_error error = {0};

	(void)state;
	begin(true);
	weft_ranges_destroy(&object->in_host);
	object->source = &source;
	memset(host, 3, BYTES);
	assert_true(weft_ranges_add(&source.in_host, (struct weft_range){BYTES / 2, BYTES}));
	source_copies[0] = (struct weft_copy){.memory = (cl_mem)(uintptr_t)3};
	memset(contents[2], 4, BYTES);
	assert_true(weft_ranges_add(&source_copies[0].valid, FIRST_HALF));
	fill(0, WHOLE); /* within the device; from the host */
	assert_int_equal(copies_between, 1);
	assert_int_equal(transfers, 1);
	for (size_t i = 0; i < BYTES; i++)
		assert_int_equal(contents[0][i], i < BYTES / 2 ? 4 : 3);
	memset(contents[0], 5, BYTES); /* a kernel has changed it */
	const struct weft_move changed = move_of(0, WHOLE);
	weft_object_claim(&engine, object);
	assert_true(weft_memory_written(&engine, &changed, &error));
	assert_true(weft_memory_to_host(&engine, &changed, &error));
	weft_object_release(&engine, object);
	for (size_t i = 0; i < BYTES; i++)
		assert_int_equal(object->host[i], 5);
	assert_int_equal(contents[2][0], 4);
	assert_int_equal(host[BYTES - 1], 3);
	weft_ranges_destroy(&source_copies[0].valid);
	weft_ranges_destroy(&source.in_host);
	end();
}

static void fill_second_half(void)
{
	fill(1, SECOND_HALF);
}

/* Two devices of one memory move different bytes of an object there, side by side. */
static void test_side_by_side(void **state)
{
	(void)state;
	begin(true);
	items[1].domain = 0;
	next_transfer = fill_second_half;
	fill(0, FIRST_HALF);
	assert_int_equal(transfers, 2);
	fill(1, WHOLE); /* it is all there */
	assert_int_equal(transfers, 2);
	assert_memory_equal(contents[0], object->host, BYTES);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_written_while_it_moves),
					   cmocka_unit_test(test_from_another_device),
					   cmocka_unit_test(test_inherited),
					   cmocka_unit_test(test_side_by_side)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
