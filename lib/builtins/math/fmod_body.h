/* SPDX-License-Identifier: MIT
 *
 * fmod, remquo and remainder of the type REAL, whose significand has DIGITS bits; TWO_TO makes a power of two of it, and
 * adding ROUNDING rounds to a whole number. Included once per type.
 */

/*
 * The rest of a by b, in (-b, b), and the last bits of the whole quotient that leaves it.
 *
 * Of the significands x and y of a and b, x 2^s = q y + r with s <= DIGITS - 4 and q the whole number nearest to x 2^s
 * times a rounded 1 / y: |q| <= 2^(DIGITS - 3), so that q is off by 1/2 and by 1/4 at most. Hence |r| <= 3/4 y, and as
 * r is a multiple of the last place of y, it is exact. The rest then takes the place of x, until the exponents agree.
 */
HELPER REAL long_division(REAL a, REAL b, uint *quotient)
{
	REAL r, y;
	int exponent = exponent_of(b, &y), ahead = exponent_of(a, &r) - exponent;
	REAL inverse = (REAL)1 / y;
	uint bits = 0;
	while (ahead > 0) {
		int s = __builtin_elementwise_min(ahead, DIGITS - 4);
		REAL scale = TWO_TO(s), sum = MAD(r, inverse * scale, ROUNDING);
		r = FMA(ROUNDING - sum, y, r * scale);
		bits = (s < 8 ? bits << s : 0) + (uint)whole_to_int(sum - ROUNDING);
		ahead -= s;
	}
	*quotient = bits;
	return r * TWO_TO(exponent >> 1) * TWO_TO(exponent - (exponent >> 1));
}

/*
 * The rest of a by b, and the last bits of the quotient that leaves it: a >= 0, b >= 0. A rounded quotient may be one
 * too many, the rest then negative; it is exact, and between -b and b. Where a < b nothing is divided: a quotient that
 * is no normal number costs as much as a hundred others.
 */
HELPER REAL divide(REAL a, REAL b, uint *quotient)
{
	REAL q = (a < b ? (REAL)0 : a) / b, whole = __builtin_elementwise_trunc(q);
	REAL r = FMA(-whole, b, a);
	*quotient = (uint)whole_to_int(whole);
	if (RARELY(q >= TWO_TO(DIGITS - 2)))
		r = long_division(a, b, quotient);
	return a < b ? a : r;
}

WEFT REAL fmod(REAL x, REAL y)
{
	uint bits;
	REAL a = ABS(x), b = ABS(y), r = divide(a, b, &bits);
	r = r < 0 ? r + b : r;
	return (a < (REAL)INFINITY) & (b > 0) ? __builtin_elementwise_copysign(r, x) : (REAL)NAN;
}

WEFT REAL remquo(REAL x, REAL y, __private int *quotient)
{
	uint bits;
	REAL a = ABS(x), b = ABS(y), r = divide(a, b, &bits);
	REAL sign_x = __builtin_elementwise_copysign((REAL)1, x);
	REAL sign_y = __builtin_elementwise_copysign((REAL)1, y);
	/* To nearest, to even. */
	REAL c = ABS(r);
	bool away = c > b - c | (c == b - c & bits & 1);
	bits += away ? (r < 0 ? -1 : 1) : 0;
	r = away ? (r < 0 ? r + b : r - b) : r;
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
