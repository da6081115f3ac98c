/* SPDX-License-Identifier: MIT
 *
 * fmod, remquo and remainder of the type REAL. Its significand has DIGITS bits, the first included; TWO_TO makes a
 * power of two of the type, LONG_REST is its long division (precompiled_parts.h). Included once per type.
 */

/* As below, by the quotient q, which is below 2^(DIGITS - 2) or not that of a and b; `less`: it is 0. */
HELPER REAL divide_shortly(REAL a, REAL b, REAL q, bool less, uint *quotient)
{
	REAL whole = __builtin_elementwise_trunc(q), r = FMA(-whole, b, a);
	bool beyond = !less & __builtin_signbit(r);
	*quotient = (uint)whole_to_int(whole) - beyond;
	return beyond ? FMA((REAL)1 - whole, b, a) : r;
}

/*
 * The rest of a by b, in [0, b), and the last 8 bits of the whole quotient; a >= 0, b >= 0. Of an infinite a and of b = 0
 * both are anything, of a NaN the rest is one.
 *
 * One division where the quotient is below 2^(DIGITS - 2): rounded, it is one too many at most, and a whole number that
 * whole_to_int takes. A longer quotient loses all but its last 8 bits first, by a long division. A lesser a is not divided, as a
 * quotient that is no normal number takes as long as a hundred others.
 */
HELPER REAL divide(REAL a, REAL b, uint *quotient)
{
	bool less = a < b;
	REAL q = (less ? (REAL)0 : a) / b, r = divide_shortly(a, b, q, less, quotient);
	if (RARELY(q >= TWO_TO(DIGITS - 2))) {
		REAL rest = LONG_REST(a, b * 256);
		r = divide_shortly(rest, b, rest / b, false, quotient);
	}
	return less ? a : r;
}

WEFT REAL fmod(REAL x, REAL y)
{
	uint bits;
	REAL a = ABS(x), b = ABS(y), r = divide(a, b, &bits);
	return (a < (REAL)INFINITY) & (b > 0) ? __builtin_elementwise_copysign(r, x) : (REAL)NAN;
}

WEFT REAL remquo(REAL x, REAL y, __private int *quotient)
{
	uint bits;
	REAL a = ABS(x), b = ABS(y), r = divide(a, b, &bits);
	REAL sign_x = __builtin_elementwise_copysign((REAL)1, x);
	REAL sign_y = __builtin_elementwise_copysign((REAL)1, y);
	/* To nearest, to even. */
	bool up = r > b - r | (r == b - r & bits & 1);
	bits += up;
	r = up ? r - b : r;
	bool valid = (a < (REAL)INFINITY) & (b > 0);
	int last = valid ? (int)(bits & 0x7f) : 0;
	*quotient = sign_x != sign_y ? -last : last;
	return valid ? r * sign_x : (REAL)NAN;
}

/* a less the multiple of b that is nearest to it, the even one of two, by the quotient q: below 2^(DIGITS - 2) it has the halves of
 * whole numbers, and what is rounded to one of these makes the rest more than half of b, which is mended. */
HELPER REAL nearest_rest(REAL a, REAL b, REAL q)
{
	REAL r = FMA(-__builtin_elementwise_roundeven(q), b, a), size = ABS(r);
	return size > b - size ? r - __builtin_elementwise_copysign(b, r) : r;
}

/* Of an a below half of b it is a, which is not divided, as above. */
WEFT REAL remainder(REAL x, REAL y)
{
	REAL a = ABS(x), b = ABS(y);
	bool less = a < (REAL)0.5 * b;
	REAL q = (less ? (REAL)0 : a) / b, r = nearest_rest(a, b, q);
	if (RARELY(q >= TWO_TO(DIGITS - 2))) {
		REAL rest = LONG_REST(a, b * 256);
		r = nearest_rest(rest, b, rest / b);
	}
	r = less ? a : r;
	return (a < (REAL)INFINITY) & (b > 0) ? r * __builtin_elementwise_copysign((REAL)1, x)
					      : (REAL)NAN;
}
