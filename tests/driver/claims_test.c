/* SPDX-License-Identifier: MIT
 *
 * Claims: each part is claimed once, near the claimant's core first, whatever threads claim it.
 */
#include "claims.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SEGMENTS = 5, MOST_PARTS = 3000, THREADS = 3 };

static struct claims claims;
static struct claims_segment segments[SEGMENTS];
static _Atomic unsigned char taken[MOST_PARTS];

/* Claims `count` parts at a time until none is left. */
static void take_all(uint32_t home, uint64_t count)
{
	uint64_t first;
	uint64_t end;

	while (claims_take(&claims, home, count, &first, &end)) {
		for (uint64_t i = first; i < end; i++)
			taken[i]++;
	}
}

static void begin(uint64_t total, uint64_t grain, uint32_t most)
{
	claims_init(&claims, total, grain, segments, most);
	for (size_t i = 0; i < MOST_PARTS; i++)
		taken[i] = 0;
}

static void expect_all(uint64_t total)
{
	for (size_t i = 0; i < MOST_PARTS; i++)
		assert_int_equal(taken[i], i < total);
	assert_int_equal(claims_left(&claims), 0);
}

static void each_part_is_claimed_once(void **state)
{
	static const uint64_t totals[] = {1, 2, 7, 100, 1001, MOST_PARTS};
	static const uint64_t grains[] = {1, 3, 16, 400};

	(void)state;
	for (size_t t = 0; t < 6; t++) {
		for (size_t g = 0; g < 4; g++) {
			for (uint32_t most = 0; most <= SEGMENTS; most++) {
				begin(totals[t], grains[g], most);
				assert_int_equal(claims_left(&claims), totals[t]);
				take_all(UINT32_MAX - most, 1 + t);
				expect_all(totals[t]);
			}
		}
	}
}

/* From its own segment, in whole grains, while that has any; then from the next. */
static void home_comes_first(void **state)
{
	uint64_t first;
	uint64_t end;

	(void)state;
	begin(1000, 10, SEGMENTS);
	for (uint32_t home = 0; home < SEGMENTS; home++) {
		assert_true(claims_take(&claims, SEGMENTS + home, 5, &first, &end));
		assert_int_equal(first, home * 200);
		assert_int_equal(end, home * 200 + 10);
	}
	assert_true(claims_take(&claims, 4, 1000, &first, &end));
	assert_int_equal(first, 810);
	assert_int_equal(end, 1000);
	assert_true(claims_take(&claims, 4, 1000, &first, &end));
	assert_int_equal(first, 10);
	assert_int_equal(end, 200);
	assert_int_equal(claims_left(&claims), 3 * 190);
}

static void few_parts_are_one_segment(void **state)
{
	uint64_t first;
	uint64_t end;

	(void)state;
	begin(3, 1, SEGMENTS);
	assert_true(claims_take(&claims, 3, 1, &first, &end));
	assert_int_equal(first, 0);
}

static void nothing_is_left_once_stopped(void **state)
{
	uint64_t first;
	uint64_t end;

	(void)state;
	begin(1000, 1, SEGMENTS);
	claims_stop(&claims);
	assert_int_equal(claims_left(&claims), 0);
	assert_false(claims_take(&claims, 0, 1, &first, &end));
}

static void *claim_in_thread(void *number)
{
	take_all((uint32_t)(uintptr_t)number, 2);
	return NULL;
}

static void threads_share_the_parts(void **state)
{
	pthread_t threads[THREADS];

	(void)state;
	for (int round = 0; round < 100; round++) {
		begin(MOST_PARTS, 1, SEGMENTS);
		for (uintptr_t i = 0; i < THREADS; i++)
			assert_int_equal(
				pthread_create(&threads[i], NULL, claim_in_thread, (void *)i), 0);
		for (size_t i = 0; i < THREADS; i++)
			assert_int_equal(pthread_join(threads[i], NULL), 0);
		expect_all(MOST_PARTS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_part_is_claimed_once),
		cmocka_unit_test(home_comes_first),
		cmocka_unit_test(few_parts_are_one_segment),
		cmocka_unit_test(nothing_is_left_once_stopped),
		cmocka_unit_test(threads_share_the_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
