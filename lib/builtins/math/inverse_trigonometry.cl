/* SPDX-License-Identifier: MIT
 *
 * Inverse trigonometric functions: specification 6.15.2.
 */
#include "direct_tables.h"
#include "double_double.h"
#include "single.h"

#define TAN_PI_8 0x1.a827999fcef32p-2
#define TAN_3PI_8 0x1.3504f333f9de6p+1

/* asin(r) for r in [0, 1/2] */
HELPER double arcsine(double r, double z)
{
	return FMA(r * z, asin_tail(z), r);
}

/* asin(a) = u or, for a > 1/2, pi/2 - 2 u. */
HELPER double arcsine_reduced(double a)
{
	bool large = a > 0.5;
	double z = large ? FMA(-0.5, a, 0.5) : a * a;
	return arcsine(large ? __builtin_elementwise_sqrt(z) : a, z);
}

WEFT double asin(double x)
{
	double a = ABS(x), u = arcsine_reduced(a);
	u = a > 0.5 ? FMA(-2.0, u, PI_2) + PI_2_LO : u;
	return __builtin_elementwise_copysign(u, x);
}

WEFT double acos(double x)
{
	double a = ABS(x), u = arcsine_reduced(a);
	double large = x < 0.0 ? FMA(-2.0, u, PI) : 2.0 * u;
	double small = PI_2 - (__builtin_elementwise_copysign(u, x) - PI_2_LO);
	return a > 0.5 ? large : small;
}

WEFT double asinpi(double x)
{
	double a = ABS(x), u = INV_PI * arcsine_reduced(a);
	u = a > 0.5 ? FMA(-2.0, u, 0.5) : u;
	return __builtin_elementwise_copysign(u, x);
}

WEFT double acospi(double x)
{
	double a = ABS(x), u = INV_PI * arcsine_reduced(a);
	double large = x < 0.0 ? FMA(-2.0, u, 1.0) : 2.0 * u;
	return a > 0.5 ? large : 0.5 - __builtin_elementwise_copysign(u, x);
}

/* atan(a / b) for finite a, b >= 0, one of them positive, both far from overflow and underflow: turned by pi/4 or pi/2
 * when large. What is added to the square keeps the steps normal numbers, as in arctangent(float) below. */
HELPER double arctangent(double a, double b)
{
	bool middle = a > TAN_PI_8 * b, large = a > TAN_3PI_8 * b;
	double top = large ? -b : middle ? a - b : a, bottom = large ? a : middle ? a + b : b;
	double t = top / bottom, z = MAD(t, t, 0x1p-600);
	double turn = large ? PI_2 : middle ? PI_4 : 0.0;
	return turn + FMA(t, z * atan_tail(z), t);
}

HELPER double arctangent_of(double x)
{
	double a = ABS(x);
	return arctangent(a > 0x1p100 ? 0x1p100 : a, 1.0);
}

/* The angle of |x| and |y|. Infinities become 1 beside 0, and both numbers come into the middle of the range. */
HELPER double angle_of(double a, double b)
{
	bool infinite = a == INF | b == INF;
	a = infinite ? (a == INF ? 1.0 : 0.0) : a;
	b = infinite ? (b == INF ? 1.0 : 0.0) : b;
	double largest = a > b ? a : b;
	b = largest == 0.0 ? 1.0 : b;
	double factor = largest > 0x1p900 ? 0x1p-200 : largest < 0x1p-700 ? 0x1p300 : 1.0;
	return arctangent(a * factor, b * factor);
}

WEFT double atan(double x)
{
	return __builtin_elementwise_copysign(arctangent_of(x), x);
}

WEFT double atanpi(double x)
{
	return __builtin_elementwise_copysign(INV_PI * arctangent_of(x), x);
}

/* atan(a) for a >= 0 by the CPU's instructions, in 16 parts: four between two powers of two of a + 1/2, the last without an end. Of a part
 * the tables have the arctangent at a point; atan(a) = atan(p) + atan((a - p) / (1 + a p)), of which this is the last. */
HELPER double arctangent_of_rest(double a, __private ulong *part)
{
	double c = a > 0x1p100 ? 0x1p100 : a, place = FMA(c > 7.25 ? 7.25 : c, 4.0, 2.0);
	*part = as_ulong(place) >> 50 & 15;
	double point = arctangent_points_double[*part];
	double t = (c - point) / FMA(c, point, 1.0), z = MAD(t, t, 0x1p-600);
	return FMA(t, z * atan_short_tail(z), t);
}

WEFT double __weft_direct_atan(double x)
{
	ulong part;
	double rest = arctangent_of_rest(ABS(x), &part);
	return __builtin_elementwise_copysign(rest + their_arctangents_double[part], x);
}

