/* SPDX-License-Identifier: MIT
 *
 * fmod, remquo and remainder of the type REAL; BEYOND is a power of two of it. Included once per type.
 *
 * a = q b + rest with a whole q and a rest that is exact, as a rounded quotient's always is, and far smaller than a;
 * when |rest| < b it may be below 0. Where q would be infinite, a multiple of BEYOND b is taken away, and *q is 0 as are
 * the last bits of its quotient.
 */
HELPER REAL divide_once(REAL a, REAL b, REAL *q)
{
	REAL divisor = b, quotient = a / b;
	bool beyond = ABS(quotient) == (REAL)INFINITY;
	if (RARELY(beyond)) {
		divisor = b * BEYOND;
		divisor *= ABS(a / divisor) == (REAL)INFINITY ? BEYOND : (REAL)1;
		quotient = a / divisor;
	}
	quotient = __builtin_elementwise_trunc(quotient);
	*q = beyond ? (REAL)0 : quotient;
	return FMA(-quotient, divisor, a);
}

WEFT REAL fmod(REAL x, REAL y)
{
	REAL a = ABS(x), b = ABS(y), q, r = divide_once(a, b, &q);
	while (RARELY(ABS(r) >= b))
		r = divide_once(r, b, &q);
	r = r < 0 ? r + b : r;
	r = b == (REAL)INFINITY ? a : r;
	return a < (REAL)INFINITY ? __builtin_elementwise_copysign(r, x) : (REAL)NAN;
}

/* The last 7 bits of a whole number. */
HELPER int last_bits(REAL q)
{
	return whole_to_int(MAD((REAL)-128, __builtin_elementwise_trunc(q * (REAL)0x1p-7), q));
}

WEFT REAL remquo(REAL x, REAL y, __private int *quotient)
{
	REAL a = ABS(x), b = ABS(y), q, r = divide_once(a, b, &q);
	REAL sign_x = __builtin_elementwise_copysign((REAL)1, x);
	REAL sign_y = __builtin_elementwise_copysign((REAL)1, y);
	int bits = last_bits(q);
	while (RARELY(ABS(r) >= b)) {
		r = divide_once(r, b, &q);
		bits += last_bits(q);
	}
	/* To nearest, to even: the rest is in (-b, b). */
	REAL c = ABS(r);
	bool away = c > b - c | (c == b - c & bits & 1);
	bits += away ? (r < 0 ? -1 : 1) : 0;
	r = away ? (r < 0 ? r + b : r - b) : r;
	bool same = b == (REAL)INFINITY, valid = (a < (REAL)INFINITY) & (b > 0);
	bits = valid & !same ? bits & 0x7f : 0;
	*quotient = sign_x != sign_y ? -bits : bits;
	r = same ? a : r;
	return valid ? r * sign_x : (REAL)NAN;
}

WEFT REAL remainder(REAL x, REAL y)
{
	int quotient;
	return remquo(x, y, &quotient);
}
