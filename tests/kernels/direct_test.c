/* SPDX-License-Identifier: MIT
 *
 * The built-in functions that have a form of their own where the CPU has instructions for their parts (relaxed_math.cpp), and those
 * with parts that are precompiled for sets of instructions (lib/builtins/precompiled): within their bounds of 7.4 in each
 * form. Floats are compared with doubles, doubles with long doubles.
 */
#include "kernel_runner.h"
#include "turns.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT 20000

struct direct {
	const char *call; /* of the type T, by x[i] and y[i] */
	long double (*exactly)(long double x, long double y);
	double bound;    /* units in the last place */
	double absolute; /* or so much, for x from 1/2 to 2 */
	bool floats, doubles;
};

static long double log_of(long double x, long double y)
{
	(void)y;
	return logl(x);
}

static long double log2_of(long double x, long double y)
{
	(void)y;
	return log2l(x);
}

static long double log10_of(long double x, long double y)
{
	(void)y;
	return log10l(x);
}

static long double exp_of(long double x, long double y)
{
	(void)y;
	return expl(x);
}

static long double exp2_of(long double x, long double y)
{
	(void)y;
	return exp2l(x);
}

static long double exp10_of(long double x, long double y)
{
	(void)y;
	return powl(10, x);
}

static long double log1p_of(long double x, long double y)
{
	(void)y;
	return log1pl(x);
}

static long double asinh_of(long double x, long double y)
{
	(void)y;
	return asinhl(x);
}

static long double acosh_of(long double x, long double y)
{
	(void)y;
	return acoshl(x);
}

static long double atanh_of(long double x, long double y)
{
	(void)y;
	return atanhl(x);
}

static long double atan_of(long double x, long double y)
{
	(void)y;
	return atanl(x);
}

static long double atanpi_of(long double x, long double y)
{
	(void)y;
	return atanl(x) / acosl(-1);
}

static long double erf_of(long double x, long double y)
{
	(void)y;
	return erfl(x);
}

static long double erfc_of(long double x, long double y)
{
	(void)y;
	return erfcl(x);
}

static long double sinh_of(long double x, long double y)
{
	(void)y;
	return sinhl(x);
}

static long double cosh_of(long double x, long double y)
{
	(void)y;
	return coshl(x);
}

static long double logb_of(long double x, long double y)
{
	(void)y;
	return logbl(x);
}

static long double sinpi_of(long double x, long double y)
{
	const long double h = fmodl(x, 2), whole = roundl(h), rest = sinl((h - whole) * acosl(-1));

	(void)y;
	return h == whole ? copysignl(0, x) : fabsl(whole) == 1 ? -rest : rest;
}

static long double cospi_of(long double x, long double y)
{
	const long double h = 0.5L - fabsl(fmodl(fabsl(x) + 1, 2) - 1);

	(void)y;
	return fabsl(x) >= 0x1p53L ? (isfinite(x) ? 1 : (long double)NAN)
				   : (h == 0 ? 0 : sinl(h * acosl(-1)));
}

/* As convert_int_sat has it. */
static int saturated(long double y)
{
	const long double most = 2147483647;

	return isnan(y) ? 0 : y > most ? INT32_MAX : y < -most ? INT32_MIN : (int)y;
}

static long double ldexp_of(long double x, long double y)
{
	const int n = saturated(y);

	return ldexpl(x, n < -10000 ? -10000 : n > 10000 ? 10000 : n);
}

static long double pown_of(long double x, long double y)
{
	return powl(x, saturated(y));
}

static long double rootn_of(long double x, long double y)
{
	const int n = saturated(y);

	if (n == 0 || isnan(x) || (x < 0 && n % 2 == 0))
		return (long double)NAN;
	long double root = powl(fabsl(x), 1 / (long double)n);
	return n % 2 == 0 ? root : copysignl(root, x);
}

static long double rsqrt_of(long double x, long double y)
{
	(void)y;
	return x == 0 ? copysignl(INFINITY, x) : 1 / sqrtl(x);
}

static long double hypot_of(long double x, long double y)
{
	return hypotl(x, y);
}

static long double sin_of(long double x, long double y)
{
	(void)y;
	return sinl(x);
}

static long double cos_of(long double x, long double y)
{
	(void)y;
	return cosl(x);
}

static long double tan_of(long double x, long double y)
{
	(void)y;
	return tanl(x);
}

static long double sine_or_cosine_of(long double x, long double y)
{
	return x < y ? sinl(x) : cosl(x);
}

static long double gamma_of(long double x, long double y)
{
	(void)y;
	return x == 0 ? copysignl(INFINITY, x) : tgammal(x);
}

