/* SPDX-License-Identifier: MIT
 *
 * Options are "-o VALUE", "--name VALUE" or "--name=VALUE".
 */
#include "arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void complain(const char *format, va_list values)
{
	fputs("weft: ", stderr);
	vfprintf(stderr, format, values);
	fputc('\n', stderr);
}

void weft_complain(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	complain(format, values);
	va_end(values);
}

void weft_wrong_argument(struct weft_arguments *arguments, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	complain(format, values);
	va_end(values);
	arguments->ended = true;
	arguments->result = WEFT_EXIT_USAGE;
}

void weft_superfluous_argument(struct weft_arguments *arguments)
{
	const char *name = weft_commands[arguments->command].name;

	weft_wrong_argument(arguments, "weft %s does not take '%s'; weft %s --help says more", name,
			    arguments->value, name);
}

/* The option that `word` is, up to a "=" that may follow a long name. */
static const struct weft_option_row *find_option(enum weft_command_id command, const char *word)
{
	const struct weft_option_row *option = NULL;
	char name[WEFT_OPTION_NAME_SIZE];
	const bool is_long = strncmp(word, "--", 2) == 0;
	const size_t length = is_long ? strcspn(word, "=") : strlen(word);

	while ((option = weft_next_option(command, option)) != NULL) {
		weft_option_name(option, name);
		if (is_long && strlen(name) == length && memcmp(word, name, length) == 0)
			break;
		if (!is_long && option->letter && strcmp(word, option->letter) == 0)
			break;
	}
	return option;
}

/* The value of the option just found, which is in its word or the next one. */
static void take_value(struct weft_arguments *arguments, const char *word)
{
	const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;

	arguments->value = NULL;
	if (!arguments->option->value) {
		if (equals)
			weft_wrong_argument(arguments, "%.*s takes no value", (int)(equals - word),
					    word);
		return;
	}
	arguments->value = equals ? equals + 1 : *arguments->next;
	if (!arguments->value)
		weft_wrong_argument(arguments, "%s wants a value", word);
	else if (!equals)
		arguments->next++;
}

bool weft_next_argument(struct weft_arguments *arguments)
{
	const char *word;

	if (!arguments->ended && !arguments->no_options && *arguments->next &&
	    strcmp(*arguments->next, "--") == 0) {
		arguments->no_options = true;
		arguments->next++;
	}
	if (arguments->ended || !*arguments->next)
		return false;
	word = *arguments->next++;
	arguments->option = NULL;
	arguments->value = word;
	if (arguments->no_options || *word != '-' || word[1] == '\0')
		return true;
	arguments->option = find_option(arguments->command, word);
	if (!arguments->option) {
		if (arguments->takes_dashes && word[1] != '-')
			return true;
		weft_wrong_argument(arguments, "unknown option '%s'; weft %s --help lists them",
				    word, weft_commands[arguments->command].name);
		return false;
	}
	take_value(arguments, word);
	if (!arguments->ended && arguments->option->id == WEFT_OPTION_HELP) {
		weft_print_help(arguments->command);
		arguments->ended = true;
		arguments->result = WEFT_EXIT_DONE;
	}
	return !arguments->ended;
}
