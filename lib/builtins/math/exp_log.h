/* SPDX-License-Identifier: MIT
 *
 * The exponential and the logarithm in double, on which most of the other functions stand.
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

/* As above, with f from -1/4 to 1/2, as CPUs take numbers apart: this has the least absolute value of f / (2 + f). */
HELPER double split_exponent(double x, double *k)
{
	return split_exponent(x, 0.75, k);
}

/* As above, by the CPU's instructions, for any number: k is infinite for 0 and infinity, f is NaN for negative
 * numbers. */
HELPER double split_directly(double x, double *k)
{
	double mantissa = __weft_mantissa_double(x);
	*k = __weft_exponent_double(x) + (mantissa < 1.0 ? 1.0 : 0.0);
	return mantissa - 1.0;
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

/* What log, log2, log10 give for 0, negative numbers, infinity and NaN; otherwise r. */
HELPER double log_special(double x, double r)
{
	r = x == INF ? INF : r;
	r = x == 0.0 ? -INF : r;
	return x >= 0.0 ? r : (double)NAN;
}

#endif
