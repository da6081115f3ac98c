/* SPDX-License-Identifier: MIT
 *
 * The math functions give the same bits at every vector width, whichever lanes need their rare paths. How far they are
 * off is for tests/builtins.
 */
#include "kernel_runner.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT 1000

/* clang-format off */
#define FUNCTIONS(ONE, TWO, WHOLE)                                                                 \
	ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p)          \
	ONE(sin) ONE(cos) ONE(tan) ONE(sinpi) ONE(cospi) ONE(tanpi)                                \
	ONE(asin) ONE(acos) ONE(atan) ONE(asinpi) ONE(acospi) ONE(atanpi)                          \
	ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh) ONE(acosh) ONE(atanh)                             \
	ONE(cbrt) ONE(erf) ONE(erfc) ONE(tgamma) ONE(lgamma)                                       \
	TWO(pow) TWO(powr) TWO(atan2) TWO(atan2pi) TWO(hypot) TWO(fmod) TWO(remainder)             \
	WHOLE(pown) WHOLE(rootn)
/* clang-format on */

#define AS_TEXT(...) AS_TEXT_OF(__VA_ARGS__)
#define AS_TEXT_OF(...) #__VA_ARGS__
#define KERNEL(name, ...)                                                                          \
	kernel void k_##name(global const T *x, global const T *y, global T *out)                  \
	{                                                                                          \
		size_t i = get_global_id(0);                                                       \
		out[i] = name(__VA_ARGS__);                                                        \
	}
#define KERNEL_ONE(name) KERNEL(name, x[i])
#define KERNEL_TWO(name) KERNEL(name, x[i], y[i])
#define KERNEL_WHOLE(name) KERNEL(name, x[i], convert_int_sat(y[i]))

static const char source[] = AS_TEXT(FUNCTIONS(KERNEL_ONE, KERNEL_TWO, KERNEL_WHOLE));

#define NAME(name) "k_" #name,

static const char *const names[] = {FUNCTIONS(NAME, NAME, NAME)};

static const double edges[] = {0.0,       -0.0,    1.0,      -1.0,     0.5,       -2.0,   88.8,
			       -103.9,    709.9,   -745.0,   INFINITY, -INFINITY, NAN,    1e-310,
			       -0x1p-149, 0x1p127, 0x1p-126, 0x1p1023, 1e20,      0x1p17, -3e38};

static uint32_t state = 1;

static uint32_t random_bits(void)
{
	state = state * 1664525 + 1013904223;
	return state >> 8 | state << 24;
}

/* Groups of usual numbers, of any bits, of edges among usual ones, of small numbers. */
static double number(size_t i)
{
	double usual = (double)(random_bits() % 16000) / 1000 - 8;

	switch (i / 64 % 4) {
	case 0:
		return usual;
	case 1:
		return ldexp(usual, (int)(random_bits() % 300) - 150);
	case 2:
		return random_bits() % 4
			       ? usual
			       : edges[random_bits() % (sizeof(edges) / sizeof(edges[0]))];
	default:
		return usual / 1024;
	}
}

static bool same(const void *a, const void *b, size_t size)
{
	double p = 0;
	double q = 0;
	float s = 0;
	float t = 0;

	if (memcmp(a, b, size) == 0)
		return true;
	if (size == sizeof(double)) {
		memcpy(&p, a, size);
		memcpy(&q, b, size);
		return isnan(p) && isnan(q);
	}
	memcpy(&s, a, size);
	memcpy(&t, b, size);
	return isnan(s) && isnan(t);
}

/* x, y and the results of all functions at one width. */
struct data {
	size_t size; /* bytes of a number */
	unsigned char x[COUNT * sizeof(double)], y[COUNT * sizeof(double)];
	unsigned char out[sizeof(names) / sizeof(names[0])][COUNT * sizeof(double)];
};

static void fill(struct data *data, size_t size)
{
	data->size = size;
	for (size_t i = 0; i < COUNT; i++) {
		double x = number(i);
		double y = number(i + 64 * (random_bits() % 4));
		float narrow_x = (float)x;
		float narrow_y = (float)y;

		memcpy(data->x + i * size, size == sizeof(x) ? (void *)&x : (void *)&narrow_x,
		       size);
		memcpy(data->y + i * size, size == sizeof(y) ? (void *)&y : (void *)&narrow_y,
		       size);
	}
}

