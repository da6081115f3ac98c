/* SPDX-License-Identifier: MIT
 *
 * The arguments of `weft compile`. What is none of its own and begins with "-" is a build option.
 */
#include "compile_options.h"

#include "arguments.h"

#include <string.h>

static void set_emit(struct compile_options *options, struct weft_arguments *arguments)
{
	static const char *const names[] = {
		[WEFT_EMIT_KERNELS] = "binary",
		[WEFT_EMIT_SOURCE_IR] = "source-ir",
		[WEFT_EMIT_IR] = "ir",
		[WEFT_EMIT_ASSEMBLY] = "assembly",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(arguments->value, names[i]) == 0) {
			options->emit = (enum weft_emit)i;
			return;
		}
	}
	weft_wrong_argument(arguments, "--emit takes binary, source-ir, ir or assembly, not '%s'",
			    arguments->value);
}

void weft_compile_add(struct compile_options *options, const char *word)
{
	weft_strbuf_puts(&options->build, options->build.size ? " \"" : "\"");
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			weft_strbuf_puts(&options->build, "\\");
		weft_strbuf_add(&options->build, word, 1);
	}
	weft_strbuf_puts(&options->build, "\"");
}

static void take_option(struct compile_options *options, struct weft_arguments *arguments)
{
	const char *value = arguments->value;

	switch ((int)arguments->option->id) {
	case WEFT_COMPILE_OUTPUT:
		options->output = value;
		break;
	case WEFT_COMPILE_CPU:
		options->cpu = strcmp(value, "native") == 0 ? NULL : value;
		break;
	case WEFT_COMPILE_EMIT:
		set_emit(options, arguments);
		break;
	case WEFT_COMPILE_LIST_CPUS:
		options->list_cpus = true;
		break;
	default: /* WEFT_COMPILE_REPORT */
		options->report = true;
	}
}

/* A build option or the file. */
static void take_word(struct compile_options *options, struct weft_arguments *arguments)
{
	const char *word = arguments->value;

	if (*word != '-' || strcmp(word, "-") == 0 || arguments->no_options) {
		if (options->input)
			weft_wrong_argument(arguments, "one file at a time: '%s' and '%s'",
					    options->input, word);
		options->input = word;
		return;
	}
	options->has_language = options->has_language || strncmp(word, "-cl-std=", 8) == 0;
	weft_compile_add(options, word);
	if ((strcmp(word, "-D") == 0 || strcmp(word, "-I") == 0) && *arguments->next)
		weft_compile_add(options, *arguments->next++);
}

bool weft_compile_parse(char **argv, struct compile_options *options, enum weft_exit *result)
{
	struct weft_arguments arguments = {
		.command = WEFT_COMMAND_COMPILE, .next = argv, .takes_dashes = true};

	while (weft_next_argument(&arguments)) {
		if (arguments.option)
			take_option(options, &arguments);
		else
			take_word(options, &arguments);
	}
	if (!arguments.ended && !options->input && !options->list_cpus)
		weft_wrong_argument(&arguments, "which file? weft compile --help says more");
	*result = arguments.result;
	return !arguments.ended;
}
