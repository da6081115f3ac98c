/* SPDX-License-Identifier: MIT
 *
 * Built-in conversions in every rounding mode against the processor's own modes, and integer functions
 * against 128-bit arithmetic: edge cases and samples, scalars and vectors.
 */
#include "random_bits.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT 20000

typedef int8_t cl_char;
typedef uint8_t cl_uchar;
typedef int16_t cl_short;
typedef uint16_t cl_ushort;
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef int64_t cl_long;
typedef uint64_t cl_ulong;
typedef float cl_float;
typedef double cl_double;

/* Values about every power of two, of either sign, and everything else now and then. */
static double random_double(void)
{
	uint64_t bits = random_bits();
	double value;

	if (bits % 16 == 0) {
		bits = random_bits();
		memcpy(&value, &bits, sizeof(value));
		return value;
	}
	value = ldexp(1 + (double)(random_bits() >> 12) * 0x1p-52, (int)(random_bits() % 150) - 60);
	if (bits % 16 < 8) /* short significands: ties */
		value = (double)(float)rint(value * 2) * 0.5;
	return bits & 0x100 ? -value : value;
}

static uint64_t random_whole(void)
{
	uint64_t bits = random_bits() >> random_bits() % 64;
	return random_bits() % 8 == 0 ? ~bits : random_bits() % 2 ? -bits : bits;
}

static double in_double[COUNT];
static float in_float[COUNT];
static uint64_t in_bits[3][COUNT];

static int prepare(void **unused)
{
	static const double edges[] = {
		0.0,       -0.0,    0.5,       1.5,      2.5,          -0.5,
		-1.5,      126.5,   127.5,     128.5,    254.5,        255.5,
		-128.5,    -129.5,  32767.5,   65535.5,  65519.9,      65520.0,
		0x1p31,    0x1p32,  0x1p63,    0x1p64,   -0x1p31,      -0x1p63,
		0x1p-24,   0x1p-25, 0x1.8p-25, 0x1p-149, 0x1p-1074,    INFINITY,
		-INFINITY, NAN,     1e300,     -1e300,   0x1.ffffffp0, 0x1.000001p0};
	(void)unused;
	for (size_t i = 0; i < COUNT; i++) {
		in_double[i] = i < sizeof(edges) / sizeof(edges[0]) ? edges[i] : random_double();
		in_float[i] = (float)in_double[i];
		for (int k = 0; k < 3; k++)
			in_bits[k][i] = random_whole();
	}
	return 0;
}

static int bad;

static void complain(const char *what, size_t i)
{
	if (bad++ < 20)
		printf("%s: wrong at %zu (%a)\n", what, i, in_double[i]);
}

