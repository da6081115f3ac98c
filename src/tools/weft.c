/* SPDX-License-Identifier: MIT
 *
 * The program `weft`: runs the command that its first argument names.
 */
#include "commands.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void print_help(FILE *file)
{
	fputs("usage: weft COMMAND [ARGUMENT...]\n\n", file);
	for (size_t i = 0; i < WEFT_NUM_COMMANDS; i++)
		fprintf(file, "  weft %-10s %s\n", weft_commands[i].name, weft_commands[i].summary);
	fputs("\nweft COMMAND --help says more. weft --version prints the version.\n", file);
}

/* What standard output still holds may not fit on the disk. */
static int finish(enum weft_exit result)
{
	if ((fflush(stdout) != 0 || ferror(stdout)) && result == WEFT_EXIT_DONE) {
		weft_complain("standard output cannot be written");
		result = WEFT_EXIT_TROUBLE;
	}
	return (int)result;
}

/* A file that is opened later must not become a closed standard stream. What takes its place fails as it would, and goes when
 * another program is run. */
static void occupy_streams(void)
{
	int file;

	do
		file = open("/dev/null",
			    O_CLOEXEC | (fcntl(STDIN_FILENO, F_GETFD) < 0 ? O_WRONLY : O_RDONLY));
	while (file >= 0 && file <= STDERR_FILENO);
	if (file >= 0)
		close(file);
}

int main(int argc, char **argv)
{
	occupy_streams();
	if (argc < 2) {
		print_help(stderr);
		return WEFT_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		print_help(stdout);
		return finish(WEFT_EXIT_DONE);
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("weft " WEFT_VERSION);
		return finish(WEFT_EXIT_DONE);
	}
	const enum weft_command_id id = weft_command_named(argv[1]);
	if (id != WEFT_NUM_COMMANDS)
		return finish(weft_commands[id].run(argv + 2));
	weft_complain("unknown command '%s'; weft --help lists them", argv[1]);
	return WEFT_EXIT_USAGE;
}
