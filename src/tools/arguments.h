/* SPDX-License-Identifier: MIT
 *
 * Reads a command's arguments by its table of options, one after the other:
 *
 *	struct weft_arguments arguments = {.command = WEFT_COMMAND_RUN, .next = argv};
 *	while (weft_next_argument(&arguments))
 *		… arguments.option, arguments.value …
 *	if (arguments.ended)
 *		return arguments.result;
 */
#ifndef WEFT_TOOLS_ARGUMENTS_H
#define WEFT_TOOLS_ARGUMENTS_H

#include "commands.h"

struct weft_arguments {
	enum weft_command_id command;
	char **next;       /* what has not been read; ends with NULL */
	bool takes_dashes; /* unknown words with one dash are arguments like others */
	bool no_options;   /* "--" was read: all that follows are arguments */
	/* The one just read. */
	const struct weft_option_row *option; /* NULL: it is no option */
	const char *
		value; /* the option's value, borrowed; NULL: it takes none. Or the argument itself */
	/* Nothing is left to do: the help has been printed, or an argument is wrong and that has been said. */
	bool ended;
	enum weft_exit result;
};

/* False: there is none left, or `ended`. */
bool weft_next_argument(struct weft_arguments *arguments);

/* Says what is wrong, and ends. */
void weft_wrong_argument(struct weft_arguments *arguments, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* For commands that take no arguments but options: the argument just read is wrong. */
void weft_superfluous_argument(struct weft_arguments *arguments);

/* The help of a command on standard output. */
void weft_print_help(enum weft_command_id command);

#endif
