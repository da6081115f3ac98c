/* SPDX-License-Identifier: MIT
 *
 * Every attribute that Clang knows, on everything that may have one: such a program computes what it does without, or is
 * refused with a line that says where. The names are those of Clang's own list, so that a new one is tried, too.
 */
#include "kernel_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ITEMS 16
#define SECONDS 60 /* of the processor, for one program */

/* @ is where the attribute stands. Each kernel stores 7. */
static const char *const places[] = {
	"@ kernel void k(global int *p) { p[get_global_id(0)] = 7; }",
	"@ int h(int a); int h(int a) { return a + 4; }"
	"kernel void k(global int *p) { p[get_global_id(0)] = h(3); }",
	"@ __attribute__((noinline)) int h(int a) { return a + 4; }"
	"kernel void k(global int *p) { p[get_global_id(0)] = h(3); }",
	"constant int c @ = 7; kernel void k(global int *p) { p[get_global_id(0)] = c; }",
	"global int c @ = 7; kernel void k(global int *p) { p[get_global_id(0)] = c; }",
	"kernel void k(global int *p) { local int c @; c = 7; p[get_global_id(0)] = c; }",
	"kernel void k(global int *p) { int c @ = 7; p[get_global_id(0)] = c; }",
	"kernel void k(global int *p @) { p[get_global_id(0)] = 7; }",
	"int h(int a @) { return a + 4; }"
	"kernel void k(global int *p) { p[get_global_id(0)] = h(3); }",
	"typedef int T @; kernel void k(global int *p) { T c = 7; p[get_global_id(0)] = *(int "
	"*)&c; }",
	"struct S { int a; } @; kernel void k(global int *p) {"
	" struct S c; c.a = 7; p[get_global_id(0)] = c.a; }",
	"struct S { char x; int a @; }; kernel void k(global int *p) {"
	" struct S c; c.a = 7; p[get_global_id(0)] = c.a; }",
	"kernel void k(global int *p) { int s = 0; @ for (int i = 0; i < 7; i++) s++;"
	" p[get_global_id(0)] = s; }",
	"kernel void k(global int *p) { int s = 6; L: @; s++; if (s < 7) goto L;"
	" p[get_global_id(0)] = s; }",
};

/* Tried in turn, until one is taken. */
static const char *const arguments[] = {"", "(1)", "(\"h\")", "(p)", "(int)", "(1, 1, 1)", "(h)"};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static char *replaced(const char *text, const char *by)
{
	const char *mark = strchr(text, '@');
	size_t size = strlen(text) + strlen(by);
	char *whole = malloc(size);

	assert_non_null(whole);
	snprintf(whole, size, "%.*s%s%s", (int)(mark - text), text, by, mark + 1);
	return whole;
}

static bool is_right(const struct runner *runner)
{
	const struct weft_kernel_desc *kernel = runner_kernel(runner, "k");
	const uint32_t *required = kernel->reqd_local_size;
	const size_t local[3] = {required[0] ? required[0] : 4, required[1] ? required[1] : 1,
				 required[2] ? required[2] : 1};
	int32_t out[ITEMS] = {0};
	const struct runner_arg args[] = {RUNNER_MEMORY(out)};

	runner_run(runner, "k", (const size_t[3]){ITEMS, local[1], local[2]}, local, args, 1);
	for (size_t i = 0; i < ITEMS; i++) {
		if (out[i] != 7)
			return false;
	}
	return true;
}

/* Whether the log has an error with a place, and the compiler has not lost its way. */
static bool is_refusal(const char *log)
{
	const char *place = strstr(log, "<source>:");

	return place && strstr(place, "error: ") && !strstr(log, "crashed") &&
	       !strstr(log, "undefined symbol");
}

/* Whether the program has been taken. A refusal's log is the caller's. */
static bool is_taken(const char *source, const char *options, char **log)
{
	const struct runner_target target = {.options = options};

	runner_allow(SECONDS);
	struct runner *runner = runner_try_build(source, &target, log);
	/* A function that says that it does not return, and does, may do anything. */
	bool lies = strstr(source, "((noreturn") && strstr(source, "int h(int a) {");
	if (runner && !lies && !is_right(runner))
		fail_msg("wrong: %s", source);
	if (!runner && !is_refusal(*log))
		fail_msg("%s:\n%s", source, *log);
	if (runner)
		runner_destroy(runner);
	runner_allow(0);
	return runner != NULL;
}

static void try_attribute(const char *name, size_t first_place, size_t stride)
{
	for (size_t place = first_place; place < COUNT(places); place += stride) {
		bool taken = false, hopeless = false;

		for (size_t i = 0; i < COUNT(arguments) && !taken && !hopeless; i++) {
			char attribute[200], *log;

			snprintf(attribute, sizeof(attribute), "__attribute__((%s%s))", name,
				 arguments[i]);
			char *source = replaced(places[place], attribute);
			taken = is_taken(source, "-cl-std=CL3.0", &log);
			hopeless = !taken && strstr(log, "only applies to");
			free(log);
			free(source);
		}
	}
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	assert_non_null(file);
	assert_non_null(text);
	assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
	fclose(file);
	return text;
}

/* The GNU spellings in Clang's table of what __has_attribute answers. By the program's arguments, one part of several, and
 * each attribute in one of `stride` places. */
static unsigned part, parts, stride;

static void test_every_attribute(void **state)
{
	char *text = read_file(WEFT_TEST_ATTRIBUTES);
	char *begin = strstr(text, "AS_GNU:");
	unsigned count = 0;

	(void)state;
	assert_non_null(begin);
	char *end = strstr(begin, "case AttributeCommonInfo");
	assert_non_null(end);
	*end = 0;
	for (char *at = begin; (at = strstr(at, ".Case(\"")) != NULL;) {
		char name[100];

		at += strlen(".Case(\"");
		assert_int_equal(sscanf(at, "%99[^\"]", name), 1);
		if (count % parts == part)
			try_attribute(name, count / parts % stride, stride);
		count++;
	}
	assert_true(count > 300);
	free(text);
}

enum expectation { TAKEN = 1, REFUSED = 2 };

struct row {
	enum expectation expected;
	const char *source;
};

static const struct row rows[] = {
#define WEFT_ROW(expected, source) {expected, source},
#include "attributes.def"
#undef WEFT_ROW
};

/* What takes more than an attribute's name. */
static void test_rows(void **state)
{
	static const char *const options[] = {"-cl-std=CL3.0", "-cl-opt-disable -cl-std=CL3.0"};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		for (size_t k = 0; k < COUNT(options); k++) {
			char *log = NULL;
			bool taken = is_taken(rows[i].source, options[k], &log);

			if (taken != (rows[i].expected == TAKEN))
				fail_msg("%s: %s", taken ? "taken" : log, rows[i].source);
			free(log);
		}
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest attributes[] = {cmocka_unit_test(test_every_attribute)};
	const struct CMUnitTest others[] = {cmocka_unit_test(test_rows)};

	if (argc < 4)
		return cmocka_run_group_tests(others, NULL, NULL);
	part = (unsigned)strtoul(argv[1], NULL, 10);
	parts = (unsigned)strtoul(argv[2], NULL, 10);
	stride = (unsigned)strtoul(argv[3], NULL, 10);
	return cmocka_run_group_tests(attributes, NULL, NULL);
}
