/* SPDX-License-Identifier: MIT
 *
 * Completion for zsh.
 */
#include "completion.h"

#include <stdio.h>
#include <string.h>

/* Words stand in single quotes, where none of ours has one; and ":" and brackets mean something to _arguments. */
#define SPECIAL ":[]\\"

static const char *const actions[][2] = {
	{"@files", "_files"},
	{"@folders", "_files -/"},
	{"@programs", "_command_names -e"},
	{"@commands", "_weft_commands"},
};

/* What _arguments does for an argument or a value. */
static void print_action(const char *words)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++) {
		if (strcmp(words, actions[i][0]) == 0) {
			fputs(actions[i][1], stdout);
			return;
		}
	}
	if (*words)
		printf("(%s)", words);
}

static void print_quoted(const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			printf("%s%c", strchr(SPECIAL, *text) ? "\\" : "", *text);
	}
}

static void print_option(const struct weft_option_row *option)
{
	char name[WEFT_OPTION_NAME_SIZE];

	weft_option_name(option, name);
	fputs(" \\\n\t\t\t", stdout);
	if (option->letter)
		printf("'(%s %s)'{%s,%s%s}", option->letter, name, option->letter, name,
		       option->value ? "=" : "");
	else
		printf("%s%s", name, option->value ? "=" : "");
	fputs("'[", stdout);
	print_quoted(option->help);
	putchar(']');
	if (option->value) {
		printf(":%s:", option->value);
		print_action(weft_option_words(option));
	}
	putchar('\'');
}

static void print_command(enum weft_command_id command)
{
	const struct weft_command_row *row = &weft_commands[command];
	const struct weft_option_row *option = NULL;

	printf("\t%s)\n\t\t_arguments -s", row->name);
	while ((option = weft_next_option(command, option)) != NULL)
		print_option(option);
	if (command == WEFT_COMMAND_RUN) {
		fputs(" \\\n\t\t\t'1:program:_command_names -e' '*::argument:_normal'", stdout);
	} else if (row->words) {
		fputs(" \\\n\t\t\t'*:argument:", stdout);
		print_action(row->words);
		putchar('\'');
	}
	fputs(" ;;\n", stdout);
}

void weft_print_zsh_completion(void)
{
	fputs("#compdef weft\n# zsh completion for weft, made by `weft completion zsh`.\n"
	      "_weft_commands()\n{\n\tlocal -a commands=(\n",
	      stdout);
	for (int i = 0; i < WEFT_NUM_COMMANDS; i++) {
		printf("\t\t'%s:", weft_commands[i].name);
		print_quoted(weft_commands[i].summary);
		fputs("'\n", stdout);
	}
	fputs("\t)\n\t_describe command commands\n}\n\n"
	      "_weft()\n{\n"
	      "\tif ((CURRENT == 2)); then\n\t\t_weft_commands\n\t\treturn\n\tfi\n"
	      "\tshift words\n\t((CURRENT--))\n"
	      "\tcase $words[1] in\n",
	      stdout);
	for (int i = 0; i < WEFT_NUM_COMMANDS; i++)
		print_command((enum weft_command_id)i);
	fputs("\tesac\n}\n\n"
	      "if [[ $funcstack[1] == _weft ]]; then\n\t_weft \"$@\"\nelse\n\tcompdef _weft "
	      "weft\nfi\n",
	      stdout);
}
