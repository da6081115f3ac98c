/* SPDX-License-Identifier: MIT
 *
 * Hyperbolic functions and their inverses: specification 6.15.2.
 */
#include "direct.h"

/* e^a - 1 for 0 <= a <= 708 */
HELPER double expm1_of(double a, double *sum)
{
	double p = expm1_reduced(reduce_by_log2(a, sum));
	double two_n = as_double((as_long(*sum) << 52) + as_long(1.0));
	return FMA(two_n, p, two_n - 1.0);
}

/* With |x| = n log(2) + r: cosh(r), sinh(r), 2^(n-1) and 2^(-n-1). */
#define HYPERBOLIC(type)                                                                           \
	struct hyperbolic_##type {                                                                 \
		type cosine, sine, up, down, sum;                                                  \
	};

HYPERBOLIC(double)
HYPERBOLIC(float)

HELPER struct hyperbolic_double hyperbolic_parts(double a)
{
	double sum, r = reduce_by_log2(a, &sum), z = r * r;
	long n = as_long(sum) << 52;
	return (struct hyperbolic_double){FMA(z, cosh_tail(z), 1.0), FMA(r * z, sinh_tail(z), r),
					  as_double(as_long(0.5) + n), as_double(as_long(0.5) - n),
					  sum};
}

/* For a > 708: (1 + p) 2^n, where p = e^r - 1, n from the sum less 1; infinite from 711 on. */
HELPER double half_exp_of_large(struct hyperbolic_double h, double a)
{
	double r = scale_twice(h.cosine + h.sine, h.sum - 1.0);
	r = a >= 711.0 ? INF : r;
	return a != a ? a : r;
}

/* sinh(n log(2) + r) = sinh(n log(2)) cosh(r) + cosh(n log(2)) sinh(r) */
WEFT double sinh(double x)
{
	double a = ABS(x);
	struct hyperbolic_double h = hyperbolic_parts(a);
	double y = FMA(h.up - h.down, h.cosine, (h.up + h.down) * h.sine);
	if (RARELY(!(a <= 708.0)))
		y = half_exp_of_large(h, a);
	return __builtin_elementwise_copysign(y, x);
}

WEFT double cosh(double x)
{
	double a = ABS(x);
	struct hyperbolic_double h = hyperbolic_parts(a);
	double y = FMA(h.up + h.down, h.cosine, (h.up - h.down) * h.sine);
	if (RARELY(!(a <= 708.0)))
		y = half_exp_of_large(h, a);
	return y;
}

/* E / (E + 2) with E = e^(2 |x|) - 1. */
WEFT double tanh(double x)
{
	double a = ABS(x), sum, e = expm1_of(2.0 * (a > 20.0 ? 20.0 : a), &sum);
	return __builtin_elementwise_copysign(e / (e + 2.0), x);
}

/* The inverse functions by log1p and a root. log(|x| + sqrt(x^2 + 1)) = log1p(|x| + x^2 / (1 + sqrt(x^2 + 1))), beyond 2^60
 * log(2 |x|). log(x + sqrt(x^2 - 1)) = log1p(t + sqrt(2 t + t^2)) with t = x - 1. log1p(2 a / (1 - a)) / 2. */
#define INVERSES(form, log1p, root)                                                                \
	WEFT double form##asinh(double x)                                                          \
	{                                                                                          \
		double a = ABS(x), square = a * a;                                                 \
		double rest = square / (1.0 + root(square + 1.0));                                 \
		bool large = a > 0x1p60;                                                           \
		double r = log1p(large ? a : a + rest);                                             \
		r = large ? r + 0x1.62e42fefa39efp-1 : r;                                          \
		r = a < INF ? r : a;                                                               \
		return __builtin_elementwise_copysign(r, x);                                       \
	}                                                                                          \
                                                                                                   \
	WEFT double form##acosh(double x)                                                          \
	{                                                                                          \
		bool large = x > 0x1p60;                                                           \
		double t = x - 1.0, s = FMA(t, t, 2.0 * t);                                        \
		double r = log1p(large ? x : t + __builtin_elementwise_sqrt(s));                    \
		r = large ? r + 0x1.62e42fefa39efp-1 : r;                                          \
		r = x < INF ? r : x;                                                               \
		return x >= 1.0 ? r : (double)NAN;                                                 \
	}                                                                                          \
                                                                                                   \
	WEFT double form##atanh(double x)                                                          \
	{                                                                                          \
		double a = ABS(x);                                                                 \
		double r = 0.5 * log1p(2.0 * a / (1.0 - a));                                        \
		r = a == 1.0 ? INF : r;                                                            \
		r = a <= 1.0 ? r : (double)NAN;                                                    \
		return __builtin_elementwise_copysign(r, x);                                       \
	}

HELPER double log1p_of_positive(double x)
{
	return log_of_sum(two_sum(1.0, x));
}

INVERSES(, log1p_of_positive, __builtin_elementwise_sqrt)

/* From an estimate, of normal numbers, as in hypot: within a unit. */
HELPER double root_by_estimate(double x)
{
	double t = __weft_estimate_rsqrt_double(x);
	t = MAD(0.5 * t, FMA(-(x * t), t, 1.0), t);
	double root = x * t;
	return MAD(FMA(-root, root, x), 0.5 * t, root);
}

INVERSES(__weft_direct_, log1p_directly, root_by_estimate)

/* Float. */

HELPER struct hyperbolic_float hyperbolic_parts(float a)
{
	float sum, r = reduce_by_log2(a, &sum), z = r * r;
	int n = as_int(sum) << 23;
	return (struct hyperbolic_float){MAD(z, cosh_tail(z), 1.0f), MAD(r * z, sinh_tail(z), r),
					 as_float(as_int(0.5f) + n), as_float(as_int(0.5f) - n),
					 sum};
}

/* For a > 87: (1 + p) 2^n, where p = e^r - 1, n from the sum less 1; infinite from 90 on. */
HELPER float half_exp_of_large(struct hyperbolic_float h, float a)
{
	float r = scale_twice(h.cosine + h.sine, h.sum - 1.0f);
	r = a >= 90.0f ? INFINITY : r;
	return a != a ? a : r;
}

/* sinh(n log(2) + r) = sinh(n log(2)) cosh(r) + cosh(n log(2)) sinh(r) */
WEFT float sinh(float x)
{
	float a = ABS(x);
	struct hyperbolic_float h = hyperbolic_parts(a);
	float y = MAD(h.up - h.down, h.cosine, (h.up + h.down) * h.sine);
	if (RARELY(!(a <= 87.0f)))
		y = half_exp_of_large(h, a);
	return __builtin_elementwise_copysign(y, x);
}

WEFT float cosh(float x)
{
	float a = ABS(x);
	struct hyperbolic_float h = hyperbolic_parts(a);
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
