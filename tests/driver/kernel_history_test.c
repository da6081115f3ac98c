/* SPDX-License-Identifier: MIT
 *
 * Kernel history: kernels whose descriptors lie as they do in memory have different entries.
 */
#include "kernel_history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LONG_TIME 1000000
#define SHORT_TIME 1000

/* Nothing looks behind a descriptor's address. */
static struct weft_launch launch_of(uintptr_t descriptor)
{
	return (struct weft_launch){.kernel = (const struct weft_kernel_desc *)descriptor,
				    .range = {.num_groups = {4, 1, 1}}};
}

/* How many of `count` kernels are remembered whose descriptors lie so many bytes apart. */
static int remembered(int count, uintptr_t first, uintptr_t apart)
{
	static struct kernel_history history;
	int found = 0;

	memset(&history, 0, sizeof(history));
	for (int i = 0; i < count; i++) {
		const struct weft_launch launch = launch_of(first + (uintptr_t)i * apart);

		kernel_history_add_group(&history, &launch, LONG_TIME);
		kernel_history_add_launch(&history, &launch, SHORT_TIME);
	}
	for (int i = 0; i < count; i++) {
		const struct weft_launch launch = launch_of(first + (uintptr_t)i * apart);
		bool is_long = kernel_history_is_long(&history, &launch);

		assert_int_equal(is_long, kernel_history_is_short(&history, &launch));
		found += is_long;
	}
	return found;
}

/* Of so many in places at random, some two thirds would be remembered. */
static void kernels_have_different_entries(void **state)
{
	static const uintptr_t apart[] = {0x80,   0xa0,   0x100,  0x1000,  0x2000,
					  0x3000, 0x4000, 0x5000, 0x10000, 0x200000};
	static const uintptr_t first[] = {0x7f0012345680, 0x7fff00000e40, 0x555555560d00};

	(void)state;
	for (size_t i = 0; i < sizeof(apart) / sizeof(apart[0]); i++) {
		for (size_t k = 0; k < sizeof(first) / sizeof(first[0]); k++) {
			int all = remembered(KERNEL_HISTORY_SIZE, first[k], apart[i]);
			int few = remembered(KERNEL_HISTORY_SIZE / 4, first[k], apart[i]);

			if (all < KERNEL_HISTORY_SIZE / 2 || few < KERNEL_HISTORY_SIZE / 4 * 5 / 8)
				fail_msg("0x%lx apart from 0x%lx on: %d of %d, %d of %d",
					 (unsigned long)apart[i], (unsigned long)first[k], all,
					 KERNEL_HISTORY_SIZE, few, KERNEL_HISTORY_SIZE / 4);
		}
	}
}

static void the_last_launch_counts(void **state)
{
	static struct kernel_history history;
	const struct weft_launch launch = launch_of(0x7f0012345680);
	struct weft_launch larger = launch;

	(void)state;
	assert_false(kernel_history_is_long(&history, &launch));
	assert_false(kernel_history_is_short(&history, &launch));
	kernel_history_add_group(&history, &launch, LONG_TIME);
	assert_true(kernel_history_is_long(&history, &launch));
	kernel_history_add_group(&history, &launch, SHORT_TIME);
	assert_false(kernel_history_is_long(&history, &launch));
	kernel_history_add_launch(&history, &launch, SHORT_TIME);
	larger.range.num_groups[1] = 2;
	assert_true(kernel_history_is_short(&history, &launch));
	assert_false(kernel_history_is_short(&history, &larger));
}

static void the_time_of_a_group_is_known(void **state)
{
	static struct kernel_history history;
	const struct weft_launch launch = launch_of(0x7f0012345680);
	const struct weft_launch other = launch_of(0x7f0012345700);

	(void)state;
	assert_int_equal(kernel_history_group_time(&history, &launch), 0);
	kernel_history_add_group(&history, &launch, 4000);
	assert_int_equal(kernel_history_group_time(&history, &launch), 4000);
	assert_int_equal(kernel_history_group_time(&history, &other), 0);
	kernel_history_add_group(&history, &launch, 5000); /* about the same: not written */
	assert_int_equal(kernel_history_group_time(&history, &launch), 4000);
	kernel_history_add_group(&history, &launch, 5001);
	assert_int_equal(kernel_history_group_time(&history, &launch), 5001);
	kernel_history_add_group(&history, &launch, 1);
	assert_int_equal(kernel_history_group_time(&history, &launch), 1);
	kernel_history_add_group(&history, &launch, LONG_TIME);
	assert_int_equal(kernel_history_group_time(&history, &launch), LONG_TIME);
	assert_true(kernel_history_is_long(&history, &launch));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_have_different_entries),
		cmocka_unit_test(the_last_launch_counts),
		cmocka_unit_test(the_time_of_a_group_is_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
