/* SPDX-License-Identifier: MIT
 *
 * exp, exp2, exp10, expm1: specification 6.15.2.
 */
#include "exp_log.h"
#include "exp_single.h"

WEFT double exp(double x)
{
	return exp_of(x, 0.0);
}

WEFT double exp2(double x)
{
	double c = x > 1100.0 ? 1100.0 : x < -1100.0 ? -1100.0 : x;
	double k = __builtin_elementwise_rint(c);
	struct dd r = times((struct dd){c - k, 0.0},
			    (struct dd){0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56});
	struct dd p = fast_two_sum(r.hi, FMA(r.hi * r.hi, exp_tail(r.hi), r.lo));
	return exp_assemble(p, whole_to_int(k));
}

WEFT double exp10(double x)
{
	double c = x > 400.0 ? 400.0 : x < -400.0 ? -400.0 : x;
	struct dd y = times((struct dd){c, 0.0}, (struct dd){LN10, LN10_LO});
	return exp_of(y.hi, y.lo);
}

/* 2^n (1 + p) - 1 = (2^n - 1) + 2^n p. */
WEFT double expm1(double x)
{
	double c = x > 800.0 ? 800.0 : x < -50.0 ? -50.0 : x;
	int n;
	struct dd p = exp_parts(c, 0.0, &n);
	int m = n > 60 ? 60 : n;
	double two_n = as_double((long)(m + 1023) << 52);
	struct dd sum = two_sum(two_n - 1.0, two_n * p.hi);
	double r = n > 60 ? exp_assemble(p, n) : sum.hi + (sum.lo + two_n * p.lo);
	return ABS(x) < 0x1p-54 ? x : r;
}

WEFT float exp(float x)
{
	float sum, p = expm1_reduced(reduce_by_log2(x, &sum));
	return exp_assemble(1.0f + p, sum, x, 87.0f, -104.0f, 89.0f);
}

WEFT float exp2(float x)
{
	float sum = x + ROUNDER, r = x - (sum - ROUNDER);
	float p = MAD(r, exp2_ratio(r), 1.0f);
	return exp_assemble(p, sum, x, 125.0f, -150.0f, 128.0f);
}

WEFT float exp10(float x)
{
	float sum = MAD(x, 0x1.a934fp+1f, ROUNDER), n = sum - ROUNDER;
	float r = MAD(-n, LOG10_2F_LO, MAD(-n, LOG10_2F, x));
	float p = MAD(r, exp10_ratio(r), 1.0f);
	return exp_assemble(p, sum, x, 37.0f, -46.0f, 39.0f);
}

/* 2^n (1 + p) - 1 = (2^n - 1) + 2^n p. */
WEFT float expm1(float x)
{
	float c = x < -20.0f ? -20.0f : x;
	float sum, p = expm1_reduced(reduce_by_log2(c, &sum));
	float two_n = as_float((as_int(sum) << 23) + as_int(1.0f));
	float r = MAD(two_n, p, two_n - 1.0f);
	if (RARELY(!(c <= 87.0f))) {
		r = scale_twice(1.0f + p, sum);
		r = x >= 89.0f ? INFINITY : r;
		r = x != x ? x : r;
	}
	return x == 0.0f ? x : r;
}
