/* SPDX-License-Identifier: MIT
 *
 * The commands of the program `weft`.
 */
#ifndef WEFT_TOOLS_COMMANDS_H
#define WEFT_TOOLS_COMMANDS_H

/* What the program ends with. */
enum weft_exit {
	WEFT_EXIT_DONE = 0,
	WEFT_EXIT_REFUSED = 1, /* the source does not compile: standard error says where */
	WEFT_EXIT_USAGE = 2,   /* wrong arguments */
	WEFT_EXIT_TROUBLE = 3, /* a file cannot be read or written, no memory, no compiler */
};

/* `argv` holds what follows the command's name, and ends with NULL. */
enum weft_exit weft_compile_command(char **argv);

/* "weft: TEXT" and a new line on standard error. */
void weft_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