static void run(struct data *data, const char *cpu, uint32_t width)
{
	const struct runner_target target = {data->size == sizeof(double)
						     ? "-cl-std=CL3.0 -DT=double"
						     : "-cl-std=CL3.0 -DT=float",
					     cpu, width, NULL, false};
	char *log = NULL;
	struct runner *runner = runner_try_build(source, &target, &log);

	if (!runner)
		fail_msg("%s", log ? log : "no log");
	free(log);
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		const struct runner_arg args[] = {RUNNER_MEMORY(data->x), RUNNER_MEMORY(data->y),
						  RUNNER_MEMORY(data->out[k])};
		runner_run(runner, names[k], (size_t[3]){COUNT, 1, 1}, (size_t[3]){64, 1, 1}, args,
			   3);
	}
	runner_destroy(runner);
}

static void compare(const struct data *expected, const struct data *actual, uint32_t width)
{
	size_t size = expected->size;

	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
		for (size_t i = 0; i < COUNT; i++)
			if (!same(expected->out[k] + i * size, actual->out[k] + i * size, size))
				fail_msg("%s of %zu bytes, width %u: element %zu differs", names[k],
					 size, width, i);
}

static void check_widths(const char *cpu, size_t size, uint32_t first, uint32_t last)
{
	static struct data expected;
	static struct data actual;

	fill(&expected, size);
	actual = expected;
	run(&expected, cpu, 1);
	for (uint32_t width = first; width <= last; width *= 2) {
		run(&actual, cpu, width);
		compare(&expected, &actual, width);
	}
}

static void float_functions(void **unused)
{
	(void)unused;
	check_widths(NULL, sizeof(float), 8, 16);
}

static void double_functions(void **unused)
{
	(void)unused;
	check_widths(NULL, sizeof(double), 8, 8);
}

/* Without fused multiplication in hardware. */
static void float_functions_unfused(void **unused)
{
	(void)unused;
	check_widths("x86-64-v2", sizeof(float), 4, 4);
}

/* ---- fast relaxed math --------------------------------------------------------------------------- */

static const char relaxed_source[] = AS_TEXT(
	kernel void same(global const float4 *x, global int *out) {
		size_t i = get_global_id(0);
		float4 a = sin(x[i]), b = native_sin(x[i]);
		float c = powr(x[i].x, x[i].y), d = native_powr(x[i].x, x[i].y);
		out[i] = all(as_int4(a) == as_int4(b)) && as_int(c) == as_int(d);
	} float __attribute__((overloadable)) tan(float x) { return x; } float
	__attribute__((overloadable)) native_cos(float x) {
		return x;
	} kernel void own(global const float4 *x, global int *out) {
		size_t i = get_global_id(0);
		out[i] = tan(x[i].x) == x[i].x && cos(x[i].x) != x[i].x &&
			 native_cos(x[i].x) == x[i].x;
	} kernel void relaxed_exp2(global const float *x, global float *out) {
		out[get_global_id(0)] = exp2(x[get_global_id(0)]);
	} kernel void relaxed_log10(global const float *x, global float *out) {
		out[get_global_id(0)] = log10(x[get_global_id(0)]);
	});

static bool all_are(const char *kernel, const char *options)
{
	struct runner *runner = runner_build(relaxed_source, options);
	float x[4 * COUNT];
	int out[COUNT] = {0};
	bool all = true;
	const struct runner_arg args[] = {RUNNER_MEMORY(x), RUNNER_MEMORY(out)};

	for (size_t i = 0; i < sizeof(x) / sizeof(x[0]); i++)
		x[i] = (float)(i % 1000) / 250 + 0.5F;
	runner_run(runner, kernel, (size_t[3]){COUNT, 1, 1}, (size_t[3]){64, 1, 1}, args, 2);
	runner_destroy(runner);
	for (size_t i = 0; i < COUNT; i++)
		all &= out[i] != 0;
	return all;
}

static void relaxed_math_is_native(void **unused)
{
	(void)unused;
	assert_true(all_are("same", "-cl-fast-relaxed-math"));
	assert_false(all_are("same", ""));
	assert_true(all_are("own", "-cl-fast-relaxed-math"));
}

