/* SPDX-License-Identifier: MIT
 *
 * The table of commands.def, and the options of `weft run` that src/base/options.def gives it.
 */
#include "commands.h"

#include "options.h"

#include <stdio.h>
#include <string.h>

const struct weft_command_row weft_commands[WEFT_NUM_COMMANDS] = {
#define WEFT_COMMAND(id, name, function, arguments, words, summary, description)                   \
	[WEFT_COMMAND_##id] = {name, function, arguments, words, summary, description},
#define WEFT_COMMAND_OPTION(...)
#include "commands.def"
#undef WEFT_COMMAND
#undef WEFT_COMMAND_OPTION
};

/* A flag that is on when nothing is said has an option that turns it off. */
#define NEGATIVE_FLAG(preset) (preset)
#define NEGATIVE_STRING(preset) false
#define NEGATIVE_FILE(preset) false
#define NEGATIVE_FOLDER(preset) false
#define NEGATIVE_NUMBER(preset) false
#define NEGATIVE_SIZE(preset) false
#define HELP_FLAG(preset, help) ((preset) ? "turn off: " help : help)
#define HELP_STRING(preset, help) help
#define HELP_FILE(preset, help) help
#define HELP_FOLDER(preset, help) help
#define HELP_NUMBER(preset, help) help
#define HELP_SIZE(preset, help) help
#define VALUE_FLAG NULL
#define VALUE_STRING "TEXT"
#define VALUE_FILE "FILE"
#define VALUE_FOLDER "FOLDER"
#define VALUE_NUMBER "NUMBER"
#define VALUE_SIZE "SIZE"

static const struct weft_option_row options[] = {
#define WEFT_COMMAND(...)
#define WEFT_COMMAND_OPTION(owner, option, letter_, name_, value_, words_, help_)                  \
	{.id = WEFT_##owner##_##option,                                                            \
	 .command = WEFT_COMMAND_##owner,                                                          \
	 .letter = letter_,                                                                        \
	 .name = name_,                                                                            \
	 .value = value_,                                                                          \
	 .words = words_,                                                                          \
	 .help = help_},
#include "commands.def"
#undef WEFT_COMMAND
#undef WEFT_COMMAND_OPTION
#define WEFT_OPTION(field, kind, variable_, preset, help_)                                         \
	{.id = WEFT_OPTION_VARIABLE,                                                               \
	 .command = WEFT_COMMAND_RUN,                                                              \
	 .name = #field,                                                                           \
	 .negative = NEGATIVE_##kind(preset),                                                      \
	 .value = VALUE_##kind,                                                                    \
	 .help = HELP_##kind(preset, help_),                                                       \
	 .variable = variable_},
#include "options.def"
#undef WEFT_OPTION
	{.id = WEFT_OPTION_HELP,
	 .command = WEFT_NUM_COMMANDS,
	 .letter = "-h",
	 .name = "help",
	 .help = "print this"},
};

#define NUM_OPTIONS (sizeof(options) / sizeof(*options))

/* WEFT_HELP=1 is for programs that cannot be given --help. */
static bool is_of(const struct weft_option_row *option, enum weft_command_id command)
{
	if (option->id == WEFT_OPTION_VARIABLE && strcmp(option->name, "help") == 0)
		return false;
	return option->command == command || option->command == WEFT_NUM_COMMANDS;
}

const struct weft_option_row *weft_next_option(enum weft_command_id command,
					       const struct weft_option_row *after)
{
	for (size_t i = after ? (size_t)(after - options) + 1 : 0; i < NUM_OPTIONS; i++) {
		if (is_of(&options[i], command))
			return &options[i];
	}
	return NULL;
}

void weft_option_name(const struct weft_option_row *option, char name[WEFT_OPTION_NAME_SIZE])
{
	snprintf(name, WEFT_OPTION_NAME_SIZE, "--%s%s", option->negative ? "no-" : "",
		 option->name);
	for (char *c = name; *c; c++) {
		if (*c == '_')
			*c = '-';
	}
}

enum weft_command_id weft_command_named(const char *name)
{
	int id = 0;

	while (id < WEFT_NUM_COMMANDS && strcmp(weft_commands[id].name, name) != 0)
		id++;
	return (enum weft_command_id)id;
}
