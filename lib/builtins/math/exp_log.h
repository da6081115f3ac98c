/* SPDX-License-Identifier: MIT
 *
 * The exponential and the logarithm as double-doubles, on which most of the other functions stand.
 */
#ifndef WEFT_EXP_LOG_H
#define WEFT_EXP_LOG_H

#include "double_double.h"

/* e^(hi + lo) = 2^n (1 + p.hi + p.lo) for |hi| < 2000: Cody and Waite's reduction to |r| <= log(2) / 2. */
HELPER struct dd exp_parts(double hi, double lo, int *n)
{
	double k = __builtin_elementwise_rint(hi * INV_LN2);
	*n = whole_to_int(k);
	struct dd r = two_sum(FMA(-k, LN2, hi), FMA(-k, LN2_LO, lo));
	double tail = FMA(r.hi * r.hi, exp_tail(r.hi), r.lo);
	return fast_two_sum(r.hi, tail);
}

/* 2^n (1 + p), rounded. */
HELPER double exp_assemble(struct dd p, int n)
{
	struct dd one = fast_two_sum(1.0, p.hi);
	return scale(one.hi + (one.lo + p.lo), n);
}

/* log(x) = k log(2) + m with m in [-log(2)/2, log(2)/2], for finite x > 0: with s = f / (2 + f),
 * log(1 + f) = log((1 + s) / (1 - s)) = 2 s + 2/3 s^3 + .... The relative error of m is about 2^-65. */
HELPER struct dd log_parts(double x, int *k)
{
	bool small = x < 0x1p-1022;
	long bits = as_long(small ? x * 0x1p54 : x);
	long e = (bits - 0x3fe6a09e667f3bcd) >> 52;
	*k = (int)e - (small ? 54 : 0);
	double m = as_double(bits - (e << 52));
	double f = m - 1.0;
	struct dd s = quotient((struct dd){f, 0.0}, two_sum(m, 1.0));
	double z = s.hi * s.hi, z_lo = FMA(s.hi, s.hi, -z) + 2.0 * s.hi * s.lo;
	struct dd c = fast_two_sum(TWO_THIRDS, z * log_tail(z));
	c.lo += TWO_THIRDS_LO;
	struct dd cubic = times(times(s, (struct dd){z, z_lo}), c);
	struct dd sum = fast_two_sum(2.0 * s.hi, cubic.hi);
	return fast_two_sum(sum.hi, sum.lo + (2.0 * s.lo + cubic.lo));
}

/* log(x) for finite x > 0. */
HELPER struct dd log_dd(double x)
{
	int k;
	struct dd m = log_parts(x, &k);
	double n = (double)k;
	struct dd sum = fast_two_sum(n * LN2, m.hi);
	return fast_two_sum(sum.hi, sum.lo + FMA(n, LN2_LO, m.lo));
}

/* What log, log2, log10 give for 0, negative numbers, infinity and NaN; otherwise r. */
HELPER double log_special(double x, double r)
{
	r = x == INF ? INF : r;
	r = x == 0.0 ? -INF : r;
	return x >= 0.0 ? r : (double)NAN;
}

/* e^(hi + lo), for any hi. */
HELPER double exp_of(double hi, double lo)
{
	double x = hi > 800.0 ? 800.0 : hi < -800.0 ? -800.0 : hi;
	int n;
	struct dd p = exp_parts(x, x == hi ? lo : 0.0, &n);
	return exp_assemble(p, n);
}

#endif
