/* SPDX-License-Identifier: MIT
 *
 * Rectangles among regions. A part of a row is a rectangle of any pitch, a span one of a
 * pitch that no other has. Invariant: a slice pitch is a multiple of the row
 * pitch; the rows of application memory where it is not count as one with what is between them.
 */
#include "memory/region.h"

struct weft_region weft_region_of_rect(const struct weft_rect *rect, const size_t size[3])
{
	struct weft_region region = weft_region_of_range(rect->start, rect->end);

	if (rect->end - rect->start == size[0] * size[1] * size[2])
		return region;
	region.row = size[0];
	region.slice = (size[1] - 1) * rect->row_pitch + size[0];
	region.row_pitch = rect->row_pitch;
	region.slice_pitch = size[2] > 1 ? rect->slice_pitch : 0;
	if (region.slice_pitch % region.row_pitch != 0) /* rows of one pitch: the slices */
		return (struct weft_region){region.range, region.slice, rect->end - rect->start,
					    region.slice_pitch, 0};
	return region;
}

static size_t row_of(const struct weft_region *region)
{
	return weft_region_is_range(region) ? region->range.end - region->range.begin : region->row;
}

static size_t slice_of(const struct weft_region *region)
{
	return region->slice_pitch ? region->slice : region->range.end - region->range.begin;
}

/* The pitch that both have; 0: they have none. What has no pitch has any. */
static size_t common(size_t a, size_t b)
{
	if (a == 0 || b == 0)
		return a + b;
	return a == b ? a : 0;
}

bool weft_region_rows_overlap(const struct weft_region *a, const struct weft_region *b)
{
	const size_t row_pitch = common(a->row_pitch, b->row_pitch);
	const size_t slice_pitch = common(a->slice_pitch, b->slice_pitch);
	const size_t begins[2] = {a->range.begin, b->range.begin};

	if (weft_region_is_span(a) || weft_region_is_span(b))
		return true;
	return !(row_pitch && weft_rect_spans_apart(begins, row_of(a), row_of(b), row_pitch)) &&
	       !(slice_pitch &&
		 weft_rect_spans_apart(begins, slice_of(a), slice_of(b), slice_pitch));
}

bool weft_region_rows_contain(const struct weft_region *outer, const struct weft_region *inner)
{
	const size_t distance = inner->range.begin - outer->range.begin;
	const size_t in_slice = outer->slice_pitch ? distance % outer->slice_pitch : distance;
	const size_t in_row = in_slice % outer->row_pitch;

	if (weft_region_is_span(outer))
		return true;
	return common(outer->row_pitch, inner->row_pitch) &&
	       (inner->slice_pitch == 0 || inner->slice_pitch == outer->slice_pitch) &&
	       (outer->row == outer->row_pitch || in_row + row_of(inner) <= outer->row) &&
	       in_slice + slice_of(inner) <= outer->slice;
}

void weft_region_join(struct weft_region *region, const struct weft_region *other)
{
	if (weft_region_contains(region, other))
		return;
	if (weft_region_contains(other, region)) {
		*region = *other;
		return;
	}
	const bool is_span = weft_region_is_span(region) || weft_region_is_span(other);
	weft_range_join(&region->range, &other->range);
	*region = is_span ? weft_region_of_span(&region->range)
			  : weft_region_of_range(region->range.begin, region->range.end);
}