static long double log_gamma_of(long double x, long double y)
{
	(void)y;
	return lgammal(x);
}

static long double pow_of(long double x, long double y)
{
	return powl(x, y);
}

/* Of an absolute value: not 1 at every edge that is 1 for pow. */
static long double powr_of(long double x, long double y)
{
	const long double a = fabsl(x);
	const bool is_none =
		isnan(x) || isnan(y) || (y == 0 && (a == 0 || isinf(a))) || (a == 1 && isinf(y));

	return is_none ? (long double)NAN : powl(a, y);
}

static long double fmod_of(long double x, long double y)
{
	return fmodl(x, y);
}

/* Or the last bits of the quotient, of which remquol promises three. */
static long double remquo_of(long double x, long double y)
{
	int quotient = 0;
	long double rest = remquol(x, y, &quotient);

	return x < 0 || isnan(rest) ? rest : (long double)(quotient & 7);
}

/* With precompiled parts. */
static const struct direct precompiled[] = {
	{"sin(x[i])", sin_of, 4, 0, true, true},
	{"cos(x[i])", cos_of, 4, 0, true, true},
	{"tan(x[i])", tan_of, 5, 0, true, true},
	{"({ T c, s = sincos(x[i], &c); x[i] < y[i] ? s : c; })", sine_or_cosine_of, 4, 0, true,
	 true},
	{"tgamma(x[i])", gamma_of, 16, 0, true, true},
	{"lgamma(x[i])", log_gamma_of, 3, 0, true,
	 false}, /* near zeros a double has fewer digits */
	{"pow(x[i], y[i])", pow_of, 16, 0, true, true},
	{"powr(fabs(x[i]), y[i])", powr_of, 16, 0, true, true},
	{"fmod(x[i], y[i])", fmod_of, 0, 0, true, true},
	{"({ int n; T r = remquo(x[i], y[i], &n); x[i] < 0 || isnan(r) ? r : (T)(n & 7); })",
	 remquo_of, 0, 0, true, true},
};

static const struct direct functions[] = {
	{"log(x[i])", log_of, 3, 0, true, true},
	{"log2(x[i])", log2_of, 3, 0, true, true},
	{"log10(x[i])", log10_of, 3, 0, true, true},
	{"half_log2(x[i])", log2_of, 3, 0, true, false},
	{"native_log(x[i])", log_of, 3, 0x1p-21, true, false},
	{"native_log2(x[i])", log2_of, 3, 0x1p-21, true, false},
	{"native_log10(x[i])", log10_of, 3, 0x1p-21, true, false},
	{"exp(x[i])", exp_of, 3, 0, true, true},
	{"exp2(x[i])", exp2_of, 3, 0, true, true},
	{"exp10(x[i])", exp10_of, 3, 0, true, true},
	{"log1p(x[i])", log1p_of, 2, 0, true, true},
	{"asinh(x[i])", asinh_of, 4, 0, true, true},
	{"acosh(x[i])", acosh_of, 4, 0, true, true},
	{"atanh(x[i])", atanh_of, 5, 0, true, true},
	{"atan(x[i])", atan_of, 5, 0, false, true},
	{"atanpi(x[i])", atanpi_of, 5, 0, false, true},
	{"erf(x[i])", erf_of, 16, 0, false, true},
	{"erfc(x[i])", erfc_of, 16, 0, false, true},
	{"sinh(x[i])", sinh_of, 4, 0, true, true},
	{"cosh(x[i])", cosh_of, 4, 0, true, true},
	{"sinpi(x[i])", sinpi_of, 4, 0, true, true},
	{"cospi(x[i])", cospi_of, 4, 0, true, true},
	{"pown(x[i], convert_int_sat(y[i]))", pown_of, 16, 0, true, true},
	{"rootn(x[i], convert_int_sat(y[i]))", rootn_of, 16, 0, true, true},
	{"ldexp(x[i], convert_int_sat(y[i]))", ldexp_of, 0.5, 0, true, true},
	{"logb(x[i])", logb_of, 0, 0, true, true},
	{"rsqrt(x[i])", rsqrt_of, 2, 0, true, true},
	{"hypot(x[i], y[i])", hypot_of, 4, 0, true, true},
};

static const double edges[] = {0.0,
			       -0.0,
			       1.0,
			       -1.0,
			       0.5,
			       2.0,
			       0.75,
			       1.5,
			       INFINITY,
			       -INFINITY,
			       NAN,
			       0x1p-149,
			       0x1p-126,
			       0x1.8p-130,
			       0x1p-1074,
			       0x1p-1022,
			       0x1.fffffep127,
			       0x1.fffffffffffffp1023};

