/* SPDX-License-Identifier: MIT
 *
 * What the float functions share: their constants, rounding to whole numbers, powers of two, and sums of two floats
 * (the references are in double_double.h). They compute in float alone: as many lanes as the CPU has for the type.
 */
#ifndef WEFT_SINGLE_H
#define WEFT_SINGLE_H

#include "single_polynomials.h"

/* hi + lo, |lo| at most half a unit in the last place of hi where the function says so. */
struct ff {
	float hi, lo;
};

#define LEAST_NORMALF 0x1p-126f
#define SIGN_BIT ((int)0x80000000)

#define PIF 0x1.921fb6p+1f
#define PIF_LO -0x1.777a5cp-24f
#define PIF_LO_LO -0x1.ee59dap-49f
#define PI_2F 0x1.921fb6p+0f
#define PI_2F_LO -0x1.777a5cp-25f
#define PI_2F_LO_LO -0x1.ee59dap-50f
#define INV_PIF 0x1.45f306p-2f

/* Adding it rounds to a whole number below 2^22, which is then in the sum's last bits. */
#define ROUNDERF 0x1.8p23f

/* A whole number below 2^22. */
HELPER int whole_to_int(float n)
{
	return as_int(n + ROUNDERF) - as_int(ROUNDERF);
}

/* A sine that rounding errors, or those of a polynomial, have made greater than 1. */
HELPER float at_most_one(float s)
{
	s = s > 1.0f ? 1.0f : s;
	return s < -1.0f ? -1.0f : s;
}

/* Exact a + b, for |a| >= |b| or a = 0. */
HELPER struct ff fast_two_sum(float a, float b)
{
	float s = a + b;
	return (struct ff){s, b - (s - a)};
}

/* Exact a + b. */
HELPER struct ff two_sum(float a, float b)
{
	float s = a + b, t = s - a;
	return (struct ff){s, (a - (s - t)) + (b - t)};
}

/* p 2^n, rounded once, with n in the last bits of a sum with ROUNDERF, |n| < 250. */
HELPER float scale_twice(float p, float sum)
{
	int n = as_int(sum) - as_int(ROUNDERF), half_n = n >> 1;
	return p * as_float((half_n + 127) << 23) * as_float((n - half_n + 127) << 23);
}

#endif
