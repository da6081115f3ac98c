/* SPDX-License-Identifier: MIT
 *
 * Hyperbolic functions and their inverses: specification 6.15.2.
 */
#include "exp_log.h"
#include "exp_single.h"

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

/* With |x| = n log(2) + r: cosh(r), sinh(r), 2^(n-1) and 2^(-n-1). */
struct hyperbolic {
	float cosine, sine, up, down, sum;
};

HELPER struct hyperbolic hyperbolic_parts(float a)
{
	float sum, r = reduce_by_log2(a, &sum), z = r * r;
	int n = as_int(sum) << 23;
	return (struct hyperbolic){MAD(z, cosh_tail(z), 1.0f), MAD(r * z, sinh_tail(z), r),
				   as_float(as_int(0.5f) + n), as_float(as_int(0.5f) - n), sum};
}

/* For a > 87: (1 + p) 2^n, where p = e^r - 1, n from the sum less 1; infinite from 90 on. */
HELPER float half_exp_of_large(struct hyperbolic h, float a)
{
	float r = scale_twice(h.cosine + h.sine, h.sum - 1.0f);
	r = a >= 90.0f ? INFINITY : r;
	return a != a ? a : r;
}

/* sinh(n log(2) + r) = sinh(n log(2)) cosh(r) + cosh(n log(2)) sinh(r) */
WEFT float sinh(float x)
{
	float a = ABS(x);
	struct hyperbolic h = hyperbolic_parts(a);
	float y = MAD(h.up - h.down, h.cosine, (h.up + h.down) * h.sine);
	if (RARELY(!(a <= 87.0f)))
		y = half_exp_of_large(h, a);
	return __builtin_elementwise_copysign(y, x);
}

WEFT float cosh(float x)
{
	float a = ABS(x);
	struct hyperbolic h = hyperbolic_parts(a);
	float y = MAD(h.up + h.down, h.cosine, (h.up - h.down) * h.sine);
	if (RARELY(!(a <= 87.0f)))
		y = half_exp_of_large(h, a);
	return y;
}

/* E / (E + 2) with E = e^(2 |x|) - 1. */
WEFT float tanh(float x)
{
	float a = ABS(x), c = a > 10.0f ? 10.0f : a;
	float sum, p = expm1_reduced(reduce_by_log2(2.0f * c, &sum));
	float two_n = as_float((as_int(sum) << 23) + as_int(1.0f));
	float e = MAD(two_n, p, two_n - 1.0f);
	return __builtin_elementwise_copysign(e / (e + 2.0f), x);
}

/* Up to 1/2 by a polynomial; then log(a + sqrt(a^2 + 1)), from 2^13 on log(2 a). */
WEFT float asinh(float x)
{
	float a = ABS(x), z = a * a;
	bool large = a > 0x1p13f;
	float b = large ? a : a + __builtin_elementwise_sqrt(z + 1.0f);
	int e;
	float f = split_exponent(b, TWO_THIRDSF, &e);
	float r = log_assemble((float)(large ? e + (1 << 23) : e), f);
	r = a > 0.5f ? r : MAD(a * z, asinh_tail(z), a);
	r = a < INFINITY ? r : a;
	return __builtin_elementwise_copysign(r, x);
}

/* log(x + sqrt(x^2 - 1)) = log1p(t + sqrt(2 t + t^2)) with t = x - 1. */
WEFT float acosh(float x)
{
	bool large = x > 0x1p30f;
	float t = x - 1.0f, u = large ? x : t + __builtin_elementwise_sqrt(MAD(t, t, 2.0f * t));
	float r = log_of_sum(two_sum(1.0f, u));
	r = large ? r + 0x1.62e43p-1f : r;
	r = x < INFINITY ? r : x;
	return x >= 1.0f ? r : NAN;
}

/* log1p(2 a / (1 - a)) / 2. */
WEFT float atanh(float x)
{
	float a = ABS(x);
	float r = 0.5f * log_of_sum(two_sum(1.0f, 2.0f * a / (1.0f - a)));
	r = a == 1.0f ? INFINITY : r;
	r = a <= 1.0f ? r : NAN;
	return __builtin_elementwise_copysign(r, x);
}
