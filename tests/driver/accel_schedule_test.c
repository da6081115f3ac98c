/* SPDX-License-Identifier: MIT
 *
 * Simulated time of work-groups, computed by hand: elements, barriers, places, and how many groups run at a time.
 */
#include "accel_schedule_test.h"

#include "alloc.h"

static uint64_t time_of_group(uint64_t elements, uint64_t num_items, uint64_t each)
{
	const struct accel_description machine = machine_of(1, elements);
	const struct accel_load load = {num_items, 1, 0};

	begin(&machine, &load);
	run(num_items, each, 0);
	uint64_t time = accel_schedule_end(&schedule);
	accel_schedule_destroy(&schedule);
	return time - 1050;
}

static void elements_share_the_items(void **state)
{
	(void)state;
	assert_int_equal(time_of_group(16, 256, 10), 160);
	assert_int_equal(time_of_group(16, 250, 10), 160);
	assert_int_equal(time_of_group(16, 257, 10), 170);
	assert_int_equal(time_of_group(16, 5, 10), 10);
	assert_int_equal(time_of_group(1, 256, 10), 2560);
	assert_int_equal(time_of_group(16, 4096, 10), 2560);
	assert_int_equal(time_of_group(16, 1, 10), 10);
}

/* 10 work-items on 4 elements: 3, 3, 3 and 1 of them. The slowest element, not the slowest work-item, counts. */
static void the_slowest_element(void **state)
{
	static const uint64_t cycles[] = {1, 1, 1, 40, 0, 0, 20, 20, 20, 59};
	const struct accel_description machine = machine_of(1, 4);
	const struct accel_load load = {10, 1, 0};

	(void)state;
	begin(&machine, &load);
	accel_schedule_region(&schedule, cycles, 10, 0);
	assert_int_equal(accel_schedule_end(&schedule), 1050 + 60);
	static const uint64_t busy[] = {3, 40, 60, 59};
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(schedule.busy[i], busy[i]);
	accel_schedule_destroy(&schedule);
}

/* There is no wait where one element does all. */
static void barriers(void **state)
{
	(void)state;
	for (uint64_t elements = 1; elements <= 2; elements++) {
		const struct accel_description machine = machine_of(1, elements);
		const struct accel_load load = {4, 1, 0};

		begin(&machine, &load);
		run(4, 5, 0);
		run(4, 7, 1);
		run(4, 9, 2);
		run(4, 7, 1);
		assert_int_equal(accel_schedule_end(&schedule),
				 1050 + (elements == 1 ? 4 * 28 : 2 * 28 + 3 * 20));
		accel_schedule_destroy(&schedule);
	}
}

/* One round trip for all calls of a group up to a barrier or its end, of what a launch takes. */
static void calls_of_the_host(void **state)
{
	const struct accel_description machine = machine_of(1, 4);
	const struct accel_load load = {4, 2, 0};

	(void)state;
	begin(&machine, &load);
	accel_schedule_host_call(&schedule);
	accel_schedule_host_call(&schedule);
	run(4, 5, 0);
	run(4, 7, 1);
	run(4, 5, 0);
	accel_schedule_host_call(&schedule);
	run(4, 7, 1);
	assert_int_equal(accel_schedule_end(&schedule),
			 1000 + 2 * (50 + 5 + 20 + 7 + machine.launch));
	accel_schedule_destroy(&schedule);
}

/* Groups of 100, 30, 30, 30 and 30 on two clusters, 50 more each. */
/* A question for the running group's cluster, before its first region has been measured or after, does not end it. */
static void a_group_stays_on_its_cluster(void **state)
{
	const struct accel_description machine = machine_of(2, 4);
	const struct accel_load load = {4, 3, 0};

	(void)state;
	begin(&machine, &load);
	assert_int_equal(accel_schedule_cluster(&schedule, 0), 0);
	run(4, 100, 0);
	run(4, 10, 1);
	run(4, 5, 0);
	assert_int_equal(accel_schedule_cluster(&schedule, 1), 1);
	run(4, 7, 1);
	assert_int_equal(accel_schedule_cluster(&schedule, 2), 1);
	run(4, 1, 0);
	assert_int_equal(accel_schedule_cluster(&schedule, 2), 1);
	run(4, 200, 1);
	assert_int_equal(accel_schedule_end(&schedule), 1000 + 50 + 5 + 20 + 7 + 50 + 1 + 20 + 200);
	accel_schedule_destroy(&schedule);
}

