/* SPDX-License-Identifier: MIT
 *
 * pow, powr, pown and rootn of the type REAL, with FORM of their names. LOG gives a SUM for a finite number above 0, EXP takes a sum of the
 * same base. A number that is not 1 to a GREAT_POWER is infinite or 0. IS_SPECIAL: x is not above 0 or not finite, or the result r may be
 * wrong since y is great, infinite or NaN. BITS_OF gives a number's bits as a signed integer, WHOLE an integer as a sum, for a float loses
 * bits of it from 2^24 on, and ADD_LOWER what the lower part adds to a product with a logarithm. Included once per type and form.
 *
 * What is special is asked of 2 a: LLVM asks the bits of a itself, to which a subnormal number is none, whereas LOG takes it for zero where the
 * processor does (-cl-denorms-are-zero).
 */

/* a^y for finite a > 0 */
HELPER REAL FORM(power)(REAL a, REAL y)
{
	SUM l = LOG(a);
	REAL p = y * l.hi;
	return EXP(p, FMA(y, l.lo, FMA(y, l.hi, -p)));
}

HELPER REAL FORM(whole_power)(REAL a, int n)
{
	SUM whole = WHOLE(n), l = LOG(a);
	REAL y = whole.hi, p = y * l.hi;
	return EXP(p, ADD_LOWER(whole, l, FMA(y, l.lo, FMA(y, l.hi, -p))));
}

HELPER REAL FORM(root)(REAL a, int n)
{
	REAL y = (REAL)n;
	SUM l = LOG(a);
	REAL inverse = 1 / y, q = l.hi * inverse;
	REAL rest = FMA(-q, y, l.hi) + l.lo;
	return EXP(q, rest * inverse);
}

HELPER REAL FORM(pow)(REAL x, REAL y)
{
	REAL a = ABS(x), r = FORM(power)(a, y), infinity = (REAL)INFINITY;
	if (RARELY((BITS_OF(x) < 0) | IS_SPECIAL(x, y, r))) {
		bool grows = (a > 1) == (y > 0);
		r = 2 * a == 0 | a == infinity | ABS(y) >= GREAT_POWER ? (grows ? infinity : 0) : r;
		r = a == 1 ? 1 : r;
		r = BITS_OF(x) < 0 & is_odd(y) ? -r : r;
		/* One NaN, not x + y: which of two that is, is open. What is not comparable with itself is not whole. */
		r = x != x | y != y | ((x < 0) & (a != infinity) & !is_whole(y)) ? (REAL)NAN : r;
		r = x == 1 | y == 0 ? 1 : r;
	}
	return r;
}

HELPER REAL FORM(powr)(REAL x, REAL y)
{
	REAL r = FORM(power)(x, y), infinity = (REAL)INFINITY;
	if (RARELY(IS_SPECIAL(x, y, r))) {
		bool grows = (x > 1) == (y > 0);
		r = 2 * x == 0 | x == infinity | ABS(y) >= GREAT_POWER ? (grows ? infinity : 0) : r;
		r = x == 1 ? 1 : r;
		r = x == 1 & ABS(y) == infinity ? (REAL)NAN : r;
		r = y == 0 & (2 * x == 0 | x == infinity) ? (REAL)NAN : r;
		r = x < 0 | x != x | y != y ? (REAL)NAN : r;
	}
	return r;
}

HELPER REAL FORM(pown)(REAL x, int n)
{
	REAL a = ABS(x), r = FORM(whole_power)(a, n), infinity = (REAL)INFINITY;
	if (RARELY(not_positive_normal(x))) {
		bool grows = (a > 1) == (n > 0);
		r = 2 * a == 0 | a == infinity ? (grows ? infinity : 0) : r;
		r = BITS_OF(x) < 0 & n & 1 ? -r : r;
		r = x != x ? x : r;
		r = n == 0 ? 1 : r;
	}
	return r;
}

HELPER REAL FORM(rootn)(REAL x, int n)
{
	REAL a = ABS(x), r = FORM(root)(a, n), infinity = (REAL)INFINITY;
	if (RARELY(not_positive_normal(x) | n == 0)) {
		bool grows = (a == infinity) == (n > 0);
		r = 2 * a == 0 | a == infinity ? (grows ? infinity : 0) : r;
		r = BITS_OF(x) < 0 & n & 1 ? -r : r;
		r = (x < 0) & !(n & 1) ? (REAL)NAN : r;
		r = x != x ? x : r;
		r = n == 0 ? (REAL)NAN : r;
	}
	return r;
}
