/* SPDX-License-Identifier: MIT
 *
 * The help text of a command, in lines of 79 columns.
 */
#include "arguments.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS 79
#define WIDEST_OPTION 22 /* a longer one has a line of its own */

/* Prints words up to the end of `text` or of its line, each line from column `indent` on; `column` is where the first one begins. */
static const char *print_line(const char *text, size_t indent, size_t column)
{
	while (*text && *text != '\n') {
		const size_t length = strcspn(text, " \n");

		if (column > indent && column + 1 + length > COLUMNS) {
			printf("\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)length, text);
		column += length;
		text += length;
		text += *text == ' ';
	}
	putchar('\n');
	return *text ? text + 1 : text;
}

/* Paragraphs; a line that begins with a space is indented. */
static void print_text(const char *text)
{
	while (*text) {
		const bool is_indented = *text == ' ';

		if (is_indented)
			fputs("    ", stdout);
		text = print_line(text + is_indented, is_indented ? 4 : 0, is_indented ? 4 : 0);
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
	print_line(option->help, (size_t)indent, (size_t)indent);
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