static void the_place_that_is_free_first(void **state)
{
	const struct accel_description machine = machine_of(2, 1);
	const struct accel_load load = {1, 5, 0};

	(void)state;
	begin(&machine, &load);
	run(1, 100, 0);
	for (int i = 0; i < 4; i++)
		run(1, 30, 0);
	/* one cluster ends at 150 and 230, the other at 80, 160 and 240 */
	assert_int_equal(accel_schedule_end(&schedule), 1000 + 240);
	assert_int_equal(schedule.busy[0], 130);
	assert_int_equal(schedule.busy[1], 90);
	/* the next launch begins anew, and the elements' sums go on */
	begin(&machine, &load);
	run(1, 7, 0);
	assert_int_equal(accel_schedule_end(&schedule), 1057);
	assert_int_equal(schedule.busy[0], 137);
	accel_schedule_destroy(&schedule);
}

/* Four groups at a time on four elements each: 16 work-items take four times as long as on all 16, and four groups so long. */
static void groups_share_a_cluster(void **state)
{
	struct accel_description machine = machine_of(2, 16);
	const struct accel_load load = {16, 8, 0};

	(void)state;
	machine.groups = 4;
	begin(&machine, &load);
	assert_int_equal(schedule.groups_at_a_time, 4);
	for (int i = 0; i < 8; i++)
		run(16, 10, 0);
	assert_int_equal(accel_schedule_end(&schedule), 1050 + 40);
	for (size_t i = 0; i < 32; i++)
		assert_int_equal(schedule.busy[i], 40);
	accel_schedule_destroy(&schedule);
}

enum { PLACES = 12 };

/* One after the other, each at the place that is free first, of those the one that is counted first. */
static void run_slowly(uint64_t free_at[PLACES], uint64_t cycles, size_t groups)
{
	for (size_t i = 0; i < groups; i++) {
		size_t first = 0;

		for (size_t p = 1; p < PLACES; p++)
			first = free_at[p] < free_at[first] ? p : first;
		free_at[first] += 50 + cycles;
	}
}

/* Groups of any cost, some of them many alike in one run. */
static void random_groups(void **state)
{
	struct accel_description machine = machine_of(3, 4);
	const struct accel_load load = {1, 1000, 0};
	uint64_t free_at[PLACES] = {0}, run_of[100], last = 0, busy = 0;
	uint32_t random = 1;

	(void)state;
	machine.groups = 4;
	begin(&machine, &load);
	for (size_t i = 0; i < 1000; i++) {
		random = random * 1664525 + 1013904223;
		uint64_t cycles = (random >> 8) % (i < 500 ? 3 : 5000);
		size_t groups = random >> 28 == 0 ? 24 + (random >> 20) % 77 : 1;
		for (size_t g = 0; g < groups; g++)
			run_of[g] = cycles;
		accel_schedule_region(&schedule, run_of, groups, 0);
		run_slowly(free_at, cycles, groups);
		busy += cycles * groups;
	}
	for (size_t p = 0; p < PLACES; p++) {
		last = free_at[p] > last ? free_at[p] : last;
		busy -= schedule.busy[p];
	}
	assert_int_equal(accel_schedule_end(&schedule), 1000 + last);
	assert_int_equal(busy, 0);
	accel_schedule_destroy(&schedule);
}

/* Whole rounds of groups whose last element has less to do. */
static void rounds_of_groups(void **state)
{
	const struct accel_description machine = machine_of(2, 2);
	const struct accel_load load = {3, 9, 0};
	uint64_t cycles[27];

	(void)state;
	for (size_t i = 0; i < 27; i++)
		cycles[i] = 10;
	begin(&machine, &load);
	accel_schedule_region(&schedule, cycles, 27, 0);
	assert_int_equal(accel_schedule_end(&schedule), 1000 + 5 * (50 + 20));
	static const uint64_t busy[] = {100, 50, 80, 40};
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(schedule.busy[i], busy[i]);
	accel_schedule_destroy(&schedule);
}

