/* SPDX-License-Identifier: MIT
 *
 * cbrt and hypot: specification 6.15.2.
 */
#include "double_double.h"
#include "single.h"

/* The inverse cube root t from a third of the exponent and the significand (its error: 4 parts of 100), by a step of
 * third order; then the root a t^2, by a step of Newton's with a nearly exact residual. */
#define CBRT_START                                                                                 \
	0x94a20000u /* 4/3 of 1's bits and ROUNDERF's, less what the parabola of the significand adds */

WEFT float cbrt(float x)
{
	float a = ABS(x);
	bool small = a < LEAST_NORMALF;
	float b = small ? a * 0x1p24f : a;
	float third = MAD((float)as_int(b), 0x1p-8f / 3.0f, ROUNDERF);
	float t = as_float(CBRT_START - (as_uint(third) << 8));
	float e = FMA(-(b * t), t * t, 1.0f);
	t = MAD(t * e, MAD(MAD(0x1.61f9aep-3f, e, 0x1.c71c72p-3f), e, 0x1.555556p-2f), t);
	float square = t * t, y = b * square;
	float residual = FMA(-y * y, y, b);
	y = MAD(residual, square * 0x1.555556p-2f, y);
	y = small ? y * 0x1p-8f : y;
	return __builtin_elementwise_copysign(a < INFINITY ? y : a, x);
}

/* As above, with two steps before the last; the first one leaves 2^-18. */
#define CBRT_START_HIGH 0x553ee000u /* 4/3 of 1's upper half, less what makes e least */

WEFT double cbrt(double x)
{
	double a = ABS(x);
	bool small = a < LEAST_NORMAL;
	double b = small ? a * 0x1p54 : a;
	double high = as_double(as_ulong(b) >> 32 | as_ulong(0x1p52)) - 0x1p52;
	double third = MAD(high, 1.0 / 3.0, ROUNDER);
	double t = as_double((ulong)(CBRT_START_HIGH - (uint)as_ulong(third)) << 32);
	double e = FMA(-(b * t), t * t, 1.0);
	t = MAD(t * e, cbrt_ratio(e), t);
	e = FMA(-(b * t), t * t, 1.0);
	t = MAD(t * e, MAD(2.0 / 9.0, e, 1.0 / 3.0), t);
	double square = t * t, y = b * square;
	double residual = FMA(-y * y, y, b);
	y = MAD(residual, square * (1.0 / 3.0), y);
	y = small ? y * 0x1p-18 : y;
	return __builtin_elementwise_copysign(a < INF ? y : a, x);
}

/* Both scaled by a power of two that brings the greater near 1. */
WEFT float hypot(float x, float y)
{
	float a = ABS(x), b = ABS(y), greater = a < b ? b : a;
	int e = as_int(greater) & as_int(INFINITY);
	e = __builtin_elementwise_max(__builtin_elementwise_min(e, 253 << 23), 1 << 23);
	float down = as_float((254 << 23) - e), c = a * down, d = b * down;
	float r = __builtin_elementwise_sqrt(MAD(c, c, d * d)) * as_float(e);
	return a == INFINITY | b == INFINITY ? INFINITY : r;
}

#define RSQRT_START 0x5fe6e950c7b537a9ul /* 3/2 of 1's bits, less what makes e least */

/* The square root of a normal number, not always correctly rounded: as in cbrt, with half of the exponent. For
 * doubles the instruction takes several times as long. */
HELPER double root_of(double x)
{
	double t = as_double(RSQRT_START - (as_ulong(x) >> 1));
	double e = FMA(-(x * t), t, 1.0);
	t = MAD(t * e, rsqrt_ratio(e), t);
	e = FMA(-(x * t), t, 1.0);
	t = MAD(0.5 * t, e, t);
	double y = x * t;
	return MAD(FMA(-y, y, x), 0.5 * t, y);
}

/* Both scaled as in float. */
HELPER double scaled_hypot(double a, double b)
{
	long e = as_long(a < b ? b : a) & as_long(INF);
	e = __builtin_elementwise_max(__builtin_elementwise_min(e, 2045L << 52), 1L << 52);
	double down = as_double((2046L << 52) - e), c = a * down, d = b * down;
	double r = root_of(MAD(c, c, d * d)) * as_double(e);
	return a == INF | b == INF ? INF : r;
}

/* The root of x^2 + y^2, `root` where that neither overflows nor loses bits. */
HELPER double hypot_of(double x, double y, double sum, double root)
{
	if (RARELY(!(sum > 0x1p-900 & sum < INF)))
		root = scaled_hypot(ABS(x), ABS(y));
	return root;
}

WEFT double hypot(double x, double y)
{
	double sum = MAD(x, x, y * y);
	return hypot_of(x, y, sum, root_of(sum));
}

/* From an estimate, for CPUs that relaxed_math.cpp knows: 28 bits after a step, then as root_of. */
WEFT double __weft_estimated_hypot(double x, double y)
{
	double sum = MAD(x, x, y * y), t = __weft_estimate_rsqrt_double(sum);
	t = MAD(0.5 * t, FMA(-(sum * t), t, 1.0), t);
	double root = sum * t;
	return hypot_of(x, y, sum, MAD(FMA(-root, root, sum), 0.5 * t, root));
}
