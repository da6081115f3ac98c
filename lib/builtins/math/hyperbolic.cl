/* SPDX-License-Identifier: MIT
 *
 * Hyperbolic functions and their inverses: specification 6.15.2.
 */
#include "exp_log.h"

/* e^x - 1 as a double-double, for 0 <= x <= 40. */
HELPER struct dd expm1_dd(double x)
{
	int n;
	struct dd p = exp_parts(x, 0.0, &n);
	double two_n = as_double((long)(n + 1023) << 52);
	struct dd sum = two_sum(two_n - 1.0, two_n * p.hi);
	return fast_two_sum(sum.hi, FMA(two_n, p.lo, sum.lo));
}

/* e^x / 2, for x > 20. */
HELPER double half_exp_of(double x)
{
	int n;
	struct dd p = exp_parts(x > 800.0 ? 800.0 : x, 0.0, &n);
	return exp_assemble(p, n - 1);
}

/* (E + E / (E + 1)) / 2 with E = e^|x| - 1. */
WEFT double sinh(double x)
{
	double a = ABS(x);
	struct dd e = expm1_dd(a < 40.0 ? a : 40.0);
	struct dd u = fast_two_sum(1.0 + e.hi, 0.0);
	double q = e.hi / u.hi;
	struct dd s = fast_two_sum(e.hi, q);
	double r = 0.5 * (s.hi + (s.lo + e.lo));
	r = a > 30.0 ? half_exp_of(a) : r;
	r = a < 0x1p-27 ? a : r;
	return x != x ? x : __builtin_elementwise_copysign(r, x);
}

WEFT double cosh(double x)
{
	double a = ABS(x);
	struct dd e = expm1_dd(a < 40.0 ? a : 40.0);
	struct dd u = two_sum(1.0, e.hi);
	double r = 0.5 * (u.hi + (u.lo + e.lo + 1.0 / u.hi));
	r = a > 30.0 ? half_exp_of(a) : r;
	return x != x ? x : r;
}

/* E / (E + 2) with E = e^(2 |x|) - 1. */
WEFT double tanh(double x)
{
	double a = ABS(x);
	struct dd e = expm1_dd(a < 20.0 ? 2.0 * a : 40.0);
	struct dd r = quotient(e, fast_two_sum(2.0 + e.hi, e.lo));
	double y = a < 0x1p-27 ? a : a > 19.1 ? 1.0 : r.hi + r.lo;
	return x != x ? x : __builtin_elementwise_copysign(y, x);
}

/* log(1 + u.hi + u.lo) for u >= 0. */
HELPER double log1p_dd(struct dd u)
{
	struct dd one = two_sum(1.0, u.hi);
	struct dd r = log_dd(one.hi);
	return r.hi + (r.lo + (one.lo + u.lo) / one.hi);
}

/* log(|x| + sqrt(x^2 + 1)) = log1p(|x| + x^2 / (1 + sqrt(x^2 + 1))). */
WEFT double asinh(double x)
{
	double a = ABS(x), b = a > 0x1p30 ? 1.0 : a;
	double square = b * b;
	double rest = square / (1.0 + __builtin_elementwise_sqrt(square + 1.0));
	double r = log1p_dd(two_sum(b, rest));
	struct dd l = log_dd(a > 0x1p30 && a < INF ? a : 1.0);
	r = a > 0x1p30 ? (l.hi + 0x1.62e42fefa39efp-1) + l.lo : r;
	r = a < 0x1p-27 ? a : a == INF ? INF : r;
	return x != x ? x : __builtin_elementwise_copysign(r, x);
}

/* log(x + sqrt(x^2 - 1)) = log1p(t + sqrt(2 t + t^2)) with t = x - 1. */
WEFT double acosh(double x)
{
	bool large = x > 0x1p30;
	double t = large ? 1.0 : x - 1.0;
	double root = __builtin_elementwise_sqrt(FMA(t, t, 2.0 * t));
	double r = log1p_dd(two_sum(t, root));
	struct dd l = log_dd(large && x < INF ? x : 1.0);
	r = large ? (l.hi + 0x1.62e42fefa39efp-1) + l.lo : r;
	r = x == INF ? INF : r;
	return x >= 1.0 ? r : (double)NAN;
}

/* log1p(2 a / (1 - a)) / 2. */
WEFT double atanh(double x)
{
	double a = ABS(x), b = a < 1.0 ? a : 0.5;
	struct dd u =
		quotient((struct dd){2.0 * b, 0.0}, (struct dd){1.0 - b, -b - ((1.0 - b) - 1.0)});
	double r = 0.5 * log1p_dd(u);
	r = a < 0x1p-27 ? a : r;
	r = a == 1.0 ? INF : r;
	return a <= 1.0 ? __builtin_elementwise_copysign(r, x) : (double)NAN;
}

FLOAT_FORM1(sinh)
FLOAT_FORM1(cosh)
FLOAT_FORM1(tanh)
FLOAT_FORM1(asinh)
FLOAT_FORM1(acosh)
FLOAT_FORM1(atanh)
