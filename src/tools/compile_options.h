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
	bool has_language;        /* -cl-std= is among the build options */
	struct weft_strbuf build; /* owned: the build options, as clBuildProgram takes them */
};

/* False: there is nothing to do any more, and *result is what the program ends with. `options->build` is the caller's to free
 * either way. */
bool weft_compile_parse(char **argv, struct compile_options *options, enum weft_exit *result);

/* Adds a build option, one word. */
void weft_compile_add(struct compile_options *options, const char *word);

#endif
