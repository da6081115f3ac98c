/* SPDX-License-Identifier: MIT
 *
 * The geometry of rectangular regions, against a naive bitmap.
 */
#include "memory/rect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SPACE 4096 /* bytes that random rectangles lie in */

static uint32_t state = 12345;

/* 0 … bound - 1 */
static size_t random_below(size_t bound)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % bound;
}

static cl_int init(const size_t *origin, const size_t *region, size_t row_pitch, size_t slice_pitch,
		   struct weft_rect *rect)
{
	const struct weft_rect_desc desc = {origin, row_pitch, slice_pitch};

	return weft_rect_init(&desc, region, rect);
}

static void test_pitches_are_filled_in(void **unused)
{
	const size_t origin[3] = {3, 2, 1};
	const size_t region[3] = {4, 5, 6};
	struct weft_rect rect;

	(void)unused;
	assert_int_equal(init(origin, region, 0, 0, &rect), CL_SUCCESS);
	assert_int_equal(rect.row_pitch, 4);
	assert_int_equal(rect.slice_pitch, 20);
	assert_int_equal(rect.start, 20 + 2 * 4 + 3);
	assert_int_equal(rect.end, rect.start + 5 * 20 + 4 * 4 + 4);

	assert_int_equal(init(origin, region, 10, 0, &rect), CL_SUCCESS);
	assert_int_equal(rect.slice_pitch, 50);
	assert_int_equal(init(origin, region, 10, 70, &rect), CL_SUCCESS);
	assert_int_equal(rect.start, 70 + 20 + 3);
	assert_int_equal(rect.end, rect.start + 5 * 70 + 4 * 10 + 4);
}

static void test_invalid_values(void **unused)
{
	const size_t origin[3] = {0, 0, 0};
	const size_t region[3] = {4, 5, 6};
	struct weft_rect rect = {1, 2, 3, 4};

	(void)unused;
	assert_int_equal(init(NULL, region, 0, 0, &rect), CL_INVALID_VALUE);
	assert_int_equal(init(origin, NULL, 0, 0, &rect), CL_INVALID_VALUE);
	for (int i = 0; i < 3; i++) {
		size_t zero[3] = {4, 5, 6};
		zero[i] = 0;
		assert_int_equal(init(origin, zero, 0, 0, &rect), CL_INVALID_VALUE);
	}
	assert_int_equal(init(origin, region, 3, 0, &rect), CL_INVALID_VALUE);
	assert_int_equal(init(origin, region, 4, 19, &rect), CL_INVALID_VALUE);
	assert_int_equal(init(origin, region, 4, 22, &rect), CL_INVALID_VALUE);
	assert_int_equal(rect.start, 1); /* nothing was written */
	assert_int_equal(init(origin, region, 4, 24, &rect), CL_SUCCESS);
}

static void test_nothing_wraps(void **unused)
{
	const size_t big = SIZE_MAX / 2 + 1;
	const size_t origins[][3] = {{SIZE_MAX, 0, 0}, {0, big, 0}, {0, 0, big}, {big, big / 4, 0}};
	const size_t regions[][3] = {{big, 2, 1}, {2, big, 1}, {4, 4, big}, {SIZE_MAX, 1, 2}};
	const size_t zero[3] = {0, 0, 0};
	const size_t small[3] = {4, 4, 4};
	struct weft_rect rect;

	(void)unused;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(init(origins[i], small, 0, 0, &rect), CL_INVALID_VALUE);
		assert_int_equal(init(zero, regions[i], 0, 0, &rect), CL_INVALID_VALUE);
	}
	assert_int_equal(init(zero, small, SIZE_MAX, 0, &rect), CL_INVALID_VALUE);
	assert_int_equal(init(zero, small, 4, SIZE_MAX - SIZE_MAX % 4, &rect), CL_INVALID_VALUE);
	assert_int_equal(weft_rect_init_linear(SIZE_MAX, 1, &rect), CL_INVALID_VALUE);
	assert_int_equal(weft_rect_init_linear(SIZE_MAX, 0, &rect), CL_SUCCESS);
}

static void mark(unsigned char *bytes, const struct weft_rect *rect, const size_t region[3])
{
	for (size_t z = 0; z < region[2]; z++) {
		for (size_t y = 0; y < region[1]; y++)
			memset(bytes + rect->start + z * rect->slice_pitch + y * rect->row_pitch, 1,
			       region[0]);
	}
}

static bool naive_overlap(const struct weft_rect *a, const struct weft_rect *b,
			  const size_t region[3])
{
	static unsigned char first[SPACE], second[SPACE];

	memset(first, 0, sizeof(first));
	memset(second, 0, sizeof(second));
	mark(first, a, region);
	mark(second, b, region);
	for (size_t i = 0; i < SPACE; i++) {
		if (first[i] && second[i])
			return true;
	}
	return false;
}

