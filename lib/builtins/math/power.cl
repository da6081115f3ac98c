/* SPDX-License-Identifier: MIT
 *
 * pow, pown, powr, rootn: specification 6.15.2 and the edge cases of 7.5.1. x^y = e^(y log x), with the
 * logarithm to 2^-65 and the product exact to that.
 */
#include "exp_log.h"

/* |x|^y for finite x other than 0. */
HELPER double power_of(double x, double y)
{
	struct dd l = log_dd(ABS(x));
	double p = y * l.hi;
	double e = FMA(y, l.lo, FMA(y, l.hi, -p));
	return exp_of(p, e);
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
	double a = ABS(x);
	double r = power_of(a == 0.0 | a == INF ? 1.0 : x, ABS(y) == INF ? 1.0 : y);
	/* 0 and infinity: up or down with the sign of y. */
	bool grows = (a > 1.0) == (y > 0.0);
	r = a == 0.0 | a == INF ? (grows ? INF : 0.0) : r;
	r = ABS(y) == INF ? (a == 1.0 ? 1.0 : grows ? INF : 0.0) : r;
	/* Negative bases. */
	bool negative = signbit(x);
	r = negative & is_odd(y) ? -r : r;
	r = (x < 0.0) & (a != INF) & !is_whole(y) ? (double)NAN : r;
	r = x != x | y != y ? x + y : r;
	return x == 1.0 | y == 0.0 ? 1.0 : r;
}

WEFT double powr(double x, double y)
{
	double r = power_of(x == 0.0 | x == INF ? 1.0 : x, ABS(y) == INF ? 1.0 : y);
	bool grows = (x > 1.0) == (y > 0.0);
	r = x == 0.0 | x == INF ? (grows ? INF : 0.0) : r;
	r = ABS(y) == INF ? (x == 1.0 ? (double)NAN : grows ? INF : 0.0) : r;
	r = y == 0.0 ? (x == 0.0 | x == INF ? (double)NAN : 1.0) : r;
	r = x < 0.0 ? (double)NAN : r;
	return x != x | y != y ? (double)NAN : r;
}

WEFT double pown(double x, int n)
{
	double a = ABS(x), y = (double)n;
	double r = power_of(a == 0.0 | a == INF ? 1.0 : x, y);
	bool grows = (a > 1.0) == (n > 0);
	r = a == 0.0 | a == INF ? (grows ? INF : 0.0) : r;
	r = signbit(x) & (n & 1) ? -r : r;
	r = x != x ? x : r;
	return n == 0 ? 1.0 : r;
}

WEFT double rootn(double x, int n)
{
	double a = ABS(x);
	struct dd l = log_dd(a == 0.0 | a == INF ? 1.0 : a);
	struct dd q = quotient(l, (struct dd){(double)n, 0.0});
	double r = exp_of(q.hi, q.lo);
	r = a == 0.0 | a == INF ? ((a == INF) == (n > 0) ? INF : 0.0) : r;
	r = signbit(x) & (n & 1) ? -r : r;
	r = (x < 0.0) & !(n & 1) ? (double)NAN : r;
	r = x != x ? x : r;
	return n == 0 ? (double)NAN : r;
}

FLOAT_FORM2(pow)
FLOAT_FORM2(powr)

WEFT float pown(float x, int n)
{
	return (float)pown((double)x, n);
}

WEFT float rootn(float x, int n)
{
	return (float)rootn((double)x, n);
}
