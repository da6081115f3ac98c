/* SPDX-License-Identifier: MIT
 *
 * fmod, remainder, remquo: specification 6.15.2. Long division of the significands, 11 bits of the
 * quotient at a time, or 24 in float; exact.
 */
#include "double_double.h"
#include "single.h"

/* |x| = (quotient |y| + rest) with 0 <= rest < |y|, rest and |y| as multiples of 2^unit. */
struct division {
	ulong rest, divisor, quotient;
	int unit;
};

/* The significand as a whole number with its highest bit at 52, and its last place's exponent. */
HELPER ulong take_apart(double a, int *unit)
{
	bool small = a < 0x1p-1022;
	ulong bits = as_ulong(small ? a * 0x1p54 : a);
	*unit = (int)(bits >> 52) - 1075 - (small ? 54 : 0);
	return (bits & 0xffffffffffffful) | 0x10000000000000ul;
}

/* For finite |x| and |y|, neither 0. When |x| < |y| / 2, nothing is divided, and the divisor is so large
 * that the rest counts as nearer to 0. */
static WEFT struct division divide(double x, double y)
{
	int unit_x, unit_y;
	ulong rest = take_apart(x, &unit_x), divisor = take_apart(y, &unit_y), quotient = 0;
	int steps = unit_x - unit_y;
	if (steps < 0)
		return (struct division){rest, divisor << (steps == -1 ? 1 : 2), 0, unit_x};
	quotient = rest >= divisor;
	rest -= rest >= divisor ? divisor : 0;
	while (steps > 0 && rest != 0) {
		int some = steps < 11 ? steps : 11;
		ulong part = (rest << some) / divisor;
		rest = (rest << some) - part * divisor;
		quotient = (quotient << some) + part;
		steps -= some;
	}
	quotient = steps > 63 ? 0 : quotient << steps;
	return (struct division){rest, divisor, quotient, unit_y};
}

/* rest 2^unit: exact, the unit being at least that of the least subnormal but for bits that are 0. */
HELPER double put_together(long rest, int unit)
{
	double r = (double)rest;
	int down = unit < -1000 ? unit + 1000 : 0;
	double low = as_double((long)(1023 + (down < -300 ? -300 : down)) << 52);
	unit -= down;
	double high = as_double((long)(1023 + (unit < -1000 ? -1000 : unit)) << 52);
	return r * high * low;
}

HELPER bool no_division(double x, double y)
{
	return x != x | y != y | ABS(x) == INF | y == 0.0;
}

WEFT double fmod(double x, double y)
{
	double a = ABS(x), b = ABS(y);
	if (no_division(x, y))
		return (double)NAN;
	if (a < b || a == 0.0)
		return x;
	struct division d = divide(a, b);
	return __builtin_elementwise_copysign(put_together((long)d.rest, d.unit), x);
}

WEFT double remquo(double x, double y, __private int *quotient)
{
	double a = ABS(x), b = ABS(y);
	*quotient = 0;
	if (no_division(x, y))
		return (double)NAN;
	if (b == INF || a == 0.0)
		return x;
	struct division d = divide(a, b);
	bool up = 2 * d.rest > d.divisor || (2 * d.rest == d.divisor && (d.quotient & 1));
	long rest = (long)d.rest - (up ? (long)d.divisor : 0);
	int q = (int)((d.quotient + up) & 0x7f);
	*quotient = signbit(x) != signbit(y) ? -q : q;
	double r = __builtin_elementwise_copysign(put_together(rest < 0 ? -rest : rest, d.unit), x);
	return rest < 0 ? -r : r;
}

WEFT double remainder(double x, double y)
{
	int quotient;
	return remquo(x, y, &quotient);
}

/* Float: a = q b + rest with a whole q and a rest that is exact, as a rounded quotient's always is, and far smaller
 * than a; when |rest| < b it may be below 0. Where q would be infinite, a multiple of 2^100 b is taken away, and *q is
 * 0 as are the last bits of its quotient. */
HELPER float divide_once(float a, float b, float *q)
{
	float divisor = b, quotient = a / b;
	bool beyond = ABS(quotient) == INFINITY;
	if (RARELY(beyond)) {
		divisor = b * 0x1p100f;
		divisor *= ABS(a / divisor) == INFINITY ? 0x1p100f : 1.0f;
		quotient = a / divisor;
	}
	quotient = __builtin_elementwise_trunc(quotient);
	*q = beyond ? 0.0f : quotient;
	return FMA(-quotient, divisor, a);
}

WEFT float fmod(float x, float y)
{
	float a = ABS(x), b = ABS(y), q, r = divide_once(a, b, &q);
	while (RARELY(ABS(r) >= b))
		r = divide_once(r, b, &q);
	r = r < 0.0f ? r + b : r;
	r = b == INFINITY ? a : r;
	return a < INFINITY ? __builtin_elementwise_copysign(r, x) : NAN;
}

/* The last 7 bits of a whole number. */
HELPER int last_bits(float q)
{
	float low = MAD(-128.0f, __builtin_elementwise_trunc(q * 0x1p-7f), q);
	return as_int(low + ROUNDERF) - as_int(ROUNDERF);
}

WEFT float remquo(float x, float y, __private int *quotient)
{
	float a = ABS(x), b = ABS(y), q, r = divide_once(a, b, &q);
	int bits = last_bits(q);
	while (RARELY(ABS(r) >= b)) {
		r = divide_once(r, b, &q);
		bits += last_bits(q);
	}
	/* To nearest, to even: the rest is in (-b, b). */
	float c = ABS(r);
	bool away = c > b - c | (c == b - c & bits & 1);
	bits += away ? (r < 0.0f ? -1 : 1) : 0;
	r = away ? (r < 0.0f ? r + b : r - b) : r;
	bool same = b == INFINITY, valid = (a < INFINITY) & (b > 0.0f);
	bits = valid & !same ? bits & 0x7f : 0;
	*quotient = as_int(x) < 0 != as_int(y) < 0 ? -bits : bits;
	r = same ? a : r;
	r = valid ? as_float(as_int(r) ^ (as_int(x) & SIGN_BIT)) : NAN;
	return r;
}

WEFT float remainder(float x, float y)
{
	int quotient;
	return remquo(x, y, &quotient);
}