WEFT double __weft_direct_atanpi(double x)
{
	ulong part;
	double rest = arctangent_of_rest(ABS(x), &part);
	return __builtin_elementwise_copysign(FMA(rest, INV_PI, their_half_turns_double[part]), x);
}

WEFT double atan2(double y, double x)
{
	double r = angle_of(ABS(y), ABS(x));
	r = as_long(x) < 0 ? PI - (r - PI_LO) : r;
	r = x != x | y != y ? (double)NAN : r;
	return __builtin_elementwise_copysign(r, y);
}

WEFT double atan2pi(double y, double x)
{
	double r = INV_PI * angle_of(ABS(y), ABS(x));
	r = as_long(x) < 0 ? 1.0 - r : r;
	r = x != x | y != y ? (double)NAN : r;
	return __builtin_elementwise_copysign(r, y);
}

/* Float. */

/* asin(r) for r in [0, 1/2] */
HELPER float arcsine(float r, float z)
{
	return MAD(r * z, asin_tail(z), r);
}

/* asin(|x|) = u or, for |x| > 1/2, pi/2 - 2 u. */
HELPER float arcsine_reduced(float a)
{
	bool large = a > 0.5f;
	float z = large ? MAD(-0.5f, a, 0.5f) : a * a;
	return arcsine(large ? __builtin_elementwise_sqrt(z) : a, z);
}

WEFT float asin(float x)
{
	float a = ABS(x), u = arcsine_reduced(a);
	u = a > 0.5f ? MAD(-2.0f, u, PI_2F) : u;
	return __builtin_elementwise_copysign(u, x);
}

WEFT float acos(float x)
{
	float a = ABS(x), u = arcsine_reduced(a);
	float large = x < 0.0f ? MAD(-2.0f, u, PIF) : 2.0f * u;
	float small = PI_2F - (__builtin_elementwise_copysign(u, x) - PI_2F_LO);
	return a > 0.5f ? large : small;
}

WEFT float asinpi(float x)
{
	float a = ABS(x), u = INV_PIF * arcsine_reduced(a);
	u = a > 0.5f ? MAD(-2.0f, u, 0.5f) : u;
	return __builtin_elementwise_copysign(u, x);
}

WEFT float acospi(float x)
{
	float a = ABS(x), u = INV_PIF * arcsine_reduced(a);
	float large = x < 0.0f ? MAD(-2.0f, u, 1.0f) : 2.0f * u;
	return a > 0.5f ? large : 0.5f - __builtin_elementwise_copysign(u, x);
}

/*
 * atan(q) for q in [0, 1], which a quotient may exceed by nothing. What is added to the square is too little to count. It
 * keeps the steps normal numbers, of which others cost as much as a hundred; the product too, where it is fused.
 */
HELPER float arctangent(float q)
{
	float z = MAD(q, q, 0x1p-80f);
	return MAD(q, z * atan_tail(z), q);
}

/* atan(1 / q) = pi/2 - atan(q) */
WEFT float atan(float x)
{
	float a = ABS(x);
	float r = arctangent(a > 1.0f ? 1.0f / a : a);
	r = a > 1.0f ? PI_2F - r : r;
	return __builtin_elementwise_copysign(r, x);
}

WEFT float atanpi(float x)
{
	float a = ABS(x);
	float r = INV_PIF * arctangent(a > 1.0f ? 1.0f / a : a);
	r = a > 1.0f ? 0.5f - r : r;
	return __builtin_elementwise_copysign(r, x);
}

/* atan of the lesser by the greater of |x| and |y|; two infinities are equal, and two zeros have the angle 0. */
HELPER float arctangent_of_lesser(float a, float b)
{
	float lesser = a < b ? a : b, greater = a < b ? b : a;
	float q = lesser / greater;
	q = lesser == INFINITY ? 1.0f : q;
	q = greater == 0.0f ? 0.0f : q;
	return arctangent(q);
}

WEFT float atan2(float y, float x)
{
	float a = ABS(y), b = ABS(x), r = arctangent_of_lesser(a, b);
	r = a > b ? PI_2F - r : r;
	r = as_int(x) < 0 ? PIF - r : r;
	r = x != x | y != y ? NAN : r;
	return __builtin_elementwise_copysign(r, y);
}

WEFT float atan2pi(float y, float x)
{
	float a = ABS(y), b = ABS(x), r = INV_PIF * arctangent_of_lesser(a, b);
	r = a == b & a != 0.0f ? 0.25f : r;
	r = a > b ? 0.5f - r : r;
	r = as_int(x) < 0 ? 1.0f - r : r;
	r = x != x | y != y ? NAN : r;
	return __builtin_elementwise_copysign(r, y);
}
