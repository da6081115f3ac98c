/* SPDX-License-Identifier: MIT
 *
 * sin, cos, tan, sincos and the functions of multiples of pi: specification 6.15.2.
 */
#include "precompiled_parts.h"
#include "trigonometry.h"

#define SINES(type, suffix)                                                                        \
	WEFT type sin(type x)                                                                      \
	{                                                                                          \
		return __weft_precompiled_whole_sine##suffix(x);                                   \
	}                                                                                          \
                                                                                                   \
	WEFT type cos(type x)                                                                      \
	{                                                                                          \
		return __weft_precompiled_whole_cosine##suffix(x);                                 \
	}                                                                                          \
                                                                                                   \
	WEFT type tan(type x)                                                                      \
	{                                                                                          \
		return __weft_precompiled_whole_tangent##suffix(x);                                \
	}

SINES(float, )
SINES(double, _double)

WEFT double sincos(double x, __private double *cosine)
{
	long n;
	double a = ABS(x), r = reduce_by_half_pi(a, &n);
	double s = sine_of(r, n, 0l), c = sine_of(r, n + 1, 0l);
	if (RARELY(!(a < HUGE_ANGLE))) {
		s = __weft_precompiled_large_sine_double(a);
		c = __weft_precompiled_large_cosine_double(a);
	}
	*cosine = c;
	return as_double(as_long(s) ^ (as_long(x) & SIGN_BIT_LONG));
}

/* a pi = n pi/2 + r with |r| <= pi/4, for a >= 0 */
HELPER double reduce_pi(double a, long *n)
{
	double whole = a - 2.0 * __builtin_elementwise_trunc(0.5 * a);
	double sum = FMA(2.0, whole, ROUNDER), f = FMA(-0.5, sum - ROUNDER, whole);
	*n = as_long(sum);
	return FMA(f, PI, f * PI_LO);
}

/* Half turns of a >= 0 from an even number of them, from -1 to 1. */
HELPER double from_whole_turn(double a)
{
	return FMA(-2.0, __builtin_elementwise_roundeven(0.5 * a), a);
}

/* sin(pi h) for |h| <= 1/2, or a little more */
HELPER double sine_of_half_turns(double h)
{
	double z = h * h;
	return FMA(h, PI, h * FMA(z, sinpi_tail(z), PI_LO));
}

/* sin(pi h) = sin(pi (1 - h)) */
WEFT double sinpi(double x)
{
	double h = from_whole_turn(ABS(x)), a = ABS(h), b = 1.0 - a;
	double y = sine_of_half_turns(a > b ? b : a);
	y = __builtin_elementwise_copysign(y > 1.0 ? 1.0 : y, h) + 0.0; /* no negative zero */
	return as_double(as_long(y) ^ (as_long(x) & SIGN_BIT_LONG));
}

/* cos(pi h) = sin(pi (1/2 - |h|)) */
WEFT double cospi(double x)
{
	return at_most_one(sine_of_half_turns(0.5 - ABS(from_whole_turn(ABS(x)))));
}

/* tanpi(n) is copysign(0, n) for even and -copysign(0, n) for odd n; tanpi(n + 1/2) is +infinity for even
 * and -infinity for odd n. */
WEFT double tanpi(double x)
{
	long n;
	double r = reduce_pi(ABS(x), &n), y = tangent_of(r, n);
	double whole = n & 1 ? INF : 0.0;
	whole = as_double(as_long(whole) | (n & 2) << 62);
	y = r == 0.0 ? whole : y;
	return as_double(as_long(y) ^ (as_long(x) & SIGN_BIT_LONG));
}

/* Float. */

WEFT float sincos(float x, __private float *cosine)
{
	int n;
	float a = ABS(x), r = reduce_by_half_pi(a, &n);
	float s = sine_of(r, n, 0), c = sine_of(r, n + 1, 0);
	if (RARELY(!(a < LARGE_ANGLE_OF_HALVES))) {
		s = __weft_precompiled_large_sine(a);
		c = __weft_precompiled_large_cosine(a);
	}
	*cosine = c;
	return as_float(as_int(s) ^ (as_int(x) & SIGN_BIT));
}

/* As above. */
HELPER float from_whole_turn(float a)
{
	return MAD(-2.0f, __builtin_elementwise_roundeven(0.5f * a), a);
}

HELPER float sine_of_half_turns(float h)
{
	float z = h * h;
	return MAD(h, PIF, h * MAD(z, sinpi_tail(z), PIF_LO));
}

WEFT float sinpi(float x)
{
	float h = from_whole_turn(ABS(x)), a = ABS(h), b = 1.0f - a;
	float y = sine_of_half_turns(a > b ? b : a);
	y = __builtin_elementwise_copysign(y > 1.0f ? 1.0f : y, h) + 0.0f; /* no negative zero */
	return as_float(as_int(y) ^ (as_int(x) & SIGN_BIT));
}

WEFT float cospi(float x)
{
	return at_most_one(sine_of_half_turns(0.5f - ABS(from_whole_turn(ABS(x)))));
}

/* a modulo 2: sums with the rounder are right below 2^22. */
HELPER float whole_turns(float a)
{
	return a - 2.0f * __builtin_elementwise_trunc(0.5f * a);
}

/* tanpi(n) is copysign(0, n) for even and -copysign(0, n) for odd n; tanpi(n + 1/2) is +infinity for even
 * and -infinity for odd n. */
WEFT float tanpi(float x)
{
	float a = whole_turns(ABS(x)), sum = MAD(2.0f, a, ROUNDERF);
	float r = MAD(-0.5f, sum - ROUNDERF, a), z = r * r;
	float t = MAD(r, PIF, r * MAD(z, tanpi_tail(z), PIF_LO));
	int n = as_int(sum);
	t = r == 0.0f ? as_float((n ^ n >> 1) << 31) : t;
	t = n & 1 ? -1.0f / t : t;
	return as_float(as_int(t) ^ (as_int(x) & SIGN_BIT));
}
