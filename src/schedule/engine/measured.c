/* SPDX-License-Identifier: MIT
 *
 * Rates: what parts have taken, and what is guessed of it where nothing has.
 */
#include "engine/board.h"

#include <math.h>

/* The part of what was measured that is a kernel's own at least. */
#define LEAST_OWN 0.3

static void set_measured(struct weft_board *board, size_t pair, double rate)
{
	board->rates[pair] = rate;
	board->is_measured[pair] = true;
	board->logarithms[pair] = log(rate / board->guessed[pair]);
}

/* Devices of the same kind, on which the task has not run, have the rate. */
static void show_others(struct weft_board *board, size_t pair)
{
	const size_t first = pair - pair % board->num_devices;
	const size_t kind = board->places->items[pair - first].kind;

	for (size_t d = 0; kind > 0 && d < board->num_devices; d++) {
		if (board->places->items[d].kind != kind || board->measured[first + d].slabs > 0)
			continue;
		set_measured(board, first + d, board->rates[pair]);
	}
}

/* All parts of a task count by their sizes: the last ones are small, and most of their time is that of handing them out. */
void weft_measured_add(struct weft_board *board, size_t pair, const struct weft_measured *added)
{
	struct weft_measured *measured = &board->measured[pair];

	measured->seconds += added->seconds;
	measured->slabs += added->slabs;
	measured->parts += added->parts;
	const double launches = measured->parts * board->launches[pair % board->num_devices];
	set_measured(board, pair,
		     fmax(measured->seconds - launches, LEAST_OWN * measured->seconds) /
			     measured->slabs);
	board->has_measured = true;
	show_others(board, pair);
}

void weft_measured_guess_again(struct weft_board *board)
{
	double sum = 0;
	double count = 0;

	for (size_t pair = 0; pair < board->num_tasks * board->num_devices; pair++) {
		if (board->is_measured[pair]) {
			sum += board->logarithms[pair];
			count++;
		}
	}
	for (size_t d = 0; d < board->num_devices; d++) {
		double own_sum = count > 0 ? sum / count : 0;
		double own_count = 1;

		for (size_t t = 0; t < board->num_tasks; t++) {
			const size_t pair = t * board->num_devices + d;

			if (board->is_measured[pair]) {
				own_sum += board->logarithms[pair];
				own_count++;
			}
		}
		const double factor = exp(own_sum / own_count);
		for (size_t t = 0; t < board->num_tasks; t++) {
			const size_t pair = t * board->num_devices + d;

			if (!board->is_measured[pair])
				board->rates[pair] = board->guessed[pair] * factor;
		}
	}
	board->has_measured = false;
}
