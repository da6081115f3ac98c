/* SPDX-License-Identifier: MIT
 *
 * Transfers, step by step: by which way, when, which command waits for which, and what happens when they fail. And the record of
 * what is valid where, against one byte by byte.
 */
#include "alloc.h"
#include "commands/mem_command.h"
#include "commands/new_command.h"
#include "graph/event.h"
#include "graph_fixture.h"
#include "memory/replica.h"

#include <stdlib.h>
#include <string.h>

enum { HOST, ONE, TWO, NUM_DEVICES, BYTES = 1000 };

struct fixture {
	cl_device_id devices[NUM_DEVICES]; /* the first works in the host's memory */
	cl_context context;
	cl_command_queue queues[NUM_DEVICES];
	cl_mem mem;
};

/* With so many more memories between the host's and those of the others. */
static struct fixture *set_up(bool reach, unsigned more)
{
	static struct fixture fixture;
	struct fixture *f = &fixture;
	cl_device_id devices[32];

	fake_set_threads(0);
	fake_set_reach(reach);
	for (int i = 0; i < NUM_DEVICES; i++) {
		const struct weft_driver *driver = i == HOST ? &fake_driver : &fake_memory_driver;

		assert_int_equal(
			weft_device_create(driver, 0, weft_driver_host(), 0, &f->devices[i]),
			CL_SUCCESS);
	}
	for (unsigned i = 0; i < more; i++)
		assert_int_equal(weft_device_create(&fake_memory_driver, 0, weft_driver_host(), 0,
						    &devices[i]),
				 CL_SUCCESS);
	memcpy(&devices[more], f->devices, sizeof(f->devices));
	const struct weft_context_desc context = {.devices = devices,
						  .num_devices = NUM_DEVICES + more};
	assert_int_equal(weft_context_create(&context, &f->context), CL_SUCCESS);
	for (unsigned i = 0; i < more; i++)
		weft_object_put(&devices[i]->base);
	for (int i = 0; i < NUM_DEVICES; i++)
		f->queues[i] = graph_queue(f->devices[i], f->context,
					   CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	const struct weft_buffer_desc buffer = {
		.context = f->context, .flags = CL_MEM_READ_WRITE, .size = BYTES};
	assert_int_equal(weft_buffer_create(&buffer, &f->mem), CL_SUCCESS);
	return f;
}

static int set_up_near(void **state)
{
	*state = set_up(true, 0);
	return 0;
}

static int set_up_far(void **state)
{
	*state = set_up(false, 0);
	return 0;
}

/* As many as a context can have. */
static int set_up_most(void **state)
{
	*state = set_up(false, 29);
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	weft_object_release_api(&f->mem->base);
	for (int i = 0; i < NUM_DEVICES; i++) {
		assert_int_equal(fake_num_ready(f->devices[i]), 0);
		weft_object_release_api(&f->queues[i]->base);
	}
	weft_object_release_api(&f->context->base);
	for (int i = 0; i < NUM_DEVICES; i++)
		weft_object_put(&f->devices[i]->base);
	assert_int_equal(fake_allocations(), 0);
	return 0;
}

static struct weft_enqueue enqueue_on(struct fixture *f, int device)
{
	return (struct weft_enqueue){.queue = f->queues[device], .type = CL_COMMAND_USER};
}

static void fill(struct fixture *f, int device, size_t begin, size_t end, unsigned char value)
{
	const struct weft_enqueue enqueue = enqueue_on(f, device);
	const struct weft_mem_fill fill = {
		{f->mem, NULL, {begin, end, end - begin, end - begin}},
		{end - begin, 1, 1},
		&value,
		1,
	};

	assert_int_equal(weft_mem_enqueue_fill(&enqueue, &fill, NULL), CL_SUCCESS);
	fake_run_all(f->devices[device]);
}

/* A command that only needs the buffer where the device works. */
static cl_event need(struct fixture *f, int device)
{
	const struct weft_enqueue enqueue = enqueue_on(f, device);
	const struct weft_mem_migration migration = {1, &f->mem, 0};
	cl_event event;

	assert_int_equal(weft_mem_enqueue_migrate(&enqueue, &migration, &event), CL_SUCCESS);
	return event;
}

static void expect_end(cl_event event, cl_int status)
{
	assert_int_equal(weft_event_status(event), status);
	weft_object_release_api(&event->base);
}

/* The device's next command is a transfer of these bytes; it ends with the status. */
static void transfer(struct fixture *f, int device, size_t begin, size_t end,
		     enum weft_status status)
{
	const struct weft_command *command = fake_first_ready(f->devices[device]);

