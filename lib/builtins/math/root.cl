/* SPDX-License-Identifier: MIT
 *
 * cbrt and hypot: specification 6.15.2.
 */
#include "double_double.h"
#include "single.h"

/* x = m 2^(3 k) with m in [1, 8); a polynomial to 10 bits, Halley's step to 30, and Newton's with an exact
 * residual. */
WEFT double cbrt(double x)
{
	double a = ABS(x);
	bool small = a < 0x1p-1022;
	long bits = as_long(small ? a * 0x1p54 : a);
	int e = (int)(bits >> 52) - 1023 - (small ? 54 : 0);
	int k = (e + 1200) / 3 - 400;
	double m = as_double((bits & 0xfffffffffffff) | (long)(e - 3 * k + 1023) << 52);
	double t = cbrt_start(m);
	double c = t * t * t;
	t = t * (c + 2.0 * m) / (2.0 * c + m);
	struct dd square = two_product(t, t);
	struct dd cube = two_product(square.hi, t);
	double residual = (cube.hi - m) + FMA(square.lo, t, cube.lo);
	t -= residual / (3.0 * square.hi);
	t = __builtin_elementwise_copysign(t * as_double((long)(k + 1023) << 52), x);
	return x == 0.0 | x != x | a == INF ? x : t;
}

WEFT double hypot(double x, double y)
{
	double a = ABS(x), b = ABS(y);
	double big = a > b ? a : b, little = a > b ? b : a;
	double up = big > 0x1p500 ? 0x1p-600 : big < 0x1p-450 ? 0x1p600 : 1.0;
	double down = big > 0x1p500 ? 0x1p600 : big < 0x1p-450 ? 0x1p-600 : 1.0;
	big *= up;
	little *= up;
	struct dd p = two_product(big, big), q = two_product(little, little);
	struct dd s = fast_two_sum(p.hi, q.hi);
	double r = __builtin_elementwise_sqrt(s.hi + (s.lo + p.lo + q.lo)) * down;
	r = x != x | y != y ? (double)NAN : r;
	return a == INF | b == INF ? INF : r;
}

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
