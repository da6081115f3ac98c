/* SPDX-License-Identifier: MIT
 *
 * tgamma, lgamma, lgamma_r: specification 6.15.2. From 8 on by Stirling's series, below by a polynomial
 * on [1, 2] and gamma(x + 1) = x gamma(x), negative numbers by gamma(-a) = -pi / (a sin(pi a) gamma(a)).
 */
#include "exp_log.h"

#define HALF_LOG_2PI 0x1.d67f1c864beb5p-1
#define HALF_LOG_2PI_LO -0x1.65b5a1b7ff5dfp-55

/* log(gamma(x)) for 8 <= x <= 200. */
HELPER struct dd stirling(double x)
{
	struct dd p = times(log_dd(x), (struct dd){x - 0.5, 0.0});
	double inverse = 1.0 / x;
	double tail = stirling_tail(inverse * inverse) * inverse;
	struct dd s = two_sum(p.hi, -x), t = two_sum(s.hi, HALF_LOG_2PI);
	return fast_two_sum(t.hi, t.lo + (s.lo + (p.lo + (HALF_LOG_2PI_LO + tail))));
}

/* gamma(x) for 0 < x <= 8. */
HELPER double gamma_small(double x)
{
	double y = x, product = 1.0;
	for (int i = 0; i < 6; i++) {
		bool above = y > 2.0;
		y = above ? y - 1.0 : y;
		product = above ? product * y : product;
	}
	bool below = x < 1.0;
	double r = product / inverse_gamma(below ? x - 0.5 : y - 1.5);
	return below ? r / x : r;
}

WEFT double tgamma(double x)
{
	double a = ABS(x), c = a > 200.0 ? 200.0 : a < 0x1p-60 ? 1.0 : a;
	bool large = c >= 8.0, negative = x < 0.0;
	struct dd l = stirling(large ? c : 8.0);
	double small = gamma_small(large ? 8.0 : c);
	int n;
	struct dd p = exp_parts(negative ? -l.hi : l.hi, negative ? -l.lo : l.lo, &n);
	struct dd one = fast_two_sum(1.0, p.hi);
	double significand = one.hi + (one.lo + p.lo);
	/* The part that mirrors. */
	double mirror = -PI / (c * sinpi(a));
	double r = negative ? (large ? scale(significand * mirror, n) : mirror / small)
			    : (large ? scale(significand, n) : small);
	r = a < 0x1p-60 ? 1.0 / x : r;
	r = negative & (__builtin_elementwise_trunc(x) == x) ? (double)NAN : r;
	r = x == INF ? INF : r;
	return x != x ? x : r;
}

/* For x > 0. */
HELPER double lgamma_positive(double x)
{
	double inverse = 1.0 / x, tail = stirling_tail(inverse * inverse) * inverse;
	double large = FMA(x - 0.5, log(x) - 1.0, HALF_LOG_2PI - 0.5) + tail;
	double small = log(gamma_small(x < 8.0 ? x : 8.0));
	double t = x - 1.0, u = x - 2.0;
	double r = x >= 8.0 ? large : small;
	r = ABS(t) <= 0.25 ? t * log_gamma_ratio(t) : r;
	r = ABS(u) <= 0.25 ? log1p(u) + u * log_gamma_ratio(u) : r;
	return x < 0x1p-60 ? -log(x) : x == INF ? INF : r;
}

WEFT double lgamma_r(double x, __private int *sign)
{
	double a = ABS(x);
	double r = lgamma_positive(a);
	double sine = sinpi(a);
	double mirrored = log(PI / (a * ABS(sine))) - r;
	mirrored = a < 0x1p-60 ? r : mirrored;
	bool pole = (x <= 0.0) & (__builtin_elementwise_trunc(x) == x);
	*sign = x == 0.0                   ? (signbit(x) ? -1 : 1)
		: pole | x != x            ? 0
		: (x < 0.0) & (sine > 0.0) ? -1
					   : 1;
	r = x < 0.0 ? mirrored : r;
	r = pole | a == INF ? INF : r;
	return x != x ? x : r;
}

WEFT double lgamma(double x)
{
	int sign;
	return lgamma_r(x, &sign);
}

WEFT float tgamma(float x)
{
	return (float)tgamma((double)x);
}

WEFT float lgamma(float x)
{
	return (float)lgamma((double)x);
}

WEFT float lgamma_r(float x, __private int *sign)
{
	return (float)lgamma_r((double)x, sign);
}
