/* SPDX-License-Identifier: MIT
 *
 * The program `weft`: a table of commands.
 */
#include "commands.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct command {
	const char *name;
	const char *help;
	enum weft_exit (*run)(char **argv);
} commands[] = {
	{"compile", "compile a source or a SPIR-V module ahead of time", weft_compile_command},
};

#define NUM_COMMANDS (sizeof(commands) / sizeof(*commands))

void weft_complain(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	fputs("weft: ", stderr);
	vfprintf(stderr, format, values);
	fputc('\n', stderr);
	va_end(values);
}

static void print_help(FILE *file)
{
	fputs("usage: weft COMMAND [ARGUMENT…]\n\n", file);
	for (size_t i = 0; i < NUM_COMMANDS; i++)
		fprintf(file, "  weft %-10s %s\n", commands[i].name, commands[i].help);
	fputs("\nweft COMMAND --help says more. weft --version prints the version.\n", file);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return WEFT_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		print_help(stdout);
		return WEFT_EXIT_DONE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("weft " WEFT_VERSION);
		return WEFT_EXIT_DONE;
	}
	for (size_t i = 0; i < NUM_COMMANDS; i++) {
		if (strcmp(argv[1], commands[i].name) == 0)
			return (int)commands[i].run(argv + 2);
	}
	weft_complain("unknown command '%s'; weft --help lists them", argv[1]);
	return WEFT_EXIT_USAGE;
}
