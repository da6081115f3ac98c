/* SPDX-License-Identifier: MIT
 *
 * pow, pown, powr, rootn: specification 6.15.2 and the edge cases of 7.5.1: x^y = 2^(y log2(x)), with the
 * logarithm as a sum of two, and the product exact to that.
 */
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

/* a^y for finite a > 0 */
HELPER double power_of(double a, double y)
{
	struct dd l = log2_dd(a);
	double p = y * l.hi;
	return exp2_dd(p, FMA(y, l.lo, FMA(y, l.hi, -p)));
}

/* Whether y is a whole number, and whether it is an odd one. */
HELPER bool is_whole(double y)
{
	return __builtin_elementwise_trunc(y) == y;
}

HELPER bool is_odd(double y)
{
	double h = 0.5 * y;
	return is_whole(y) & (__builtin_elementwise_trunc(h) != h) & (ABS(y) < 0x1p53);
}

WEFT double pow(double x, double y)
{
	double a = ABS(x), r = power_of(a, y);
	if (RARELY(not_positive_normal(x) | !(ABS(y) < INF))) {
		bool grows = (a > 1.0) == (y > 0.0);
		r = a == 0.0 | a == INF | ABS(y) == INF ? (grows ? INF : 0.0) : r;
		r = a == 1.0 ? 1.0 : r;
		r = as_long(x) < 0 & is_odd(y) ? -r : r;
		r = (x < 0.0) & (a != INF) & !is_whole(y) ? (double)NAN : r;
		r = x != x | y != y ? x + y : r;
		r = x == 1.0 | y == 0.0 ? 1.0 : r;
	}
	return r;
}

WEFT double powr(double x, double y)
{
	double r = power_of(x, y);
	if (RARELY(not_positive_normal(x) | !(ABS(y) < INF))) {
		bool grows = (x > 1.0) == (y > 0.0);
		r = x == 0.0 | x == INF | ABS(y) == INF ? (grows ? INF : 0.0) : r;
		r = x == 1.0 & ABS(y) == INF ? (double)NAN : r;
		r = y == 0.0 & (x == 0.0 | x == INF) ? (double)NAN : r;
		r = x < 0.0 | x != x | y != y ? (double)NAN : r;
	}
	return r;
}

WEFT double pown(double x, int n)
{
	double a = ABS(x);
	double r = power_of(a, (double)n);
	if (RARELY(not_positive_normal(x))) {
		bool grows = (a > 1.0) == (n > 0);
		r = a == 0.0 | a == INF ? (grows ? INF : 0.0) : r;
		r = as_long(x) < 0 & n & 1 ? -r : r;
		r = x != x ? x : r;
		r = n == 0 ? 1.0 : r;
	}
	return r;
}

WEFT double rootn(double x, int n)
{
	double a = ABS(x), y = (double)n;
	struct dd l = log2_dd(a);
	double inverse = 1.0 / y, q = l.hi * inverse;
	double rest = FMA(-q, y, l.hi) + l.lo;
	double r = exp2_dd(q, rest * inverse);
	if (RARELY(not_positive_normal(x) | n == 0)) {
		r = a == 0.0 | a == INF ? ((a == INF) == (n > 0) ? INF : 0.0) : r;
		r = as_long(x) < 0 & n & 1 ? -r : r;
		r = (x < 0.0) & !(n & 1) ? (double)NAN : r;
		r = x != x ? x : r;
		r = n == 0 ? (double)NAN : r;
	}
	return r;
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

/* a^y for finite a > 0 */
HELPER float power_of(float a, float y)
{
	struct ff l = log2_ff(a);
	float p = y * l.hi;
	return exp2_ff(p, FMA(y, l.lo, FMA(y, l.hi, -p)));
}

HELPER bool is_whole(float y)
{
	return __builtin_elementwise_trunc(y) == y;
}

HELPER bool is_odd(float y)
{
	float h = 0.5f * y;
	return is_whole(y) & (__builtin_elementwise_trunc(h) != h);
}

WEFT float pow(float x, float y)
{
	float a = ABS(x), r = power_of(a, y);
	if (RARELY(not_positive_normal(x) | !(ABS(y) < INFINITY))) {
		bool grows = (a > 1.0f) == (y > 0.0f);
		r = a == 0.0f | a == INFINITY | ABS(y) == INFINITY ? (grows ? INFINITY : 0.0f) : r;
		r = a == 1.0f ? 1.0f : r;
		r = as_int(x) < 0 & is_odd(y) ? -r : r;
		r = (x < 0.0f) & (a != INFINITY) & !is_whole(y) ? NAN : r;
		r = x != x | y != y ? x + y : r;
		r = x == 1.0f | y == 0.0f ? 1.0f : r;
	}
	return r;
}

WEFT float powr(float x, float y)
{
	float r = power_of(x, y);
	if (RARELY(not_positive_normal(x) | !(ABS(y) < INFINITY))) {
		bool grows = (x > 1.0f) == (y > 0.0f);
		r = x == 0.0f | x == INFINITY | ABS(y) == INFINITY ? (grows ? INFINITY : 0.0f) : r;
		r = x == 1.0f & ABS(y) == INFINITY ? NAN : r;
		r = y == 0.0f & (x == 0.0f | x == INFINITY) ? NAN : r;
		r = x < 0.0f | x != x | y != y ? NAN : r;
	}
	return r;
}

WEFT float pown(float x, int n)
{
	float a = ABS(x);
	/* A float loses bits of n from 2^24 on. */
	struct ff whole = fast_two_sum((float)(n & ~0xffff), (float)(n & 0xffff));
	struct ff l = log2_ff(a);
	float y = whole.hi, p = y * l.hi;
	float r = exp2_ff(p, FMA(whole.lo, l.hi, FMA(y, l.lo, FMA(y, l.hi, -p))));
	if (RARELY(not_positive_normal(x))) {
		bool grows = (a > 1.0f) == (n > 0);
		r = a == 0.0f | a == INFINITY ? (grows ? INFINITY : 0.0f) : r;
		r = as_int(x) < 0 & n & 1 ? -r : r;
		r = x != x ? x : r;
		r = n == 0 ? 1.0f : r;
	}
	return r;
}

WEFT float rootn(float x, int n)
{
	float a = ABS(x), y = (float)n;
	struct ff l = log2_ff(a);
	float inverse = 1.0f / y, q = l.hi * inverse;
	float rest = FMA(-q, y, l.hi) + l.lo;
	float r = exp2_ff(q, rest * inverse);
	if (RARELY(not_positive_normal(x) | n == 0)) {
		r = a == 0.0f | a == INFINITY ? ((a == INFINITY) == (n > 0) ? INFINITY : 0.0f) : r;
		r = as_int(x) < 0 & n & 1 ? -r : r;
		r = (x < 0.0f) & !(n & 1) ? NAN : r;
		r = x != x ? x : r;
		r = n == 0 ? NAN : r;
	}
	return r;
}
