/* SPDX-License-Identifier: MIT
 *
 * `weft man`: man pages, in the language of man(7).
 */
#include "arguments.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* A piece of text within a line. */
static void print_text(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '-')
			fputs("\\-", stdout);
		else if (text[i] == '\\')
			fputs("\\e", stdout);
		else
			putchar(text[i]);
	}
}

static void print_word(const char *text)
{
	print_text(text, strlen(text));
}

/* Paragraphs; a line that begins with a space stays a line. */
static void print_description(const char *text)
{
	while (*text) {
		const size_t length = strcspn(text, "\n");

		if (length == 0) {
			puts(".PP");
		} else if (*text == ' ') {
			fputs(".br\n\\&", stdout);
			print_text(text + 1, length - 1);
			putchar('\n');
		} else {
			fputs("\\&", stdout);
			print_text(text, length);
			putchar('\n');
		}
		text += length + (text[length] == '\n');
	}
}

static void print_head(const char *page, const char *summary)
{
	fputs(".TH ", stdout);
	for (const char *c = page; *c; c++)
		putchar(toupper(*c));
	fputs(" 1 \"\" \"Weft " WEFT_VERSION "\" \"User Commands\"\n.SH NAME\n", stdout);
	print_word(page);
	fputs(" \\- ", stdout);
	print_word(summary);
	puts("\n.SH SYNOPSIS");
}

static void print_option(const struct weft_option_row *option)
{
	char name[WEFT_OPTION_NAME_SIZE];

	weft_option_name(option, name);
	fputs(".TP\n\\fB", stdout);
	if (option->letter) {
		print_word(option->letter);
		fputs("\\fR, \\fB", stdout);
	}
	print_word(name);
	fputs("\\fR", stdout);
	if (option->value)
		printf(" \\fI%s\\fR", option->value);
	fputs("\n\\&", stdout);
	print_word(option->help);
	if (option->variable)
		printf(" (\\fB%s\\fR)", option->variable);
	putchar('\n');
}

static void print_command_page(enum weft_command_id command)
{
	const struct weft_command_row *row = &weft_commands[command];
	const struct weft_option_row *option = NULL;
	char page[64];

	snprintf(page, sizeof(page), "weft-%s", row->name);
	print_head(page, row->summary);
	printf("\\fBweft %s\\fR [\\fIOPTION\\fR...]%s", row->name, *row->arguments ? " " : "");
	print_word(row->arguments);
	puts("\n.SH DESCRIPTION");
	print_description(row->description);
	puts(".SH OPTIONS");
	while ((option = weft_next_option(command, option)) != NULL)
		print_option(option);
	puts(".SH SEE ALSO\n\\fBweft\\fR(1)");
}

static void print_program_page(void)
{
	print_head("weft", "OpenCL on the CPU");
	puts("\\fBweft\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n.SH DESCRIPTION\n"
	     "Weft is an OpenCL driver for CPUs. Programs find it by their OpenCL loader; this "
	     "program is for all that needs "
	     "no program.\n.SH COMMANDS");
	for (int i = 0; i < WEFT_NUM_COMMANDS; i++) {
		printf(".TP\n\\fBweft\\-%s\\fR(1)\n", weft_commands[i].name);
		print_word(weft_commands[i].summary);
		putchar('\n');
	}
	puts(".SH ENVIRONMENT\nThe options of \\fBweft\\-run\\fR(1) name the variables that Weft "
	     "reads in any program.");
}

enum weft_exit weft_man_command(char **argv)
{
	struct weft_arguments arguments = {.command = WEFT_COMMAND_MAN, .next = argv};
	enum weft_command_id command = WEFT_NUM_COMMANDS;
	bool found = false;

	while (weft_next_argument(&arguments)) {
		if (found)
			weft_superfluous_argument(&arguments);
		command = weft_command_named(arguments.value);
		if (command == WEFT_NUM_COMMANDS)
			weft_wrong_argument(&arguments, "there is no command '%s'",
					    arguments.value);
		found = true;
	}
	if (arguments.ended)
		return arguments.result;
	if (found)
		print_command_page(command);
	else
		print_program_page();
	return WEFT_EXIT_DONE;
}
