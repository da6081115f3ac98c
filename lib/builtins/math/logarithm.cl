/* SPDX-License-Identifier: MIT
 *
 * log, log2, log10, log1p: specification 6.15.2.
 */
#include "exp_log.h"
#include "exp_single.h"

WEFT double log(double x)
{
	struct dd r = log_dd(x);
	return log_special(x, r.hi + r.lo);
}

WEFT double log2(double x)
{
	int k;
	struct dd m = log_parts(x, &k);
	struct dd r = times(m, (struct dd){INV_LN2, INV_LN2_LO});
	struct dd sum = fast_two_sum((double)k, r.hi);
	return log_special(x, sum.hi + (sum.lo + r.lo));
}

WEFT double log10(double x)
{
	int k;
	struct dd m = log_parts(x, &k);
	struct dd r = times(m, (struct dd){INV_LN10, INV_LN10_LO});
	struct dd sum = fast_two_sum((double)k * LOG10_2, r.hi);
	return log_special(x, sum.hi + (sum.lo + FMA((double)k, LOG10_2_LO, r.lo)));
}

/* log(1 + x) = log(u) + c / u for u + c = 1 + x. */
WEFT double log1p(double x)
{
	struct dd u = two_sum(1.0, x);
	struct dd r = log_dd(u.hi);
	double y = r.hi + (r.lo + u.lo / u.hi);
	y = ABS(x) < 0x1p-54 ? x : y;
	return log_special(u.hi, u.hi == INF ? INF : y);
}

/* Float: the like of log_assemble for the other two. */
HELPER float log2_assemble(float k, float f)
{
	float small = MAD(f, INV_LN2F_LO, INV_LN2F * log_correction(f));
	return MAD(k, 0x1p-23f, MAD(f, INV_LN2F, small));
}

HELPER float log10_assemble(float k, float f)
{
	float small = MAD(f, INV_LN10F_LO, INV_LN10F * log_correction(f));
	small = MAD(f, INV_LN10F, MAD(k, LOG10_2F_LO * 0x1p-23f, small));
	return MAD(k, LOG10_2F * 0x1p-23f, small);
}

/* What is rare is computed apart: it costs one comparison then. */
#define LOGF(name)                                                                                 \
	HELPER float name##_of_normal(float x, float shift)                                        \
	{                                                                                          \
		int e;                                                                             \
		float f = split_exponent(x, TWO_THIRDSF, &e);                                      \
		return name##_assemble((float)e + shift, f);                                       \
	}                                                                                          \
                                                                                                   \
	WEFT float name(float x)                                                                   \
	{                                                                                          \
		if (RARELY(not_positive_normal(x))) {                                              \
			float shift, y = scale_subnormal(x, &shift);                               \
			return log_special(x, name##_of_normal(y, shift));                         \
		}                                                                                  \
		return name##_of_normal(x, 0.0f);                                                  \
	}

LOGF(log)
LOGF(log2)
LOGF(log10)

WEFT float log1p(float x)
{
	struct ff u = two_sum(1.0f, x);
	float r = log_of_sum(u);
	if (RARELY(not_positive_normal(u.hi)))
		r = log_special(u.hi, r);
	return x == 0.0f ? x : r;
}
