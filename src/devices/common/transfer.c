/* SPDX-License-Identifier: MIT
 *
 * Copies and fills. Invariant: source and destination of a copy never overlap (the runtime
 * checked). A block is a part of one row, at most BLOCK_BYTES long; rows that follow each other
 * without a gap on both sides count as one.
 */
#include "transfer.h"

#include <string.h>

/* A multiple of every pattern size. */
#define BLOCK_BYTES ((size_t)256 * 1024)

/* A copy with as few and as long rows as possible. */
struct rows {
	size_t bytes;    /* per row */
	size_t count[2]; /* rows per slice, slices */
	size_t blocks_per_row;
	uint64_t blocks;
};

static struct rows rows_of(const struct weft_copy *copy)
{
	struct rows rows = {copy->region[0], {copy->region[1], copy->region[2]}, 0, 0};

	if (copy->source_pitch[0] == rows.bytes && copy->destination_pitch[0] == rows.bytes) {
		rows.bytes *= rows.count[0];
		rows.count[0] = 1;
	}
	if (rows.count[0] == 1 && copy->source_pitch[1] == rows.bytes &&
	    copy->destination_pitch[1] == rows.bytes) {
		rows.bytes *= rows.count[1];
		rows.count[1] = 1;
	}
	rows.blocks_per_row = rows.bytes ? (rows.bytes - 1) / BLOCK_BYTES + 1 : 1;
	rows.blocks = (uint64_t)rows.blocks_per_row * rows.count[0] * rows.count[1];
	return rows;
}

uint64_t weft_transfer_copy_blocks(const struct weft_copy *copy)
{
	return rows_of(copy).blocks;
}

void weft_transfer_copy(const struct weft_copy *copy, uint64_t first, uint64_t end)
{
	struct rows rows = rows_of(copy);
	size_t block = first % rows.blocks_per_row;
	size_t y = first / rows.blocks_per_row % rows.count[0];
	size_t z = first / rows.blocks_per_row / rows.count[0];

	while (first < end) {
		size_t start = block * BLOCK_BYTES;
		uint64_t here = rows.blocks_per_row - block; /* blocks up to the end of the row */
		here = here < end - first ? here : end - first;
		size_t stop = start + (size_t)here * BLOCK_BYTES;
		stop = stop < rows.bytes ? stop : rows.bytes;

		const char *source = (const char *)copy->source + z * copy->source_pitch[1] +
				     y * copy->source_pitch[0] + start;
		char *destination = (char *)copy->destination + z * copy->destination_pitch[1] +
				    y * copy->destination_pitch[0] + start;
		memcpy(destination, source, stop - start);

		first += here;
		block = 0;
		if (++y == rows.count[0]) {
			y = 0;
			z++;
		}
	}
}

uint64_t weft_transfer_fill_blocks(const struct weft_fill *fill)
{
	return fill->size ? (fill->size - 1) / BLOCK_BYTES + 1 : 1;
}

/* Repeats the pattern in a buffer that stays in the first-level cache, and copies that. */
void weft_transfer_fill(const struct weft_fill *fill, uint64_t first, uint64_t end)
{
	unsigned char repeated[4096];
	size_t start = (size_t)first * BLOCK_BYTES;
	size_t stop =
		end < weft_transfer_fill_blocks(fill) ? (size_t)end * BLOCK_BYTES : fill->size;
	char *destination = fill->destination;
	size_t filled = fill->pattern_size;

	if (start >= stop)
		return;
	if (fill->pattern_size == 1) {
		memset(destination + start, fill->pattern[0], stop - start);
		return;
	}
	memcpy(repeated, fill->pattern, filled);
	while (filled < sizeof(repeated) && filled < stop - start) {
		memcpy(repeated + filled, repeated, filled);
		filled *= 2;
	}
	for (size_t at = start; at < stop; at += filled)
		memcpy(destination + at, repeated, filled < stop - at ? filled : stop - at);
}
