/* SPDX-License-Identifier: MIT
 *
 * Kernels and functions that do not come to their end: endless loops of every shape, traps. They build at every width; those that
 * never end are not run.
 */
#include "kernel_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const char *const shapes[] = {
#define WEFT_SHAPE(source) source,
#include "endless_shapes.def"
#undef WEFT_SHAPE
};

static void test_shapes(void **state)
{
	static const char *const options[] = {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable",
					      "-cl-std=CL3.0 -g"};
	static const uint32_t widths[COUNT(options)] = {0, 1, 8};

	(void)state;
	/* Each shape with all options and at all widths, but not with each at each. */
	for (size_t i = 0; i < COUNT(shapes); i++) {
		for (size_t k = 0; k < COUNT(options); k++) {
			const struct runner_target target = {
				.options = options[k],
				.vector_width = widths[(i + k) % COUNT(widths)],
			};
			char *log;

			runner_allow(60);
			struct runner *runner = runner_try_build(shapes[i], &target, &log);
			if (!runner)
				fail_msg("%s:\n%s", shapes[i], log);
			runner_destroy(runner);
			runner_allow(0);
		}
	}
}

/* Ways that no work-item takes change nothing of what the others compute. */
static void test_ways_not_taken(void **state)
{
	static const char *const ways[] = {
		"for (;;) p[x * y + n] = x;",
		"{ p[x * y + n] = t[x]; __builtin_trap(); }",
		"{ p[x * y + n] = t[x]; __builtin_unreachable(); }",
		"{ p[x] = y; for (;;); }",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		char source[1000];
		int32_t out[256] = {0}, n = 16, never = 1000;

		snprintf(source, sizeof(source),
			 "kernel void k(global int *p, int n, int never) { local int t[256];\n"
			 "int x = get_local_id(0), y = get_local_id(1), s = 0;\n"
			 "t[y * n + x] = x + y;\n"
			 "for (int q = 0; q < n; q++) { barrier(CLK_LOCAL_MEM_FENCE);\n"
			 "for (int i = 0; i < n; i++) s += t[q * n + x] * i;\n"
			 "if (s == -1 || x == never) %s\n barrier(CLK_LOCAL_MEM_FENCE); }\n"
			 "if (y == never) %s\n p[y * n + x] = s; }\n",
			 ways[i], ways[i]);
		struct runner *runner = runner_build(source, "-cl-std=CL3.0");
		const struct runner_arg args[] = {RUNNER_MEMORY(out), RUNNER_VALUE(n),
						  RUNNER_VALUE(never)};
		const size_t size[3] = {16, 16, 1};
		runner_run(runner, "k", size, size, args, 3);
		for (int32_t y = 0; y < 16; y++) {
			for (int32_t x = 0; x < 16; x++)
				assert_int_equal(out[y * 16 + x], (16 * x + 120) * 120);
		}
		runner_destroy(runner);
	}
}

/* Recursion is refused, with the place of each function. */
static void test_recursion(void **state)
{
	static const char *const sources[] = {
		"void h(int a) { h(a + 1); } kernel void k(void) { h(1); }",
		("void g(int a); void h(int a) { g(a + 1); } void g(int a) { h(a); }"
		 "kernel void k(void) { h(1); }"),
		"kernel void k(global int *p) { k(p); }",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(sources); i++) {
		char *log = runner_build_error(sources[i], NULL);

		assert_non_null(log);
		assert_ptr_equal(strstr(log, "<source>:1:"), log);
		assert_non_null(strstr(log, "recursion"));
		free(log);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_ways_not_taken),
		cmocka_unit_test(test_recursion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
