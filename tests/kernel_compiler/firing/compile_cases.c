/* SPDX-License-Identifier: MIT
 *
 * Compiles the kernel benchmark's cases for one of a few targets, none of which is this machine. With WEFT_LOG=passes=debug
 * the compiler says on standard error which passes change something; a line "case NAME" precedes what it says of each case.
 *
 * usage: compile_cases TARGET FOLDER <CASES
 * FOLDER has the kernels' sources; CASES are the lines that `kernels --list` prints. A kernel is compiled for any local size,
 * and if it gains by a known one for the case's, too.
 */
#include "kernel_runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct named_target {
	const char *name;
	struct runner_target target;
};

static const struct named_target targets[] = {
	{"avx2", {.cpu = "x86-64-v3"}},
	{"avx512", {.cpu = "znver4", .slow_gathers = true}},
	{"simulator", {.cpu = "x86-64-v3", .costs = &runner_costs}},
	{"simulator-cache", {.cpu = "x86-64-v3", .costs = &runner_reporting_costs}},
};

static const struct runner_target *find_target(const char *name)
{
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		if (strcmp(targets[i].name, name) == 0)
			return &targets[i].target;
	}
	return NULL;
}

/* Owned by the caller. NULL when there is none. */
static char *read_source(const char *folder, const char *kernel)
{
	char path[4096];
	char *text = NULL;
	size_t size = 0;

	snprintf(path, sizeof(path), "%s/%s.cl", folder, kernel);
	FILE *file = fopen(path, "r");
	if (!file)
		return NULL;
	if (getdelim(&text, &size, 0, file) < 0) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

/* Strings are parts of the line. */
struct listed_case {
	const char *name, *kernel, *options;
	size_t local[3];
};

/* The next word. NULL: there is none, and `*rest` is NULL. */
static char *take_word(char **rest)
{
	while (*rest && **rest == ' ')
		++*rest;
	return strsep(rest, " ");
}

static bool parse_case(char *line, struct listed_case *listed)
{
	char *rest = line;

	listed->name = take_word(&rest);
	listed->kernel = take_word(&rest);
	char *sizes = take_word(&rest);
	for (size_t d = 0; d < 3; d++) {
		const char *size = sizes ? strsep(&sizes, "x") : NULL;
		if (!size)
			return false;
		listed->local[d] = strtoul(size, NULL, 10);
	}
	listed->options = rest ? rest : "";
	return true;
}

static bool compile(const struct listed_case *listed, const struct runner_target *target,
		    const char *folder)
{
	struct runner_target with_options = *target;
	char *source = read_source(folder, listed->kernel);
	char *log = NULL;

	fprintf(stderr, "case %s\n", listed->name);
	if (!source) {
		fprintf(stderr, "no source\n");
		return false;
	}
	with_options.options = listed->options;
	struct runner *runner = runner_try_build(source, &with_options, &log);
	free(source);
	if (!runner) {
		fprintf(stderr, "%s\n", log);
		free(log);
		return false;
	}
	if (listed->local[0] > 0) {
		struct runner *version = runner_version(runner, listed->kernel, listed->local);
		if (version)
			runner_destroy(version);
	}
	runner_destroy(runner);
	return true;
}

int main(int argc, char **argv)
{
	const struct runner_target *target = argc == 3 ? find_target(argv[1]) : NULL;
	char line[1024];
	bool good = true;

	if (!target) {
		fprintf(stderr, "usage: %s TARGET FOLDER\n", argv[0]);
		return 2;
	}
	while (fgets(line, sizeof(line), stdin)) {
		struct listed_case listed;

		line[strcspn(line, "\n")] = 0;
		good = parse_case(line, &listed) && compile(&listed, target, argv[2]) && good;
	}
	return good ? 0 : 1;
}
