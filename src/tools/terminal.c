/* SPDX-License-Identifier: MIT
 *
 * Escape sequences of ECMA-48, which every terminal in use has.
 */
#include "terminal.h"

#include "clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE UINT64_C(1000000000) /* ns before the first line */
#define INTERVAL UINT64_C(100000000)  /* ns between lines */
#define WIDTH 30                      /* columns of the bar */

static bool is_terminal(int file)
{
	const char *kind = secure_getenv("TERM");

	return isatty(file) && kind && strcmp(kind, "dumb") != 0;
}

void weft_print_coloured(enum weft_colour colour, const char *text)
{
	static const char *const codes[] = {
		[WEFT_GREEN] = "32", [WEFT_YELLOW] = "33", [WEFT_RED] = "31", [WEFT_BOLD] = "1"};
	const char *without = secure_getenv("NO_COLOR");

	if (is_terminal(STDOUT_FILENO) && !(without && *without))
		printf("\033[%sm%s\033[0m", codes[colour], text);
	else
		fputs(text, stdout);
}

void weft_progress_start(struct weft_progress *progress, const char *what, uint64_t total)
{
	*progress = (struct weft_progress){what, total ? total : 1, weft_clock_now(), 0};
}

void weft_progress_step(struct weft_progress *progress, uint64_t done)
{
	static const char bar[WIDTH + 1] = "##############################";
	const uint64_t now = weft_clock_now();

	if (now - progress->start < PATIENCE || now - progress->shown < INTERVAL ||
	    !is_terminal(STDERR_FILENO))
		return;
	const int filled = (int)(done >= progress->total ? WIDTH : WIDTH * done / progress->total);
	fprintf(stderr, "\r%s [%.*s%*s] %3d%%", progress->what, filled, bar, WIDTH - filled, "",
		filled * 100 / WIDTH);
	progress->shown = now;
}

void weft_progress_end(struct weft_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
}