/* A kernel of relaxed_source on x[0], x[0] + step and so on; x in floats. */
static void run_relaxed(const char *kernel, const char *cpu, float step, float *x, float *out)
{
	const struct runner_target target = {"-cl-fast-relaxed-math", cpu, 0, NULL, false};
	const struct runner_arg args[] = {RUNNER_MEMORY(x), RUNNER_MEMORY(out)};
	char *log = NULL;
	struct runner *runner = runner_try_build(relaxed_source, &target, &log);

	if (!runner)
		fail_msg("%s", log ? log : "no log");
	free(log);
	for (size_t i = 1; i < COUNT; i++)
		x[i] = x[0] + (float)i * step;
	runner_run(runner, kernel, (size_t[3]){COUNT, 1, 1}, (size_t[3]){64, 1, 1}, args, 2);
	runner_destroy(runner);
}

/* Specification 7.4: 3 + floor(|2 x|) units in the last place for exp2, or 0 in place of a subnormal number; 3 for
 * log10 but near 1. */
static void relaxed_math_keeps_its_bounds(void **unused)
{
	float x[COUNT] = {-130.0F};
	float out[COUNT];

	(void)unused;
	run_relaxed("relaxed_exp2", NULL, 0.01F, x, out);
	for (size_t i = 0; i < COUNT; i++) {
		double exact = exp2(x[i]);
		double unit = ldexp(1.0, (int)fmax(floor(x[i]), -126.0) - 23);
		if (out[i] != 0 || exact >= 0x1p-126)
			assert_true(fabs(out[i] - exact) <= (3 + floor(fabs(2 * x[i]))) * unit);
	}
	x[0] = 0.345F;
	run_relaxed("relaxed_log10", "x86-64-v2", 0x1p-22F, x, out);
	for (size_t i = 0; i < COUNT; i++)
		assert_true(fabs(out[i] - log10(x[i])) <= 3 * 0x1p-25);
}

/* ---- half to integers ------------------------------------------------------------------------ */

#define HALVES 0x7c00 /* from 0, all that are finite */

static const char half_source[] =
	"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
	"kernel void one(global const half *x, global int *out) {\n"
	"  size_t i = get_global_id(0); out[i] = convert_int_rte(x[i]); }\n"
	"kernel void three(global const half *x, global int *out) {\n"
	"  size_t i = get_global_id(0); vstore3(convert_int3_rte(vload3(i, x)), i, out); }\n"
	"kernel void whole(global const half *x, global int *out) {\n"
	"  size_t i = get_global_id(0); out[i] = (int)rint(x[i]); }\n";

static double half_value(uint32_t bits)
{
	double significand = bits & 0x3ff;

	return bits < 0x400 ? ldexp(significand, -24)
			    : ldexp(significand + 0x400, (int)(bits >> 10) - 25);
}

static void check_rounding(const struct runner *runner, const char *kernel, size_t each,
			   uint32_t width)
{
	static uint16_t x[HALVES];
	static int32_t out[HALVES];
	const struct runner_arg args[] = {RUNNER_MEMORY(x), RUNNER_MEMORY(out)};
	size_t count = HALVES / each;

	for (uint32_t i = 0; i < HALVES; i++)
		x[i] = (uint16_t)i;
	memset(out, -1, sizeof(out));
	runner_run(runner, kernel, (size_t[3]){count, 1, 1}, (size_t[3]){16, 1, 1}, args, 2);
	for (uint32_t i = 0; i < count * each; i++) {
		if (out[i] != (int32_t)rint(half_value(i)))
			fail_msg("%s, width %u: %a becomes %d", kernel, width, half_value(i),
				 out[i]);
	}
}

static void halves_are_rounded(void **unused)
{
	(void)unused;
	for (uint32_t width = 1; width <= 16; width *= 4) {
		const struct runner_target target = {"-cl-std=CL3.0", NULL, width, NULL, false};
		char *log = NULL;
		struct runner *runner = runner_try_build(half_source, &target, &log);

		if (!runner)
			fail_msg("%s", log ? log : "no log");
		free(log);
		check_rounding(runner, "one", 1, width);
		check_rounding(runner, "three", 3, width);
		check_rounding(runner, "whole", 1, width);
		runner_destroy(runner);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(float_functions),
		cmocka_unit_test(double_functions),
		cmocka_unit_test(float_functions_unfused),
		cmocka_unit_test(relaxed_math_is_native),
		cmocka_unit_test(relaxed_math_keeps_its_bounds),
		cmocka_unit_test(halves_are_rounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
