/* SPDX-License-Identifier: MIT
 *
 * Sine, cosine and tangent, as functions with _of behind their names; and what they are of angles that are not large.
 */
#ifndef WEFT_TRIGONOMETRY_H
#define WEFT_TRIGONOMETRY_H

#include "large_angles.h"

/* a = n pi/2 + r with |r| <= pi/4 for 0 <= a < HUGE_ANGLE, n modulo 4: Cody and Waite with pi/2 in three parts. The first
 * difference is exact, and the others are, by fused multiplication, as good as their result. */
HELPER double reduce_by_half_pi(double a, long *n)
{
	double sum = FMA(a, INV_PI_2, ROUNDER), whole = sum - ROUNDER;
	double r = FMA(-whole, PI_2_LO_LO, FMA(-whole, PI_2_LO, FMA(-whole, PI_2, a)));
	*n = as_long(sum);
	return r;
}

HELPER double at_most_one(double s)
{
	s = s > 1.0 ? 1.0 : s;
	return s < -1.0 ? -1.0 : s;
}

/* sin(a - h pi) for h a whole number, or one and a half, with |a - h pi| <= pi/2 */
HELPER double sine_of_rest(double a, double h)
{
	double r = FMA(-h, 2.0 * PI_2_LO_LO, FMA(-h, PI_LO, FMA(-h, PI, a))), z = r * r;
	return at_most_one(FMA(r * z, sin_half_turn_tail(z), r));
}

/* Of 0 <= a < HUGE_ANGLE. */
HELPER double usual_sine(double a)
{
	double sum = FMA(a, INV_PI, ROUNDER);
	return as_double(as_long(sine_of_rest(a, sum - ROUNDER)) ^ as_long(sum) << 63);
}

/* cos((n + 1/2) pi + r) = -(-1)^n sin(r) */
HELPER double usual_cosine(double a)
{
	double sum = FMA(a, INV_PI, -0.5) + ROUNDER;
	double s = sine_of_rest(a, sum - ROUNDER + 0.5);
	return as_double(as_long(s) ^ ~as_long(sum) << 63);
}

HELPER double usual_tangent(double a)
{
	long n;
	double r = reduce_by_half_pi(a, &n);
	return tangent_of(r, n);
}

HELPER double sin_of(double x)
{
	double a = ABS(x);
	long r = as_long(usual_sine(a));
	if (RARELY(!(a < HUGE_ANGLE)))
		r = as_long(__weft_precompiled_large_sine_double(a));
	return as_double(r ^ (as_long(x) & SIGN_BIT_LONG));
}

HELPER double cos_of(double x)
{
	double a = ABS(x), r = usual_cosine(a);
	if (RARELY(!(a < HUGE_ANGLE)))
		r = __weft_precompiled_large_cosine_double(a);
	return r;
}

HELPER double tan_of(double x)
{
	double a = ABS(x), t = usual_tangent(a);
	if (RARELY(!(a < HUGE_ANGLE)))
		t = __weft_precompiled_large_tangent_double(a);
	return as_double(as_long(t) ^ (as_long(x) & SIGN_BIT_LONG));
}

/* Float. */

/* As above, for 0 <= a < LARGE_ANGLE_OF_HALVES. */
HELPER float reduce_by_half_pi(float a, int *n)
{
	float sum = MAD(a, 2.0f * INV_PIF, ROUNDERF), whole = sum - ROUNDERF;
	float r = MAD(-whole, PI_2F_LO_LO, FMA(-whole, PI_2F_LO, FMA(-whole, PI_2F, a)));
	*n = as_int(sum);
	return r;
}

/* sin(a - h pi) for h a whole number, or one and a half, with |a - h pi| <= pi/2 */
HELPER float sine_of_rest(float a, float h)
{
	float r = MAD(-h, PIF_LO_LO, FMA(-h, PIF_LO, FMA(-h, PIF, a))), z = r * r;
	return at_most_one(MAD(r * z, sin_half_turn_tail(z), r));
}

/* Of 0 <= a < LARGE_ANGLE. */
HELPER float usual_sine(float a)
{
	float sum = MAD(a, INV_PIF, ROUNDERF);
	return as_float(as_int(sine_of_rest(a, sum - ROUNDERF)) ^ as_int(sum) << 31);
}

/* cos((n + 1/2) pi + r) = -(-1)^n sin(r) */
HELPER float usual_cosine(float a)
{
	float sum = MAD(a, INV_PIF, -0.5f) + ROUNDERF;
	float s = sine_of_rest(a, sum - ROUNDERF + 0.5f);
	return as_float(as_int(s) ^ ~as_int(sum) << 31);
}

/* Of 0 <= a < LARGE_ANGLE_OF_HALVES. */
HELPER float usual_tangent(float a)
{
	int n;
	float r = reduce_by_half_pi(a, &n);
	return tangent_of(r, n);
}

HELPER float sin_of(float x)
{
	float a = ABS(x);
	int r = as_int(usual_sine(a));
	if (RARELY(!(a < LARGE_ANGLE)))
		r = as_int(__weft_precompiled_large_sine(a));
	return as_float(r ^ (as_int(x) & SIGN_BIT));
}

HELPER float cos_of(float x)
{
	float a = ABS(x), r = usual_cosine(a);
	if (RARELY(!(a < LARGE_ANGLE)))
		r = __weft_precompiled_large_cosine(a);
	return r;
}

HELPER float tan_of(float x)
{
	float a = ABS(x), t = usual_tangent(a);
	if (RARELY(!(a < LARGE_ANGLE_OF_HALVES)))
		t = __weft_precompiled_large_tangent(a);
	return as_float(as_int(t) ^ (as_int(x) & SIGN_BIT));
}

#endif
