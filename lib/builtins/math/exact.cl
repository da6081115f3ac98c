/* SPDX-License-Identifier: MIT
 *
 * Functions with exact results that are more than one instruction: specification 6.15.2. The bodies
 * move bits where that is shorter than arithmetic, and have no branch.
 */
#include "exponent.h"

/* Float and double by one text: their digits after the point and exponent bias. */
#define EXACT(type, digits, bias, below_half, one_below)                                             \
	WEFT type round(type x)                                                                      \
	{                                                                                            \
		return __builtin_elementwise_trunc(                                                  \
			x + __builtin_elementwise_copysign((type)below_half, x));                    \
	}                                                                                            \
                                                                                                     \
	WEFT type fract(type x, __private type *whole)                                               \
	{                                                                                            \
		type w = __builtin_elementwise_floor(x), r = x - w;                                  \
		*whole = w;                                                                          \
		r = r >= (type)1 ? (type)one_below : r;                                              \
		r = __builtin_elementwise_abs(x) == (type)INFINITY ? (type)0 : r;                    \
		return __builtin_elementwise_copysign(r, x != x ? x : r == 0 ? x : r);               \
	}                                                                                            \
                                                                                                     \
	WEFT type modf(type x, __private type *whole)                                                \
	{                                                                                            \
		type w = __builtin_elementwise_trunc(x);                                             \
		*whole = w;                                                                          \
		type r = __builtin_elementwise_abs(x) == (type)INFINITY ? (type)0 : x - w;           \
		return __builtin_elementwise_copysign(r, x);                                         \
	}                                                                                            \
                                                                                                     \
	WEFT type frexp(type x, __private int *exponent)                                             \
	{                                                                                            \
		type s;                                                                              \
		int e = exponent_of(x, &s) + 1;                                                      \
		bool special = x == 0 | x != x | __builtin_elementwise_abs(x) == (type)INFINITY;     \
		*exponent = special ? 0 : e;                                                         \
		return special ? x : s * (type)0.5;                                                  \
	}                                                                                            \
                                                                                                     \
	WEFT int ilogb(type x)                                                                       \
	{                                                                                            \
		type s;                                                                              \
		int e = exponent_of(x, &s);                                                          \
		e = x == 0 ? FP_ILOGB0 : e;                                                          \
		e = x != x ? FP_ILOGBNAN : e;                                                        \
		return __builtin_elementwise_abs(x) == (type)INFINITY ? INT_MAX : e;                 \
	}                                                                                            \
                                                                                                     \
	WEFT type logb(type x)                                                                       \
	{                                                                                            \
		type s;                                                                              \
		type r = (type)exponent_of(x, &s);                                                   \
		r = x == 0 ? -(type)INFINITY : r;                                                    \
		r = __builtin_elementwise_abs(x) == (type)INFINITY ? (type)INFINITY : r;             \
		return x != x ? x : r;                                                               \
	}                                                                                            \
                                                                                                     \
	/* The significand times two powers of two: the first keeps it normal, the second rounds. */ \
	WEFT type ldexp(type x, int e)                                                               \
	{                                                                                            \
		type s;                                                                              \
		int clamped = __builtin_elementwise_max(__builtin_elementwise_min(e, 4 * bias),      \
							-4 * bias);                                  \
		int sum = exponent_of(x, &s) + clamped;                                              \
		sum = __builtin_elementwise_max(sum, -(bias + digits + 10));                         \
		int tail = sum < 1 - bias ? -(digits + 12) : sum > bias ? 1 : 0;                     \
		int head = __builtin_elementwise_min(sum - tail, bias);                              \
		bool same = x == 0 | x != x | __builtin_elementwise_abs(x) == (type)INFINITY;        \
		return same ? x : s * two_to_##type(head) * two_to_##type(tail);                     \
	}

/* By the CPU's instructions. */
WEFT float __weft_direct_logb(float x)
{
	return __weft_exponent(x);
}

WEFT double __weft_direct_logb(double x)
{
	return __weft_exponent_double(x);
}

WEFT float __weft_direct_ldexp(float x, int e)
{
	return __weft_scale(x, (float)e);
}

WEFT double __weft_direct_ldexp(double x, int e)
{
	return __weft_scale_double(x, (double)e);
}

EXACT(float, 23, 127, 0x1.fffffep-2f, 0x1.fffffep-1f)
EXACT(double, 52, 1023, 0x1.fffffffffffffp-2, 0x1.fffffffffffffp-1)

WEFT half fract(half x, __private half *whole)
{
	float w, r = fract((float)x, &w);
	*whole = (half)w;
	return r > 0x1.ffcp-1f ? 0x1.ffcp-1h : (half)r;
}

/* Numbers in order of their values, as integers. */
#define NEXTAFTER(type, bits, lowest)                                                              \
	WEFT type nextafter(type x, type y)                                                        \
	{                                                                                          \
		bits a = as_##bits(x), b = as_##bits(y);                                           \
		bits p = a < 0 ? (bits)(lowest - a) : a, q = b < 0 ? (bits)(lowest - b) : b;       \
		bits r = p < q ? (bits)(p + 1) : p > q ? (bits)(p - 1) : p;                        \
		type stepped = as_##type((bits)(r < 0 ? lowest - r : r));                          \
		return x != x ? x : y != y | x == y ? y : stepped;                                 \
	}

NEXTAFTER(half, short, SHRT_MIN)
NEXTAFTER(float, int, INT_MIN)
NEXTAFTER(double, long, LONG_MIN)

WEFT half nan(ushort code)
{
	return as_half((ushort)(code | 0x7e00));
}

WEFT float nan(uint code)
{
	return as_float(code | 0x7fc00000);
}

WEFT double nan(ulong code)
{
	return as_double(code | 0x7ff8000000000000);
}

/* The product is exact in double; the sum is rounded to odd, so that the last rounding is the only one. */
WEFT half fma(half a, half b, half c)
{
	double p = (double)a * (double)b, d = (double)c;
	double s = p + d, t = s - p, error = (p - (s - t)) + (d - t);
	long bits = as_long(s);
	bool odd = bits & 1;
	bool away = (error < 0) == (s < 0);
	bits = error == 0 | error != error | odd ? bits : away ? bits + 1 : bits - 1;
	s = as_double(bits);
	float f = (float)s;
	bool beyond = __builtin_elementwise_abs((double)f) > __builtin_elementwise_abs(s);
	int g = as_int(f) - beyond;
	f = (double)f == s | s != s | __builtin_elementwise_abs(f) == (float)INFINITY
		    ? f
		    : as_float(g | 1);
	return (half)f;
}
