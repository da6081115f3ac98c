/* SPDX-License-Identifier: MIT
 *
 * Simulated time of work-groups with DMA requests, computed by hand: which requests pay, channels, and reads ahead.
 */
#include "accel_schedule_test.h"

#include "alloc.h"

/* DMA of 8 bytes in a cycle, after 300; local memory for 4 KiB. */
static struct accel_description machine_with_dma(uint64_t elements, uint64_t groups)
{
	struct accel_description machine = machine_of(1, elements);

	machine.groups = groups;
	machine.channels = 1;
	machine.local_bytes = 4 << 10;
	machine.local_latency = 2;
	machine.global_latency = 100;
	machine.dma_latency = 300;
	machine.dma_bytes = 8;
	machine.transfers = 1;
	return machine;
}

/* 64 work-items of 4 bytes: 32 cycles; 64 * 98 is what elements save. */
static const struct weft_transfer_desc line_in = {
	.unit = 4, .iterations = 1, .accesses = 1, .region = 0};
static const struct weft_transfer_desc line_out = {
	.unit = 4, .iterations = 1, .accesses = 1, .region = 0, .flags = WEFT_TRANSFER_WRITES};
/* In rounds of a region. */
static const struct weft_transfer_desc ahead = {
	.unit = 4, .iterations = 1, .accesses = 1, .region = 1, .flags = WEFT_TRANSFER_AHEAD};

static uint64_t end(void)
{
	uint64_t time = accel_schedule_end(&schedule);

	assert_false(schedule.timeline.failed);
	return time;
}

/* It comes, work-items run, and what they have written goes. Two elements meet before and after. */
static void in_and_out(void **state)
{
	const struct weft_transfer_desc descs[] = {line_in, line_out};
	const struct accel_transfer_options options = {descs, 2, {64, 1, 1}, false};
	const struct accel_load load = {64, 1, 0};

	(void)state;
	for (uint64_t elements = 1; elements <= 2; elements++) {
		const struct accel_description machine = machine_with_dma(elements, 1);

		begin_with(&machine, &load, &options);
		assert_int_equal(schedule.transfers.chosen, 3);
		assert_int_equal(schedule.transfers.bytes, 512);
		run(64, 10, 0);
		assert_int_equal(end(),
				 1050 + 332 + 640 / elements + 332 + (elements == 2 ? 2 * 20 : 0));
		assert_int_equal(schedule.places[0].free, schedule.finished);
		const struct accel_traffic traffic = accel_schedule_traffic(&schedule);
		assert_int_equal(traffic.requests, 2);
		assert_int_equal(traffic.bytes, 512);
		assert_int_equal(traffic.waiting, 2 * 332);
		for (size_t i = 0; i < elements; i++)
			assert_int_equal(schedule.busy[i], 640 / elements);
		accel_schedule_destroy(&schedule);
	}
}

/* Four groups at a time ask at once: 32 cycles of bytes each, one after the other; the last to come is the last to end. */
static void groups_share_a_channel(void **state)
{
	const struct accel_transfer_options options = {&line_in, 1, {64, 1, 1}, false};
	const struct accel_load load = {64, 5, 0};
	struct accel_description machine = machine_with_dma(4, 4);

	(void)state;
	begin_with(&machine, &load, &options);
	for (int i = 0; i < 4; i++)
		run(64, 10, 0);
	assert_int_equal(end(), 1050 + 300 + 4 * 32 + 640);
	/* with two channels two at a time */
	machine.channels = 2;
	accel_schedule_destroy(&schedule);
	begin_with(&machine, &load, &options);
	for (int i = 0; i < 4; i++)
		run(64, 10, 0);
	assert_int_equal(end(), 1050 + 300 + 2 * 32 + 640);
	/* a fifth group begins where the first one has ended */
	begin_with(&machine, &load, &options);
	for (int i = 0; i < 5; i++)
		run(64, 10, 0);
	assert_int_equal(end(), 1050 + 300 + 32 + 640 + 50 + 300 + 32 + 640);
	accel_schedule_destroy(&schedule);
}

