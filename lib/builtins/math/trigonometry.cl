/* SPDX-License-Identifier: MIT
 *
 * sin, cos, tan, sincos and the functions of multiples of pi: specification 6.15.2.
 */
#include "reduction.h"
#include "single.h"

#define SIGN_BIT_LONG LONG_MIN

/* a = n pi/2 + r with |r| <= pi/4 for a >= 0, n modulo 4: Cody and Waite with pi/2 in three parts. The first difference
 * is exact, and the others are, by fused multiplication, as good as their result. */
HELPER double reduce_by_half_pi(double a, long *n)
{
	double sum = FMA(a, INV_PI_2, ROUNDER), whole = sum - ROUNDER;
	double r = FMA(-whole, PI_2_LO_LO, FMA(-whole, PI_2_LO, FMA(-whole, PI_2, a)));
	*n = as_long(sum);
	if (RARELY(!(a < 0x1p27)))
		r = a < INF ? reduce_huge(a, n) : (double)NAN;
	return r;
}

HELPER double small_sine(double r, double z)
{
	return FMA(r * z, sin_tail(z), r);
}

HELPER double small_cosine(double z)
{
	return FMA(z * z, cos_tail(z), FMA(-0.5, z, 1.0));
}

/* sin(r + n pi/2), with the sign of the first bit of `sign` */
HELPER double sine_of(double r, long n, long sign)
{
	double z = r * r, s = small_sine(r, z), c = small_cosine(z);
	return as_double(as_long(n & 1 ? c : s) ^ ((n << 62 ^ sign) & SIGN_BIT_LONG));
}

HELPER double sine_of_huge(double a, long quarters)
{
	long n;
	double r = reduce_huge(a, &n);
	return sine_of(a < INF ? r : (double)NAN, n + quarters, 0);
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
	if (RARELY(!(a < 0x1p27)))
		r = as_long(sine_of_huge(a, 0));
	return as_double(r ^ (as_long(x) & SIGN_BIT_LONG));
}

/* cos((n + 1/2) pi + r) = -(-1)^n sin(r) */
WEFT double cos(double x)
{
	double a = ABS(x), sum = FMA(a, INV_PI, -0.5) + ROUNDER;
	double s = sine_of_rest(a, sum - ROUNDER + 0.5);
	double r = as_double(as_long(s) ^ ~as_long(sum) << 63);
	if (RARELY(!(a < 0x1p27)))
		r = sine_of_huge(a, 1);
	return r;
}

/* tan(r + n pi/2) */
HELPER double tangent_of(double r, long n)
{
	double z = r * r, s = small_sine(r, z), c = small_cosine(z);
	return (n & 1 ? -c : s) / (n & 1 ? s : c);
}

WEFT double tan(double x)
{
	long n;
	double r = reduce_by_half_pi(ABS(x), &n);
	return as_double(as_long(tangent_of(r, n)) ^ (as_long(x) & SIGN_BIT_LONG));
}

WEFT double sincos(double x, __private double *cosine)
{
	long n;
	double r = reduce_by_half_pi(ABS(x), &n);
	*cosine = sine_of(r, n + 1, 0);
	return sine_of(r, n, as_long(x));
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
	double r = reduce_pi(ABS(x), &n), y = sine_of(r, n, 0);
	y = y == 0.0 ? 0.0 : y;
	return as_double(as_long(y) ^ (as_long(x) & SIGN_BIT_LONG));
}

WEFT double cospi(double x)
{
	long n;
	double r = reduce_pi(ABS(x), &n), y = sine_of(r, n + 1, 0);
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

/* 2/pi after the binary point, behind 32 zeros. */
static __constant const uint two_over_pi_single[] = {
	0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
	0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
};

/* 32 bits of 2/pi from the bit `start` on. */
HELPER uint bits_of_two_over_pi(int start)
{
	int word = start >> 5, shift = start & 31;
	return two_over_pi_single[word] << shift |
	       two_over_pi_single[word + 1] >> 1 >> (31 - shift);
}

/* Payne and Hanek, as in reduction.h, with 96 bits of 2/pi: for a >= 2^15. */
HELPER float reduce_large(float a, int *n)
{
	int start = (as_int(a) >> 23) - 120;
	uint m = (as_uint(a) & 0x7fffff) | 0x800000;
	ulong low = (ulong)m * bits_of_two_over_pi(start + 32) +
		    ((ulong)m * bits_of_two_over_pi(start + 64) >> 32);
	uint high = m * bits_of_two_over_pi(start) + (uint)(low >> 32);
	*n = (int)((high + 0x20000000) >> 30);
	float fraction = (float)(long)((ulong)high << 34 | (ulong)(uint)low << 2) * 0x1p-64f;
	return a < INFINITY ? MAD(fraction, PI_2F, fraction * PI_2F_LO) : NAN;
}

/* a = n pi/2 + r with |r| <= pi/4 for a >= 0, n modulo 4: Cody and Waite with pi/2 in three parts. The first difference
 * is exact, and the others are, by fused multiplication, as good as their result. */
HELPER float reduce_by_half_pi(float a, int *n)
{
	float sum = MAD(a, 2.0f * INV_PIF, ROUNDERF), whole = sum - ROUNDERF;
	float r = MAD(-whole, PI_2F_LO_LO, FMA(-whole, PI_2F_LO, FMA(-whole, PI_2F, a)));
	*n = as_int(sum);
	if (RARELY(!(a < 0x1p17f)))
		r = reduce_large(a, n);
	return r;
}

/* sin(r + n pi/2), with the sign of the first bit of `sign` */
HELPER float sine_of(float r, int n, int sign)
{
	float z = r * r, s = MAD(r * z, sin_tail(z), r);
	float c = MAD(z * z, cos_tail(z), MAD(-0.5f, z, 1.0f));
	return as_float(as_int(n & 1 ? c : s) ^ ((n << 30 ^ sign) & SIGN_BIT));
}

HELPER float sine_of_large(float a, int quarters)
{
	int n;
	float r = reduce_large(a, &n);
	return sine_of(r, n + quarters, 0);
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
	if (RARELY(!(a < 0x1p16f)))
		r = as_int(sine_of_large(a, 0));
	return as_float(r ^ (as_int(x) & SIGN_BIT));
}

/* cos((n + 1/2) pi + r) = -(-1)^n sin(r) */
WEFT float cos(float x)
{
	float a = ABS(x), sum = MAD(a, INV_PIF, -0.5f) + ROUNDERF;
	float s = sine_of_rest(a, sum - ROUNDERF + 0.5f);
	float r = as_float(as_int(s) ^ ~as_int(sum) << 31);
	if (RARELY(!(a < 0x1p16f)))
		r = sine_of_large(a, 1);
	return r;
}

WEFT float tan(float x)
{
	int n;
	float r = reduce_by_half_pi(ABS(x), &n), z = r * r;
	float t = MAD(r * z, tan_tail(z), r);
	t = n & 1 ? -1.0f / t : t;
	return as_float(as_int(t) ^ (as_int(x) & SIGN_BIT));
}

WEFT float sincos(float x, __private float *cosine)
{
	int n;
	float r = reduce_by_half_pi(ABS(x), &n);
	*cosine = sine_of(r, n + 1, 0);
	return sine_of(r, n, as_int(x));
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