static uint32_t state = 1;

static uint32_t random_bits(void)
{
	state = state * 1664525 + 1013904223;
	return state >> 8 | state << 24;
}

/* Any bits, numbers about 1, up to 32, and the edges. */
static double number(size_t i, bool isDouble)
{
	uint64_t bits = (uint64_t)random_bits() << 32 | random_bits();
	uint32_t half = (uint32_t)bits;
	double wide;
	float narrow;

	if (i < sizeof(edges) / sizeof(edges[0]))
		return edges[i];
	if (i % 3 == 0)
		return 0.4 + (double)(bits >> 11) * 0x1p-53 * 1.8;
	if (i % 7 == 0)
		return (double)(bits >> 11) * 0x1p-47 - 32;
	memcpy(&wide, &bits, sizeof(wide));
	memcpy(&narrow, &half, sizeof(narrow));
	return isDouble ? wide : (double)narrow;
}

/* Units in the last place of a number with so many bits and a least exponent. */
static double units_off(long double actual, long double expected, int bits, int least)
{
	int exponent;

	if (isnan(expected) || isnan(actual))
		return isnan(expected) && isnan(actual) ? 0 : INFINITY;
	if (isinf(expected) || isinf(actual))
		return expected == actual ? 0 : INFINITY;
	frexpl(expected, &exponent);
	exponent = exponent < least ? least : exponent;
	return (double)(fabsl(actual - expected) / ldexpl(1, exponent - bits));
}

static void check(const struct direct *function, const char *cpu, uint32_t width, bool isDouble)
{
	static double x[COUNT], y[COUNT], wide[COUNT];
	static float narrow_x[COUNT], narrow_y[COUNT], narrow[COUNT];
	char source[256];
	char *log = NULL;
	const struct runner_target target = {"-cl-std=CL3.0", cpu, width, NULL, false};

	snprintf(
		source, sizeof(source),
		"typedef %s T; kernel void run(global const T *x, global const T *y, global T *out)"
		"{ size_t i = get_global_id(0); out[i] = %s; }",
		isDouble ? "double" : "float", function->call);
	struct runner *runner = runner_try_build(source, &target, &log);
	if (!runner)
		fail_msg("%s", log ? log : "no log");
	for (size_t i = 0; i < COUNT; i++) {
		x[i] = number(i, isDouble);
		y[i] = number(COUNT - i, isDouble);
		narrow_x[i] = (float)x[i];
		narrow_y[i] = (float)y[i];
	}
	const struct runner_arg floats[] = {RUNNER_MEMORY(narrow_x), RUNNER_MEMORY(narrow_y),
					    RUNNER_MEMORY(narrow)};
	const struct runner_arg doubles[] = {RUNNER_MEMORY(x), RUNNER_MEMORY(y),
					     RUNNER_MEMORY(wide)};
	runner_run(runner, "run", (size_t[3]){COUNT, 1, 1}, (size_t[3]){100, 1, 1},
		   isDouble ? doubles : floats, 3);
	runner_destroy(runner);
	for (size_t i = 0; i < COUNT; i++) {
		long double a = isDouble ? x[i] : narrow_x[i], b = isDouble ? y[i] : narrow_y[i];
		long double actual = isDouble ? wide[i] : narrow[i];
		long double expected = function->exactly(a, b);
		double units =
			units_off(actual, expected, isDouble ? 53 : 24, isDouble ? -1021 : -125);
		bool isNear = function->absolute > 0 && a >= 0.5L && a <= 2 &&
			      fabsl(actual - expected) <= function->absolute;
		/* What a float cannot hold is infinite. */
		bool isOver = isinf(actual) && fabsl(expected) > (isDouble ? 0x1.fffffffffffffp1023L
									   : 0x1.fffffep127L);
		if (units > function->bound && !isNear && !isOver)
			fail_msg("%s of %s, %s, width %u: %La, %La give %La, not %La (%g)",
				 function->call, isDouble ? "double" : "float",
				 cpu ? cpu : "this CPU", width, a, b, actual, expected, units);
	}
}

static void check_rows(const struct direct *rows, size_t count, const char *cpu, uint32_t width)
{
	for (size_t i = 0; i < count; i++) {
		if (rows[i].floats)
			check(&rows[i], cpu, width, false);
		if (rows[i].doubles)
			check(&rows[i], cpu, width, true);
	}
}

