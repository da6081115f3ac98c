/* SPDX-License-Identifier: MIT
 *
 * Sine, cosine and tangent of an angle past what sums with multiples of pi reduce, which trigonometry.cl asks for where a
 * work-item has one.
 */
#ifndef WEFT_LARGE_ANGLES_H
#define WEFT_LARGE_ANGLES_H

#include "precompiled_parts.h"
#include "reduction.h"
#include "single.h"

#define SIGN_BIT_LONG LONG_MIN

/* From here on angles are large: doubles, floats, and floats that are reduced by pi/2. */
#define HUGE_ANGLE 0x1p27
#define LARGE_ANGLE 0x1p16f
#define LARGE_ANGLE_OF_HALVES 0x1p17f

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

HELPER double sine_and_cosine_of_huge(double a, __private double *cosine)
{
	long n;
	double r = reduce_huge(a, &n);
	r = a < INF ? r : (double)NAN;
	*cosine = sine_of(r, n + 1, 0);
	return sine_of(r, n, 0);
}

/* tan(r + n pi/2) */
HELPER double tangent_of(double r, long n)
{
	double z = r * r, s = small_sine(r, z), c = small_cosine(z);
	return (n & 1 ? -c : s) / (n & 1 ? s : c);
}

HELPER double tangent_of_huge(double a)
{
	long n;
	double r = reduce_huge(a, &n);
	return tangent_of(a < INF ? r : (double)NAN, n);
}

/* Float. */

/* 2/pi after the binary point, behind 32 zeros. */
static __constant const uint two_over_pi_single[] = {
	0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
	0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
};

/* 32 bits, from the bit `start` on, which is below 32, of two words. */
HELPER uint bits_from(uint word, uint next, int start)
{
	return word << start | next >> 1 >> (31 - start);
}

/* Payne and Hanek, as in reduction.h, with 96 bits of 2/pi: for a >= 2^15. */
HELPER float reduce_large(float a, int *n)
{
	int start = (as_int(a) >> 23) - 120, word = start >> 5, shift = start & 31;
	uint w1 = two_over_pi_single[word + 1], w2 = two_over_pi_single[word + 2];
	uint m = (as_uint(a) & 0x7fffff) | 0x800000;
	ulong low = (ulong)m * bits_from(w1, w2, shift) +
		    ((ulong)m * bits_from(w2, two_over_pi_single[word + 3], shift) >> 32);
	uint high = m * bits_from(two_over_pi_single[word], w1, shift) + (uint)(low >> 32);
	*n = (int)((high + 0x20000000) >> 30);
	float fraction = (float)(long)((ulong)high << 34 | (ulong)(uint)low << 2) * 0x1p-64f;
	return a < INFINITY ? MAD(fraction, PI_2F, fraction * PI_2F_LO) : NAN;
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

HELPER float sine_and_cosine_of_large(float a, __private float *cosine)
{
	int n;
	float r = reduce_large(a, &n);
	*cosine = sine_of(r, n + 1, 0);
	return sine_of(r, n, 0);
}

/* tan(r + n pi/2) */
HELPER float tangent_of(float r, int n)
{
	float z = r * r, t = MAD(r * z, tan_tail(z), r);
	return n & 1 ? -1.0f / t : t;
}

HELPER float tangent_of_large(float a)
{
	int n;
	float r = reduce_large(a, &n);
	return tangent_of(r, n);
}

#endif
