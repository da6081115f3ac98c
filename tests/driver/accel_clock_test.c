/* SPDX-License-Identifier: MIT
 *
 * The clock of a memory domain, by hand.
 */
#include "accel_test.h"

#include "simulation/device_clock.h"

/* Host times are in ns, simulated ones in ps. */
static void timer_goes_on_while_nothing_is_run(void **state)
{
	struct accel_clock clock;

	(void)state;
	accel_clock_init(&clock, 1000);
	assert_int_equal(accel_clock_read(&clock, 1500), 1500);
	accel_clock_begin(&clock, 2000); /* 70 ns, which take 5000 here */
	assert_int_equal(accel_clock_read(&clock, 2000), 2000);
	assert_int_equal(accel_clock_read(&clock, 6000), 2000);
	assert_int_equal(accel_clock_at(&clock, 0), 2000);
	accel_clock_reach(&clock, 70000);
	assert_int_equal(clock.reached, 70000);
	assert_int_equal(accel_clock_read(&clock, 6500), 2070); /* the host is being told */
	accel_clock_end(&clock, 7000);
	assert_int_equal(accel_clock_read(&clock, 7000), 2070);
	assert_int_equal(accel_clock_read(&clock, 7030), 2100);
	accel_clock_begin(&clock, 7100); /* simulated time has stood still */
	assert_int_equal(clock.reached, 70000);
	assert_int_equal(accel_clock_at(&clock, 70000), 2170);
}

/* The timer is at the latest end, whatever order they are told in. */
static void ends_come_in_any_order(void **state)
{
	struct accel_clock clock;

	(void)state;
	accel_clock_init(&clock, 0);
	accel_clock_begin(&clock, 10);
	accel_clock_begin(&clock, 20);
	accel_clock_reach(&clock, 9000);
	accel_clock_end(&clock, 30);
	assert_int_equal(accel_clock_read(&clock, 40), 19);
	accel_clock_reach(&clock, 5000);
	accel_clock_end(&clock, 50);
	assert_int_equal(accel_clock_read(&clock, 50), 19);
	assert_int_equal(accel_clock_read(&clock, 60), 29);
	accel_clock_rest(&clock, 70); /* it does so already */
	assert_int_equal(accel_clock_read(&clock, 80), 49);
}

/* What becomes ready by the host's being told of an end begins where that was. */
static void followers_leave_no_gap(void **state)
{
	struct accel_clock clock;

	(void)state;
	accel_clock_init(&clock, 0);
	accel_clock_begin(&clock, 0);
	accel_clock_reach(&clock, 8000);
	accel_clock_begin(&clock, 500);
	accel_clock_end(&clock, 600);
	assert_int_equal(accel_clock_at(&clock, clock.reached), 8);
	accel_clock_reach(&clock, 16000);
	accel_clock_end(&clock, 700);
	assert_int_equal(accel_clock_read(&clock, 701), 17);
	accel_clock_end(&clock, 800); /* as the child of a fork may */
	assert_int_equal(accel_clock_read(&clock, 801), 117);
}

static void forgotten_commands_end_a_period(void **state)
{
	struct accel_clock clock;

	(void)state;
	accel_clock_init(&clock, 0);
	accel_clock_begin(&clock, 10);
	accel_clock_rest(&clock, 90);
	assert_int_equal(accel_clock_read(&clock, 100), 20);
}

static void cycles_have_durations(void **state)
{
	(void)state;
	assert_int_equal(accel_clock_after(0, 0, 600), 0);
	assert_int_equal(accel_clock_after(0, 1, 600), 1666);
	assert_int_equal(accel_clock_after(0, 3, 600), 5000);
	assert_int_equal(accel_clock_after(0, 1, 100000), 10);
	/* an hour */
	assert_int_equal(accel_clock_after(0, UINT64_C(360000000000000), 100000),
			 UINT64_C(3600000000000000));
	assert_int_equal(accel_clock_after(0, UINT64_C(2160000000001), 600),
			 UINT64_C(3600000000001666));
	assert_int_equal(accel_clock_after(7, 3, 600), 5007);
}

/* Half a year of simulated time: the end does not come before the start. */
static void time_stands_still_at_its_end(void **state)
{
	(void)state;
	assert_int_equal(accel_clock_after(0, UINT64_C(18446744073709), 1),
			 UINT64_C(18446744073709000000));
	assert_int_equal(accel_clock_after(0, UINT64_C(18446744073710), 1), UINT64_MAX);
	assert_int_equal(accel_clock_after(UINT64_C(600000000000), UINT64_C(18446744073709), 1),
			 UINT64_MAX);
	assert_int_equal(accel_clock_after(UINT64_MAX, 1, 600), UINT64_MAX);
}

int run_accel_clock_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timer_goes_on_while_nothing_is_run),
		cmocka_unit_test(ends_come_in_any_order),
		cmocka_unit_test(followers_leave_no_gap),
		cmocka_unit_test(forgotten_commands_end_a_period),
		cmocka_unit_test(cycles_have_durations),
		cmocka_unit_test(time_stands_still_at_its_end),
	};
	return cmocka_run_group_tests_name("simulated clock", tests, NULL, NULL);
}
