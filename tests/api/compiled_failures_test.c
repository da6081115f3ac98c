/* SPDX-License-Identifier: MIT
 *
 * Builds that fail: logs without end, and what is left behind, by the process's resident memory. Not with the sanitizers: that of
 * addresses keeps freed memory, and reports what a build leaves that had to be stopped.
 */
#include "build_logs.h"
#include "compiled_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One that could be built. */
static const char sound[] = "kernel void k(global int *o) { o[get_global_id(0)] = 7; }";

#define EIGHT(a, b) "#define " a " " b b b b b b b b "\n"

/* A few lines that Clang has millions of lines to say about, or that keep it busy for ever. */
static void test_endless_sources(void **state)
{
	static const char eights[] = EIGHT("B", "A ") EIGHT("C", "B ") EIGHT("D", "C ")
		EIGHT("E", "D ") EIGHT("F", "E ") EIGHT("G", "F ") EIGHT("H", "G ") EIGHT("I", "H ")
			EIGHT("J", "I ") EIGHT("K", "J ");
	static const struct {
		const char *before, *after;
		const char *in_log;
	} rows[] = {
		{"#define A _Pragma(\"message(\\\"again and again\\\")\")\n", "F", "log is cut"},
		{"#define A x = 1;\n", "kernel void k(void) { F }", "too many errors"},
		{"#define A\n", "K", "macros"},
		{"#define A 0 +\n", "#if K 1\n#endif", "macros"},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char source[4000];

		snprintf(source, sizeof(source), "%s%s%s\n", rows[i].before, eights, rows[i].after);
		cl_program program = create(f, source);
		(void)clBuildProgram(program, 0, NULL, "", NULL, NULL);
		expect_in_log(f, program, rows[i].in_log);
		char *log = log_of(f, program);
		assert_true(strlen(log) < (1 << 20) + 200);
		free(log);
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	}
}

static size_t resident(void)
{
	char line[128];
	char *end;
	FILE *file = fopen("/proc/self/statm", "r");

	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	fclose(file);
	strtoul(line, &end, 10); /* pages of address space; those in memory follow */
	return strtoul(end, NULL, 10) * 4096;
}

/* Bytes that each of `builds` failed builds of a source leaves behind, after some that are not counted. */
static size_t left_by(struct fixture *f, const char *source, const char *options, int builds)
{
	const int warm = builds / 5;
	size_t before = 0;

	for (int i = 0; i < warm + builds; i++) {
		cl_program program = create(f, source);

		if (i == warm)
			before = resident();
		assert_int_not_equal(clBuildProgram(program, 0, NULL, options, NULL, NULL),
				     CL_SUCCESS);
		assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	}
	size_t after = resident();
	return after > before ? (after - before) / (size_t)builds : 0;
}

static void test_failed_builds_give_back(void **state)
{
	enum { FAILURES = 100 };
	static const char *const sources[] = {
		"kernel void k(global int *p) { *p = x; }",
		"#include \"no-such-file.h\"\n",
		"int g(int); kernel void k(global int *p) { *p = g(1); }",
		"int g(int a) { return g(a - 1); } kernel void k(global int *p) { *p = g(1); }",
		"kernel void k(global int *p, int n) { int *q = __builtin_alloca(n); *p = q[*p]; }",
		"#define A\n" EIGHT("B", "A ") EIGHT("C", "B ") "\n#include __FILE__\n",
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		size_t left = left_by(f, sources[i], "", FAILURES);

		if (left > 20000)
			fail_msg("%zu bytes: %s", left, sources[i]);
	}
	assert_true(left_by(f, sound, "-no-such-option", FAILURES) < 20000);
}

/* One that the compiler did not come back from leaves little: it was 3.5 MB. */
static void test_crashed_builds_give_back(void **state)
{
	enum { DEPTH = 1500000, CRASHES = 10 };
	static const char head[] = "kernel void k(global int *p) { *p = ";
	struct fixture *f = *state;
	char *source = calloc(1, sizeof(head) + 2 * DEPTH + 10);

	assert_non_null(source);
	strcpy(source, head);
	char *end = source + sizeof(head) - 1;
	for (size_t i = 0; i < DEPTH; i++) {
		*end++ = '-';
		*end++ = ' ';
	}
	strcpy(end, "1; }");
	size_t left = left_by(f, source, "", CRASHES);
	if (left > 200000)
		fail_msg("%zu bytes", left);
	free(source);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, compiled_set_up, fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_endless_sources),
		TEST(test_failed_builds_give_back),
		TEST(test_crashed_builds_give_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