static void check_precompiled(const char *cpu, uint32_t width)
{
	check_rows(precompiled, sizeof(precompiled) / sizeof(precompiled[0]), cpu, width);
}

static void check_all(const char *cpu, uint32_t width)
{
	check_rows(functions, sizeof(functions) / sizeof(functions[0]), cpu, width);
}

static void within_bounds_here(void **unused)
{
	(void)unused;
	check_all(NULL, 0);
	if (test_has_turn(0, 2))
		check_all(NULL, 1);
	if (test_has_turn(1, 2))
		check_all(NULL, 4);
}

static void within_bounds_without_instructions(void **unused)
{
	(void)unused;
	check_all("x86-64-v3", 0);
}

/* Vectors of one register, of half of one and of several. */
static void within_bounds_precompiled(void **unused)
{
	(void)unused;
	check_precompiled(NULL, 0);
	if (test_has_turn(0, 2)) {
		check_precompiled(NULL, 1);
		check_precompiled("x86-64-v3", 32);
	}
	if (test_has_turn(1, 2)) {
		check_precompiled("x86-64-v3", 4);
		check_precompiled("x86-64", 8);
	}
}

/* With whole functions precompiled. */
static void within_bounds_in_quick_code(void **unused)
{
	(void)unused;
	setenv("WEFT_TEST_QUICK", "1", 1);
	check_precompiled(NULL, 0);
	check_precompiled("x86-64-v3", 0);
	check_precompiled("x86-64", 0);
	unsetenv("WEFT_TEST_QUICK");
}

/* Sums of what a precompiled part gives, in loops whose counters and other values live across its calls. */
static void sum_across_calls(const char *cpu, uint32_t width, float sums[COUNT])
{
	static const char source[] =
		"kernel void run(global const float *x, global float *out, int n)"
		"{ size_t i = get_global_id(0); float a = x[i], b = a * 3, s = 0;"
		"  for (int j = 0; j < n; j++) {"
		"    a = cos(b + j) + tan(a);"
		"    for (int k = j; k < n; k++) s += sin(b * k) * a + fmod(b, 3.0f + k);"
		"    b *= 0.5f; }"
		"  out[i] = s + a + b; }";
	static float x[COUNT];
	const struct runner_target target = {"-cl-std=CL3.0", cpu, width, NULL, false};
	const int n = 5;
	char *log = NULL;
	struct runner *runner = runner_try_build(source, &target, &log);

	if (!runner)
		fail_msg("%s", log ? log : "no log");
	for (size_t i = 0; i < COUNT; i++)
		x[i] = (float)i * (i % 3 ? 0.001f : 1e25f);
	const struct runner_arg args[] = {RUNNER_MEMORY(x), RUNNER_MEMORY(sums), RUNNER_VALUE(n)};
	runner_allow(20); /* wrong code may not end */
	runner_run(runner, "run", (size_t[3]){COUNT, 1, 1}, (size_t[3]){100, 1, 1}, args, 3);
	runner_allow(0);
	runner_destroy(runner);
}

/* Which registers a call keeps differs between CPUs. */
static void same_across_calls_on_all_cpus(void **unused)
{
	static const char *const cpus[] = {"x86-64-v4", "skylake-avx512", "icelake-server",
					   "znver4"};
	static float expected[COUNT], sums[COUNT];

	(void)unused;
	sum_across_calls("x86-64-v3", 1, expected);
	sum_across_calls("x86-64-v3", 0, sums);
	assert_memory_equal(sums, expected, sizeof(sums));
	sum_across_calls(NULL, 0, sums);
	assert_memory_equal(sums, expected, sizeof(sums));
	if (!__builtin_cpu_supports("avx512vbmi2"))
		return; /* it cannot run what follows */
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		for (uint32_t width = 0; width <= 8; width += 8) {
			sum_across_calls(cpus[i], width, sums);
			assert_memory_equal(sums, expected, sizeof(sums));
		}
	}
}

