/* SPDX-License-Identifier: MIT
 *
 * cbrt and hypot: specification 6.15.2.
 */
#include "double_double.h"

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

FLOAT_FORM1(cbrt)
FLOAT_FORM2(hypot)
