/* SPDX-License-Identifier: MIT
 *
 * The exponential and the logarithm in float, on which most of the other float functions stand.
 */
#ifndef WEFT_EXP_SINGLE_H
#define WEFT_EXP_SINGLE_H

#include "single.h"

#define LN2F 0x1.62e4p-1f /* 15 bits: times an exponent it is exact */
#define LN2F_LO 0x1.7f7d1cp-20f
#define INV_LN2F 0x1.715476p+0f
#define INV_LN2F_LO 0x1.4ae0cp-26f
#define INV_LN10F 0x1.bcb7b2p-2f
#define LOG10_2F 0x1.344p-2f /* 11 bits */
#define LOG10_2F_LO 0x1.3509f8p-18f

/* x = n log(2) + r with |r| <= log(2) / 2 (Cody and Waite), for |x| < 200; n is in the last bits of *sum. */
HELPER float reduce_by_log2(float x, float *sum)
{
	*sum = MAD(x, INV_LN2F, ROUNDERF);
	float n = *sum - ROUNDERF;
	return MAD(-n, LN2F_LO, MAD(-n, LN2F, x));
}

/* As above by log10(2), for |x| < 60. */
HELPER float reduce_by_log10_2(float x, float *sum)
{
	*sum = MAD(x, 0x1.a934fp+1f, ROUNDERF);
	float n = *sum - ROUNDERF;
	return MAD(-n, LOG10_2F_LO, MAD(-n, LOG10_2F, x));
}

/* e^r - 1 */
HELPER float expm1_reduced(float r)
{
	return MAD(r * r, exp_tail(r), r);
}

/* p 2^n for p about 1 and n in the last bits of `sum`, where x is what decides: beyond `usual` (or NaN) the result
 * may not be a normal number, from `least` down it is 0 and from `greatest` up infinite. */
HELPER float exp_assemble(float p, float sum, float x, float usual, float least, float greatest)
{
	float r = as_float(as_int(p) + (as_int(sum) << 23));
	if (RARELY(!(ABS(x) <= usual))) {
		r = scale_twice(p, sum);
		r = x <= least ? 0.0f : r;
		r = x >= greatest ? INFINITY : r;
		r = x != x ? x : r;
	}
	return r;
}

/* A positive number is 2^k (1 + f) with 1 + f in [least, 2 least); the result is f, and *e is 2^23 k. */
HELPER float split_exponent(float x, float least, int *e)
{
	*e = (as_int(x) - as_int(least)) & as_int(-INFINITY);
	return as_float(as_int(x) - *e) - 1.0f;
}

/* Of 1 + f, as CPUs take numbers apart and log's polynomials want it. */
#define LEAST_MANTISSAF 0.75f

/* As above with f from -1/4 to 1/2; *k is 2^23 k. */
HELPER float split_exponent(float x, float *k)
{
	int e;
	float f = split_exponent(x, LEAST_MANTISSAF, &e);
	*k = (float)e;
	return f;
}

/* As above, by the CPU's instructions, for any number: k is infinite for 0 and infinity, f is NaN for negative
 * numbers. */
HELPER float split_directly(float x, float *k)
{
	float mantissa = __weft_mantissa(x);
	*k = __weft_exponent(x) + (mantissa < 1.0f ? 1.0f : 0.0f);
	return mantissa - 1.0f;
}

/* log(1 + f) - f */
HELPER float log_correction(float f)
{
	return f * f * MAD(f, log_tail(f), -0.5f);
}

/* What k counts where an exponent stands in its place. */
#define IN_PLACE 0x1p-23f

/* k log(2) + log(1 + f), k in so many units */
HELPER float log_assemble(float k, float f, float unit)
{
	float small = MAD(k, LN2F_LO * unit, log_correction(f));
	return MAD(k, LN2F * unit, f + small);
}

/* log(u), with u.lo too small to change k */
HELPER float log_of_sum(struct ff u)
{
	int e;
	float f = split_exponent(u.hi, LEAST_MANTISSAF, &e);
	float unit = as_float(__builtin_elementwise_max(as_int(1.0f) - e, 0));
	return log_assemble((float)e, MAD(u.lo, unit, f), IN_PLACE);
}

/* Whether x is 0, subnormal, negative, infinite or NaN. */
HELPER bool not_positive_normal(float x)
{
	return as_uint(x) - as_uint(LEAST_NORMALF) >= as_uint(INFINITY) - as_uint(LEAST_NORMALF);
}

/* A subnormal number 2^24 times, and what that adds to 2^23 k. */
HELPER float scale_subnormal(float x, float *k)
{
	*k = x < LEAST_NORMALF ? -24.0f * 0x1p23f : 0.0f;
	return x < LEAST_NORMALF ? x * 0x1p24f : x;
}

/* What the logarithms give for 0, negative numbers, infinity and NaN; otherwise r. */
HELPER float log_special(float x, float r)
{
	r = x < INFINITY ? r : x;
	return x > 0.0f ? r : x == 0.0f ? -INFINITY : NAN;
}

#endif
