/* SPDX-License-Identifier: MIT
 *
 * Conversions of halves, floats and doubles to integers saturate, with and without _sat, at every width: around the bounds of all
 * integer types, at infinities and NaN.
 */
#include "kernel_runner.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT 256

/* OpenCL's name, C's, least and greatest value, as long doubles, which hold them. */
#define TYPES(EACH)                                                                                \
	EACH(char, int8_t, -0x1p7L, 0x1p7L - 1)                                                    \
	EACH(uchar, uint8_t, 0, 0x1p8L - 1)                                                        \
	EACH(short, int16_t, -0x1p15L, 0x1p15L - 1)                                                \
	EACH(ushort, uint16_t, 0, 0x1p16L - 1)                                                     \
	EACH(int, int32_t, -0x1p31L, 0x1p31L - 1)                                                  \
	EACH(uint, uint32_t, 0, 0x1p32L - 1)                                                       \
	EACH(long, int64_t, -0x1p63L, 0x1p63L - 1)                                                 \
	EACH(ulong, uint64_t, 0, 0x1p64L - 1)

#define KERNEL(type, own, least, greatest)                                                         \
	"kernel void to_" #type "(global const T *x, global " #type " *a, global " #type           \
	" *b, global " #type " *c, global " #type " *d) { size_t i = get_global_id(0);"            \
	"a[i] = convert_" #type "(x[i]); b[i] = convert_" #type "_sat(x[i]);"                      \
	"c[i] = convert_" #type "_sat_rte(fabs(x[i])); d[i] = convert_" #type "_rte(x[i]); }\n"    \
	"kernel void to_" #type "4(global const T4 *x, global " #type "4 *a, global " #type        \
	"4 *b, global " #type "4 *c, global " #type "4 *d) { size_t i = get_global_id(0);"         \
	"a[i] = convert_" #type "4(x[i]); b[i] = convert_" #type "4_sat(x[i]);"                    \
	"c[i] = convert_" #type "4_sat_rte(fabs(x[i])); d[i] = convert_" #type "4_rte(x[i]); }\n"

static const char source[] = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" TYPES(KERNEL);

/* Around 2^power and its opposite. */
static size_t put_around(double *numbers, int power, bool narrow)
{
	size_t n = 0;

	for (int sign = -1; sign <= 1; sign += 2) {
		float outside = sign < 0 ? -INFINITY : INFINITY;
		double middle = ldexp(sign, power);
		const double around[] = {
			middle,
			middle - sign,
			middle - sign * 0.5,
			middle + sign,
			narrow ? nextafterf((float)middle, 0) : nextafter(middle, 0),
			narrow ? nextafterf((float)middle, outside) : nextafter(middle, outside)};

		memcpy(numbers + n, around, sizeof(around));
		n += sizeof(around) / sizeof(around[0]);
	}
	return n;
}

static void put_numbers(double *numbers, bool narrow)
{
	static const int powers[] = {0, 7, 8, 15, 16, 31, 32, 63, 64, 127};
	static const double others[] = {0.0,   -0.0, 0.5,      1.5,       -0.75,
					1e-40, 77.6, INFINITY, -INFINITY, NAN};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(powers) / sizeof(powers[0]); i++)
		n += put_around(numbers + n, powers[i], narrow);
	for (; n < COUNT; n++)
		numbers[n] = others[n % (sizeof(others) / sizeof(others[0]))];
}

static long double saturated(long double x, long double least, long double greatest)
{
	return isnan(x) ? 0 : x < least ? least : x > greatest ? greatest : x;
}

#define CHECK(type, own, least, greatest)                                                          \
	static void check_##type(const struct runner *runner, const void *x,                       \
				 const double *numbers, size_t each)                               \
	{                                                                                          \
		static _Alignas(32) own a[COUNT], b[COUNT], c[COUNT], d[COUNT];                    \
		const struct runner_arg args[] = {RUNNER_MEMORY(x), RUNNER_MEMORY(a),              \
						  RUNNER_MEMORY(b), RUNNER_MEMORY(c),              \
						  RUNNER_MEMORY(d)};                               \
                                                                                                   \
		memset(a, 1, sizeof(a));                                                           \
		runner_run(runner, each == 1 ? "to_" #type : "to_" #type "4",                      \
			   (size_t[3]){COUNT / each, 1, 1}, (size_t[3]){64, 1, 1}, args, 5);       \
		for (size_t i = 0; i < COUNT; i++) {                                               \
			long double even = rintl((long double)numbers[i]);                         \
			own expected = (own)saturated(numbers[i], least, greatest);                \
			own rounded = (own)saturated(even, least, greatest);                       \
			own positive = (own)saturated(fabsl(even), least, greatest);               \
                                                                                                   \
			if (a[i] != expected || b[i] != expected || c[i] != positive ||            \
			    d[i] != rounded)                                                       \
				fail_msg(#type                                                     \
					 " of %a: %lld, %lld, rounded %lld, %lld, not %lld, "      \
					 "%lld, %lld",                                             \
					 numbers[i], (long long)a[i], (long long)b[i],             \
					 (long long)c[i], (long long)d[i], (long long)expected,    \
					 (long long)positive, (long long)rounded);                 \
		}                                                                                  \
	}
TYPES(CHECK)

#define CALL(type, own, least, greatest)                                                           \
	check_##type(runner, x, numbers, 1);                                                       \
	check_##type(runner, x, numbers, 4);

/* Numbers are converted from. */
static const struct number_type {
	const char *options;
	bool narrow; /* than a double */
} halves = {"-DT=half -DT4=half4", true}, floats = {"-DT=float -DT4=float4", true},
  doubles = {"-DT=double -DT4=double4", false};

/* The numbers as they are in that type, and there. */
static const void *put_typed(const struct number_type *type, double *numbers)
{
	static _Alignas(32) _Float16 as_halves[COUNT];
	static _Alignas(32) float as_floats[COUNT];

	put_numbers(numbers, type->narrow);
	for (size_t i = 0; i < COUNT && type->narrow; i++) {
		as_floats[i] = (float)numbers[i];
		as_halves[i] = (_Float16)as_floats[i];
		numbers[i] = type == &halves ? (double)as_halves[i] : (double)as_floats[i];
	}
	if (!type->narrow)
		return numbers;
	return type == &halves ? (const void *)as_halves : as_floats;
}

static void check_conversions(const struct number_type *type, const char *cpu, uint32_t width)
{
	const struct runner_target target = {type->options, cpu, width, NULL, false};
	static _Alignas(32) double numbers[COUNT];
	const void *x = put_typed(type, numbers);
	char *log = NULL;
	struct runner *runner = runner_try_build(source, &target, &log);

	if (!runner)
		fail_msg("%s", log ? log : "no log");
	free(log);
	TYPES(CALL)
	runner_destroy(runner);
}

static void conversions_saturate(void **unused)
{
	static const struct number_type *const types[] = {&halves, &floats, &doubles};

	(void)unused;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		check_conversions(types[i], NULL, 1);
		check_conversions(types[i], NULL, 0);
		check_conversions(types[i], NULL, 32);
		check_conversions(types[i], "x86-64-v3", 8);
		check_conversions(types[i], "x86-64-v2", 4);
		setenv("WEFT_TEST_QUICK", "1", 1);
		check_conversions(types[i], NULL, 0);
		unsetenv("WEFT_TEST_QUICK");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conversions_saturate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
