/* SPDX-License-Identifier: MIT
 *
 * The help text of a command, as lines for a terminal.
 */
#include "arguments.h"
#include "text.h"

#include <stdio.h>

#define WIDEST_OPTION 22 /* a longer one has a line of its own */

/* Paragraphs; a line that begins with a space is indented. */
static void print_text(const char *text)
{
	while (*text) {
		const bool is_indented = *text == ' ';

		if (is_indented)
			fputs("    ", stdout);
		text = weft_print_wrapped(text + is_indented, is_indented ? 4 : 0,
					  is_indented ? 4 : 0);
	}
}

static void print_option(const struct weft_option_row *option)
{
	char name[WEFT_OPTION_NAME_SIZE];

	weft_option_name(option, name);
	const int length = printf("  %s%s%s%s%s", option->letter ? option->letter : "",
				  option->letter ? ", " : "", name, option->value ? " " : "",
				  option->value ? option->value : "");
	const int indent = WIDEST_OPTION + 2;
	if (length + 2 > indent)
		printf("\n%*s", indent, "");
	else
		printf("%*s", indent - length, "");
	weft_print_wrapped(option->help, (size_t)indent, (size_t)indent);
}

void weft_print_help(enum weft_command_id command)
{
	const struct weft_command_row *row = &weft_commands[command];
	const struct weft_option_row *option = NULL;

	printf("usage: weft %s [OPTION...]%s%s\n\n", row->name, *row->arguments ? " " : "",
	       row->arguments);
	print_text(row->description);
	putchar('\n');
	while ((option = weft_next_option(command, option)) != NULL)
		print_option(option);
}
