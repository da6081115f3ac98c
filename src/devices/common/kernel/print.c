/* SPDX-License-Identifier: MIT
 *
 * Collects and writes what kernels print. Invariant: a piece's bytes are whole calls.
 */
#include "kernel/print.h"

#include "alloc.h"
#include "c_locale.h"
#include "kernel/float_environment.h"
#include "kernel/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Formatted text is written in blocks of about this size. */
#define BLOCK_BYTES (64 * 1024)

int32_t weft_print_call(struct weft_print_piece **piece, uint64_t first_group,
			const struct weft_printf_site *site, const void *args)
{
	if (!*piece) {
		*piece = weft_zalloc(sizeof(**piece));
		if (!*piece)
			return -1;
		(*piece)->first_group = first_group;
	}
	struct weft_strbuf *calls = &(*piece)->calls;
	size_t size = calls->size;

	weft_strbuf_add(calls, &site, sizeof(struct weft_printf_site *));
	weft_strbuf_add(calls, args, site->args_size);
	if (!calls->failed)
		return 0;
	calls->size = size; /* never half a call; what was printed before stays */
	calls->failed = false;
	return -1;
}

void weft_print_add(struct weft_print *print, struct weft_print_piece *piece)
{
	if (!piece)
		return;
	piece->next = atomic_load_explicit(&print->pieces, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&print->pieces, &piece->next, piece,
						      memory_order_release, memory_order_relaxed))
		;
}

/* Merge sort of a list by first_group; groups run once, so no two are equal. */
static struct weft_print_piece *merge(struct weft_print_piece *a, struct weft_print_piece *b)
{
	struct weft_print_piece *head = NULL;
	struct weft_print_piece **tail = &head;

	while (a && b) {
		struct weft_print_piece **least = a->first_group <= b->first_group ? &a : &b;
		*tail = *least;
		tail = &(*least)->next;
		*least = *tail;
	}
	*tail = a ? a : b;
	return head;
}

static struct weft_print_piece *sort(struct weft_print_piece *list)
{
	/* sorted[i] is empty or holds 2^i pieces */
	struct weft_print_piece *sorted[64] = {NULL};
	struct weft_print_piece *result = NULL;

	while (list) {
		struct weft_print_piece *one = list;
		int i = 0;

		list = list->next;
		one->next = NULL;
		while (sorted[i]) {
			one = merge(sorted[i], one);
			sorted[i++] = NULL;
		}
		sorted[i] = one;
	}
	for (int i = 0; i < 64; i++)
		result = merge(sorted[i], result);
	return result;
}

static void write_block(struct weft_strbuf *text)
{
	if (text->size)
		fwrite_unlocked(text->data, 1, text->size, stdout);
	weft_strbuf_clear(text);
}

static void format_piece(const struct weft_print_piece *piece, struct weft_strbuf *text)
{
	size_t at = 0;

	while (at < piece->calls.size) {
		const struct weft_printf_site *site;

		memcpy(&site, piece->calls.data + at, sizeof(site));
		at += sizeof(site);
		weft_format(text, site, piece->calls.data + at);
		at += site->args_size;
		if (text->size >= BLOCK_BYTES || text->failed)
			write_block(text);
	}
}

/* Numbers look alike in every locale, and are rounded to nearest whatever the thread has set. */
static void write_pieces(struct weft_print_piece *piece)
{
	struct weft_strbuf text = {0};
	const struct weft_c_locale locale = weft_c_locale_enter();

	uint32_t environment = weft_float_enter();
	uint16_t x87 = weft_x87_enter();
	flockfile(stdout);
	while (piece) {
		struct weft_print_piece *next = piece->next;
		format_piece(piece, &text);
		weft_strbuf_destroy(&piece->calls);
		weft_free(piece);
		piece = next;
	}
	write_block(&text);
	fflush_unlocked(stdout);
	funlockfile(stdout);
	weft_x87_leave(x87);
	weft_float_leave(environment);
	weft_strbuf_destroy(&text);
	weft_c_locale_leave(&locale);
}

void weft_print_finish(struct weft_print *print)
{
	struct weft_print_piece *pieces =
		atomic_exchange_explicit(&print->pieces, NULL, memory_order_acquire);

	write_pieces(sort(pieces));
}
