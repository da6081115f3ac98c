/* SPDX-License-Identifier: MIT
 *
 * Regions, against a naive bitmap: what overlaps, what contains what, and what is joined.
 */
#include "memory/region.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define SPACE 512

static uint32_t state = 4711;

/* 0 … bound - 1 */
static size_t random_below(size_t bound)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % bound;
}

struct marked {
	struct weft_region region;
	unsigned char bytes[SPACE];
};

static void mark_rect(struct marked *marked, const struct weft_rect *rect, const size_t size[3])
{
	memset(marked->bytes, 0, SPACE);
	for (size_t z = 0; z < size[2]; z++) {
		for (size_t y = 0; y < size[1]; y++)
			memset(marked->bytes + rect->start + z * rect->slice_pitch +
				       y * rect->row_pitch,
			       1, size[0]);
	}
	marked->region = weft_region_of_rect(rect, size);
}

struct grid {
	size_t base;
	size_t size[3];
	size_t pitch[2];
};

static struct grid random_grid(void)
{
	struct grid grid = {
		.base = random_below(20),
		.size = {1 + random_below(8), 1 + random_below(6), 1 + random_below(4)}};

	grid.pitch[0] = grid.size[0] + random_below(3);
	grid.pitch[1] = grid.pitch[0] * (grid.size[1] + random_below(2));
	return grid;
}

/* A box of the grid's cells. */
static void mark_box(struct marked *marked, const struct grid *grid)
{
	size_t origin[3], size[3];
	struct weft_rect rect = {.row_pitch = grid->pitch[0], .slice_pitch = grid->pitch[1]};

	for (int i = 0; i < 3; i++) {
		origin[i] = random_below(grid->size[i]);
		size[i] = 1 + random_below(grid->size[i] - origin[i]);
	}
	rect.start =
		grid->base + origin[2] * grid->pitch[1] + origin[1] * grid->pitch[0] + origin[0];
	rect.end = rect.start + (size[2] - 1) * grid->pitch[1] + (size[1] - 1) * grid->pitch[0] +
		   size[0];
	mark_rect(marked, &rect, size);
}

static void mark_range(struct marked *marked)
{
	const size_t begin = random_below(200);
	const size_t size = 1 + random_below(random_below(2) ? 4 : 100);

	marked->region = weft_region_of_range(begin, begin + size);
	memset(marked->bytes, 0, SPACE);
	memset(marked->bytes + begin, 1, size);
}

static void compare(const struct marked *a, const struct marked *b, bool *overlap, bool *contains)
{
	*overlap = false;
	*contains = true;
	for (size_t i = 0; i < SPACE; i++) {
		*overlap = *overlap || (a->bytes[i] && b->bytes[i]);
		*contains = *contains && (a->bytes[i] || !b->bytes[i]);
	}
}

static void check(const struct marked *a, const struct marked *b, bool exact)
{
	bool overlap, contains;

	compare(a, b, &overlap, &contains);
	assert_int_equal(weft_regions_overlap(&a->region, &b->region),
			 weft_regions_overlap(&b->region, &a->region));
	if (overlap || exact)
		assert_int_equal(weft_regions_overlap(&a->region, &b->region), overlap);
	if (!contains || exact)
		assert_int_equal(weft_region_contains(&a->region, &b->region), contains);
}

static void boxes_of_one_grid_are_exact(void **unused)
{
	static struct marked a, b;

	(void)unused;
	for (int i = 0; i < 20000; i++) {
		const struct grid grid = random_grid();

		mark_box(&a, &grid);
		mark_box(&b, &grid);
		check(&a, &b, true);
		check(&a, &a, true);
	}
}

/* What is not exact errs to the safe side. */
static void others_are_safe(void **unused)
{
	static struct marked a, b;
	int apart = 0;

	(void)unused;
	for (int i = 0; i < 20000; i++) {
		const struct grid grid = random_grid(), other = random_grid();

		mark_box(&a, &grid);
		if (i % 2)
			mark_box(&b, &other);
		else
			mark_range(&b);
		check(&a, &b, false);
		check(&b, &a, false);
		apart += weft_range_overlaps(&a.region.range, &b.region.range) &&
			 !weft_regions_overlap(&a.region, &b.region);
	}
	assert_true(apart > 200);
}

/* A span overlaps what its range overlaps, and stays a span whatever it is joined with. */
static void spans_overlap_ranges(void **unused)
{
	static struct marked a, b;

	(void)unused;
	for (int i = 0; i < 20000; i++) {
		const struct grid grid = random_grid();

		mark_box(&a, &grid);
		if (i % 2)
			mark_box(&b, &grid);
		else
			mark_range(&b);
		const struct weft_region span = weft_region_of_span(&a.region.range);
		struct weft_region both = b.region;
		assert_int_equal(weft_regions_overlap(&span, &b.region),
				 weft_range_overlaps(&span.range, &b.region.range));
		assert_int_equal(weft_regions_overlap(&b.region, &span),
				 weft_range_overlaps(&span.range, &b.region.range));
		assert_false(weft_region_contains(&b.region, &span));
		weft_region_join(&both, &span);
		assert_true(weft_region_is_span(&both));
		assert_true(weft_region_contains(&both, &span));
		assert_true(weft_region_contains(&both, &b.region));
	}
}

static void joined_regions_contain_both(void **unused)
{
	static struct marked a, b;

	(void)unused;
	for (int i = 0; i < 20000; i++) {
		const struct grid grid = random_grid();

		mark_box(&a, &grid);
		mark_box(&b, &grid);
		struct weft_region both = a.region;
		weft_region_join(&both, &b.region);
		assert_true(weft_region_contains(&both, &a.region));
		assert_true(weft_region_contains(&both, &b.region));
	}
}

static void at_the_end_of_addresses(void **unused)
{
	const struct weft_rect rect = {SIZE_MAX - 100, SIZE_MAX, 12, 24};
	const size_t size[3] = {4, 2, 2};
	const struct weft_region here = weft_region_of_rect(&rect, size);
	const struct weft_region beside = weft_region_moved(here, (size_t)-4);

	(void)unused;
	assert_true(weft_regions_overlap(&here, &here));
	assert_false(weft_regions_overlap(&here, &beside));
	assert_false(weft_regions_overlap(&beside, &here));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_of_one_grid_are_exact),
		cmocka_unit_test(others_are_safe),
		cmocka_unit_test(spans_overlap_ranges),
		cmocka_unit_test(joined_regions_contain_both),
		cmocka_unit_test(at_the_end_of_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
