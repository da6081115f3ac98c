/* SPDX-License-Identifier: MIT
 *
 * pow, pown, powr, rootn: specification 6.15.2 and the edge cases of 7.5.1: x^y = 2^(y log2(x)), with the
 * logarithm as a sum of two, and the product exact to that.
 */
#include "log2_exp2.h"

/* a^y for finite a > 0 */
HELPER double power_of(double a, double y)
{
	struct dd l = log2_dd(a);
	double p = y * l.hi;
	return exp2_dd(p, FMA(y, l.lo, FMA(y, l.hi, -p)));
}

/* Whether y is a whole number, and whether it is an odd one. */
HELPER bool is_whole(double y)
{
	return __builtin_elementwise_trunc(y) == y;
}

HELPER bool is_odd(double y)
{
	double h = 0.5 * y;
	return is_whole(y) & (__builtin_elementwise_trunc(h) != h) & (ABS(y) < 0x1p53);
}

WEFT double pow(double x, double y)
{
	double a = ABS(x), r = power_of(a, y);
	if (RARELY(not_positive_normal(x) | !(ABS(y) < INF))) {
		bool grows = (a > 1.0) == (y > 0.0);
		r = a == 0.0 | a == INF | ABS(y) == INF ? (grows ? INF : 0.0) : r;
		r = a == 1.0 ? 1.0 : r;
		r = as_long(x) < 0 & is_odd(y) ? -r : r;
		r = (x < 0.0) & (a != INF) & !is_whole(y) ? (double)NAN : r;
		r = x != x | y != y ? x + y : r;
		r = x == 1.0 | y == 0.0 ? 1.0 : r;
	}
	return r;
}

WEFT double powr(double x, double y)
{
	double r = power_of(x, y);
	if (RARELY(not_positive_normal(x) | !(ABS(y) < INF))) {
		bool grows = (x > 1.0) == (y > 0.0);
		r = x == 0.0 | x == INF | ABS(y) == INF ? (grows ? INF : 0.0) : r;
		r = x == 1.0 & ABS(y) == INF ? (double)NAN : r;
		r = y == 0.0 & (x == 0.0 | x == INF) ? (double)NAN : r;
		r = x < 0.0 | x != x | y != y ? (double)NAN : r;
	}
	return r;
}

WEFT double pown(double x, int n)
{
	double a = ABS(x);
	double r = power_of(a, (double)n);
	if (RARELY(not_positive_normal(x))) {
		bool grows = (a > 1.0) == (n > 0);
		r = a == 0.0 | a == INF ? (grows ? INF : 0.0) : r;
		r = as_long(x) < 0 & n & 1 ? -r : r;
		r = x != x ? x : r;
		r = n == 0 ? 1.0 : r;
	}
	return r;
}

WEFT double rootn(double x, int n)
{
	double a = ABS(x), y = (double)n;
	struct dd l = log2_dd(a);
	double inverse = 1.0 / y, q = l.hi * inverse;
	double rest = FMA(-q, y, l.hi) + l.lo;
	double r = exp2_dd(q, rest * inverse);
	if (RARELY(not_positive_normal(x) | n == 0)) {
		r = a == 0.0 | a == INF ? ((a == INF) == (n > 0) ? INF : 0.0) : r;
		r = as_long(x) < 0 & n & 1 ? -r : r;
		r = (x < 0.0) & !(n & 1) ? (double)NAN : r;
		r = x != x ? x : r;
		r = n == 0 ? (double)NAN : r;
	}
	return r;
}

/* a^y for finite a > 0 */
HELPER float power_of(float a, float y)
{
	struct ff l = log2_ff(a);
	float p = y * l.hi;
	return exp2_ff(p, FMA(y, l.lo, FMA(y, l.hi, -p)));
}

HELPER bool is_whole(float y)
{
	return __builtin_elementwise_trunc(y) == y;
}

HELPER bool is_odd(float y)
{
	float h = 0.5f * y;
	return is_whole(y) & (__builtin_elementwise_trunc(h) != h);
}

WEFT float pow(float x, float y)
{
	float a = ABS(x), r = power_of(a, y);
	if (RARELY(not_positive_normal(x) | !(ABS(y) < INFINITY))) {
		bool grows = (a > 1.0f) == (y > 0.0f);
		r = a == 0.0f | a == INFINITY | ABS(y) == INFINITY ? (grows ? INFINITY : 0.0f) : r;
		r = a == 1.0f ? 1.0f : r;
		r = as_int(x) < 0 & is_odd(y) ? -r : r;
		r = (x < 0.0f) & (a != INFINITY) & !is_whole(y) ? NAN : r;
		r = x != x | y != y ? x + y : r;
		r = x == 1.0f | y == 0.0f ? 1.0f : r;
	}
	return r;
}

WEFT float powr(float x, float y)
{
	float r = power_of(x, y);
	if (RARELY(not_positive_normal(x) | !(ABS(y) < INFINITY))) {
		bool grows = (x > 1.0f) == (y > 0.0f);
		r = x == 0.0f | x == INFINITY | ABS(y) == INFINITY ? (grows ? INFINITY : 0.0f) : r;
		r = x == 1.0f & ABS(y) == INFINITY ? NAN : r;
		r = y == 0.0f & (x == 0.0f | x == INFINITY) ? NAN : r;
		r = x < 0.0f | x != x | y != y ? NAN : r;
	}
	return r;
}

WEFT float pown(float x, int n)
{
	float a = ABS(x);
	/* A float loses bits of n from 2^24 on. */
	struct ff whole = fast_two_sum((float)(n & ~0xffff), (float)(n & 0xffff));
	struct ff l = log2_ff(a);
	float y = whole.hi, p = y * l.hi;
	float r = exp2_ff(p, FMA(whole.lo, l.hi, FMA(y, l.lo, FMA(y, l.hi, -p))));
	if (RARELY(not_positive_normal(x))) {
		bool grows = (a > 1.0f) == (n > 0);
		r = a == 0.0f | a == INFINITY ? (grows ? INFINITY : 0.0f) : r;
		r = as_int(x) < 0 & n & 1 ? -r : r;
		r = x != x ? x : r;
		r = n == 0 ? 1.0f : r;
	}
	return r;
}

WEFT float rootn(float x, int n)
{
	float a = ABS(x), y = (float)n;
	struct ff l = log2_ff(a);
	float inverse = 1.0f / y, q = l.hi * inverse;
	float rest = FMA(-q, y, l.hi) + l.lo;
	float r = exp2_ff(q, rest * inverse);
	if (RARELY(not_positive_normal(x) | n == 0)) {
		r = a == 0.0f | a == INFINITY ? ((a == INFINITY) == (n > 0) ? INFINITY : 0.0f) : r;
		r = as_int(x) < 0 & n & 1 ? -r : r;
		r = (x < 0.0f) & !(n & 1) ? NAN : r;
		r = x != x ? x : r;
		r = n == 0 ? NAN : r;
	}
	return r;
}
