/* SPDX-License-Identifier: MIT
 *
 * pow, pown, powr, rootn: specification 6.15.2 and the edge cases of 7.5.1: x^y = 2^(y log2(x)), with the
 * logarithm as a sum of two, and the product exact to that.
 */
#ifndef WEFT_POWER_H
#define WEFT_POWER_H

#include "log2_exp2.h"

/* a^y for finite a > 0 */
HELPER double power_of(double a, double y)
{
	struct dd l = log2_dd(a);
	double p = y * l.hi;
	return exp2_dd(p, FMA(y, l.lo, FMA(y, l.hi, -p)));
}

HELPER double whole_power_of(double a, int n)
{
	return power_of(a, (double)n);
}

HELPER double root_of(double a, int n)
{
	double y = (double)n;
	struct dd l = log2_dd(a);
	double inverse = 1.0 / y, q = l.hi * inverse;
	double rest = FMA(-q, y, l.hi) + l.lo;
	return exp2_dd(q, rest * inverse);
}

HELPER float power_of(float a, float y)
{
	struct ff l = log2_ff(a);
	float p = y * l.hi;
	return exp2_ff(p, FMA(y, l.lo, FMA(y, l.hi, -p)));
}

HELPER float whole_power_of(float a, int n)
{
	/* A float loses bits of n from 2^24 on. */
	struct ff whole = fast_two_sum((float)(n & ~0xffff), (float)(n & 0xffff));
	struct ff l = log2_ff(a);
	float y = whole.hi, p = y * l.hi;
	return exp2_ff(p, FMA(whole.lo, l.hi, FMA(y, l.lo, FMA(y, l.hi, -p))));
}

HELPER float root_of(float a, int n)
{
	float y = (float)n;
	struct ff l = log2_ff(a);
	float inverse = 1.0f / y, q = l.hi * inverse;
	float rest = FMA(-q, y, l.hi) + l.lo;
	return exp2_ff(q, rest * inverse);
}

#define REAL double
#define BITS_OF(x) as_long(x)
#include "power_body.h"
#undef REAL
#undef BITS_OF

#define REAL float
#define BITS_OF(x) as_int(x)
#include "power_body.h"
#undef REAL
#undef BITS_OF

#endif
