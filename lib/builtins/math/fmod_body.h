/* SPDX-License-Identifier: MIT
 *
 * fmod, remquo and remainder of the type REAL. Its significand has DIGITS bits, the first included; TWO_TO makes a
 * power of two of the type, BITS_OF gives a number's last 32 bits, and adding ROUNDING rounds to a whole number, whose
 * last bits are those of the sum. Included once per type.
 */

/*
 * The rest of a by b, in [0, b), and the last 8 bits of the quotient that leaves it; a >= 2 b > 0, both finite. Of an
 * infinite a and of b = 0 both are anything.
 *
 * Of the significands x and y of a and b, x 2^s = q y + r with s <= DIGITS - 3, and q the whole number nearest to x 2^s
 * times the rounded 1 / y. As |q| <= 2^(DIGITS - 2), q is off by 1/2 in that rounding, by 1/4 as 1 / y was rounded, and
 * by 1/8 as the product is where the CPU does not fuse. Hence |r| <= 7/8 y; and as a multiple of the last place of y,
 * r is exact. It then takes the place of x, until the exponents agree.
 */
HELPER REAL long_division(REAL a, REAL b, uint *quotient)
{
	REAL r, y;
	int exponent = exponent_of(b, &y), ahead = exponent_of(a, &r) - exponent;
	REAL inverse = (REAL)1 / y;
	uint bits = 0;
	while (ahead > 0) {
		int s = __builtin_elementwise_min(ahead, DIGITS - 3);
		REAL scale = TWO_TO(s), sum = MAD(r, inverse * scale, ROUNDING);
		r = FMA(ROUNDING - sum, y, r * scale);
		/* A shift by more is of none of the last 8 bits, and may be too far for the type. */
		bits = (s < 8 ? bits << s : 0) + (BITS_OF(sum) - BITS_OF(ROUNDING));
		ahead -= s;
	}
	/* Not negative, before a small number may become 0 (-cl-denorms-are-zero). */
	*quotient = r < 0 ? bits - 1 : bits;
	r = r < 0 ? r + y : r;
	return r * TWO_TO(exponent >> 1) * TWO_TO(exponent - (exponent >> 1));
}

/*
 * The rest of a by b, in [0, b), and the last bits of the whole quotient; a >= 0, b >= 0. Of an infinite a and of b = 0
 * both are anything, of a NaN the rest is one.
 *
 * One division where the quotient is below 2^(DIGITS - 2): rounded, it is one too many at most, and a whole number that
 * whole_to_int takes. A lesser a is not divided, as a quotient that is no normal number takes as long as a hundred others.
 */
HELPER REAL divide(REAL a, REAL b, uint *quotient)
{
	bool less = a < b;
	REAL q = (less ? (REAL)0 : a) / b, whole = __builtin_elementwise_trunc(q);
	REAL r = FMA(-whole, b, a);
	bool beyond = !less & __builtin_signbit(r);
	*quotient = (uint)whole_to_int(whole) - beyond;
	r = beyond ? FMA((REAL)1 - whole, b, a) : r;
	if (RARELY(q >= TWO_TO(DIGITS - 2)))
		r = long_division(a, b, quotient);
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

WEFT REAL remainder(REAL x, REAL y)
{
	int quotient;
	return remquo(x, y, &quotient);
}
