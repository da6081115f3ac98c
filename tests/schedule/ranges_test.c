/* SPDX-License-Identifier: MIT
 *
 * Sets of bytes, compared with one flag for each byte.
 */
#include "split/ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BYTES 64

static struct weft_range random_range(unsigned *seed)
{
	const size_t a = (size_t)rand_r(seed) % (BYTES + 1);
	const size_t b = (size_t)rand_r(seed) % (BYTES + 1);

	return (struct weft_range){a < b ? a : b, a < b ? b : a};
}

static void check(const struct weft_ranges *ranges, const bool *flags, struct weft_range part)
{
	struct weft_range missing;
	size_t begin = part.begin;
	size_t prefix = part.begin;

	for (size_t i = 0; i < ranges->count; i++) {
		assert_true(ranges->items[i].begin < ranges->items[i].end);
		assert_true(i == 0 || ranges->items[i - 1].end < ranges->items[i].begin);
	}
	while (begin < part.end && flags[begin])
		begin++;
	size_t end = begin;
	while (end < part.end && !flags[end])
		end++;
	assert_int_equal(weft_ranges_missing(ranges, part, &missing), begin < part.end);
	assert_int_equal(weft_ranges_contain(ranges, part), begin == part.end);
	if (begin < part.end) {
		assert_int_equal(missing.begin, begin);
		assert_int_equal(missing.end, end);
	}
	while (prefix < part.end && flags[prefix])
		prefix++;
	assert_int_equal(weft_ranges_prefix(ranges, part), prefix);
}

static void test_random_sets(void **state)
{
	unsigned seed = 1;

	(void)state;
	for (unsigned round = 0; round < 50; round++) {
		struct weft_ranges ranges = {0};
		bool flags[BYTES] = {false};

		for (unsigned step = 0; step < 40; step++) {
			const struct weft_range range = random_range(&seed);
			const bool adds = rand_r(&seed) % 2 == 0;

			assert_true(adds ? weft_ranges_add(&ranges, range)
					 : weft_ranges_remove(&ranges, range));
			for (size_t i = range.begin; i < range.end; i++)
				flags[i] = adds;
			check(&ranges, flags, (struct weft_range){0, BYTES});
			check(&ranges, flags, random_range(&seed));
		}
		weft_ranges_destroy(&ranges);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_sets)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