/* What a group does takes bounded memory, however long it runs. */
static void a_long_group(void **state)
{
	const struct accel_transfer_options options = {&line_in, 1, {64, 1, 1}, true};
	const struct accel_load load = {64, 1, 0};
	const struct accel_description machine = machine_with_dma(1, 1);
	enum { ROUNDS = 3 * ACCEL_MOST_PHASES };

	(void)state;
	begin_with(&machine, &load, &options);
	for (int i = 0; i < ROUNDS; i++) {
		accel_schedule_request(&schedule, 8, 1, 0);
		run(64, 1, (uint32_t)(i > 0));
	}
	assert_true(schedule.timeline.recorded.capacity <= ACCEL_MOST_PHASES);
	assert_true(schedule.timeline.recorded.copies_capacity <= ACCEL_MOST_PHASES);
	assert_true(end() >= 1050 + 332 + ROUNDS * 64);
	assert_int_equal(accel_schedule_traffic(&schedule).bytes, 256 + ROUNDS * 8);
	accel_schedule_destroy(&schedule);
}

/* Three rounds: what the second and the third need comes while the one before runs, if there is local memory for it. */
static void rounds_ahead(void **state)
{
	const struct accel_transfer_options options = {&ahead, 1, {64, 1, 1}, false};
	struct accel_description machine = machine_with_dma(1, 1);
	const struct accel_load load = {64, 1, 0}, large = {64, 1, (4 << 10) - 300};

	(void)state;
	begin_with(&machine, &load, &options);
	run(64, 1, 0);
	for (int i = 0; i < 3; i++)
		run(64, 10, 1);
	assert_int_equal(end(), 1050 + 64 + 332 + 3 * 640);
	assert_int_equal(accel_schedule_traffic(&schedule).requests, 3);
	/* a short round waits for what is left */
	begin_with(&machine, &load, &options);
	run(64, 1, 0);
	for (int i = 0; i < 3; i++)
		run(64, 2, 1);
	assert_int_equal(end(), 1050 + 64 + 332 + 128 + 332 + 128);
	begin_with(&machine, &large, &options);
	run(64, 1, 0);
	for (int i = 0; i < 3; i++)
		run(64, 10, 1);
	assert_int_equal(end(), 1050 + 64 + 3 * (332 + 640));
	accel_schedule_destroy(&schedule);
}

/* A round and 32 elements of it: lines of 128 bytes, one for each id along y. */
static void lines_of_rounds(void **state)
{
	const struct weft_transfer_desc desc = {.along = WEFT_TRANSFER_ITERATIONS,
						.unit = 4,
						.lines = 1 << 1,
						.iterations = 32,
						.accesses = 32};
	const struct accel_transfer_options options = {&desc, 1, {8, 8, 1}, false};
	const struct accel_load load = {64, 1, 0};
	const struct accel_description machine = machine_with_dma(1, 1);

	(void)state;
	begin_with(&machine, &load, &options);
	assert_int_equal(schedule.transfers.bytes, 8 * 128);
	run(64, 10, 0);
	assert_int_equal(end(), 1050 + 300 + 8 * 16 + 640);
	accel_schedule_destroy(&schedule);
}

/* A kernel that asks itself, 20 cycles after a region's beginning, for two lines, and waits before the next region but one;
 * at its end the group waits, too. */
static void what_a_kernel_asks_for(void **state)
{
	const struct accel_transfer_options options = {.copies = true};
	const struct accel_load load = {64, 2, 0};
	const struct accel_description machine = machine_with_dma(1, 1);

	(void)state;
	begin_with(&machine, &load, &options);
	for (int i = 0; i < 2; i++) {
		accel_schedule_request(&schedule, 100, 2, 20);
		run(64, 1, 0);
		run(64, 2, 1);
		accel_schedule_request(&schedule, 0, 0, 0);
		run(64, 3, 2);
		accel_schedule_request(&schedule, 8, 1, 64);
		run(64, 1, 1);
	}
	const uint64_t group = 50 + 20 + 300 + 2 * 13 + 3 * 64 + 64 + 300 + 1;
	assert_int_equal(end(), 1000 + 2 * group);
	assert_int_equal(accel_schedule_traffic(&schedule).bytes, 2 * 208);
	accel_schedule_destroy(&schedule);
}

