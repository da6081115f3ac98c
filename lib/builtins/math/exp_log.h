/* SPDX-License-Identifier: MIT
 *
 * The exponential and the logarithm, on which most of the other functions stand: in double, and as double-doubles.
 */
#ifndef WEFT_EXP_LOG_H
#define WEFT_EXP_LOG_H

#include "double_double.h"

/* x = n log(2) + r with |r| <= log(2) / 2 (Cody and Waite), for |x| < 2000; n is in the last bits of *sum. */
HELPER double reduce_by_log2(double x, double *sum)
{
	*sum = FMA(x, INV_LN2, ROUNDER);
	double n = *sum - ROUNDER;
	return FMA(-n, LN2_LO, FMA(-n, LN2, x));
}

/* e^r - 1 */
HELPER double expm1_reduced(double r)
{
	return FMA(r * r, exp_tail(r), r);
}

/* p 2^n, rounded once, with n in the last bits of a sum with ROUNDER, |n| < 2000. */
HELPER double scale_twice(double p, double sum)
{
	long n = as_long(sum) - as_long(ROUNDER), half_n = n >> 1;
	return p * as_double((half_n + 1023) << 52) * as_double((n - half_n + 1023) << 52);
}

/* p 2^n for p about 1 and n in the last bits of `sum`, where x is what decides: beyond `usual` (or NaN) the result
 * may not be a normal number, from `least` down it is 0 and from `greatest` up infinite. */
HELPER double exp_assemble(double p, double sum, double x, double usual, double least,
			   double greatest)
{
	double r = as_double(as_long(p) + (as_long(sum) << 52));
	if (RARELY(!(ABS(x) <= usual))) {
		r = scale_twice(p, sum);
		r = x <= least ? 0.0 : r;
		r = x >= greatest ? INF : r;
		r = x != x ? x : r;
	}
	return r;
}

/* A positive normal number is 2^k (1 + f) with 1 + f in [least, 2 least); the result is f. The exponent becomes a
 * double by being the last bits of one: only few vector units convert 64 bits. */
HELPER double split_exponent(double x, double least, double *k)
{
	const ulong offset = 1024ul << 52;
	ulong e = (as_ulong(x) + (offset - as_ulong(least))) >> 52;
	*k = as_double(e | as_ulong(0x1p52)) - (0x1p52 + 1024.0);
	return as_double(as_ulong(x) + offset - (e << 52)) - 1.0;
}

/* The same with the least |f|. */
HELPER double split_exponent(double x, double *k)
{
	return split_exponent(x, TWO_THIRDS, k);
}

/* log(1 + f) - f: with s = f / (2 + f), log(1 + f) = log((1 + s) / (1 - s)) = 2 s + 2/3 s^3 + ..., and 2 s = f - s f. */
HELPER double log_correction(double f)
{
	double s = f / (2.0 + f), z = s * s;
	return s * FMA(z, FMA(z, log_tail(z), TWO_THIRDS), -f);
}

/* k log(2) + log(1 + f) */
HELPER double log_assemble(double k, double f)
{
	return FMA(k, LN2, f + FMA(k, LN2_LO, log_correction(f)));
}

/* log(u), with u.lo too small to change k */
HELPER double log_of_sum(struct dd u)
{
	double k, f = split_exponent(u.hi, &k);
	double unit = as_double(as_long(1.0) - (as_long(k + ROUNDER) << 52));
	return log_assemble(k, FMA(u.lo, k < 1000.0 ? unit : 0.0, f));
}

/* Whether x is 0, subnormal, negative, infinite or NaN. */
HELPER bool not_positive_normal(double x)
{
	return as_ulong(x) - as_ulong(LEAST_NORMAL) >= as_ulong(INF) - as_ulong(LEAST_NORMAL);
}

/* A subnormal number 2^54 times, and what that adds to k. */
HELPER double scale_subnormal(double x, double *k)
{
	*k = x < LEAST_NORMAL ? -54.0 : 0.0;
	return x < LEAST_NORMAL ? x * 0x1p54 : x;
}

/* e^(hi + lo) = 2^n (1 + p.hi + p.lo) for |hi| < 2000: Cody and Waite's reduction to |r| <= log(2) / 2. */
HELPER struct dd exp_parts(double hi, double lo, int *n)
{
	double k = __builtin_elementwise_rint(hi * INV_LN2);
	*n = whole_to_int(k);
	struct dd r = two_sum(FMA(-k, LN2, hi), FMA(-k, LN2_LO, lo));
	double tail = FMA(r.hi * r.hi, exp_tail(r.hi), r.lo);
	return fast_two_sum(r.hi, tail);
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

#endif
