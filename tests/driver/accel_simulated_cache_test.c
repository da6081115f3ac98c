/* SPDX-License-Identifier: MIT
 *
 * The cache of a cluster, by hand: two sets of two ways, lines of 16 bytes that move in 2 cycles after 30, 5 for a hit.
 */
#include "accel_test.h"

#include "kernel_abi.h"
#include "simulation/simulated_cache.h"

enum { CLUSTERS = 2, LINE = 16, HIT = 5, MOVE = 2, MISS = HIT + 30 + MOVE, ATOMIC = 200 };

static const struct accel_description machine = {
	.clusters = CLUSTERS,
	.cache_bytes = 64,
	.cache_line = LINE,
	.cache_ways = 2,
	.cache_latency = HIT,
	.dma_latency = 30,
	.dma_bytes = 8,
	.global_latency = ATOMIC / 2,
};

static struct accel_simulated_cache cache;

static int set_up(void **state)
{
	(void)state;
	return accel_simulated_cache_init(&cache, &machine) == WEFT_OK ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	accel_simulated_cache_destroy(&cache);
	return 0;
}

static uint64_t load(uint64_t cluster, uint64_t place, uint64_t size)
{
	return accel_simulated_cache_access(&cache, cluster, place, size, WEFT_GLOBAL_LOADS);
}

static uint64_t store(uint64_t cluster, uint64_t place)
{
	return accel_simulated_cache_access(&cache, cluster, place, 4, WEFT_GLOBAL_STORES);
}

static void check_counts(uint64_t cluster, uint64_t hits, uint64_t misses, uint64_t write_backs)
{
	assert_int_equal(cache.counts[cluster].hits, hits);
	assert_int_equal(cache.counts[cluster].misses, misses);
	assert_int_equal(cache.counts[cluster].write_backs, write_backs);
}

static void lines_are_found_again(void **state)
{
	(void)state;
	assert_int_equal(load(0, 4, 4), MISS);
	assert_int_equal(load(0, 12, 4), HIT);
	assert_int_equal(load(0, 16, 4), MISS); /* the other set */
	assert_int_equal(load(0, 0, 1), HIT);
	check_counts(0, 2, 2, 0);
}

static void clusters_have_caches_of_their_own(void **state)
{
	(void)state;
	assert_int_equal(load(0, 0, 4), MISS);
	assert_int_equal(load(1, 0, 4), MISS);
	check_counts(0, 0, 1, 0);
	check_counts(1, 0, 1, 0);
}

/* Lines 0, 2, 4 share a set. */
static void least_recently_used_way_goes(void **state)
{
	(void)state;
	assert_int_equal(load(0, 0, 4), MISS);
	assert_int_equal(load(0, 2 * LINE, 4), MISS);
	assert_int_equal(load(0, 0, 4), HIT);
	assert_int_equal(load(0, 4 * LINE, 4), MISS);
	assert_int_equal(load(0, 0, 4), HIT);
	assert_int_equal(load(0, 2 * LINE, 4), MISS);
	check_counts(0, 2, 4, 0);
}

static void stores_are_written_back_once(void **state)
{
	(void)state;
	assert_int_equal(store(0, 0), MISS); /* it fetches the rest of the line */
	assert_int_equal(store(0, 4), HIT);
	assert_int_equal(load(0, 2 * LINE, 4), MISS);
	assert_int_equal(load(0, 4 * LINE, 4), MISS + MOVE);
	assert_int_equal(load(0, 6 * LINE, 4), MISS);
	check_counts(0, 1, 4, 1);
}

/* The one with two lines to write back says how long it takes. */
static void kernels_end_with_empty_caches(void **state)
{
	(void)state;
	(void)store(0, 0);
	(void)store(0, LINE);
	(void)load(0, 2 * LINE, 4);
	(void)store(1, 0);
	assert_int_equal(accel_simulated_cache_flush(&cache), 30 + 2 * MOVE);
	assert_int_equal(accel_simulated_cache_flush(&cache), 0);
	check_counts(0, 0, 3, 2);
	check_counts(1, 0, 1, 1);
	assert_int_equal(load(0, 0, 4), MISS);
}

static void wide_accesses_are_several(void **state)
{
	(void)state;
	assert_int_equal(load(0, 0, 16), MISS + HIT);
	assert_int_equal(load(0, 28, 8), MISS + MISS); /* in two lines */
	assert_int_equal(load(0, 64, 0), 0);
	check_counts(0, 1, 3, 0);
}

static void atomics_go_past_it(void **state)
{
	(void)state;
	(void)store(0, 0);
	(void)store(0, LINE);
	assert_int_equal(accel_simulated_cache_access(&cache, 0, 4, 4, WEFT_GLOBAL_ATOMIC),
			 ATOMIC + MOVE);
	assert_int_equal(accel_simulated_cache_access(&cache, 0, 4, 4, WEFT_GLOBAL_ATOMIC), ATOMIC);
	assert_int_equal(load(0, LINE, 4), HIT);
	assert_int_equal(accel_simulated_cache_access(&cache, 0, 64, 4,
						      WEFT_GLOBAL_ATOMIC | WEFT_GLOBAL_ORDERED),
			 30 + MOVE + ATOMIC);
	assert_int_equal(load(0, LINE, 4), MISS);
	check_counts(0, 1, 3, 2);
	accel_simulated_cache_reset(&cache);
	check_counts(0, 0, 0, 0);
	assert_int_equal(load(0, LINE, 4), MISS);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int run_accel_simulated_cache_tests(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lines_are_found_again),
		TEST(clusters_have_caches_of_their_own),
		TEST(least_recently_used_way_goes),
		TEST(stores_are_written_back_once),
		TEST(kernels_end_with_empty_caches),
		TEST(wide_accesses_are_several),
		TEST(atomics_go_past_it),
	};
	return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
