/* SPDX-License-Identifier: MIT
 *
 * Notes of kernels: kernels whose descriptors lie as they do in memory have places of their own.
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
	static struct kernel_notes notes;
	int found = 0;

	memset(&notes, 0, sizeof(notes));
	for (int i = 0; i < count; i++) {
		const struct weft_launch launch = launch_of(first + (uintptr_t)i * apart);

		notes_add_group(&notes, &launch, LONG_TIME);
		notes_add_launch(&notes, &launch, SHORT_TIME);
	}
	for (int i = 0; i < count; i++) {
		const struct weft_launch launch = launch_of(first + (uintptr_t)i * apart);
		bool is_long = notes_say_long(&notes, &launch);

		assert_int_equal(is_long, notes_say_short(&notes, &launch));
		found += is_long;
	}
	return found;
}

/* Of so many in places at random, some two thirds would be remembered. */
static void kernels_have_places_of_their_own(void **state)
{
	static const uintptr_t apart[] = {0x80,   0xa0,   0x100,  0x1000,  0x2000,
					  0x3000, 0x4000, 0x5000, 0x10000, 0x200000};
	static const uintptr_t first[] = {0x7f0012345680, 0x7fff00000e40, 0x555555560d00};

	(void)state;
	for (size_t i = 0; i < sizeof(apart) / sizeof(apart[0]); i++) {
		for (size_t k = 0; k < sizeof(first) / sizeof(first[0]); k++) {
			int all = remembered(KERNEL_NOTES, first[k], apart[i]);
			int few = remembered(KERNEL_NOTES / 4, first[k], apart[i]);

			if (all < KERNEL_NOTES / 2 || few < KERNEL_NOTES / 4 * 5 / 8)
				fail_msg("0x%lx apart from 0x%lx on: %d of %d, %d of %d",
					 (unsigned long)apart[i], (unsigned long)first[k], all,
					 KERNEL_NOTES, few, KERNEL_NOTES / 4);
		}
	}
}

static void notes_follow_what_was_seen_last(void **state)
{
	static struct kernel_notes notes;
	const struct weft_launch launch = launch_of(0x7f0012345680);
	struct weft_launch larger = launch;

	(void)state;
	assert_false(notes_say_long(&notes, &launch));
	assert_false(notes_say_short(&notes, &launch));
	notes_add_group(&notes, &launch, LONG_TIME);
	assert_true(notes_say_long(&notes, &launch));
	notes_add_group(&notes, &launch, SHORT_TIME);
	assert_false(notes_say_long(&notes, &launch));
	notes_add_launch(&notes, &launch, SHORT_TIME);
	larger.range.num_groups[1] = 2;
	assert_true(notes_say_short(&notes, &launch));
	assert_false(notes_say_short(&notes, &larger));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_have_places_of_their_own),
		cmocka_unit_test(notes_follow_what_was_seen_last),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
