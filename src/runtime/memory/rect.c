/* SPDX-License-Identifier: MIT
 *
 * The geometry of rectangular regions. Nothing here wraps: what would not fit is an invalid value.
 */
#include "memory/rect.h"

#include "overflow.h"

/* *sum = base + count * pitch */
static bool advance_overflows(size_t base, size_t count, size_t pitch, size_t *sum)
{
	size_t distance;

	return weft_mul_overflows(count, pitch, &distance) ||
	       weft_add_overflows(base, distance, sum);
}

cl_int weft_rect_init_linear(size_t offset, size_t size, struct weft_rect *rect)
{
	struct weft_rect result = {.start = offset, .row_pitch = size, .slice_pitch = size};

	if (weft_add_overflows(offset, size, &result.end))
		return CL_INVALID_VALUE;
	*rect = result;
	return CL_SUCCESS;
}

/* "If buffer_row_pitch is 0, buffer_row_pitch is computed as region[0]. … If buffer_slice_pitch is
 * 0, buffer_slice_pitch is computed as region[1] × buffer_row_pitch." */
static cl_int resolve_pitches(const struct weft_rect_desc *desc, const size_t *region,
			      struct weft_rect *rect)
{
	size_t slice;

	rect->row_pitch = desc->row_pitch ? desc->row_pitch : region[0];
	if (rect->row_pitch < region[0] || weft_mul_overflows(region[1], rect->row_pitch, &slice))
		return CL_INVALID_VALUE;
	rect->slice_pitch = desc->slice_pitch ? desc->slice_pitch : slice;
	if (rect->slice_pitch < slice || rect->slice_pitch % rect->row_pitch != 0)
		return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

cl_int weft_rect_init(const struct weft_rect_desc *desc, const size_t *region,
		      struct weft_rect *rect)
{
	const size_t *origin = desc->origin;
	struct weft_rect result;

	if (!origin || !region || !region[0] || !region[1] || !region[2])
		return CL_INVALID_VALUE;
	if (resolve_pitches(desc, region, &result) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	if (advance_overflows(origin[0], origin[1], result.row_pitch, &result.start) ||
	    advance_overflows(result.start, origin[2], result.slice_pitch, &result.start))
		return CL_INVALID_VALUE;
	if (advance_overflows(result.start, region[1] - 1, result.row_pitch, &result.end) ||
	    advance_overflows(result.end, region[2] - 1, result.slice_pitch, &result.end) ||
	    weft_add_overflows(result.end, region[0], &result.end))
		return CL_INVALID_VALUE;
	*rect = result;
	return CL_SUCCESS;
}

bool weft_rect_spans_apart(const size_t begins[2], size_t a_size, size_t b_size, size_t pitch)
{
	const bool ascend = begins[0] <= begins[1];
	size_t distance = (ascend ? begins[1] - begins[0] : begins[0] - begins[1]) % pitch;

	if (!ascend && distance > 0)
		distance = pitch - distance;
	return a_size <= distance && b_size <= pitch - distance;
}

/* Appendix "Checking for Memory Copy Overlap". */
static bool overlap_same_pitch(const struct weft_rect *a, const struct weft_rect *b,
			       const size_t region[3])
{
	const size_t begins[2] = {a->start, b->start};
	const size_t row = region[0];
	const size_t slice = (region[1] - 1) * a->row_pitch + row;

	return !weft_rect_spans_apart(begins, row, row, a->row_pitch) &&
	       !weft_rect_spans_apart(begins, slice, slice, a->slice_pitch);
}

/* Whether a row of `rectangle` meets the bytes from `start` to `end`. Rows ascend: of those that begin
 * before `end`, the last one reaches furthest. */
static bool meets_row(const struct weft_rect *rect, const size_t region[3], size_t start,
		      size_t end)
{
	if (end <= rect->start)
		return false;

	size_t distance = end - 1 - rect->start;
	size_t z = distance / rect->slice_pitch;
	if (z >= region[2])
		z = region[2] - 1;
	size_t y = (distance - z * rect->slice_pitch) / rect->row_pitch;
	if (y >= region[1])
		y = region[1] - 1;
	return rect->start + z * rect->slice_pitch + y * rect->row_pitch + region[0] > start;
}

static bool overlap_rows(const struct weft_rect *a, const struct weft_rect *b,
			 const size_t region[3])
{
	for (size_t z = 0; z < region[2]; z++) {
		for (size_t y = 0; y < region[1]; y++) {
			size_t start = a->start + z * a->slice_pitch + y * a->row_pitch;
			if (meets_row(b, region, start, start + region[0]))
				return true;
		}
	}
	return false;
}

bool weft_rects_overlap(const struct weft_rect *a, const struct weft_rect *b,
			const size_t region[3])
{
	if (a->start == a->end || a->end <= b->start || b->end <= a->start)
		return false;
	if (a->row_pitch == b->row_pitch && a->slice_pitch == b->slice_pitch)
		return overlap_same_pitch(a, b, region);
	return overlap_rows(a, b, region);
}
