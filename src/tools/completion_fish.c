/* SPDX-License-Identifier: MIT
 *
 * Completion for fish.
 */
#include "completion.h"

#include <stdio.h>
#include <string.h>

#define SPECIAL "'\\"

/* What a value or an argument is: files where there are no words. */
static void print_words(const char *words)
{
	if (strcmp(words, "@folders") == 0) {
		fputs(" -a '(__fish_complete_directories)'", stdout);
	} else if (strcmp(words, "@programs") == 0) {
		fputs(" -a '(__fish_complete_subcommand --fcs-skip=2)'", stdout);
	} else if (strcmp(words, "@commands") == 0) {
		fputs(" -a '", stdout);
		for (int i = 0; i < WEFT_NUM_COMMANDS; i++)
			printf("%s%s", i ? " " : "", weft_commands[i].name);
		putchar('\'');
	} else if (strcmp(words, "@files") == 0) {
		fputs(" -F", stdout);
	} else if (*words) {
		printf(" -a '%s'", words);
	}
}

static void print_condition(const char *command)
{
	printf("complete -c weft -n '__weft_command_is %s'", command);
}

static void print_command(enum weft_command_id command)
{
	const struct weft_command_row *row = &weft_commands[command];
	const struct weft_option_row *option = NULL;
	char name[WEFT_OPTION_NAME_SIZE];

	printf("complete -c weft -n __weft_needs_command -a %s -d '", row->name);
	weft_print_escaped(row->summary, SPECIAL);
	fputs("'\n", stdout);
	while ((option = weft_next_option(command, option)) != NULL) {
		weft_option_name(option, name);
		print_condition(row->name);
		printf(" -l %s", name + 2);
		if (option->letter)
			printf(" -s %s", option->letter + 1);
		if (option->value) {
			fputs(strcmp(weft_option_words(option), "@files") == 0 ? " -r" : " -x",
			      stdout);
			print_words(weft_option_words(option));
		}
		fputs(" -d '", stdout);
		weft_print_escaped(option->help, SPECIAL);
		fputs("'\n", stdout);
	}
	if (row->words) {
		print_condition(row->name);
		print_words(row->words);
		putchar('\n');
	}
}

void weft_print_fish_completion(void)
{
	fputs("# fish completion for weft, made by `weft completion fish`.\n"
	      "function __weft_command_is\n"
	      "\tset -l words (commandline -opc)\n"
	      "\ttest (count $words) -ge 2; and test $words[2] = $argv[1]\n"
	      "end\n"
	      "function __weft_needs_command\n"
	      "\ttest (count (commandline -opc)) -eq 1\n"
	      "end\n"
	      "complete -c weft -f\n"
	      "complete -c weft -n __weft_needs_command -l help -d 'list the commands'\n"
	      "complete -c weft -n __weft_needs_command -l version -d 'print the version'\n",
	      stdout);
	for (int i = 0; i < WEFT_NUM_COMMANDS; i++)
		print_command((enum weft_command_id)i);
}
