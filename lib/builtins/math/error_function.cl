/* SPDX-License-Identifier: MIT
 *
 * erf and erfc: specification 6.15.2. erf(x) = x P(x^2); erfc(x) = e^(-x^2) W(x) / (1 + 2 x) with W in the
 * variable of Shepherd and Laframboise (1981). Where the CPU looks 16 doubles up by an instruction, in parts.
 */
#include "direct.h"
#include "error_tables.h"
#include "exp_single.h"

HELPER double power_12(double x)
{
	double x2 = x * x, x4 = x2 * x2;
	return x4 * x4 * x4;
}

/* erf(5.93) is 1 in double. */
WEFT double erf(double x)
{
	double a = ABS(x), c = a > 5.93 ? 5.93 : a;
	double t = FMA(c * c, 1.0 / 17.6, -1.0), t12 = power_12(t);
	double r = c * FMA(t12, FMA(t12, erf_24(t), erf_12(t)), erf_0(t));
	r = r > 1.0 ? 1.0 : r;
	return __builtin_elementwise_copysign(r, x);
}

/* e^(-a^2) W / (1 + 2 a); the division serves W's variable too, which is 2 a / (a + 3.75) - 1. It ends before 27.3. */
HELPER double erfc_positive(double a)
{
	double c = a > 27.3 ? 27.3 : a, square = c * c;
	double sum, r = reduce_by_log2(-square, &sum);
	double p = expm1_reduced(r - FMA(c, c, -square));
	double left = c + 3.75, right = FMA(2.0, c, 1.0), inverse = 1.0 / (left * right);
	double u = FMA(2.0 * c * right, inverse, -1.0);
	double w = FMA(power_12(u), erfc_12(u), erfc_0(u)) * (left * inverse);
	return exp_assemble(FMA(p, w, w), sum, -square, 700.0, -750.0, 1.0);
}

WEFT double erfc(double x)
{
	double r = erfc_positive(ABS(x));
	return x < 0.0 ? 2.0 - r : r;
}

/* Horner's rule with the coefficients of a part. */
#define STEP(name, power) p = FMA(p, d, name##_##power[part]);

HELPER double erf_of_part(double d, ulong part)
{
	double p = erf_part_11[part];
	STEP(erf_part, 10)
	STEP(erf_part, 9)
	STEP(erf_part, 8)
	STEP(erf_part, 7)
	STEP(erf_part, 6)
	STEP(erf_part, 5)
	STEP(erf_part, 4)
	STEP(erf_part, 3)
	STEP(erf_part, 2)
	STEP(erf_part, 1)
	STEP(erf_part, 0)
	return p;
}

/* By the CPU's instructions; erf(5.922) is 1 in double. */
WEFT double __weft_direct_erf(double x)
{
	double a = ABS(x), c = a > 5.922 ? 5.922 : a;
	double sum = FMA(c, 1.0 / ERF_PART, ROUNDER), n = sum - ROUNDER;
	double r = c * erf_of_part(FMA(-n, ERF_PART, c), as_ulong(sum) & 15);
	r = r > 1.0 ? 1.0 : r;
	return __builtin_elementwise_copysign(r, x);
}

HELPER double erfc_of_part(double d, ulong part)
{
	double p = erfc_part_13[part];
	STEP(erfc_part, 12)
	STEP(erfc_part, 11)
	STEP(erfc_part, 10)
	STEP(erfc_part, 9)
	STEP(erfc_part, 8)
	STEP(erfc_part, 7)
	STEP(erfc_part, 6)
	STEP(erfc_part, 5)
	STEP(erfc_part, 4)
	STEP(erfc_part, 3)
	STEP(erfc_part, 2)
	STEP(erfc_part, 1)
	STEP(erfc_part, 0)
	return p;
}

/* By the CPU's instructions, with a part's number in the bits of a number from 2 to 32. erfc(27.25) is 0. */
WEFT double __weft_direct_erfc(double x)
{
	double a = ABS(x), c = a > 27.25 ? 27.25 : a, square = c * c;
	ulong bits = as_ulong(FMA(c, 1.1, 2.0)), part = bits >> 50 & 15;
	double d = FMA(2.0 - as_double(bits >> 50 << 50), ERFC_PART, c);
	double sum = FMA(-square, INV_LN2, PARTS_ROUNDER), n = sum - PARTS_ROUNDER;
	double b = FMA(-n, LN2_LO, FMA(-n, LN2, -square)) - FMA(c, c, -square);
	double power = parts_of_two_double[as_ulong(sum) & 15];
	power = FMA(power, FMA(b * b, exp_short_tail(b), b), power);
	double r = __weft_scale_double(power * erfc_of_part(d, part), n);
	return x < 0.0 ? 2.0 - r : r;
}

/* erf(3.92) is 1 in float. */
WEFT float erf(float x)
{
	float a = ABS(x), c = a > 3.94f ? 3.94f : a;
	float r = c * erf_centred(MAD(c * c, 1.0f / 7.8f, -1.0f));
	r = r > 1.0f ? 1.0f : r;
	return __builtin_elementwise_copysign(r, x);
}

/* As in double. It ends before 10.1. */
HELPER float erfc_positive(float a)
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
	float r = erfc_positive(ABS(x));
	return x < 0.0f ? 2.0f - r : r;
}