static struct weft_rect random_rect(const size_t region[3], size_t row_pitch, size_t slice_pitch)
{
	const size_t origin[3] = {random_below(row_pitch), random_below(4), random_below(3)};
	struct weft_rect rect;

	assert_int_equal(init(origin, region, row_pitch, slice_pitch, &rect), CL_SUCCESS);
	assert_true(rect.end <= SPACE);
	return rect;
}

static void random_pitches(const size_t region[3], size_t *row_pitch, size_t *slice_pitch)
{
	*row_pitch = region[0] + random_below(10);
	*slice_pitch = *row_pitch * (region[1] + random_below(4));
}

/* The specification's own algorithm may see an overlap where there is none, never the other way. */
static void test_overlap_of_same_pitch(void **unused)
{
	int apart = 0;

	(void)unused;
	for (int i = 0; i < 20000; i++) {
		const size_t region[3] = {1 + random_below(10), 1 + random_below(4),
					  1 + random_below(3)};
		size_t row_pitch, slice_pitch;
		random_pitches(region, &row_pitch, &slice_pitch);
		struct weft_rect a = random_rect(region, row_pitch, slice_pitch);
		struct weft_rect b = random_rect(region, row_pitch, slice_pitch);

		if (naive_overlap(&a, &b, region))
			assert_true(weft_rects_overlap(&a, &b, region));
		else
			apart += !weft_rects_overlap(&a, &b, region);
		assert_int_equal(weft_rects_overlap(&a, &b, region),
				 weft_rects_overlap(&b, &a, region));
	}
	assert_true(apart > 2000);
}

static void test_overlap_of_other_pitches_is_exact(void **unused)
{
	(void)unused;
	for (int i = 0; i < 20000; i++) {
		const size_t region[3] = {1 + random_below(10), 1 + random_below(4),
					  1 + random_below(3)};
		size_t row_pitch[2], slice_pitch[2];
		random_pitches(region, &row_pitch[0], &slice_pitch[0]);
		random_pitches(region, &row_pitch[1], &slice_pitch[1]);
		if (row_pitch[0] == row_pitch[1] && slice_pitch[0] == slice_pitch[1])
			continue;
		struct weft_rect a = random_rect(region, row_pitch[0], slice_pitch[0]);
		struct weft_rect b = random_rect(region, row_pitch[1], slice_pitch[1]);
		assert_int_equal(weft_rects_overlap(&a, &b, region), naive_overlap(&a, &b, region));
	}
}

/* Rectangles side by side, in the gap between rows, in the gap between slices. */
static void test_gaps(void **unused)
{
	const size_t region[3] = {4, 2, 2};
	const size_t beside[][3] = {{4, 0, 0}, {6, 0, 0}, {0, 2, 0}, {6, 1, 0}, {0, 0, 2}};
	const size_t across[][3] = {{0, 0, 0}, {3, 0, 0}, {7, 0, 0},
				    {0, 1, 0}, {0, 0, 1}, {3, 1, 1}};
	const size_t zero[3] = {0, 0, 0};
	struct weft_rect a, b;

	(void)unused;
	assert_int_equal(init(zero, region, 10, 50, &a), CL_SUCCESS);
	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		assert_int_equal(init(beside[i], region, 10, 50, &b), CL_SUCCESS);
		assert_false(weft_rects_overlap(&a, &b, region));
	}
	for (size_t i = 0; i < sizeof(across) / sizeof(across[0]); i++) {
		assert_int_equal(init(across[i], region, 10, 50, &b), CL_SUCCESS);
		assert_true(weft_rects_overlap(&a, &b, region));
	}
}

static void test_linear(void **unused)
{
	struct weft_rect a, b, nothing;
	const size_t region[3] = {10, 1, 1};
	const size_t none[3] = {0, 1, 1};

	(void)unused;
	assert_int_equal(weft_rect_init_linear(100, 10, &a), CL_SUCCESS);
	assert_int_equal(weft_rect_init_linear(110, 10, &b), CL_SUCCESS);
	assert_false(weft_rects_overlap(&a, &b, region));
	assert_int_equal(weft_rect_init_linear(109, 10, &b), CL_SUCCESS);
	assert_true(weft_rects_overlap(&a, &b, region));
	assert_int_equal(weft_rect_init_linear(105, 0, &nothing), CL_SUCCESS);
	assert_false(weft_rects_overlap(&nothing, &nothing, none));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pitches_are_filled_in),
		cmocka_unit_test(test_invalid_values),
		cmocka_unit_test(test_nothing_wraps),
		cmocka_unit_test(test_overlap_of_same_pitch),
		cmocka_unit_test(test_overlap_of_other_pitches_is_exact),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_linear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
