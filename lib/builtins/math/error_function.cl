/* SPDX-License-Identifier: MIT
 *
 * erf and erfc: specification 6.15.2. From 0.9 on, erfc(x) = e^(-x^2) W(x) / (1 + 2 x) with W in the
 * variable of Shepherd and Laframboise (1981).
 */
#include "exp_log.h"
#include "exp_single.h"

HELPER double erfc_large(double a)
{
	double c = a > 28.0 ? 28.0 : a;
	struct dd square = two_product(c, c);
	double u = (c - 3.75) / (c + 3.75);
	int n;
	struct dd p = exp_parts(-square.hi, -square.lo, &n);
	struct dd one = fast_two_sum(1.0, p.hi);
	return scale((one.hi + (one.lo + p.lo)) * (erfc_scaled(u) / FMA(2.0, c, 1.0)), n);
}

WEFT double erf(double x)
{
	double a = ABS(x);
	double r = a < 1.0 ? a * erf_ratio(a * a) : 1.0 - erfc_large(a);
	return x != x ? x : __builtin_elementwise_copysign(r, x);
}

WEFT double erfc(double x)
{
	double a = ABS(x);
	double small = x * erf_ratio(a * a), large = erfc_large(a);
	double r = a < 0.9 ? 1.0 - small : x < 0.0 ? 2.0 - large : large;
	return x != x ? x : r;
}

/* erf(3.92) is 1 in float. */
WEFT float erf(float x)
{
	float a = ABS(x), c = a > 3.94f ? 3.94f : a;
	float r = c * erf_centred(MAD(c * c, 1.0f / 7.8f, -1.0f));
	r = r > 1.0f ? 1.0f : r;
	return __builtin_elementwise_copysign(r, x);
}

/* e^(-a^2) W / (1 + 2 a), for a >= 1/2; the division serves W's variable too. It ends before 10.1. */
HELPER float erfc_large(float a)
{
	float c = a > 10.1f ? 10.1f : a, square = c * c;
	float sum, r = reduce_by_log2(-square, &sum);
	float p = expm1_reduced(r - FMA(c, c, -square));
	float left = c + 3.75f, right = MAD(2.0f, c, 1.0f), inverse = 1.0f / (left * right);
	float w = erfc_scaled((c - 3.75f) * right * inverse) * (left * inverse);
	return exp_assemble(MAD(p, w, w), sum, -square, 80.0f, -104.0f, 1.0f);
}

WEFT float erfc(float x)
{
	float a = ABS(x), z = x * x, large = erfc_large(a);
	large = x < 0.0f ? 2.0f - large : large;
	return a < 0.5f ? MAD(-x, erf_ratio(z), 1.0f) : large;
}