/* Rounded to a whole number in the mode, and saturated; NaN becomes 0. */
#define CHECK_WHOLE(to, source, mode, environment, least, above)                                   \
	do {                                                                                       \
		extern void convert_##to##_sat##mode##_##source(const cl_##source *, cl_##to *,    \
								cl_##to *, size_t);                \
		static cl_##to out[COUNT], out4[COUNT];                                            \
		convert_##to##_sat##mode##_##source(in_##source, out, out4, COUNT);                \
		for (size_t i = 0; i < COUNT; i++) {                                               \
			volatile double x = (double)in_##source[i];                                \
			fesetround(environment);                                                   \
			double r = nearbyint(x);                                                   \
			fesetround(FE_TONEAREST);                                                  \
			cl_##to wanted = isnan(x)              ? 0                                 \
					 : r < (double)(least) ? (cl_##to)(least)                  \
					 : r >= (above)        ? (cl_##to) ~(cl_##to)(least)       \
							       : (cl_##to)r;                       \
			if (out[i] != wanted || out4[i] != wanted)                                 \
				complain("convert_" #to "_sat" #mode "(" #source ")", i);          \
		}                                                                                  \
	} while (0)
#define CHECK_WHOLE_MODES(to, source, least, above)                                                \
	CHECK_WHOLE(to, source, _rte, FE_TONEAREST, least, above);                                 \
	CHECK_WHOLE(to, source, _rtz, FE_TOWARDZERO, least, above);                                \
	CHECK_WHOLE(to, source, _rtp, FE_UPWARD, least, above);                                    \
	CHECK_WHOLE(to, source, _rtn, FE_DOWNWARD, least, above)
#define CHECK_WHOLES(source)                                                                       \
	CHECK_WHOLE_MODES(char, source, INT8_MIN, 0x1p7);                                          \
	CHECK_WHOLE_MODES(uchar, source, 0, 0x1p8);                                                \
	CHECK_WHOLE_MODES(short, source, INT16_MIN, 0x1p15);                                       \
	CHECK_WHOLE_MODES(ushort, source, 0, 0x1p16);                                              \
	CHECK_WHOLE_MODES(int, source, INT32_MIN, 0x1p31);                                         \
	CHECK_WHOLE_MODES(uint, source, 0, 0x1p32);                                                \
	CHECK_WHOLE_MODES(long, source, INT64_MIN, 0x1p63);                                        \
	CHECK_WHOLE_MODES(ulong, source, 0, 0x1p64)

static void test_float_to_whole(void **unused)
{
	(void)unused;
	bad = 0;
	CHECK_WHOLES(float);
	assert_int_equal(bad, 0);
}

static void test_double_to_whole(void **unused)
{
	(void)unused;
	bad = 0;
	CHECK_WHOLES(double);
	assert_int_equal(bad, 0);
}

/* What the processor makes of the conversion in the mode. */
#define CHECK_FLOATING(to, source, mode, environment)                                              \
	do {                                                                                       \
		extern void convert_##to##mode##_##source(const cl_##source *, cl_##to *,          \
							  cl_##to *, size_t);                      \
		static cl_##source in[COUNT];                                                      \
		static cl_##to out[COUNT], out4[COUNT];                                            \
		for (size_t i = 0; i < COUNT; i++)                                                 \
			in[i] = TAKE_##source(i);                                                  \
		convert_##to##mode##_##source(in, out, out4, COUNT);                               \
		for (size_t i = 0; i < COUNT; i++) {                                               \
			volatile cl_##source x = in[i];                                            \
			fesetround(environment);                                                   \
			volatile cl_##to wanted = (cl_##to)x;                                      \
			fesetround(FE_TONEAREST);                                                  \
			if (isnan(wanted) ? !isnan(out[i]) || !isnan(out4[i])                      \
					  : out[i] != wanted || out4[i] != wanted ||               \
						    signbit(out[i]) != signbit(wanted))            \
				complain("convert_" #to #mode "(" #source ")", i);                 \
		}                                                                                  \
	} while (0)
#define TAKE_double(i) in_double[i]
#define TAKE_int(i) (cl_int) in_bits[0][i]
#define TAKE_uint(i) (cl_uint) in_bits[0][i]
#define TAKE_long(i) (cl_long) in_bits[0][i]
#define TAKE_ulong(i) in_bits[0][i]
#define CHECK_FLOATING_MODES(to, source)                                                           \
	CHECK_FLOATING(to, source, _rte, FE_TONEAREST);                                            \
	CHECK_FLOATING(to, source, _rtz, FE_TOWARDZERO);                                           \
	CHECK_FLOATING(to, source, _rtp, FE_UPWARD);                                               \
	CHECK_FLOATING(to, source, _rtn, FE_DOWNWARD)

static void test_to_floating(void **unused)
{
	(void)unused;
	bad = 0;
	CHECK_FLOATING_MODES(float, double);
	CHECK_FLOATING_MODES(float, int);
	CHECK_FLOATING_MODES(float, uint);
	CHECK_FLOATING_MODES(float, long);
	CHECK_FLOATING_MODES(double, long);
	/* Unsigned numbers of 64 bits: compilers make their conversion of two steps, so modes other than
	 * to nearest are checked through the exact long double. */
	CHECK_FLOATING(float, ulong, _rte, FE_TONEAREST);
	CHECK_FLOATING(double, ulong, _rte, FE_TONEAREST);
	assert_int_equal(bad, 0);
}

static double half_value(uint16_t bits)
{
	int exponent = bits >> 10 & 31, fraction = bits & 1023;
	double magnitude = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
			   : exponent == 0 ? ldexp(fraction, -24)
					   : ldexp(1024 + fraction, exponent - 25);
	return bits & 0x8000 ? -magnitude : magnitude;
}

/* Rounds to a half by arithmetic: to a multiple of its last place, in the mode. */
static double round_to_half(double x, int environment)
{
	if (isnan(x) || isinf(x) || x == 0)
		return x;
	int exponent;
	(void)frexp(x, &exponent);
	int last = exponent - 11 < -24 ? -24 : exponent - 11;
	fesetround(environment);
	volatile double scaled = ldexp(x, -last);
	if (fabs(x) < 0x1p-900) /* too small to scale: only its sign counts */
		scaled = copysign(0x1p-30, x);
	double r = ldexp(nearbyint(scaled), last);
	fesetround(FE_TONEAREST);
	if (fabs(r) < 65536)
		return copysign(r, x);
	int keeps = environment == FE_TOWARDZERO || (environment == FE_UPWARD && x < 0) ||
		    (environment == FE_DOWNWARD && x > 0);
	return copysign(keeps ? 65504.0 : (double)INFINITY, x);
}

#define CHECK_HALF(source, mode, environment)                                                      \
	do {                                                                                       \
		extern void half_##source##mode(const cl_##source *, uint16_t *, uint16_t *,       \
						size_t);                                           \
		static uint16_t out[COUNT], out4[COUNT];                                           \
		half_##source##mode(in_##source, out, out4, COUNT);                                \
		for (size_t i = 0; i < COUNT; i++) {                                               \
			double wanted = round_to_half((double)in_##source[i], environment);        \
			double got = half_value(out[i]), got4 = half_value(out4[i]);               \
			if (isnan(wanted) ? !isnan(got) || !isnan(got4)                            \
					  : got != wanted || got4 != wanted ||                     \
						    signbit(got) != signbit(wanted))               \
				complain("vstore_half" #mode "(" #source ")", i);                  \
		}                                                                                  \
	} while (0)

static void test_to_half(void **unused)
{
	(void)unused;
	bad = 0;
	CHECK_HALF(float, _rte, FE_TONEAREST);
	CHECK_HALF(float, _rtz, FE_TOWARDZERO);
	CHECK_HALF(float, _rtp, FE_UPWARD);
	CHECK_HALF(float, _rtn, FE_DOWNWARD);
	CHECK_HALF(double, _rte, FE_TONEAREST);
	CHECK_HALF(double, _rtz, FE_TOWARDZERO);
	CHECK_HALF(double, _rtp, FE_UPWARD);
	CHECK_HALF(double, _rtn, FE_DOWNWARD);
	assert_int_equal(bad, 0);
}

__extension__ typedef __int128 wide;

static wide saturate(wide x, wide least, wide greatest)
{
	return x < least ? least : x > greatest ? greatest : x;
}

static int count_bits(uint64_t x)
{
	int n = 0;
	for (; x; x &= x - 1)
		n++;
	return n;
}

static wide leading(uint64_t x, int width)
{
	int n = 0;
	while (n < width && !(x >> (width - 1 - n) & 1))
		n++;
	return n;
}

static wide trailing(uint64_t x, int width)
{
	int n = 0;
	while (n < width && !(x >> n & 1))
		n++;
	return n;
}

#define CHECK_INTEGER(type, name, expression)                                                      \
	do {                                                                                       \
		extern void name##_##type(const cl_##type *, const cl_##type *, const cl_##type *, \
					  cl_##type *, size_t);                                    \
		static cl_##type in[3][COUNT], out[COUNT];                                         \
		for (size_t i = 0; i < COUNT; i++)                                                 \
			for (int k = 0; k < 3; k++)                                                \
				in[k][i] = (cl_##type)in_bits[k][i];                               \
		name##_##type(in[0], in[1], in[2], out, COUNT);                                    \
		for (size_t i = 0; i < COUNT; i++) {                                               \
			wide a = in[0][i], b = in[1][i], c = in[2][i];                             \
			(void)b;                                                                   \
			(void)c;                                                                   \
			if (out[i] != (cl_##type)(expression))                                     \
				complain(#name "(" #type ")", i);                                  \
		}                                                                                  \
	} while (0)
/* a and b turned by b modulo the width, as unsigned numbers of the width. */
#define ROTATED(a, b, width, mask)                                                                 \
	((((uint64_t)(a) & (mask)) << ((uint64_t)(b) % (width))) |                                 \
	 ((((uint64_t)(a) & (mask)) >> ((width) - 1 - (uint64_t)(b) % (width))) >> 1))
#define CHECK_INTEGERS(type, width, least, greatest)                                               \
	do {                                                                                       \
		const uint64_t mask = ~UINT64_C(0) >> (64 - (width));                              \
		CHECK_INTEGER(type, abs, a < 0 ? -a : a);                                          \
		CHECK_INTEGER(type, abs_diff, a < b ? b - a : a - b);                              \
		CHECK_INTEGER(type, add_sat, saturate(a + b, least, greatest));                    \
		CHECK_INTEGER(type, sub_sat, saturate(a - b, least, greatest));                    \
		CHECK_INTEGER(type, hadd, (a + b) >> 1);                                           \
		CHECK_INTEGER(type, rhadd, (a + b + 1) >> 1);                                      \
		CHECK_INTEGER(type, mul_hi, HIGH(a, b, width, least));                             \
		CHECK_INTEGER(type, mad_hi, HIGH(a, b, width, least) + c);                         \
		CHECK_INTEGER(type, rotate, ROTATED(a, b, width, mask));                           \
		CHECK_INTEGER(type, clz, leading((uint64_t)a & mask, width));                      \
		CHECK_INTEGER(type, ctz, trailing((uint64_t)a & mask, width));                     \
		CHECK_INTEGER(type, popcount, count_bits((uint64_t)a & mask));                     \
		CHECK_INTEGER(type, clamp,                                                         \
			      a<(b < c ? b : c) ? (b < c ? b : c) : a>(b < c ? c : b)              \
				      ? (b < c ? c : b)                                            \
				      : a);                                                        \
	} while (0)
#define HIGH(a, b, width, least)                                                                   \
	((least) < 0 ? (a) * (b) >> (width)                                                        \
		     : (wide)((__extension__(unsigned __int128)(a) * (unsigned __int128)(b)) >>    \
			      (width)))

/* NOLINTNEXTLINE(readability-function-size): the macros' loops count as its own */
static void test_integers(void **unused)
{
	(void)unused;
	bad = 0;
	CHECK_INTEGERS(char, 8, INT8_MIN, INT8_MAX);
	CHECK_INTEGERS(uchar, 8, 0, UINT8_MAX);
	CHECK_INTEGERS(short, 16, INT16_MIN, INT16_MAX);
	CHECK_INTEGERS(ushort, 16, 0, UINT16_MAX);
	CHECK_INTEGERS(int, 32, INT32_MIN, INT32_MAX);
	CHECK_INTEGERS(uint, 32, 0, UINT32_MAX);
	CHECK_INTEGERS(long, 64, INT64_MIN, INT64_MAX);
	CHECK_INTEGERS(ulong, 64, 0, (wide)UINT64_MAX);
	CHECK_INTEGER(char, mad_sat, saturate(a * b + c, INT8_MIN, INT8_MAX));
	CHECK_INTEGER(ushort, mad_sat, saturate(a * b + c, 0, UINT16_MAX));
	CHECK_INTEGER(int, mad_sat, saturate(a * b + c, INT32_MIN, INT32_MAX));
	CHECK_INTEGER(long, mad_sat, saturate(a * b + c, INT64_MIN, INT64_MAX));
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_float_to_whole), cmocka_unit_test(test_double_to_whole),
		cmocka_unit_test(test_to_floating),    cmocka_unit_test(test_to_half),
		cmocka_unit_test(test_integers),
	};
	return cmocka_run_group_tests(tests, prepare, NULL);
}
