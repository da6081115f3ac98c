/* SPDX-License-Identifier: MIT
 *
 * Copies and fills. Invariant: source and destination of a copy never overlap (the runtime has checked that). A block
 * is a part of one row, at most BLOCK_BYTES long; consecutive rows without a gap on both sides count as one.
 */
#include "command/transfer.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

/* ---- past the caches ------------------------------------------------------------------------- */

/* With shorter rows the ends cost too much. */
#define LEAST_ROW_BYTES 4096

/* Three quarters of the cache, for source and destination together, as other threads use it too: larger copies mostly
 * do not fit, and go at half the speed. */
static bool bypasses_caches(const struct rows *rows, uint64_t cache_bytes)
{
	/* the product cannot wrap: memory of that size exists */
	return rows->bytes >= LEAST_ROW_BYTES &&
	       rows->bytes * rows->count[0] * rows->count[1] > cache_bytes / 8 * 3;
}

#if defined(__SSE2__)
#define LINE_BYTES 64
#define AHEAD_BYTES 1024

/* Whole lines, to a multiple of LINE_BYTES. */
static void copy_lines(char *destination, const char *source, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += LINE_BYTES) {
		const __m128i *from = (const __m128i *)(const void *)(source + at);
		__m128i *to = (__m128i *)(void *)(destination + at);
		__m128i a = _mm_loadu_si128(from);
		__m128i b = _mm_loadu_si128(from + 1);
		__m128i c = _mm_loadu_si128(from + 2);
		__m128i d = _mm_loadu_si128(from + 3);

		_mm_prefetch((const char *)from + AHEAD_BYTES, _MM_HINT_T0);
		_mm_stream_si128(to, a);
		_mm_stream_si128(to + 1, b);
		_mm_stream_si128(to + 2, c);
		_mm_stream_si128(to + 3, d);
	}
}

static void copy_past_caches(char *destination, const char *source, size_t bytes)
{
	size_t head = -(uintptr_t)destination % LINE_BYTES;

	if (bytes < head + LINE_BYTES) {
		memcpy(destination, source, bytes);
		return;
	}
	size_t lines = (bytes - head) / LINE_BYTES * LINE_BYTES;
	memcpy(destination, source, head);
	copy_lines(destination + head, source + head, lines);
	memcpy(destination + head + lines, source + head + lines, bytes - head - lines);
}

/* Until then, these stores are not ordered with others. */
static void end_past_caches(void)
{
	_mm_sfence();
}
#else
static void copy_past_caches(char *destination, const char *source, size_t bytes)
{
	memcpy(destination, source, bytes);
}

static void end_past_caches(void)
{
}
#endif

/* ---- copies ---------------------------------------------------------------------------------- */

uint64_t weft_transfer_copy_blocks(const struct weft_copy *copy)
{
	return rows_of(copy).blocks;
}

void weft_transfer_copy(const struct weft_copy *copy, uint64_t first, uint64_t end,
			uint64_t cache_bytes)
{
	struct rows rows = rows_of(copy);
	const bool bypasses = bypasses_caches(&rows, cache_bytes);
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
		if (bypasses)
			copy_past_caches(destination, source, stop - start);
		else
			memcpy(destination, source, stop - start);

		first += here;
		block = 0;
		if (++y == rows.count[0]) {
			y = 0;
			z++;
		}
	}
	if (bypasses)
		end_past_caches();
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
