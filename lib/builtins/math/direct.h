/* SPDX-License-Identifier: MIT
 *
 * The exponential and the logarithm for CPUs that take numbers apart, scale them and look 16 doubles or 32 floats up by an
 * instruction (weft_internal.h, AVX-512): no argument is rare.
 */
#ifndef WEFT_DIRECT_H
#define WEFT_DIRECT_H

#include "direct_tables.h"
#include "exp_log.h"
#include "exp_single.h"

/* Adding it rounds to whole parts of two's powers, of which the last bits count 1/16 or 1/32. */
#define PARTS_ROUNDER 0x1.8p48
#define PARTS_ROUNDERF 0x1.8p18f

/* e^r 2^n for |r| < log(2) / 32 and n whole 16ths, sum = n + PARTS_ROUNDER. A greater r is one of an n beyond all results, a NaN that of an
 * infinite n. `rest` is what the power of two in the table lacks, as a part of it, or -0. */
HELPER double exp_of_parts(double r, double sum, double n, double rest)
{
	double b = __weft_within_one_double(r), part = parts_of_two_double[as_ulong(sum) & 15];
	return __weft_scale_double(FMA(part, FMA(b * b, exp_short_tail(b), b + rest), part), n);
}

/* As above, with |r| < log(2) / 64 and 32nds. */
HELPER float exp_of_parts(float r, float sum, float n, float rest)
{
	float b = __weft_within_one(r), part = parts_of_two[as_uint(sum) & 31];
	return __weft_scale(MAD(part, MAD(b * b, exp_short_tail(b), b + rest), part), n);
}

/* e^(hi + lo), both finite. What is a number of the type is exact if the sum is. */
HELPER double exp_directly(double hi, double lo)
{
	double sum = FMA(hi + lo, INV_LN2, PARTS_ROUNDER), n = sum - PARTS_ROUNDER;
	double r = FMA(-n, LN2_LO, FMA(-n, LN2, hi)) + lo;
	return exp_of_parts(r, sum, n, rests_of_two_double[as_ulong(sum) & 15]);
}

HELPER float exp_directly(float hi, float lo)
{
	float sum = MAD(hi + lo, INV_LN2F, PARTS_ROUNDERF), n = sum - PARTS_ROUNDERF;
	float r = MAD(-n, LN2F_LO, MAD(-n, LN2F, hi)) + lo;
	return exp_of_parts(r, sum, n, rests_of_two[as_uint(sum) & 31]);
}

/* log(a) to 2^-61 of itself, NaN where a is not finite or not above 0: with a = 2^k m and m = (1 + z) / c, k log(2) - log(c) + log(1 + z), of which
 * the first two and z are exact, and z^2 / 2 is a sum of two. The sum is not normalized: lo is up to 2^-9 of hi. */
HELPER struct dd log_directly(double a)
{
	double m = __weft_significand_double(a), k = __weft_exponent_double(a);
	ulong part = as_ulong(m) >> 48 & 15;
	double z = FMA(m, near_reciprocals_double[part], -1.0), square = z * z;
	double whole = FMA(k, LN2, their_logarithms_double[part]);
	double sum = whole + z, rest = (whole - sum) + z;
	double hi = FMA(-0.5, square, sum), lo = FMA(-0.5, square, sum - hi);
	lo += FMA(k, LN2_LO, lower_logarithms_double[part]) + rest;
	double tail = FMA(z, log_short_odd(square), log_short_even(square));
	lo = FMA(-0.5, FMA(z, z, -square), lo);
	return (struct dd){hi, FMA(z * square, tail, lo)};
}

/* As above, to about 2^-32. */
HELPER struct ff log_directly(float a)
{
	float m = __weft_significand(a), k = __weft_exponent(a);
	uint part = as_uint(m) >> 18 & 31;
	float z = FMA(m, near_reciprocals[part], -1.0f), square = z * z;
	float whole = FMA(k, LN2F, their_logarithms[part]);
	float sum = whole + z, rest = (whole - sum) + z;
	float hi = FMA(-0.5f, square, sum), lo = FMA(-0.5f, square, sum - hi);
	lo += FMA(k, LN2F_LO, lower_logarithms[part]) + rest;
	lo = FMA(-0.5f, FMA(z, z, -square), lo);
	return (struct ff){hi, FMA(z * square, log_short_tail(z), lo)};
}

/* log(1 + x) as above without the last digits, for finite x above -1: the first sum says by which factor and power of two the other one, of
 * the same parts, is exact or nearly so. The product of both is subnormal for the greatest numbers, which may be 0 (-cl-denorms-are-zero): x is
 * scaled first. */
HELPER double log1p_directly(double x)
{
	double u = 1.0 + x, k = __weft_exponent_double(u);
	ulong part = as_ulong(u) >> 48 & 15;
	double factor = near_reciprocals_double[part];
	double z = FMA(__weft_scale_double(x, -k), factor, __weft_scale_double(factor, -k) - 1.0);
	double square = z * z, tail = FMA(z, log_short_odd(square), log_short_even(square));
	double small =
		FMA(square, FMA(z, tail, -0.5), FMA(k, LN2_LO, lower_logarithms_double[part]));
	return FMA(k, LN2, their_logarithms_double[part]) + (z + small);
}

#endif
