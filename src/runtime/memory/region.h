/* SPDX-License-Identifier: MIT
 *
 * Regions of memory: a range of bytes, or the rows of a rectangle in it. Whether two of them overlap is exact for rectangles
 * of one image, or of one pitch. Of others it is said when their ranges do. A third kind of region, a span, is a range that
 * overlaps a rectangle when their ranges do, even if all of it is between the rows.
 */
#ifndef WEFT_RUNTIME_REGION_H
#define WEFT_RUNTIME_REGION_H

#include "memory/range.h"
#include "memory/rect.h"

struct weft_region {
	struct weft_range range;
	/* Of a rectangle, in bytes. Of a range all 0; of a span row_pitch is SIZE_MAX. */
	size_t row;   /* from the begin of a row to its end */
	size_t slice; /* from the begin of a slice's first row to the end of its last row */
	size_t row_pitch;
	size_t slice_pitch; /* 0: there is one slice */
};

/* The rows of a rectangle: of that many bytes per row, rows per slice, slices. */
struct weft_region weft_region_of_rect(const struct weft_rect *rect, const size_t size[3]);

static inline bool weft_region_is_range(const struct weft_region *region)
{
	return region->row == 0;
}

static inline struct weft_region weft_region_of_range(size_t begin, size_t end)
{
	return (struct weft_region){.range = {begin, end}};
}

static inline struct weft_region weft_region_of_span(const struct weft_range *range)
{
	const size_t size = range->end - range->begin;

	return (struct weft_region){*range, size, size, SIZE_MAX, 0};
}

static inline bool weft_region_is_span(const struct weft_region *region)
{
	return region->row_pitch == SIZE_MAX;
}

/* One of the two is not a range, and their ranges overlap. */
bool weft_region_rows_overlap(const struct weft_region *a, const struct weft_region *b);

static inline bool weft_regions_overlap(const struct weft_region *a, const struct weft_region *b)
{
	return weft_range_overlaps(&a->range, &b->range) &&
	       ((weft_region_is_range(a) && weft_region_is_range(b)) ||
		weft_region_rows_overlap(a, b));
}

/* The outer one is not a range, and its range contains that of the inner one. */
bool weft_region_rows_contain(const struct weft_region *outer, const struct weft_region *inner);

/* Whether all bytes of the inner region are in the outer one; of a span, all of its range. So whatever has a byte of the inner
 * one overlaps the outer one. It may not be said of rectangles of different pitches. */
static inline bool weft_region_contains(const struct weft_region *outer,
					const struct weft_region *inner)
{
	return weft_range_contains(&outer->range, &inner->range) &&
	       (weft_region_is_range(outer) ? !weft_region_is_span(inner)
					    : weft_region_rows_contain(outer, inner));
}

/* Widens the region to one that contains both: the larger one, or the range of both. */
void weft_region_join(struct weft_region *region, const struct weft_region *other);

/* The region `distance` bytes on. */
static inline struct weft_region weft_region_moved(struct weft_region region, size_t distance)
{
	region.range.begin += distance;
	region.range.end += distance;
	return region;
}

#endif
