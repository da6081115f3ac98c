/* SPDX-License-Identifier: MIT
 *
 * fmod, remainder, remquo: specification 6.15.2. Long division of the significands, 11 bits of the
 * quotient at a time; exact. Float goes through double, which holds every result of float's.
 */
#include "double_double.h"

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

FLOAT_FORM2(fmod)
FLOAT_FORM2(remainder)

WEFT float remquo(float x, float y, __private int *quotient)
{
	return (float)remquo((double)x, (double)y, quotient);
}
