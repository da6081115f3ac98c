/* SPDX-License-Identifier: MIT
 *
 * Completion for bash, with or without the package bash-completion, which completes the arguments of the program that `weft run`
 * runs.
 */
#include "completion.h"

#include <stdio.h>
#include <string.h>

static const char head[] =
	"# bash completion for weft, made by `weft completion bash`.\n"
	"_weft_offer()\n"
	"{\n"
	"\tlocal IFS=$'\\n'\n"
	"\tcase $1 in\n"
	"\t@files) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); compopt -o filenames "
	"2>/dev/null ;;\n"
	"\t@folders) mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"); compopt -o filenames "
	"2>/dev/null ;;\n"
	"\t@programs) mapfile -t COMPREPLY < <(compgen -c -- \"$cur\"; compgen -f -- \"$cur\") ;;\n"
	"\t*) mapfile -t COMPREPLY < <(compgen -W \"${1// /$'\\n'}\" -- \"$cur\") ;;\n"
	"\tesac\n"
	"}\n"
	"\n"
	"_weft()\n"
	"{\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	"\tlocal command=${COMP_WORDS[1]} i options words\n"
	"\tCOMPREPLY=()\n"
	"\t[[ $prev != = ]] || prev=${COMP_WORDS[COMP_CWORD-2]}\n"
	"\t[[ $cur != = ]] || cur=\n";

static const char tail[] = "\tif [[ $cur == -* ]]; then\n"
			   "\t\t_weft_offer \"$options\"\n"
			   "\telse\n"
			   "\t\t_weft_offer \"$words\"\n"
			   "\tfi\n"
			   "}\n"
			   "complete -F _weft weft\n";

static void print_words(const char *words)
{
	if (!words || strcmp(words, "@commands") != 0) {
		fputs(words ? words : "", stdout);
		return;
	}
	for (int i = 0; i < WEFT_NUM_COMMANDS; i++)
		printf("%s%s", i ? " " : "", weft_commands[i].name);
}

/* "COMMAND:--name|COMMAND:-letter", for a case of the shell. */
static void print_case(enum weft_command_id command, const struct weft_option_row *option)
{
	char name[WEFT_OPTION_NAME_SIZE];

	weft_option_name(option, name);
	printf("%s:%s", weft_commands[command].name, name);
	if (option->letter)
		printf("|%s:%s", weft_commands[command].name, option->letter);
}

static void print_values(enum weft_command_id command)
{
	const struct weft_option_row *option = NULL;

	while ((option = weft_next_option(command, option)) != NULL) {
		if (!option->value)
			continue;
		fputs("\t", stdout);
		print_case(command, option);
		printf(") _weft_offer \"%s\"; return ;;\n", weft_option_words(option));
	}
}

static void print_command(enum weft_command_id command)
{
	const struct weft_option_row *option = NULL;
	char name[WEFT_OPTION_NAME_SIZE];

	printf("\t%s)\n\t\toptions=\"", weft_commands[command].name);
	while ((option = weft_next_option(command, option)) != NULL) {
		weft_option_name(option, name);
		printf("%s%s%s ", option->letter ? option->letter : "", option->letter ? " " : "",
		       name);
	}
	fputs("\"\n\t\twords=\"", stdout);
	print_words(weft_commands[command].words);
	fputs("\" ;;\n", stdout);
}

/* Where the program is among the words of `weft run`: behind options and their values. */
static void print_program(void)
{
	const struct weft_option_row *option = NULL;

	fputs("\tif [[ $command == run ]]; then\n"
	      "\t\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
	      "\t\t\tcase run:${COMP_WORDS[i]} in\n\t\t\t",
	      stdout);
	while ((option = weft_next_option(WEFT_COMMAND_RUN, option)) != NULL) {
		if (option->value) {
			print_case(WEFT_COMMAND_RUN, option);
			putchar('|');
		}
	}
	fputs("run:=) ((i++)) ;;\n"
	      "\t\t\trun:-*) ;;\n"
	      "\t\t\t*)\n"
	      "\t\t\t\tif declare -F _command_offset >/dev/null; then\n"
	      "\t\t\t\t\t_command_offset $i\n"
	      "\t\t\t\telse\n"
	      "\t\t\t\t\t_weft_offer @files\n"
	      "\t\t\t\tfi\n"
	      "\t\t\t\treturn ;;\n"
	      "\t\t\tesac\n"
	      "\t\tdone\n"
	      "\tfi\n",
	      stdout);
}

void weft_print_bash_completion(void)
{
	fputs(head, stdout);
	fputs("\tif ((COMP_CWORD == 1)); then\n\t\t_weft_offer \"", stdout);
	print_words("@commands");
	fputs(" --help --version\"\n\t\treturn\n\tfi\n", stdout);
	print_program();
	fputs("\tcase $command:$prev in\n", stdout);
	for (int i = 0; i < WEFT_NUM_COMMANDS; i++)
		print_values((enum weft_command_id)i);
	fputs("\tesac\n\tcase $command in\n", stdout);
	for (int i = 0; i < WEFT_NUM_COMMANDS; i++)
		print_command((enum weft_command_id)i);
	fputs("\tesac\n", stdout);
	fputs(tail, stdout);
}
