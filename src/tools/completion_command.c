/* SPDX-License-Identifier: MIT
 *
 * `weft completion`.
 */
#include "completion.h"

#include "arguments.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	void (*print)(void);
} shells[] = {
	{"bash", weft_print_bash_completion},
	{"zsh", weft_print_zsh_completion},
	{"fish", weft_print_fish_completion},
};

const char *weft_option_words(const struct weft_option_row *option)
{
	static const struct {
		const char *variable;
		const char *words;
	} known[] = {
		{"WEFT_DEVICES", "pthread basic accel"},
		{"WEFT_AFFINITY", "none compact spread"},
		{"WEFT_LOG", "error warn info debug"},
	};

	if (option->words)
		return option->words;
	for (size_t i = 0; option->variable && i < sizeof(known) / sizeof(*known); i++) {
		if (strcmp(option->variable, known[i].variable) == 0)
			return known[i].words;
	}
	if (option->value && strcmp(option->value, "FILE") == 0)
		return "@files";
	return option->value && strcmp(option->value, "FOLDER") == 0 ? "@folders" : "";
}

void weft_print_escaped(const char *text, const char *special)
{
	for (; *text; text++) {
		if (strchr(special, *text))
			putchar('\\');
		putchar(*text);
	}
}

enum weft_exit weft_completion_command(char **argv)
{
	struct weft_arguments arguments = {.command = WEFT_COMMAND_COMPLETION, .next = argv};
	const char *shell = NULL;

	while (weft_next_argument(&arguments)) {
		if (shell)
			weft_superfluous_argument(&arguments);
		shell = arguments.value;
	}
	if (arguments.ended)
		return arguments.result;
	for (size_t i = 0; shell && i < sizeof(shells) / sizeof(*shells); i++) {
		if (strcmp(shell, shells[i].name) == 0) {
			shells[i].print();
			return WEFT_EXIT_DONE;
		}
	}
	weft_complain("weft completion takes bash, zsh or fish");
	return WEFT_EXIT_USAGE;
}
