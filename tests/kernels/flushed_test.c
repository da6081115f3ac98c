/* SPDX-License-Identifier: MIT
 *
 * -cl-denorms-are-zero: powers of subnormal numbers are the number's own, or what a zero gives (OpenCL C 7.5.3), and what functions of the
 * greatest numbers compute is not lost with subnormal reciprocals. In code for this CPU and for others, quick and full.
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

/* From 2^1022 on, numbers have reciprocals that are subnormal. */
static void check_greatest(const char *cpu)
{
	static double x[ITEMS], results[ITEMS * EACH];
	const struct runner_target target = {"-cl-denorms-are-zero", cpu, 0, NULL, false};
	char *log = NULL;
	struct runner *runner = runner_try_build(
		"kernel void run(global const double *x, global double *to)"
		"{ size_t i = get_global_id(0); double a = x[i];"
		"  to[4 * i] = log1p(a); to[4 * i + 1] = asinh(a);"
		"  to[4 * i + 2] = acosh(a); to[4 * i + 3] = fmod(a, 0x1.8p1020); }",
		&target, &log);

	if (!runner)
		fail_msg("%s", log ? log : "no log");
	for (unsigned i = 0; i < ITEMS; i++)
		x[i] = ldexp(1 + i * 0x1.03p-6, 1020 + i % 4);
	const struct runner_arg args[] = {RUNNER_MEMORY(x), RUNNER_MEMORY(results)};
	runner_run(runner, "run", (size_t[3]){ITEMS, 1, 1}, (size_t[3]){ITEMS, 1, 1}, args, 2);
	runner_destroy(runner);
	for (unsigned i = 0; i < ITEMS; i++) {
		const long double of = x[i];
		const long double expected[EACH] = {log1pl(of), asinhl(of), acoshl(of),
						    fmodl(of, 0x1.8p1020L)};

		for (unsigned f = 0; f < EACH; f++)
			if (!(fabsl(results[i * EACH + f] - expected[f]) <= expected[f] * 0x1p-51L))
				fail_msg("%s: function %u of %a gives %a", cpu ? cpu : "this CPU",
					 f, x[i], results[i * EACH + f]);
	}
}

static void check_all(void)
{
	static const char *const cpus[] = {NULL, "x86-64-v3"};

	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		check("float", cpus[i], false);
		check("double", cpus[i], true);
		check_greatest(cpus[i]);
	}
}

static void flushed_in_full_code(void **unused)
{
	(void)unused;
	check_all();
}

static void flushed_in_quick_code(void **unused)
{
	(void)unused;
	setenv("WEFT_TEST_QUICK", "1", 1);
	check_all();
	unsetenv("WEFT_TEST_QUICK");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flushed_in_full_code),
		cmocka_unit_test(flushed_in_quick_code),
	};

	return cmocka_run_group_tests_name("flushed", tests, NULL, NULL);
}
