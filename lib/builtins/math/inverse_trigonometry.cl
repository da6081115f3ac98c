/* SPDX-License-Identifier: MIT
 *
 * Inverse trigonometric functions: specification 6.15.2. Each is a double-double before it is rounded or
 * divided by pi.
 */
#include "double_double.h"
#include "single.h"

#define TAN_PI_8 0x1.a827999fcef32p-2
#define TAN_3PI_8 0x1.3504f333f9de6p+1

/* asin(s) for s = s.hi + s.lo in [0, 1/2] and z = s^2. */
HELPER struct dd arcsine(struct dd s, double z)
{
	return fast_two_sum(s.hi, FMA(s.hi * z, asin_tail(z), s.lo));
}

/* For |x| > 1/2: asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)). */
HELPER struct dd arcsine_reduced(double a, bool *large)
{
	*large = a > 0.5;
	double z = *large ? FMA(-0.5, a, 0.5) : a * a;
	double root = __builtin_elementwise_sqrt(z);
	double rest = z == 0.0 ? 0.0 : FMA(-root, root, z) / (2.0 * root);
	return arcsine(*large ? (struct dd){root, rest} : (struct dd){a, 0.0}, z);
}

HELPER struct dd minus(double hi, double lo, struct dd a)
{
	struct dd s = two_sum(hi, -a.hi);
	return fast_two_sum(s.hi, s.lo + (lo - a.lo));
}

HELPER struct dd asin_dd(double x)
{
	bool large;
	struct dd u = arcsine_reduced(ABS(x), &large);
	struct dd v = minus(PI_2, PI_2_LO, (struct dd){2.0 * u.hi, 2.0 * u.lo});
	struct dd r = {large ? v.hi : u.hi, large ? v.lo : u.lo};
	bool negative = signbit(x);
	return (struct dd){negative ? -r.hi : r.hi, negative ? -r.lo : r.lo};
}

HELPER struct dd acos_dd(double x)
{
	bool large, negative = signbit(x);
	struct dd u = arcsine_reduced(ABS(x), &large);
	struct dd twice = {2.0 * u.hi, 2.0 * u.lo};
	struct dd near_zero = minus(PI_2, PI_2_LO, negative ? (struct dd){-u.hi, -u.lo} : u);
	struct dd near_pi = minus(PI, PI_LO, twice);
	struct dd far = {negative ? near_pi.hi : twice.hi, negative ? near_pi.lo : twice.lo};
	return (struct dd){large ? far.hi : near_zero.hi, large ? far.lo : near_zero.lo};
}

/* atan(a / b) for a, b >= 0, one of them positive, both finite: turned by pi/4 or pi/2 when large. */
HELPER struct dd arctangent(double a, double b)
{
	bool middle = a > TAN_PI_8 * b, large = a > TAN_3PI_8 * b;
	struct dd difference = two_sum(a, -b), sum = two_sum(a, b);
	struct dd top = large ? (struct dd){-b, 0.0} : middle ? difference : (struct dd){a, 0.0};
	struct dd bottom = large ? (struct dd){a, 0.0} : middle ? sum : (struct dd){b, 0.0};
	struct dd t = quotient(top, bottom);
	double z = t.hi * t.hi;
	double turn = large ? PI_2 : middle ? PI_4 : 0.0;
	double turn_lo = large ? PI_2_LO : middle ? PI_4_LO : 0.0;
	struct dd r = fast_two_sum(turn, t.hi);
	return fast_two_sum(r.hi, r.lo + (FMA(t.hi * z, atan_tail(z), t.lo) + turn_lo));
}

HELPER struct dd atan_dd(double x)
{
	double a = ABS(x);
	struct dd r = arctangent(a > 0x1p100 ? 0x1p100 : a, 1.0);
	bool negative = signbit(x);
	return (struct dd){negative ? -r.hi : r.hi, negative ? -r.lo : r.lo};
}

/* Infinities become 1 beside 0, and both numbers come into the middle of the range. */
HELPER struct dd atan2_dd(double y, double x)
{
	double a = ABS(y), b = ABS(x);
	bool infinite = a == INF | b == INF;
	a = infinite ? (a == INF ? 1.0 : 0.0) : a;
	b = infinite ? (b == INF ? 1.0 : 0.0) : b;
	double largest = a > b ? a : b;
	b = largest == 0.0 ? 1.0 : b;
	double factor = largest > 0x1p900 ? 0x1p-200 : largest < 0x1p-700 ? 0x1p300 : 1.0;
	struct dd r = arctangent(a * factor, b * factor);
	struct dd behind = minus(PI, PI_LO, r);
	bool left = signbit(x), below = signbit(y);
	r = (struct dd){left ? behind.hi : r.hi, left ? behind.lo : r.lo};
	return (struct dd){below ? -r.hi : r.hi, below ? -r.lo : r.lo};
}

HELPER double rounded(struct dd r)
{
	return r.hi + r.lo;
}

HELPER double over_pi(struct dd r)
{
	return rounded(times(r, (struct dd){INV_PI, INV_PI_LO}));
}

WEFT double asin(double x)
{
	double r = rounded(asin_dd(x));
	return ABS(x) < 0x1p-27 ? x : ABS(x) <= 1.0 ? r : (double)NAN;
}

WEFT double acos(double x)
{
	double r = rounded(acos_dd(x));
	return ABS(x) <= 1.0 ? r : (double)NAN;
}

WEFT double atan(double x)
{
	double r = rounded(atan_dd(x));
	return ABS(x) < 0x1p-27 ? x : x != x ? x : r;
}

WEFT double atan2(double y, double x)
{
	double r = rounded(atan2_dd(y, x));
	r = r == 0.0 ? __builtin_elementwise_copysign(0.0, y) : r;
	return x != x | y != y ? (double)NAN : r;
}

WEFT double asinpi(double x)
{
	double r = ABS(x) < 0x1p-27 ? x * INV_PI : over_pi(asin_dd(x));
	return ABS(x) <= 1.0 ? r : (double)NAN;
}

WEFT double acospi(double x)
{
	double r = over_pi(acos_dd(x));
	return ABS(x) <= 1.0 ? r : (double)NAN;
}

WEFT double atanpi(double x)
{
	double r = ABS(x) < 0x1p-27 ? x * INV_PI : over_pi(atan_dd(x));
	return x != x ? x : r;
}

WEFT double atan2pi(double y, double x)
{
	struct dd angle = atan2_dd(y, x);
	double r = ABS(angle.hi) < 0x1p-900 ? rounded(angle) * INV_PI : over_pi(angle);
	r = r == 0.0 ? __builtin_elementwise_copysign(0.0, y) : r;
	return x != x | y != y ? (double)NAN : r;
}

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

/* atan(q) for q in [0, 1], which a quotient may exceed by nothing. */
HELPER float arctangent(float q)
{
	float z = q * q;
	return MAD(q * z, atan_tail(z), q);
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
	r = a > b ? 0.5f - r : r;
	r = as_int(x) < 0 ? 1.0f - r : r;
	r = x != x | y != y ? NAN : r;
	return __builtin_elementwise_copysign(r, y);
}