	assert_non_null(command);
	assert_true(command->migrates);
	assert_int_equal(command->op, WEFT_OP_COPY);
	assert_int_equal(command->copy.region[0], end - begin);
	assert_true(fake_run_next(f->devices[device], status));
}

static void expect_nothing(struct fixture *f, int device)
{
	assert_null(fake_first_ready(f->devices[device]));
}

/* What has been brought makes the command ready, and nothing more is. */
static void run_last(struct fixture *f, int device, cl_event event)
{
	assert_int_equal(fake_num_ready(f->devices[device]), 1);
	assert_true(fake_is_ready(f->devices[device], event));
	fake_run_all(f->devices[device]);
	expect_end(event, CL_COMPLETE);
}

static void check(struct fixture *f, unsigned replica, size_t begin, size_t end,
		  unsigned char value)
{
	const char *bytes = weft_mem_address(f->mem, replica);

	for (size_t i = begin; i < end; i++)
		assert_int_equal((unsigned char)bytes[i], value);
}

/* ---- ways ------------------------------------------------------------------------------------ */

static void straight(void **state)
{
	struct fixture *f = *state;

	fill(f, ONE, 0, BYTES, 1);
	cl_event event = need(f, TWO);
	expect_nothing(f, ONE);
	transfer(f, TWO, 0, BYTES, WEFT_OK);
	run_last(f, TWO, event);
	check(f, TWO, 0, BYTES, 1);
	event = need(f, ONE); /* still valid there */
	run_last(f, ONE, event);
	event = need(f, HOST);
	transfer(f, ONE, 0, BYTES, WEFT_OK);
	run_last(f, HOST, event);
	check(f, 0, 0, BYTES, 1);
}

/* No device reaches both: the host's replica is on the way, and valid then. */
static void by_way_of_the_host(void **state)
{
	struct fixture *f = *state;

	fill(f, ONE, 0, BYTES, 2);
	cl_event event = need(f, TWO);
	expect_nothing(f, TWO);
	transfer(f, ONE, 0, BYTES, WEFT_OK);
	check(f, 0, 0, BYTES, 2);
	transfer(f, TWO, 0, BYTES, WEFT_OK);
	run_last(f, TWO, event);
	check(f, TWO, 0, BYTES, 2);
	event = need(f, HOST);
	run_last(f, HOST, event);
}

static void from_the_last_memory(void **state)
{
	struct fixture *f = *state;

	fill(f, TWO, 0, BYTES, 12);
	assert_int_equal(f->queues[TWO]->locus.replica, 31);
	cl_event event = need(f, ONE);
	transfer(f, TWO, 0, BYTES, WEFT_OK);
	transfer(f, ONE, 0, BYTES, WEFT_OK);
	run_last(f, ONE, event);
	check(f, 0, 0, BYTES, 12);
}

/* Bytes from everywhere, one way after the other. */
static void from_all_sides(void **state)
{
	struct fixture *f = *state;

	fill(f, HOST, 0, BYTES, 3);
	fill(f, ONE, 100, 200, 4);
	fill(f, TWO, 150, 300, 5);
	cl_event event = need(f, HOST);
	transfer(f, ONE, 100, 150, WEFT_OK);
	transfer(f, TWO, 150, 300, WEFT_OK);
	run_last(f, HOST, event);
	check(f, 0, 0, 100, 3);
	check(f, 0, 100, 150, 4);
	check(f, 0, 150, 300, 5);
	check(f, 0, 300, BYTES, 3);
}

/* ---- waiting for one another ----------------------------------------------------------------- */

static void one_transfer_for_two(void **state)
{
	struct fixture *f = *state;

	fill(f, ONE, 0, BYTES, 6);
	cl_event first = need(f, HOST);
	cl_event second = need(f, HOST);
	assert_int_equal(fake_num_ready(f->devices[ONE]), 1);
	expect_nothing(f, HOST);
	transfer(f, ONE, 0, BYTES, WEFT_OK);
	assert_int_equal(fake_num_ready(f->devices[HOST]), 2);
	fake_run_all(f->devices[HOST]);
	expect_end(first, CL_COMPLETE);
	expect_end(second, CL_COMPLETE);
}

/* What one of them has failed to bring the other brings itself. */
static void a_failure_is_not_shared(void **state)
{
	struct fixture *f = *state;

	fill(f, ONE, 0, BYTES, 7);
	cl_event first = need(f, HOST);
	cl_event second = need(f, HOST);
	transfer(f, ONE, 0, BYTES, WEFT_OUT_OF_RESOURCES);
	expect_end(first, CL_OUT_OF_RESOURCES);
	expect_nothing(f, HOST);
	transfer(f, ONE, 0, BYTES, WEFT_OK);
	run_last(f, HOST, second);
	check(f, 0, 0, BYTES, 7);
}

/* A failed transfer leaves everything as it was. */
static void a_failure_changes_nothing(void **state)
{
	struct fixture *f = *state;

	fill(f, ONE, 0, BYTES, 8);
	for (int i = 0; i < 2; i++) {
		cl_event event = need(f, TWO);

		transfer(f, TWO, 0, BYTES, WEFT_INTERNAL);
		expect_end(event, CL_OUT_OF_RESOURCES);
	}
	cl_event event = need(f, TWO);
	transfer(f, TWO, 0, BYTES, WEFT_OK);
	run_last(f, TWO, event);
	check(f, TWO, 0, BYTES, 8);
}

/* The buffer and the queue are released while the transfer is under way. */
static void released_meanwhile(void **state)
{
	struct fixture *f = *state;
	const struct weft_mem_migration migration = {1, &f->mem, 0};

	fill(f, ONE, 0, BYTES, 9);
	const struct weft_enqueue enqueue = enqueue_on(f, HOST);
	assert_int_equal(weft_mem_enqueue_migrate(&enqueue, &migration, NULL), CL_SUCCESS);
	weft_object_release_api(&f->mem->base);
	weft_object_release_api(&f->queues[HOST]->base);
	f->queues[HOST] = graph_queue(f->devices[HOST], f->context, 0);
	transfer(f, ONE, 0, BYTES, WEFT_OK);
	fake_run_all(f->devices[HOST]);
	assert_int_equal(fake_allocations(), 0);
	const struct weft_buffer_desc buffer = {
		.context = f->context, .flags = CL_MEM_READ_WRITE, .size = BYTES};
	assert_int_equal(weft_buffer_create(&buffer, &f->mem), CL_SUCCESS);
}

/* A device that only finds its commands when it is flushed is flushed, though nothing is enqueued on its queue. */
static void devices_are_flushed(void **state)
{
	struct fixture *f = *state;

	fill(f, ONE, 0, BYTES, 10);
	unsigned before = fake_flushes();
	cl_event event = need(f, HOST);
	assert_true(fake_flushes() > before); /* the first device */
	before = fake_flushes();
	transfer(f, ONE, 0, BYTES, WEFT_OK);
	assert_true(fake_flushes() > before); /* the host's */
	run_last(f, HOST, event);
}

/* Overwrites the middle of the first and of the second half. */
static cl_int overwrite_two(struct fixture *f, int device, cl_event *event)
{
	const struct weft_enqueue enqueue = enqueue_on(f, device);
	struct weft_new_command command;

	cl_int err = weft_new_command_begin(&enqueue, f->queues[device]->locus.replica, &command);
	if (err != CL_SUCCESS)
		return err;
	err = weft_new_command_use(&command, f->mem);
	weft_accesses_add(&command.accesses, f->mem, 100, 200, WEFT_ACCESS_WRITE);
	weft_accesses_add(&command.accesses, f->mem, 600, 700, WEFT_ACCESS_WRITE);
	return weft_new_command_submit(&command, err, false, event);
}

/* A command that lacks memory for the record of one thing that it overwrites has overwritten nothing. */
static void a_claim_is_whole(void **state)
{
	struct fixture *f = *state;
	cl_event event;
	bool failed = true;

	fill(f, HOST, 0, BYTES, 11);
	for (long n = 0; failed; n++) {
		weft_alloc_fail_after(n);
		cl_int err = overwrite_two(f, ONE, &event);
		failed = weft_alloc_has_failed();
		weft_alloc_fail_after(-1);
		if (!failed)
			break;
		if (err == CL_SUCCESS)
			expect_end(event, CL_OUT_OF_HOST_MEMORY);
		event = need(f, HOST);
		expect_nothing(f, ONE);
		run_last(f, HOST, event);
	}
	fake_run_all(f->devices[ONE]);
	expect_end(event, CL_COMPLETE);
	event = need(f, HOST);
	transfer(f, ONE, 100, 200, WEFT_OK);
	transfer(f, ONE, 600, 700, WEFT_OK);
	run_last(f, HOST, event);
}

/* What was brought has not come when there is no memory to remember it. */
static void a_transfer_without_memory_fails(void **state)
{
	struct fixture *f = *state;

	fill(f, HOST, 0, BYTES, 13);
	fill(f, ONE, 100, 200, 14);
	for (long n = 0; n < 2; n++) {
		cl_event event = need(f, HOST);

		weft_alloc_fail_after(n);
		transfer(f, ONE, 100, 200, WEFT_OK);
		assert_true(weft_alloc_has_failed());
		weft_alloc_fail_after(-1);
		expect_end(event, CL_OUT_OF_HOST_MEMORY);
	}
	cl_event event = need(f, HOST);
	transfer(f, ONE, 100, 200, WEFT_OK);
	run_last(f, HOST, event);
}

/* ---- the record ------------------------------------------------------------------------------ */

static void random_record(void **state)
{
	struct fixture *f = *state;
	uint32_t model[BYTES];

	memset(model, 0xff, sizeof(model));
	weft_mutex_lock(&f->mem->lock);
	for (int i = 0; i < 20000; i++) {
		size_t begin = (size_t)rand() % BYTES;
		struct weft_range range = {begin, begin + (size_t)rand() % (BYTES - begin) + 1};
		struct weft_range stale = {0, 0};
		unsigned replica = (unsigned)rand() % NUM_DEVICES;
		bool alone = rand() % 4 == 0;
		uint32_t valid = 0;
		size_t at = range.begin;

		while (at < range.end && (model[at] >> replica & 1))
			at++;
		bool found = weft_replica_find_stale(f->mem, replica, &range, &stale, &valid);
		assert_int_equal(found, at < range.end);
		if (found) {
			assert_int_equal(stale.begin, at);
			while (at < range.end && model[at] == valid)
				at++;
			assert_int_equal(stale.end, at);
		}
		struct weft_extent *spare = NULL;
		assert_true(weft_replica_reserve(f->mem, &range, &spare));
		weft_replica_validate(f->mem, replica, &range, alone, &spare);
		weft_replica_unreserve(spare);
		for (at = range.begin; at < range.end; at++)
			model[at] = (alone ? 0 : model[at]) | UINT32_C(1) << replica;
	}
	weft_mutex_unlock(&f->mem->lock);
}

#define NEAR(test) cmocka_unit_test_setup_teardown(test, set_up_near, tear_down)
#define FAR(test) cmocka_unit_test_setup_teardown(test, set_up_far, tear_down)
#define MOST(test) cmocka_unit_test_setup_teardown(test, set_up_most, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		NEAR(straight),
		FAR(by_way_of_the_host),
		MOST(from_the_last_memory),
		NEAR(from_all_sides),
		FAR(from_all_sides),
		NEAR(one_transfer_for_two),
		NEAR(a_failure_is_not_shared),
		NEAR(a_failure_changes_nothing),
		NEAR(released_meanwhile),
		NEAR(devices_are_flushed),
		NEAR(a_claim_is_whole),
		NEAR(a_transfer_without_memory_fails),
		NEAR(random_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
