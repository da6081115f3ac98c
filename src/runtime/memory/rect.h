/* SPDX-License-Identifier: MIT
 *
 * Where the rows and slices of a rectangular region lie in a buffer or in the application's memory:
 * the geometry of the clEnqueue*BufferRect commands (specification 5.2.2), without any object.
 */
#ifndef WEFT_RUNTIME_RECT_H
#define WEFT_RUNTIME_RECT_H

#include "object/object.h"

/* Rows ascend and do not overlap: row_pitch is at least a row, slice_pitch at least a slice, and
 * start and end fit a size_t. All in bytes. */
struct weft_rect {
	size_t start;       /* of the first row */
	size_t end;         /* past the last row */
	size_t row_pitch;   /* from row to row */
	size_t slice_pitch; /* from slice to slice */
};

/* What the application says of one side of a rectangular command. */
struct weft_rect_desc {
	const size_t *origin; /* bytes, rows, slices */
	size_t row_pitch;     /* bytes; 0: rows are packed */
	size_t slice_pitch;   /* bytes; 0: slices are packed */
};

/* `size` bytes at `offset`. CL_INVALID_VALUE when the end does not fit a size_t. */
cl_int weft_rect_init_linear(size_t offset, size_t size, struct weft_rect *rect) WEFT_MUST_CHECK;

/* `region` is bytes per row, rows per slice, slices. CL_INVALID_VALUE for whatever the
 * specification forbids of origin, region and pitches, NULL included. */
cl_int weft_rect_init(const struct weft_rect_desc *desc, const size_t *region,
		      struct weft_rect *rect) WEFT_MUST_CHECK;

/* Whether spans of bytes that repeat every `pitch` bytes, from two places on, never meet. */
bool weft_rect_spans_apart(const size_t begins[2], size_t a_size, size_t b_size, size_t pitch);

/* Whether two rectangles of one region in the same memory overlap: by the specification's appendix
 * "Checking for Memory Copy Overlap" where their pitches are the same, which may say so too often;
 * exact otherwise. */
bool weft_rects_overlap(const struct weft_rect *a, const struct weft_rect *b,
			const size_t region[3]);

#endif
