/* SPDX-License-Identifier: MIT
 *
 * log, log2, log10, log1p: specification 6.15.2.
 */
#include "exp_log.h"
#include "exp_single.h"

/* The like of log_assemble for the other two; float's k is 2^23 times. */
HELPER double log2_assemble(double k, double f)
{
	return k + FMA(f, INV_LN2, FMA(f, INV_LN2_LO, INV_LN2 * log_correction(f)));
}

HELPER double log10_assemble(double k, double f)
{
	double small = FMA(f, INV_LN10_LO, INV_LN10 * log_correction(f));
	return FMA(k, LOG10_2, FMA(f, INV_LN10, FMA(k, LOG10_2_LO, small)));
}

/* Of float's, one polynomial is the whole. log10's has its leading coefficient, 1 / log(10), apart and in two parts. */
HELPER float log2_assemble(float k, float f)
{
	return MAD(f, log2_ratio(f), k * 0x1p-23f);
}

HELPER float log10_assemble(float k, float f)
{
	float small = MAD(k, LOG10_2F_LO * 0x1p-23f, f * log10_rest(f));
	return MAD(k, LOG10_2F * 0x1p-23f, MAD(f, INV_LN10F, small));
}

/* What is rare is computed apart: it costs one comparison then. */
#define LOG(type, name)                                                                            \
	HELPER type name##_of_normal(type x, type shift)                                           \
	{                                                                                          \
		type k, f = split_exponent(x, &k);                                                 \
		return name##_assemble(k + shift, f);                                              \
	}                                                                                          \
                                                                                                   \
	WEFT type name(type x)                                                                     \
	{                                                                                          \
		type r = name##_of_normal(x, (type)0);                                             \
		if (RARELY(not_positive_normal(x))) {                                              \
			type shift, y = scale_subnormal(x, &shift);                                \
			r = log_special(x, name##_of_normal(y, shift));                            \
		}                                                                                  \
		return r;                                                                          \
	}

LOG(double, log)
LOG(double, log2)
LOG(double, log10)
LOG(float, log)
LOG(float, log2)
LOG(float, log10)

/* u + rest = 1 + x: from 2^53 on the rest is not exact, and too small to count. 2^-k would not be a number for the
 * greatest k, which is left to the rare case. */
WEFT double log1p(double x)
{
	double u = 1.0 + x, rest = x - (u - 1.0);
	double k, f = split_exponent(u, &k);
	ulong unit = as_ulong(1.0) - (as_ulong(k + ROUNDER) << 52);
	double r = log_assemble(k, FMA(rest, as_double(unit), f));
	if (RARELY(as_ulong(u) - as_ulong(LEAST_NORMAL) >=
		   as_ulong(0x1p1000) - as_ulong(LEAST_NORMAL)))
		r = log_special(u, log_assemble(k, f));
	return __builtin_elementwise_copysign(r, x);
}

WEFT float log1p(float x)
{
	struct ff u = two_sum(1.0f, x);
	float r = log_of_sum(u);
	if (RARELY(not_positive_normal(u.hi)))
		r = log_special(u.hi, r);
	return x == 0.0f ? x : r;
}
