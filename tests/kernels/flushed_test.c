/* SPDX-License-Identifier: MIT
 *
 * Powers of subnormal numbers with -cl-denorms-are-zero: the number's own, or what a zero gives (OpenCL C 7.5.3). In code for this CPU and
 * for others, quick and full.
 */
#include "kernel_runner.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ITEMS = 64, EACH = 4 };

static const double powers[] = {1, 2, -1, -3, 5, 0.5, 0.25, -0.125};

static long double power_of(unsigned function, long double x, long double y)
{
	const long double n = truncl(y);

	switch (function) {
	case 2:
		return powl(x, n);
	case 3:
		return n == 0 ? (long double)NAN : powl(x, 1 / n);
	default:
		return powl(x, y);
	}
}

static bool is_one_of(long double actual, unsigned function, long double x, long double y)
{
	const long double own = power_of(function, x, y), of_zero = power_of(function, 0, y);

	if (isnan(actual))
		return isnan(own);
	return actual == of_zero || fabsl(actual - own) <= own * 0x1p-19L;
}

static void check(const char *type, const char *cpu, bool is_double)
{
	static double x[ITEMS], y[ITEMS], results[ITEMS * EACH];
	char options[64], *log = NULL;

	(void)snprintf(options, sizeof(options), "-cl-denorms-are-zero -DT=%s", type);
	const struct runner_target target = {options, cpu, 0, NULL, false};
	/* A float's subnormal number is made of its bits: a conversion would give 0. Results go as they are. */
	struct runner *runner = runner_try_build(
		"T number(global const double *x) { return sizeof(T) == 8 ? *x : "
		"as_float((uint)*x); }"
		"kernel void run(global const double *x, global const double *y, global double *to)"
		"{ size_t i = get_global_id(0); T a = number(x + i), b = y[i]; int n = b;"
		"  to[4 * i] = pow(a, b); to[4 * i + 1] = powr(a, b);"
		"  to[4 * i + 2] = pown(a, n); to[4 * i + 3] = rootn(a, n); }",
		&target, &log);
	if (!runner)
		fail_msg("%s", log ? log : "no log");
	for (unsigned i = 0; i < ITEMS; i++) {
		const uint32_t bits = i + 1 + (i * i << 10); /* below 2^23 */

		x[i] = is_double ? (double)bits * 0x1p-1046 : (double)bits;
		y[i] = powers[i % (sizeof(powers) / sizeof(*powers))];
	}
	const struct runner_arg args[] = {RUNNER_MEMORY(x), RUNNER_MEMORY(y),
					  RUNNER_MEMORY(results)};
	runner_run(runner, "run", (size_t[3]){ITEMS, 1, 1}, (size_t[3]){ITEMS, 1, 1}, args, 3);
	runner_destroy(runner);
	for (unsigned i = 0; i < ITEMS * EACH; i++) {
		const unsigned item = i / EACH;
		const long double of = is_double ? x[item] : (long double)x[item] * 0x1p-149L;

		if (!is_one_of(results[i], i % EACH, of, y[item]))
			fail_msg("%s, %s: function %u of %La, %g gives %a", type,
				 cpu ? cpu : "this CPU", i % EACH, of, y[item], results[i]);
	}
}

static void check_all(void)
{
	static const char *const cpus[] = {NULL, "x86-64-v3"};

	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		check("float", cpus[i], false);
		check("double", cpus[i], true);
	}
}

static void powers_in_full_code(void **unused)
{
	(void)unused;
	check_all();
}

static void powers_in_quick_code(void **unused)
{
	(void)unused;
	setenv("WEFT_TEST_QUICK", "1", 1);
	check_all();
	unsetenv("WEFT_TEST_QUICK");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(powers_in_full_code),
		cmocka_unit_test(powers_in_quick_code),
	};

	return cmocka_run_group_tests_name("flushed", tests, NULL, NULL);
}
