/* SPDX-License-Identifier: MIT
 *
 * log2 as a sum of two numbers, and 2 to the power of such a sum, for pow, its variants and tgamma.
 */
#ifndef WEFT_LOG2_EXP2_H
#define WEFT_LOG2_EXP2_H

#include "exp_log.h"
#include "exp_single.h"

/* log2(a) to about 2^-65 of itself, for finite a > 0: with s = f / (2 + f),
 * log2(1 + f) = log2((1 + s) / (1 - s)) = s (2 + 2/3 s^2 + ...) / log(2). The last digits of the sum are not normalized. */
HELPER struct dd log2_dd(double a)
{
	double shift, y = scale_subnormal(a, &shift);
	double k, f = split_exponent(y, SQRT_1_2, &k);
	double d = f + 2.0, d_lo = f - (d - 2.0), inverse = 1.0 / d;
	double s = f * inverse, s_lo = FMA(-s, d_lo, FMA(-s, d, f)) * inverse;
	double z = s * s, z_lo = FMA(s + s, s_lo, FMA(s, s, -z));
	double t = z * log2_tail(z);
	struct dd c = fast_two_sum(LOG2_CUBIC, t);
	double q = z * c.hi, q_lo = FMA(z, c.hi, -q) + FMA(z, c.lo, z_lo * c.hi);
	struct dd g = fast_two_sum(TWO_INV_LN2, q);
	g.lo += q_lo + TWO_INV_LN2_LO;
	double l = s * g.hi, l_lo = FMA(s, g.hi, -l) + FMA(s, g.lo, s_lo * g.hi);
	struct dd sum = fast_two_sum(k + shift, l);
	return (struct dd){sum.hi, sum.lo + l_lo};
}

/* 2^(hi + lo): with lo below 0 not infinite for hi = 1024 yet */
HELPER double exp2_dd(double hi, double lo)
{
	double sum = hi + ROUNDER, r = (hi - (sum - ROUNDER)) + lo;
	return exp_assemble(FMA(r, exp2_ratio(r), 1.0), sum, hi, 1021.0, -1076.0, 1025.0);
}

/* 2 / log(2) */
#define TWO_INV_LN2F 0x1.715476p+1f
#define TWO_INV_LN2F_LO 0x1.4ae0cp-25f

/* log2(a) to about 2^-29 of itself, for finite a > 0: with s = f / (2 + f),
 * log2(1 + f) = log2((1 + s) / (1 - s)) = (2 s + 2/3 s^3 + ...) / log(2). */
HELPER struct ff log2_ff(float a)
{
	float shift, y = scale_subnormal(a, &shift);
	int e;
	float f = split_exponent(y, 0x1.6a09e6p-1f, &e), k = ((float)e + shift) * 0x1p-23f;
	float d = f + 2.0f, d_lo = f - (d - 2.0f), inverse = 1.0f / d;
	float s = f * inverse, s_lo = FMA(-s, d_lo, FMA(-s, d, f)) * inverse, z = s * s;
	float hi = s * TWO_INV_LN2F, lo = FMA(s, TWO_INV_LN2F, -hi);
	lo += MAD(s_lo, TWO_INV_LN2F, s * MAD(z, log2_tail(z), TWO_INV_LN2F_LO));
	struct ff sum = fast_two_sum(k, hi);
	return fast_two_sum(sum.hi, sum.lo + lo);
}

/* 2^(hi + lo): with lo below 0 not infinite for hi = 128 yet */
HELPER float exp2_ff(float hi, float lo)
{
	float sum = hi + ROUNDERF, r = (hi - (sum - ROUNDERF)) + lo;
	return exp_assemble(MAD(r, exp2_ratio(r), 1.0f), sum, hi, 125.0f, -150.0f, 129.0f);
}

#endif