/* Of each two of some numbers, most of them NaNs. */
static void powers_of_nans(const char *options, uint32_t width, uint32_t bits[256])
{
	static const uint32_t numbers[16] = {0x7fc00000, 0xffc00000, 0x7fc00005, 0xffc00009,
					     0x7fffffff, 0xffffffff, 0x7fc001ff, 0xbf800000,
					     0x3f800000, 0x40000000, 0xc0000000, 0x7f800000,
					     0xff800000, 0,          0x80000000, 0x7fc00100};
	static uint32_t x[256], y[256];
	char *log = NULL;
	const struct runner_target target = {options, NULL, width, NULL, false};
	struct runner *runner = runner_try_build(
		"kernel void run(global const float *x, global const float *y, global float *out)"
		"{ size_t i = get_global_id(0); out[i] = POWER(x[i], y[i]); }",
		&target, &log);

	if (!runner)
		fail_msg("%s", log ? log : "no log");
	for (size_t i = 0; i < 256; i++) {
		x[i] = numbers[i % 16];
		y[i] = numbers[i / 16];
	}
	const struct runner_arg args[] = {RUNNER_MEMORY(x), RUNNER_MEMORY(y), RUNNER_MEMORY(bits)};
	runner_run(runner, "run", (size_t[3]){256, 1, 1}, (size_t[3]){64, 1, 1}, args, 3);
	runner_destroy(runner);
	for (size_t i = 0; i < 256; i++) {
		const bool has_nan = (x[i] << 1) > 0xff000000 || (y[i] << 1) > 0xff000000;
		const bool is_one = x[i] == 0x3f800000 || y[i] << 1 == 0; /* for pow */

		if (has_nan && !is_one && (bits[i] << 1) <= 0xff000000)
			fail_msg("%s, width %u: %x, %x give %x", options, width, x[i], y[i],
				 bits[i]);
	}
}

/* Two NaNs meet in them, in an order that is up to code generation. */
static void relaxed_powers_of_nans(void **unused)
{
	static const char *const options[] = {"-DPOWER=native_powr", "-DPOWER=powr", "-DPOWER=pow",
					      "-DPOWER=powr -cl-fast-relaxed-math",
					      "-DPOWER=pow -cl-fast-relaxed-math"};
	static uint32_t quick[256], full[256], scalar[256];

	(void)unused;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		setenv("WEFT_TEST_QUICK", "1", 1);
		powers_of_nans(options[i], 0, quick);
		unsetenv("WEFT_TEST_QUICK");
		powers_of_nans(options[i], 0, full);
		powers_of_nans(options[i], 1, scalar);
		assert_memory_equal(quick, full, sizeof(full));
		assert_memory_equal(scalar, full, sizeof(full));
	}
}

/* Any numbers above 0 to powers that mostly are finite: the bits of these, of halves and squares, which are exact. */
static void powers_of(const char *type, uint32_t width, double *powers)
{
	static double x[COUNT], y[COUNT];
	char *log = NULL;
	const struct runner_target target = {NULL, NULL, width, NULL, false};
	char source[256];

	snprintf(source, sizeof(source),
		 "kernel void run(global const double *x, global const double *y, global double "
		 "*out) { size_t i = get_global_id(0); out[i] = pow((%s)x[i], (%s)y[i]); }",
		 type, type);
	struct runner *runner = runner_try_build(source, &target, &log);
	if (!runner)
		fail_msg("%s", log ? log : "no log");
	state = 1;
	for (size_t i = 0; i < COUNT; i++) {
		x[i] = i % 4 == 3 ? (double)(i >> 2) : fabs(number(i, i % 2));
		y[i] = i % 4 == 3 ? 2 : 3 - 6 * (double)random_bits() * 0x1p-32;
	}
	const struct runner_arg args[] = {
		RUNNER_MEMORY(x), RUNNER_MEMORY(y), {powers, COUNT * sizeof(*powers)}};
	runner_run(runner, "run", (size_t[3]){COUNT, 1, 1}, (size_t[3]){100, 1, 1}, args, 3);
	runner_destroy(runner);
	for (size_t i = 3; i < COUNT && i < 16384; i += 4)
		assert_true(powers[i] == x[i] * x[i]);
}

static void same_powers_in_all_code(void **unused)
{
	static const char *const types[] = {"float", "double"};
	static double quick[COUNT], full[COUNT], scalar[COUNT];

	(void)unused;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		setenv("WEFT_TEST_QUICK", "1", 1);
		powers_of(types[i], 0, quick);
		unsetenv("WEFT_TEST_QUICK");
		powers_of(types[i], 0, full);
		powers_of(types[i], 1, scalar);
		assert_memory_equal(quick, full, sizeof(full));
		assert_memory_equal(scalar, full, sizeof(full));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_across_calls_on_all_cpus),
		cmocka_unit_test(relaxed_powers_of_nans),
		cmocka_unit_test(same_powers_in_all_code),
		cmocka_unit_test(within_bounds_precompiled),
		cmocka_unit_test(within_bounds_in_quick_code),
		cmocka_unit_test(within_bounds_here),
		cmocka_unit_test(within_bounds_without_instructions),
	};

	return cmocka_run_group_tests_name("direct", tests, NULL, NULL);
}
