/* SPDX-License-Identifier: MIT
 *
 * The commands of the program `weft`.
 */
#ifndef WEFT_TOOLS_COMMANDS_H
#define WEFT_TOOLS_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

/* What the program ends with. */
enum weft_exit {
	WEFT_EXIT_DONE = 0,
	WEFT_EXIT_REFUSED =
		1, /* what was looked at is not right: a source, a cache, an installation */
	WEFT_EXIT_USAGE = 2,   /* wrong arguments */
	WEFT_EXIT_TROUBLE = 3, /* a file cannot be read or written, no memory, no compiler */
};

enum weft_command_id {
#define WEFT_COMMAND(id, ...) WEFT_COMMAND_##id,
#define WEFT_COMMAND_OPTION(...)
#include "commands.def"
#undef WEFT_COMMAND
#undef WEFT_COMMAND_OPTION
	WEFT_NUM_COMMANDS
};

enum weft_option_id {
	WEFT_OPTION_HELP,     /* -h and --help of every command */
	WEFT_OPTION_VARIABLE, /* an option of `weft run` that stands for an environment variable */
#define WEFT_COMMAND(...)
#define WEFT_COMMAND_OPTION(command, id, ...) WEFT_##command##_##id,
#include "commands.def"
#undef WEFT_COMMAND
#undef WEFT_COMMAND_OPTION
};

struct weft_command_row {
	const char *name;
	/* `argv` holds what follows the command's name, and ends with NULL. */
	enum weft_exit (*run)(char **argv);
	const char *arguments; /* as the help shows them; "": none */
	const char *
		words; /* what a shell offers for an argument, as commands.def says; NULL: nothing */
	const char *summary;
	const char *description;
};

struct weft_option_row {
	enum weft_option_id id;
	enum weft_command_id command; /* WEFT_NUM_COMMANDS: of every command */
	const char *letter;           /* "-o"; NULL: none */
	const char *name;             /* behind "--", or "--no-"; '_' stands for '-' */
	bool negative;                /* it is "--no-NAME" */
	const char *value;            /* what the value is called; NULL: it takes none */
	const char
		*words; /* what a shell offers for the value, as commands.def says; NULL: nothing */
	const char *help;
	const char *variable; /* of WEFT_OPTION_VARIABLE */
};

extern const struct weft_command_row weft_commands[WEFT_NUM_COMMANDS];

/* The options of a command, one after the other, --help the last: the one behind `after`, which is NULL for the first. NULL: no
 * more. */
const struct weft_option_row *weft_next_option(enum weft_command_id command,
					       const struct weft_option_row *after);

#define WEFT_OPTION_NAME_SIZE 40

/* "--name" as it is typed. */
void weft_option_name(const struct weft_option_row *option, char name[WEFT_OPTION_NAME_SIZE]);

/* WEFT_NUM_COMMANDS: there is none of that name. */
enum weft_command_id weft_command_named(const char *name);

/* "weft: TEXT" and a new line on standard error. */
void weft_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define WEFT_DECLARE_COMMAND(function) enum weft_exit function(char **argv);
#define WEFT_COMMAND(id, name, function, ...) WEFT_DECLARE_COMMAND(function)
#define WEFT_COMMAND_OPTION(...)
#include "commands.def"
#undef WEFT_COMMAND
#undef WEFT_COMMAND_OPTION
#undef WEFT_DECLARE_COMMAND

#endif
