/* SPDX-License-Identifier: MIT
 *
 * exp, exp2, exp10, expm1: specification 6.15.2.
 */
#include "direct.h"

WEFT double exp(double x)
{
	double sum, p = expm1_reduced(reduce_by_log2(x, &sum));
	return exp_assemble(1.0 + p, sum, x, 708.0, -746.0, 710.0);
}

WEFT double exp2(double x)
{
	double sum = x + ROUNDER, r = x - (sum - ROUNDER);
	double p = expm1_reduced(0x1.62e42fefa39efp-1 * r);
	return exp_assemble(1.0 + p, sum, x, 1021.0, -1076.0, 1024.0);
}

WEFT double exp10(double x)
{
	double sum = FMA(x, 0x1.a934f0979a371p+1, ROUNDER), n = sum - ROUNDER;
	double p = expm1_reduced(LN10 * FMA(-n, LOG10_2_LO, FMA(-n, LOG10_2, x)));
	return exp_assemble(1.0 + p, sum, x, 307.0, -324.0, 309.0);
}

/* By the CPU's instructions, for which nothing is rare. */
WEFT double __weft_direct_exp(double x)
{
	double sum = FMA(x, INV_LN2, PARTS_ROUNDER), n = sum - PARTS_ROUNDER;
	return exp_of_parts(FMA(-n, LN2_LO, FMA(-n, LN2, x)), sum, n, -0.0);
}

WEFT double __weft_direct_exp2(double x)
{
	double sum = x + PARTS_ROUNDER, n = sum - PARTS_ROUNDER;
	return exp_of_parts(0x1.62e42fefa39efp-1 * (x - n), sum, n, -0.0);
}

WEFT double __weft_direct_exp10(double x)
{
	double sum = FMA(x, 0x1.a934f0979a371p+1, PARTS_ROUNDER), n = sum - PARTS_ROUNDER;
	return exp_of_parts(LN10 * FMA(-n, LOG10_2_LO, FMA(-n, LOG10_2, x)), sum, n, -0.0);
}

/* 2^n (1 + p) - 1 = (2^n - 1) + 2^n p. */
WEFT double expm1(double x)
{
	double c = x < -50.0 ? -50.0 : x;
	double sum, p = expm1_reduced(reduce_by_log2(c, &sum));
	double two_n = as_double((as_long(sum) << 52) + as_long(1.0));
	double r = FMA(two_n, p, two_n - 1.0);
	if (RARELY(!(c <= 708.0))) {
		r = scale_twice(1.0 + p, sum);
		r = x >= 710.0 ? INF : r;
		r = x != x ? x : r;
	}
	return x == 0.0 ? x : r;
}

WEFT float exp(float x)
{
	float sum, p = expm1_reduced(reduce_by_log2(x, &sum));
	return exp_assemble(1.0f + p, sum, x, 87.0f, -104.0f, 89.0f);
}

WEFT float exp2(float x)
{
	float sum = x + ROUNDERF, r = x - (sum - ROUNDERF);
	float p = MAD(r, exp2_ratio(r), 1.0f);
	return exp_assemble(p, sum, x, 125.0f, -150.0f, 128.0f);
}

WEFT float exp10(float x)
{
	float sum, r = reduce_by_log10_2(x, &sum);
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
