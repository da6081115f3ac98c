/* SPDX-License-Identifier: MIT
 *
 * log, log2, log10, log1p: specification 6.15.2.
 */
#include "direct.h"

/* The like of log_assemble for the other two. */
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
HELPER float log2_assemble(float k, float f, float unit)
{
	return MAD(f, log2_ratio(f), k * unit);
}

HELPER float log10_assemble(float k, float f, float unit)
{
	float small = MAD(k, LOG10_2F_LO * unit, f * log10_rest(f));
	return MAD(k, LOG10_2F * unit, MAD(f, INV_LN10F, small));
}

/* By numbers' bits: what is rare is computed apart, which costs one comparison then. */
#define LOG(type, name, ...)                                                                       \
	HELPER type name##_of_normal(type x, type shift)                                           \
	{                                                                                          \
		type k, f = split_exponent(x, &k);                                                 \
		return name##_assemble(k + shift, f, ##__VA_ARGS__);                               \
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
LOG(float, log, IN_PLACE)
LOG(float, log2, IN_PLACE)
LOG(float, log10, IN_PLACE)

/* By the CPU's instructions, for which nothing is rare. */
#define DIRECT_LOG(type, name, ...)                                                                \
	WEFT type __weft_direct_##name(type x)                                                     \
	{                                                                                          \
		type k, f = split_directly(x, &k);                                                 \
		return name##_assemble(k, f, ##__VA_ARGS__);                                       \
	}

DIRECT_LOG(double, log)
DIRECT_LOG(double, log2)
DIRECT_LOG(double, log10)
DIRECT_LOG(float, log, 1.0f)
DIRECT_LOG(float, log2, 1.0f)
DIRECT_LOG(float, log10, 1.0f)

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

/* Of -1 it is infinite, of what is below no number. */
WEFT double __weft_direct_log1p(double x)
{
	double r = log1p_directly(x);
	if (RARELY(!(x > -1.0 & x < INF)))
		r = log_special(1.0 + x, 0.0);
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
