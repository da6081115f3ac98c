/* SPDX-License-Identifier: MIT
 *
 * Kernels past each of the compiler's budgets: they compile by its cheaper ways, and mean the same.
 */
#include "kernel_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define ITEMS 64

/* `count` times a line, of which the number %u is the only part that changes. */
static char *generate(const char *line, uint32_t count)
{
	size_t size = 256 + (size_t)count * 128;
	char *source = malloc(size);

	assert_non_null(source);
	size_t used = (size_t)snprintf(source, size,
				       "kernel void k(global uint *a, uint n) {\n"
				       "size_t g = get_global_id(0); uint x = a[g];\n");
	for (uint32_t i = 0; i < count; i++) {
		int length = snprintf(source + used, size - used, "%s %u)\n", line, i);
		used += (size_t)length;
	}
	snprintf(source + used, size - used, "a[g] = x; }\n");
	return source;
}

static void check(const char *macro, uint32_t count, uint32_t factor)
{
	uint32_t a[ITEMS];
	const uint32_t n = 2;
	const struct runner_arg args[] = {RUNNER_MEMORY(a), RUNNER_VALUE(n)};
	char *lines = generate("STEP(", count);
	size_t size = 512 + (size_t)count * 128;
	char *source = malloc(size);

	assert_non_null(source);
	snprintf(source, size, "%s\n%s", macro, lines);
	struct runner *runner = runner_build(source, NULL);
	for (uint32_t i = 0; i < ITEMS; i++)
		a[i] = i;
	runner_run(runner, "k", (size_t[3]){ITEMS, 1, 1}, (size_t[3]){8, 1, 1}, args, 2);
	for (uint32_t i = 0; i < ITEMS; i++) {
		uint32_t x = i;
		for (uint32_t step = 0; step < count; step++)
			for (uint32_t again = 0; again < factor; again++)
				x = (x ^ step) * 3 + (x >> 5);
		assert_int_equal(a[i], x);
	}
	runner_destroy(runner);
	free(source);
	free(lines);
}

static void long_blocks(void **state)
{
	static const char macro[] = "#define STEP(i) x = (x ^ i) * 3 + (x >> 5); a[g] = x;";

	(void)state;
	check(macro, 300, 1);
	check(macro, 1000, 1);
	check(macro, 4000, 1);
	check(macro, 13000, 1);
}

static void many_loops(void **state)
{
	static const char macro[] =
		"#define STEP(i) for (uint j = 0; j < n; j++) x = (x ^ i) * 3 + (x >> 5);";

	(void)state;
	check(macro, 100, 2);
	check(macro, 250, 2);
	check(macro, 1000, 2);
}

/* Each is a separate region, whose variables live across all others. */
static void many_loops_with_barriers(void **state)
{
	static const char macro[] = "#define STEP(i) for (uint j = 0; j < n; j++) {"
				    "barrier(CLK_LOCAL_MEM_FENCE); x = (x ^ i) * 3 + (x >> 5); }";

	(void)state;
	check(macro, 50, 2);
	check(macro, 300, 2);
}

/* A function that would be inlined more often than fits. */
static void many_calls(void **state)
{
	static const char macro[] = "uint step(uint x, uint i) { uint y = x; for (uint j = 0; j < "
				    "4; j++) y += j * (i - i);"
				    "y = y - x; x = (x ^ i) * 3 + (x >> 5); return x + y; }\n"
				    "#define STEP(i) x = step(x, i);";

	(void)state;
	check(macro, 200, 1);
	check(macro, 4000, 1);
}

#define LEVELS 15

/* What tree's functions compute, level by level. */
static uint32_t tree_value(uint32_t x, uint32_t level, uint32_t item)
{
	if (level == 0)
		return x * 5 + item + (item & 7);
	return tree_value(x >> 1, level - 1, item) + tree_value(x ^ level, level - 1, item);
}

/* Functions that call the next one twice, down to one that asks for the work-item's place and reads local memory: inlined, they
 * would be too large. */
static void check_tree(const char *statement)
{
	char source[8192];
	uint32_t a[ITEMS];
	const struct runner_arg args[] = {RUNNER_MEMORY(a)};
	size_t used = (size_t)snprintf(
		source, sizeof(source),
		"uint f0(uint x, local uint *l) { %s\n"
		"  return x * 5 + get_global_id(0) + l[get_local_id(get_work_dim() - 1)]; }\n",
		statement);

	for (unsigned level = 1; level <= LEVELS; level++)
		used += (size_t)snprintf(source + used, sizeof(source) - used,
					 "uint f%u(uint x, local uint *l) {\n"
					 "  return f%u(x >> 1, l) + f%u(x ^ %u, l); }\n",
					 level, level - 1, level - 1, level);
	snprintf(source + used, sizeof(source) - used,
		 "kernel void k(global uint *a) { local uint l[8]; size_t g = get_global_id(0);\n"
		 "l[g & 7] = g & 7; barrier(CLK_LOCAL_MEM_FENCE); a[g] = f%u(a[g], l); }\n",
		 LEVELS);
	struct runner *runner = runner_build(source, NULL);
	for (uint32_t i = 0; i < ITEMS; i++)
		a[i] = i * 77;
	runner_run(runner, "k", (size_t[3]){ITEMS, 1, 1}, (size_t[3]){8, 1, 1}, args, 1);
	for (uint32_t i = 0; i < ITEMS; i++)
		assert_int_equal(a[i], tree_value(i * 77, LEVELS, i));
	runner_destroy(runner);
}

static void call_tree(void **state)
{
	(void)state;
	check_tree("");
}

static void call_tree_with_barriers(void **state)
{
	(void)state;
	check_tree("barrier(CLK_LOCAL_MEM_FENCE);");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_blocks),
		cmocka_unit_test(many_loops),
		cmocka_unit_test(many_loops_with_barriers),
		cmocka_unit_test(many_calls),
		cmocka_unit_test(call_tree),
		cmocka_unit_test(call_tree_with_barriers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
