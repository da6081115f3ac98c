/* SPDX-License-Identifier: MIT
 *
 * The arguments of `weft compile`.
 */
#ifndef WEFT_TOOLS_COMPILE_OPTIONS_H
#define WEFT_TOOLS_COMPILE_OPTIONS_H

#include "commands.h"
#include "compiler.h"
#include "strbuf.h"

#include <stdbool.h>

/* Strings are borrowed from the arguments. */
struct compile_options {
	const char *input;
	const char *output; /* "-": standard output; NULL: beside the input */
	const char *cpu;    /* NULL: this machine's */
	enum weft_emit emit;
	bool report;
	bool list_cpus;
	bool help;
	bool has_language;        /* -cl-std= is among the build options */
	struct weft_strbuf build; /* owned: the build options, as clBuildProgram takes them */
};

extern const char weft_compile_help[];

/* WEFT_EXIT_DONE, or what is wrong has been said. `options->build` is the caller's to free either way. */
enum weft_exit weft_compile_parse(char **argv, struct compile_options *options);

/* Adds a build option, one word. */
void weft_compile_add(struct compile_options *options, const char *word);

#endif
