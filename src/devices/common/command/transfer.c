/* SPDX-License-Identifier: MIT
 *
 * Copies and fills. Invariant: source and destination of a copy never overlap (the runtime has checked that). A block
 * is a part of one row, at most BLOCK_BYTES long; consecutive rows without a gap on both sides count as one.
 */
#include "command/transfer.h"

#include <stdalign.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define BLOCK_BYTES ((size_t)256 * 1024)

/* A rectangle as few and as long rows. */
struct rows {
	size_t bytes;    /* per row */
	size_t count[2]; /* rows per slice, slices */
	size_t block_bytes;
	size_t blocks_per_row;
	uint64_t blocks;
};

/* One of the two pitches of a copy's sides; `pitches` of each begin with that of rows. */
static bool follow_each_other(const struct rows *rows, const size_t *a_pitch, const size_t *b_pitch)
{
	return *a_pitch == rows->bytes && *b_pitch == rows->bytes;
}

/* A fill has one side, which stands for both. */
static struct rows rows_of(const size_t region[3], const size_t a_pitch[2], const size_t b_pitch[2],
			   size_t block_bytes)
{
	struct rows rows = {region[0], {region[1], region[2]}, block_bytes, 0, 0};

	if (follow_each_other(&rows, &a_pitch[0], &b_pitch[0])) {
		rows.bytes *= rows.count[0];
		rows.count[0] = 1;
	}
	if (rows.count[0] == 1 && follow_each_other(&rows, &a_pitch[1], &b_pitch[1])) {
		rows.bytes *= rows.count[1];
		rows.count[1] = 1;
	}
	rows.blocks_per_row = (rows.bytes - 1) / block_bytes + 1;
	rows.blocks = (uint64_t)rows.blocks_per_row * rows.count[0] * rows.count[1];
	return rows;
}

static struct rows rows_of_copy(const struct weft_copy *copy)
{
	return rows_of(copy->region, copy->source_pitch, copy->destination_pitch, BLOCK_BYTES);
}

/* Each block begins with a whole pattern. */
static struct rows rows_of_fill(const struct weft_fill *fill)
{
	return rows_of(fill->region, fill->pitch, fill->pitch,
		       BLOCK_BYTES / fill->pattern_size * fill->pattern_size);
}

/* Consecutive blocks of one row. */
struct run {
	uint64_t next; /* the block behind it */
	size_t start;  /* bytes in the row */
	size_t stop;
	size_t y;
	size_t z;
};

/* Ends the run at the row's end, or before the block `end`. */
static void set_end(struct run *run, const struct rows *rows, uint64_t first, uint64_t end)
{
	const size_t left = rows->blocks_per_row - run->start / rows->block_bytes;

	run->next = first + left;
	run->stop = rows->bytes;
	if (run->next > end) {
		run->next = end;
		run->stop = run->start + (size_t)(end - first) * rows->block_bytes;
	}
}

/* From the block on; `end` is behind it. */
static struct run run_from(const struct rows *rows, uint64_t first, uint64_t end)
{
	const uint64_t row = first / rows->blocks_per_row;
	struct run run = {
		.start = (size_t)(first % rows->blocks_per_row) * rows->block_bytes,
		.y = row % rows->count[0],
		.z = row / rows->count[0],
	};

	set_end(&run, rows, first, end);
	return run;
}

/* To the next row. False: the end has been reached. */
static bool run_next(struct run *run, const struct rows *rows, uint64_t end)
{
	if (run->next >= end)
		return false;
	run->start = 0;
	if (++run->y == rows->count[0]) {
		run->y = 0;
		run->z++;
	}
	set_end(run, rows, run->next, end);
	return true;
}

static size_t offset_of(const struct run *run, const size_t pitch[2])
{
	return run->z * pitch[1] + run->y * pitch[0] + run->start;
}

/* The product cannot wrap: memory of that size exists. */
uint64_t weft_transfer_bytes(const struct weft_command *command)
{
	const size_t *region =
		command->op == WEFT_OP_COPY ? command->copy.region : command->fill.region;

	return region[0] * region[1] * region[2];
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
	return rows_of_copy(copy).blocks;
}

void weft_transfer_copy(const struct weft_copy *copy, uint64_t first, uint64_t end,
			uint64_t cache_bytes)
{
	const struct rows rows = rows_of_copy(copy);
	const bool bypasses = bypasses_caches(&rows, cache_bytes);
	struct run run = run_from(&rows, first, end);

	do {
		const char *source =
			(const char *)copy->source + offset_of(&run, copy->source_pitch);
		char *destination =
			(char *)copy->destination + offset_of(&run, copy->destination_pitch);

		if (bypasses)
			copy_past_caches(destination, source, run.stop - run.start);
		else
			memcpy(destination, source, run.stop - run.start);
	} while (run_next(&run, &rows, end));
	if (bypasses)
		end_past_caches();
}

/* ---- fills ----------------------------------------------------------------------------------- */

/* Copies are twice as fast when source and destination are as far from a multiple of it. */
#define ALIGNMENT 32
#define REPEATED_BYTES 4096

/* The pattern as often as it fits, or as a row has it. It stays in the first-level cache. */
struct repeated {
	size_t begin; /* in `bytes` */
	size_t size;  /* bytes */
	alignas(ALIGNMENT) unsigned char bytes[ALIGNMENT + REPEATED_BYTES];
};

/* As far from a multiple of ALIGNMENT as the destination. */
static void repeat(const struct weft_fill *fill, const char *destination, size_t longest,
		   struct repeated *repeated)
{
	size_t size = fill->pattern_size;

	repeated->begin = (uintptr_t)destination % ALIGNMENT;
	unsigned char *bytes = repeated->bytes + repeated->begin;
	memcpy(bytes, fill->pattern, size);
	while (2 * size <= REPEATED_BYTES && size < longest) {
		memcpy(bytes + size, bytes, size);
		size *= 2;
	}
	repeated->size = size;
}

static void fill_run(char *destination, size_t size, const struct repeated *repeated)
{
	const unsigned char *bytes = repeated->bytes + repeated->begin;
	size_t at = 0;

	for (; size - at > repeated->size; at += repeated->size)
		memcpy(destination + at, bytes, repeated->size);
	memcpy(destination + at, bytes, size - at);
}

uint64_t weft_transfer_fill_blocks(const struct weft_fill *fill)
{
	return rows_of_fill(fill).blocks;
}

void weft_transfer_fill(const struct weft_fill *fill, uint64_t first, uint64_t end)
{
	const struct rows rows = rows_of_fill(fill);
	struct run run = run_from(&rows, first, end);
	char *destination = (char *)fill->destination + offset_of(&run, fill->pitch);
	struct repeated repeated;

	if (fill->pattern_size > 1)
		repeat(fill, destination, rows.bytes, &repeated);
	do {
		destination = (char *)fill->destination + offset_of(&run, fill->pitch);
		if (fill->pattern_size > 1)
			fill_run(destination, run.stop - run.start, &repeated);
		else
			memset(destination, *(const unsigned char *)fill->pattern,
			       run.stop - run.start);
	} while (run_next(&run, &rows, end));
}