/* Not asked for; too small; too large for local memory, or for it beside what else is there. */
static void not_chosen(void **state)
{
	const struct weft_transfer_desc descs[] = {line_in, line_out};
	const struct accel_transfer_options whole = {descs, 2, {64, 1, 1}, false},
					    small = {descs, 2, {6, 1, 1}, false},
					    wide = {descs, 2, {4096, 1, 1}, false};
	const struct accel_load load = {64, 1, 0}, little = {6, 1, 0}, much = {4096, 1, 0},
				full = {64, 1, 3700};
	struct accel_description machine = machine_with_dma(1, 1);

	(void)state;
	begin_with(&machine, &little, &small);
	assert_int_equal(schedule.transfers.chosen, 0);
	begin_with(&machine, &much, &wide);
	assert_int_equal(schedule.transfers.chosen, 0);
	begin_with(&machine, &full, &whole);
	assert_int_equal(schedule.transfers.chosen, 1);
	machine.transfers = 0;
	begin_with(&machine, &load, &whole);
	assert_int_equal(schedule.transfers.chosen, 0);
	run(64, 10, 0);
	assert_int_equal(accel_schedule_end(&schedule), 1050 + 640);
	assert_int_equal(accel_schedule_traffic(&schedule).requests, 0);
	accel_schedule_destroy(&schedule);
}

/* Room for buffers, too, says how many groups run at a time. */
static void local_memory_for_requests(void **state)
{
	const struct weft_transfer_desc descs[] = {line_in, line_out};
	const struct accel_transfer_options options = {descs, 2, {64, 1, 1}, false};
	const struct accel_load load = {64, 100, 1024};
	const struct accel_description machine = machine_with_dma(4, 16);

	(void)state;
	begin(&machine, &load);
	assert_int_equal(schedule.groups_at_a_time, 4);
	begin_with(&machine, &load, &options);
	assert_int_equal(schedule.groups_at_a_time, 2);
	accel_schedule_destroy(&schedule);
}

static void no_memory_for_requests(void **state)
{
	const struct accel_transfer_options options = {&line_in, 1, {64, 1, 1}, false};
	const struct accel_load load = {64, 5, 0};
	const struct accel_description machine = machine_with_dma(1, 1);

	(void)state;
	for (int n = 0;; n++) {
		assert_int_equal(accel_schedule_init(&schedule, &machine), WEFT_OK);
		weft_alloc_fail_after(n);
		accel_schedule_begin(&schedule, &load, &options);
		run(64, 10, 0);
		run(64, 10, 0);
		uint64_t time = accel_schedule_end(&schedule);
		weft_alloc_fail_after(-1);
		bool failed = schedule.timeline.failed;
		accel_schedule_destroy(&schedule);
		if (failed)
			continue;
		assert_int_equal(time, 1000 + 2 * (50 + 332 + 640));
		assert_true(n > 3);
		break;
	}
}

int run_accel_group_timeline_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_and_out),
		cmocka_unit_test(groups_share_a_channel),
		cmocka_unit_test(a_long_group),
		cmocka_unit_test(rounds_ahead),
		cmocka_unit_test(lines_of_rounds),
		cmocka_unit_test(what_a_kernel_asks_for),
		cmocka_unit_test(not_chosen),
		cmocka_unit_test(local_memory_for_requests),
		cmocka_unit_test(no_memory_for_requests),
	};

	return cmocka_run_group_tests_name("group timeline", tests, NULL, NULL);
}
