/* SPDX-License-Identifier: MIT
 *
 * gamma(x) and the logarithm of its absolute value. From 8 on by Stirling's series, below by a polynomial
 * on [1, 2] and gamma(x + 1) = x gamma(x), negative numbers by gamma(-a) = -pi / (a sin(pi a) gamma(a)).
 */
#ifndef WEFT_GAMMA_H
#define WEFT_GAMMA_H

#include "log2_exp2.h"

#define HALF_LOG_2PI 0x1.d67f1c864beb5p-1
#define HALF_LOG2_2PI 0x1.536439a4c6efcp+0
#define HALF_LOG2_2PI_LO -0x1.49e49a361efebp-54
#define SQRT_2PIF 0x1.40d932p+1f
#define SQRT_PI_2F 0x1.40d932p+0f

/* log2(gamma(x)) for 8 <= x <= 200. */
HELPER struct dd stirling(double x)
{
	struct dd l = log2_dd(x);
	double t = x - 0.5, p = t * l.hi, p_lo = FMA(t, l.lo, FMA(t, l.hi, -p));
	double q = x * INV_LN2, q_lo = FMA(x, INV_LN2_LO, FMA(x, INV_LN2, -q));
	double inverse = 1.0 / x, tail = stirling_tail(inverse * inverse) * inverse;
	struct dd s = two_sum(p, -q), u = two_sum(s.hi, HALF_LOG2_2PI);
	double lo = s.lo + u.lo + (p_lo - q_lo + FMA(tail, INV_LN2, HALF_LOG2_2PI_LO));
	return fast_two_sum(u.hi, lo);
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

/* factor 2^(l.hi + l.lo), rounded once */
HELPER double times_exp2(double factor, struct dd l)
{
	double sum = l.hi + ROUNDER, r = (l.hi - (sum - ROUNDER)) + l.lo;
	return scale_twice(factor * FMA(r, exp2_ratio(r), 1.0), sum);
}

HELPER double gamma_of(double x)
{
	double a = ABS(x), c = a > 200.0 ? 200.0 : a < 0x1p-60 ? 1.0 : a;
	bool is_large = c >= 8.0, negative = x < 0.0;
	struct dd l = stirling(is_large ? c : 8.0);
	double small = gamma_small(is_large ? 8.0 : c);
	/* The part that mirrors. */
	double mirror = -PI / (c * sinpi(a));
	l.hi = negative ? -l.hi : l.hi;
	l.lo = negative ? -l.lo : l.lo;
	double large = times_exp2(negative ? mirror : 1.0, l);
	double r = is_large ? large : negative ? mirror / small : small;
	r = a < 0x1p-60 ? 1.0 / x : r;
	r = negative & (__builtin_elementwise_trunc(x) == x) ? (double)NAN : r;
	return x != x ? x : r;
}

/* log(x) for finite x > 0 */
HELPER double log_of_positive(double x)
{
	double shift, y = scale_subnormal(x, &shift), k, f = split_exponent(y, &k);
	return log_assemble(k + shift, f);
}

/* For x > 0. */
HELPER double lgamma_positive(double x)
{
	bool is_large = x >= 8.0, is_tiny = x < 0x1p-60;
	double small = gamma_small(is_large ? 8.0 : x);
	double l = log_of_positive(is_large | is_tiny ? x : small);
	double inverse = 1.0 / x, tail = stirling_tail(inverse * inverse) * inverse;
	double r = is_large ? FMA(x - 0.5, l - 1.0, HALF_LOG_2PI - 0.5) + tail : l;
	double t = x - 1.0, u = x - 2.0;
	r = ABS(t) <= 0.25 ? t * log_gamma_ratio(t) : r;
	r = ABS(u) <= 0.25 ? log_of_sum(two_sum(1.0, u)) + u * log_gamma_ratio(u) : r;
	return is_tiny ? -l : x == INF ? INF : r;
}

HELPER bool is_pole(double x)
{
	return (x <= 0.0) & (__builtin_elementwise_trunc(x) == x);
}

HELPER double log_gamma_of(double x)
{
	double a = ABS(x), r = lgamma_positive(a);
	double mirrored = log_of_positive(PI / (a * ABS(sinpi(a)))) - r;
	mirrored = a < 0x1p-60 ? r : mirrored;
	r = x < 0.0 ? mirrored : r;
	r = is_pole(x) | a == INF ? INF : r;
	return x != x ? x : r;
}

/* ((y - 1/2) log(y) - y) / log(2), which is Stirling's formula without its constant and its correction, for
 * 3 <= y <= 50. What y lacks is e, and `inverse` is 1 / y. */
HELPER struct ff stirling(float y, float e, float inverse)
{
	struct ff l = log2_ff(y);
	float t = y - 0.5f, p = t * l.hi, p_lo = FMA(t, l.lo, FMA(t, l.hi, -p));
	float q = y * INV_LN2F, q_lo = FMA(y, INV_LN2F_LO, FMA(y, INV_LN2F, -q));
	struct ff s = two_sum(p, -q);
	float slope = MAD(inverse, -0.5f * INV_LN2F, l.hi);
	return fast_two_sum(s.hi, s.lo + MAD(e, slope, p_lo - q_lo));
}

/* With gamma(x) = gamma(x + 3) / (x (x + 1) (x + 2)) below 3. From 36 on it is infinite, and what mirrors is 0 from 46 on. */
HELPER float gamma_of(float x)
{
	float a = ABS(x), c = a > 46.0f ? 46.0f : a;
	bool small = c < 3.0f, negative = x < 0.0f;
	float y = small ? c + 3.0f : c, e = small ? c - (y - 3.0f) : 0.0f;
	float product = small ? c * (c + 1.0f) * (c + 2.0f) : 1.0f;
	float inverse = 1.0f / y, g = gamma_correction(inverse);
	struct ff l = stirling(y, e, inverse);
	float top = negative ? -SQRT_PI_2F * product : SQRT_2PIF * g;
	float bottom = negative ? c * sinpi(a) * g : product;
	l.hi = negative ? -l.hi : l.hi;
	l.lo = negative ? -l.lo : l.lo;
	float sum = l.hi + ROUNDERF, r = (l.hi - (sum - ROUNDERF)) + l.lo;
	r = scale_twice(top / bottom * MAD(r, exp2_ratio(r), 1.0f), sum);
	r = a < 0x1p-24f ? 1.0f / x : r;
	r = negative & (__builtin_elementwise_trunc(x) == x) ? NAN : r;
	return x != x ? x : r;
}

/* Near its zeros at negative numbers more digits cancel than a float has. */
HELPER float log_gamma_of(float x)
{
	return (float)log_gamma_of((double)x);
}

#endif
