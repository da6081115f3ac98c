/* SPDX-License-Identifier: MIT
 *
 * `weft run`: sets the variables of OpenCL loaders and of Weft, and becomes the program.
 */
#include "arguments.h"
#include "loaders.h"
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As env and nohup end. */
#define EXIT_CANNOT_RUN 126
#define EXIT_NOT_FOUND 127

/* An option that stands for an environment variable. */
static void set_variable(struct weft_arguments *arguments)
{
	const struct weft_option_row *option = arguments->option;
	const char *value = arguments->value ? arguments->value : option->negative ? "0" : "1";

	if (!weft_option_takes(option->variable, value))
		weft_wrong_argument(arguments, "%s does not take '%s'", option->variable, value);
	else if (setenv(option->variable, value, 1) != 0)
		weft_wrong_argument(arguments, "out of memory");
}

static enum weft_exit become(char **program)
{
	execvp(program[0], program);
	const int error = errno;
	weft_complain("%s: %s", program[0], strerror(error));
	return (enum weft_exit)(error == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

enum weft_exit weft_run_command(char **argv)
{
	struct weft_arguments arguments = {.command = WEFT_COMMAND_RUN, .next = argv};
	char **program = NULL;
	bool only = false;

	while (!program && weft_next_argument(&arguments)) {
		if (!arguments.option)
			program = arguments.next - 1;
		else if (arguments.option->id == WEFT_RUN_ONLY)
			only = true;
		else
			set_variable(&arguments);
	}
	if (!arguments.ended && !program)
		weft_wrong_argument(&arguments, "which program? weft run --help says more");
	if (arguments.ended)
		return arguments.result;
	if (!weft_set_loaders(only))
		return WEFT_EXIT_TROUBLE;
	return become(program);
}
