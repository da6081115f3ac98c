/* SPDX-License-Identifier: MIT
 *
 * What is for a terminal alone: colours, and a line that says how far something is.
 */
#ifndef WEFT_TOOLS_TERMINAL_H
#define WEFT_TOOLS_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

enum weft_colour { WEFT_GREEN, WEFT_YELLOW, WEFT_RED, WEFT_BOLD };

/* Prints the text on standard output; in colour if that is a terminal and NO_COLOR is not set (no-color.org). */
void weft_print_coloured(enum weft_colour colour, const char *text);

/* A line on standard error, from a second after the start on, if that is a terminal. */
struct weft_progress {
	const char *what;
	uint64_t total;
	uint64_t start; /* ns */
	uint64_t shown; /* ns; 0: nothing is on the line */
};

void weft_progress_start(struct weft_progress *progress, const char *what, uint64_t total);
/* `done` of `total` are done. */
void weft_progress_step(struct weft_progress *progress, uint64_t done);
/* Clears the line. */
void weft_progress_end(struct weft_progress *progress);

#endif
