/* SPDX-License-Identifier: MIT
 *
 * pow, powr, pown and rootn of the type REAL, as functions with _of behind their names: power_of, whole_power_of and root_of for finite x > 0, and the edge cases.
 * BITS_OF gives a number's bits as a signed integer. Included once per type.
 */

/* Whether y is a whole number, and whether it is an odd one. */
HELPER bool is_whole(REAL y)
{
	return __builtin_elementwise_trunc(y) == y;
}

HELPER bool is_odd(REAL y)
{
	REAL h = (REAL)0.5 * y;
	return is_whole(y) & (__builtin_elementwise_trunc(h) != h);
}

HELPER REAL pow_of(REAL x, REAL y)
{
	REAL a = ABS(x), r = power_of(a, y), infinity = (REAL)INFINITY;
	if (RARELY(not_positive_normal(x) | !(ABS(y) < infinity))) {
		bool grows = (a > 1) == (y > 0);
		r = a == 0 | a == infinity | ABS(y) == infinity ? (grows ? infinity : 0) : r;
		r = a == 1 ? 1 : r;
		r = BITS_OF(x) < 0 & is_odd(y) ? -r : r;
		/* One NaN, not x + y: which of two that is, is open. What is not comparable with itself is not whole. */
		r = x != x | y != y | ((x < 0) & (a != infinity) & !is_whole(y)) ? (REAL)NAN : r;
		r = x == 1 | y == 0 ? 1 : r;
	}
	return r;
}

HELPER REAL powr_of(REAL x, REAL y)
{
	REAL r = power_of(x, y), infinity = (REAL)INFINITY;
	if (RARELY(not_positive_normal(x) | !(ABS(y) < infinity))) {
		bool grows = (x > 1) == (y > 0);
		r = x == 0 | x == infinity | ABS(y) == infinity ? (grows ? infinity : 0) : r;
		r = x == 1 & ABS(y) == infinity ? (REAL)NAN : r;
		r = y == 0 & (x == 0 | x == infinity) ? (REAL)NAN : r;
		r = x < 0 | x != x | y != y ? (REAL)NAN : r;
	}
	return r;
}

HELPER REAL pown_of(REAL x, int n)
{
	REAL a = ABS(x), r = whole_power_of(a, n), infinity = (REAL)INFINITY;
	if (RARELY(not_positive_normal(x))) {
		bool grows = (a > 1) == (n > 0);
		r = a == 0 | a == infinity ? (grows ? infinity : 0) : r;
		r = BITS_OF(x) < 0 & n & 1 ? -r : r;
		r = x != x ? x : r;
		r = n == 0 ? 1 : r;
	}
	return r;
}

HELPER REAL rootn_of(REAL x, int n)
{
	REAL a = ABS(x), r = root_of(a, n), infinity = (REAL)INFINITY;
	if (RARELY(not_positive_normal(x) | n == 0)) {
		bool grows = (a == infinity) == (n > 0);
		r = a == 0 | a == infinity ? (grows ? infinity : 0) : r;
		r = BITS_OF(x) < 0 & n & 1 ? -r : r;
		r = (x < 0) & !(n & 1) ? (REAL)NAN : r;
		r = x != x ? x : r;
		r = n == 0 ? (REAL)NAN : r;
	}
	return r;
}
