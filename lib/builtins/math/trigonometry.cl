/* SPDX-License-Identifier: MIT
 *
 * sin, cos, tan, sincos and the functions of multiples of pi: specification 6.15.2.
 */
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

WEFT double sin(double x)
{
	double a = ABS(x), sum = FMA(a, INV_PI, ROUNDER);
	long r = as_long(sine_of_rest(a, sum - ROUNDER)) ^ as_long(sum) << 63;
	if (RARELY(!(a < HUGE_ANGLE)))
		r = as_long(__weft_precompiled_large_sine_double(a));
	return as_double(r ^ (as_long(x) & SIGN_BIT_LONG));
}

/* cos((n + 1/2) pi + r) = -(-1)^n sin(r) */
WEFT double cos(double x)
{
	double a = ABS(x), sum = FMA(a, INV_PI, -0.5) + ROUNDER;
	double s = sine_of_rest(a, sum - ROUNDER + 0.5);
	double r = as_double(as_long(s) ^ ~as_long(sum) << 63);
	if (RARELY(!(a < HUGE_ANGLE)))
		r = __weft_precompiled_large_cosine_double(a);
	return r;
}

WEFT double tan(double x)
{
	long n;
	double a = ABS(x), r = reduce_by_half_pi(a, &n), t = tangent_of(r, n);
	if (RARELY(!(a < HUGE_ANGLE)))
		t = __weft_precompiled_large_tangent_double(a);
	return as_double(as_long(t) ^ (as_long(x) & SIGN_BIT_LONG));
}

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

WEFT double sinpi(double x)
{
	long n;
	double r = reduce_pi(ABS(x), &n), y = sine_of(r, n, 0l);
	y = y == 0.0 ? 0.0 : y;
	return as_double(as_long(y) ^ (as_long(x) & SIGN_BIT_LONG));
}

WEFT double cospi(double x)
{
	long n;
	double r = reduce_pi(ABS(x), &n), y = sine_of(r, n + 1, 0l);
	return y == 0.0 ? 0.0 : y;
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

WEFT float sin(float x)
{
	float a = ABS(x), sum = MAD(a, INV_PIF, ROUNDERF);
	int r = as_int(sine_of_rest(a, sum - ROUNDERF)) ^ as_int(sum) << 31;
	if (RARELY(!(a < LARGE_ANGLE)))
		r = as_int(__weft_precompiled_large_sine(a));
	return as_float(r ^ (as_int(x) & SIGN_BIT));
}

/* cos((n + 1/2) pi + r) = -(-1)^n sin(r) */
WEFT float cos(float x)
{
	float a = ABS(x), sum = MAD(a, INV_PIF, -0.5f) + ROUNDERF;
	float s = sine_of_rest(a, sum - ROUNDERF + 0.5f);
	float r = as_float(as_int(s) ^ ~as_int(sum) << 31);
	if (RARELY(!(a < LARGE_ANGLE)))
		r = __weft_precompiled_large_cosine(a);
	return r;
}

WEFT float tan(float x)
{
	int n;
	float a = ABS(x), r = reduce_by_half_pi(a, &n), t = tangent_of(r, n);
	if (RARELY(!(a < LARGE_ANGLE_OF_HALVES)))
		t = __weft_precompiled_large_tangent(a);
	return as_float(as_int(t) ^ (as_int(x) & SIGN_BIT));
}

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

/* sin(pi r) for 0 <= r <= 1/2 */
HELPER float sine_of_pi(float r)
{
	float z = r * r, y = MAD(r, PIF, r * MAD(z, sinpi_tail(z), PIF_LO));
	return y > 1.0f ? 1.0f : y;
}

/* a modulo 2: sums with the rounder are right below 2^22. */
HELPER float whole_turns(float a)
{
	return a - 2.0f * __builtin_elementwise_trunc(0.5f * a);
}

WEFT float sinpi(float x)
{
	float a = whole_turns(ABS(x)), sum = a + ROUNDERF, r = a - (sum - ROUNDERF);
	int y = as_int(sine_of_pi(ABS(r)));
	y ^= r == 0.0f ? 0 : as_int(sum) << 31 ^ (as_int(r) & SIGN_BIT);
	return as_float(y ^ (as_int(x) & SIGN_BIT));
}

/* cos(pi a) = (-1)^n sin(pi (1/2 - |a - n|)) */
WEFT float cospi(float x)
{
	float a = whole_turns(ABS(x)), sum = a + ROUNDERF;
	float y = sine_of_pi(0.5f - ABS(a - (sum - ROUNDERF)));
	return y == 0.0f ? y : as_float(as_int(y) ^ as_int(sum) << 31);
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
