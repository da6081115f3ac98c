/* SPDX-License-Identifier: MIT
 *
 * Hyperbolic functions and their inverses: specification 6.15.2.
 */
#include "exp_log.h"
#include "exp_single.h"

/* e^a - 1 for 0 <= a <= 708 */
HELPER double expm1_of(double a, double *sum)
{
	double p = expm1_reduced(reduce_by_log2(a, sum));
	double two_n = as_double((as_long(*sum) << 52) + as_long(1.0));
	return FMA(two_n, p, two_n - 1.0);
}

/* e^a / 2, for a > 40 */
HELPER double half_exp_of_large(double a)
{
	double sum, p = expm1_reduced(reduce_by_log2(a, &sum));
	double r = scale_twice(1.0 + p, sum - 1.0);
	r = a >= 711.0 ? INF : r;
	return a != a ? a : r;
}

/* (E + E / (E + 1)) / 2 with E = e^|x| - 1. */
WEFT double sinh(double x)
{
	double a = ABS(x), sum, e = expm1_of(a, &sum);
	double y = 0.5 * (e + e / (e + 1.0));
	if (RARELY(!(a <= 708.0)))
		y = half_exp_of_large(a);
	return __builtin_elementwise_copysign(y, x);
}

WEFT double cosh(double x)
{
	double a = ABS(x), sum, e = expm1_of(a, &sum) + 1.0;
	double y = 0.5 * (e + 1.0 / e);
	if (RARELY(!(a <= 708.0)))
		y = half_exp_of_large(a);
	return y;
}

/* E / (E + 2) with E = e^(2 |x|) - 1. */
WEFT double tanh(double x)
{
	double a = ABS(x), sum, e = expm1_of(2.0 * (a > 20.0 ? 20.0 : a), &sum);
	return __builtin_elementwise_copysign(e / (e + 2.0), x);
}

/* log(|x| + sqrt(x^2 + 1)) = log1p(|x| + x^2 / (1 + sqrt(x^2 + 1))), beyond 2^60 log(2 |x|). */
WEFT double asinh(double x)
{
	double a = ABS(x), square = a * a;
	double rest = square / (1.0 + __builtin_elementwise_sqrt(square + 1.0));
	bool large = a > 0x1p60;
	double r = log_of_sum(two_sum(1.0, large ? a : a + rest));
	r = large ? r + 0x1.62e42fefa39efp-1 : r;
	r = a < INF ? r : a;
	return __builtin_elementwise_copysign(r, x);
}

/* log(x + sqrt(x^2 - 1)) = log1p(t + sqrt(2 t + t^2)) with t = x - 1. */
WEFT double acosh(double x)
{
	bool large = x > 0x1p60;
	double t = x - 1.0, u = large ? x : t + __builtin_elementwise_sqrt(FMA(t, t, 2.0 * t));
	double r = log_of_sum(two_sum(1.0, u));
	r = large ? r + 0x1.62e42fefa39efp-1 : r;
	r = x < INF ? r : x;
	return x >= 1.0 ? r : (double)NAN;
}

/* log1p(2 a / (1 - a)) / 2. */
WEFT double atanh(double x)
{
	double a = ABS(x);
	double r = 0.5 * log_of_sum(two_sum(1.0, 2.0 * a / (1.0 - a)));
	r = a == 1.0 ? INF : r;
	r = a <= 1.0 ? r : (double)NAN;
	return __builtin_elementwise_copysign(r, x);
}

/* Float. */

/* With |x| = n log(2) + r: cosh(r), sinh(r), 2^(n-1) and 2^(-n-1). */
struct hyperbolic {
	float cosine, sine, up, down, sum;
};

HELPER struct hyperbolic hyperbolic_parts(float a)
{
	float sum, r = reduce_by_log2(a, &sum), z = r * r;
	int n = as_int(sum) << 23;
	return (struct hyperbolic){MAD(z, cosh_tail(z), 1.0f), MAD(r * z, sinh_tail(z), r),
				   as_float(as_int(0.5f) + n), as_float(as_int(0.5f) - n), sum};
}

/* For a > 87: (1 + p) 2^n, where p = e^r - 1, n from the sum less 1; infinite from 90 on. */
HELPER float half_exp_of_large(struct hyperbolic h, float a)
{
	float r = scale_twice(h.cosine + h.sine, h.sum - 1.0f);
	r = a >= 90.0f ? INFINITY : r;
	return a != a ? a : r;
}

/* sinh(n log(2) + r) = sinh(n log(2)) cosh(r) + cosh(n log(2)) sinh(r) */
WEFT float sinh(float x)
{
	float a = ABS(x);
	struct hyperbolic h = hyperbolic_parts(a);
	float y = MAD(h.up - h.down, h.cosine, (h.up + h.down) * h.sine);
	if (RARELY(!(a <= 87.0f)))
		y = half_exp_of_large(h, a);
	return __builtin_elementwise_copysign(y, x);
}

WEFT float cosh(float x)
{
	float a = ABS(x);
	struct hyperbolic h = hyperbolic_parts(a);
	float y = MAD(h.up + h.down, h.cosine, (h.up - h.down) * h.sine);
	if (RARELY(!(a <= 87.0f)))
		y = half_exp_of_large(h, a);
	return y;
}

/* E / (E + 2) with E = e^(2 |x|) - 1. */
WEFT float tanh(float x)
{
	float a = ABS(x), c = a > 10.0f ? 10.0f : a;
	float sum, p = expm1_reduced(reduce_by_log2(2.0f * c, &sum));
	float two_n = as_float((as_int(sum) << 23) + as_int(1.0f));
	float e = MAD(two_n, p, two_n - 1.0f);
	return __builtin_elementwise_copysign(e / (e + 2.0f), x);
}

/* Up to 1/2 by a polynomial; then log(a + sqrt(a^2 + 1)), from 2^13 on log(2 a). */
WEFT float asinh(float x)
{
	float a = ABS(x), z = a * a;
	bool large = a > 0x1p13f;
	float b = large ? a : a + __builtin_elementwise_sqrt(z + 1.0f);
	int e;
	float f = split_exponent(b, LEAST_MANTISSAF, &e);
	float r = log_assemble((float)(large ? e + (1 << 23) : e), f, IN_PLACE);
	r = a > 0.5f ? r : MAD(a * z, asinh_tail(z), a);
	r = a < INFINITY ? r : a;
	return __builtin_elementwise_copysign(r, x);
}

/* log(x + sqrt(x^2 - 1)) = log1p(t + sqrt(2 t + t^2)) with t = x - 1. */
WEFT float acosh(float x)
{
	bool large = x > 0x1p30f;
	float t = x - 1.0f, u = large ? x : t + __builtin_elementwise_sqrt(MAD(t, t, 2.0f * t));
	float r = log_of_sum(two_sum(1.0f, u));
	r = large ? r + 0x1.62e43p-1f : r;
	r = x < INFINITY ? r : x;
	return x >= 1.0f ? r : NAN;
}

/* log1p(2 a / (1 - a)) / 2. */
WEFT float atanh(float x)
{
	float a = ABS(x);
	float r = 0.5f * log_of_sum(two_sum(1.0f, 2.0f * a / (1.0f - a)));
	r = a == 1.0f ? INFINITY : r;
	r = a <= 1.0f ? r : NAN;
	return __builtin_elementwise_copysign(r, x);
}