/* Some groups at once are what they are one after the other; the last one is not whole. */
static void groups_in_a_run(void **state)
{
	static const uint64_t cycles[] = {1, 2, 3, 40, 50, 60, 7, 8};
	const struct accel_description machine = machine_of(2, 2);
	const struct accel_load load = {3, 3, 0};

	(void)state;
	begin(&machine, &load);
	accel_schedule_region(&schedule, cycles, 8, 0);
	uint64_t together = accel_schedule_end(&schedule);
	begin(&machine, &load);
	accel_schedule_region(&schedule, cycles, 3, 0);
	accel_schedule_region(&schedule, cycles + 3, 3, 0);
	accel_schedule_region(&schedule, cycles + 6, 2, 0);
	assert_int_equal(accel_schedule_end(&schedule), together);
	assert_int_equal(together, 1000 + 50 + 90);
	accel_schedule_destroy(&schedule);
}

static void a_launch_of_nothing(void **state)
{
	const struct accel_description machine = machine_of(4, 16);
	const struct accel_load load = {16, 0, 0};

	(void)state;
	begin(&machine, &load);
	assert_int_equal(accel_schedule_end(&schedule), 1000);
	accel_schedule_destroy(&schedule);
}

static void how_many_at_a_time(void **state)
{
	struct accel_description machine = machine_of(4, 16);

	(void)state;
	/* asked for, as far as elements and local memory go */
	machine.groups = 16;
	assert_int_equal(accel_groups_at_a_time(&machine, &(struct accel_load){256, 100, 0}), 16);
	assert_int_equal(accel_groups_at_a_time(&machine, &(struct accel_load){256, 1, 0}), 16);
	assert_int_equal(accel_groups_at_a_time(&machine, &(struct accel_load){256, 100, 4 << 10}),
			 4);
	assert_int_equal(accel_groups_at_a_time(&machine, &(struct accel_load){256, 100, 16 << 10}),
			 1);
	machine.elements = 3;
	assert_int_equal(accel_groups_at_a_time(&machine, &(struct accel_load){256, 100, 0}), 2);
	/* by estimate: many groups hide what each costs; few are spread over the clusters; small ones fill the elements */
	machine = machine_of(4, 16);
	machine.groups = 0;
	assert_int_equal(accel_groups_at_a_time(&machine, &(struct accel_load){256, 6400, 0}), 16);
	assert_int_equal(accel_groups_at_a_time(&machine, &(struct accel_load){256, 4, 0}), 1);
	assert_int_equal(accel_groups_at_a_time(&machine, &(struct accel_load){256, 8, 0}), 2);
	assert_int_equal(accel_groups_at_a_time(&machine, &(struct accel_load){4, 16, 0}), 4);
	assert_int_equal(accel_groups_at_a_time(&machine, &(struct accel_load){1, 1, 0}), 16);
}

static void no_memory(void **state)
{
	const struct accel_description machine = machine_of(4, 16);

	(void)state;
	for (int n = 0; n < 2; n++) {
		weft_alloc_fail_after(n);
		assert_int_equal(accel_schedule_init(&schedule, &machine), WEFT_OUT_OF_MEMORY);
		weft_alloc_fail_after(-1);
	}
}

int run_accel_schedule_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_share_the_items),
		cmocka_unit_test(the_slowest_element),
		cmocka_unit_test(barriers),
		cmocka_unit_test(calls_of_the_host),
		cmocka_unit_test(a_group_stays_on_its_cluster),
		cmocka_unit_test(the_place_that_is_free_first),
		cmocka_unit_test(groups_share_a_cluster),
		cmocka_unit_test(random_groups),
		cmocka_unit_test(rounds_of_groups),
		cmocka_unit_test(groups_in_a_run),
		cmocka_unit_test(a_launch_of_nothing),
		cmocka_unit_test(how_many_at_a_time),
		cmocka_unit_test(no_memory),
	};

	return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
