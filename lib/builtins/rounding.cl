/* SPDX-License-Identifier: MIT
 *
 * Conversions that round, in each rounding mode: <type>_from_<mode>. The hardware rounds to nearest
 * even; the directed modes correct that result by one unit in the last place where it lies on the wrong
 * side. To half, everything goes through a float rounded to odd, which keeps what decides a later
 * rounding (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using
 * rounding to odd", 2008): 24 bits hold 11 and two more.
 */

/* The neighbour of a nonzero value, one step away from zero (step 1) or towards it (step -1). */
#define STEP(type, bits, x, step) as_##type((bits)(as_##bits(x) + (bits)(step)))

/* To the next narrower type. For -0 and values that underflow, the sign is that of `a`, and so is that of the rounded
 * value. */
#define NARROW(name, type, bits, source)                                                           \
	HELPER type name##_rte(source a)                                                           \
	{                                                                                          \
		return (type)a;                                                                    \
	}                                                                                          \
	HELPER type name##_rtz(source a)                                                           \
	{                                                                                          \
		type r = (type)a;                                                                  \
		bool grew = __builtin_elementwise_abs((source)r) > __builtin_elementwise_abs(a);   \
		return grew ? STEP(type, bits, r, -1) : r;                                         \
	}                                                                                          \
	HELPER type name##_rtp(source a)                                                           \
	{                                                                                          \
		type r = (type)a;                                                                  \
		return (source)r < a ? STEP(type, bits, r, signbit((float)r) ? -1 : 1) : r;        \
	}                                                                                          \
	HELPER type name##_rtn(source a)                                                           \
	{                                                                                          \
		type r = (type)a;                                                                  \
		return (source)r > a ? STEP(type, bits, r, signbit((float)r) ? 1 : -1) : r;        \
	}

NARROW(float_from, float, int, double)
NARROW(half_narrow, half, short, float)

HELPER float float_to_odd(double a)
{
	float r = float_from_rtz(a);
	return (double)r == a || a != a ? r : as_float(as_int(r) | 1);
}

/* Whole numbers: the magnitude is cut to the type's digits, which is rounding to zero, and the lost bits
 * decide the step away from zero. */
HELPER ulong magnitude(long a, bool *negative)
{
	*negative = a < 0;
	return *negative ? -(ulong)a : (ulong)a;
}

HELPER ulong magnitude(ulong a, bool *negative)
{
	*negative = false;
	return a;
}

HELPER ulong magnitude(int a, bool *negative)
{
	return magnitude((long)a, negative);
}

HELPER ulong magnitude(uint a, bool *negative)
{
	return magnitude((ulong)a, negative);
}

HELPER ulong magnitude(short a, bool *negative)
{
	return magnitude((long)a, negative);
}

HELPER ulong magnitude(ushort a, bool *negative)
{
	return magnitude((ulong)a, negative);
}

HELPER ulong magnitude(char a, bool *negative)
{
	return magnitude((long)a, negative);
}

HELPER ulong magnitude(uchar a, bool *negative)
{
	return magnitude((ulong)a, negative);
}

#define CUT(magnitude, digits)                                                                     \
	({                                                                                         \
		ulong m_ = (magnitude);                                                            \
		int surplus_ = 64 - (digits) - (int)__builtin_elementwise_clzg(m_, 64ul);          \
		surplus_ > 0 ? m_ >> surplus_ << surplus_ : m_;                                    \
	})

#define DIRECTED_FROM_WHOLE(type, bits, digits, source)                                            \
	HELPER type type##_from_rtz(source a)                                                      \
	{                                                                                          \
		bool negative;                                                                     \
		type r = (type)CUT(magnitude(a, &negative), digits);                               \
		return negative ? -r : r;                                                          \
	}                                                                                          \
	HELPER type type##_from_rtp(source a)                                                      \
	{                                                                                          \
		bool negative;                                                                     \
		ulong m = magnitude(a, &negative), cut = CUT(m, digits);                           \
		type r = (type)cut;                                                                \
		return negative ? -r : cut == m ? r : STEP(type, bits, r, 1);                      \
	}                                                                                          \
	HELPER type type##_from_rtn(source a)                                                      \
	{                                                                                          \
		bool negative;                                                                     \
		ulong m = magnitude(a, &negative), cut = CUT(m, digits);                           \
		type r = (type)cut;                                                                \
		return !negative ? r : -(cut == m ? r : STEP(type, bits, r, 1));                   \
	}

#define TO_ODD_FROM_WHOLE(source)                                                                  \
	HELPER float float_to_odd(source a)                                                        \
	{                                                                                          \
		bool negative;                                                                     \
		ulong m = magnitude(a, &negative), cut = CUT(m, 24);                               \
		float r = (float)cut;                                                              \
		r = cut == m ? r : as_float(as_int(r) | 1);                                        \
		return negative ? -r : r;                                                          \
	}

#define FOR_WHOLE_TYPES(macro, ...)                                                                \
	macro(__VA_ARGS__ char) macro(__VA_ARGS__ uchar) macro(__VA_ARGS__ short)                  \
		macro(__VA_ARGS__ ushort) macro(__VA_ARGS__ int) macro(__VA_ARGS__ uint)           \
			macro(__VA_ARGS__ long) macro(__VA_ARGS__ ulong)
#define FLOAT_FROM(source) DIRECTED_FROM_WHOLE(float, int, 24, source)
#define DOUBLE_FROM(source) DIRECTED_FROM_WHOLE(double, long, 53, source)

FOR_WHOLE_TYPES(FLOAT_FROM)
FOR_WHOLE_TYPES(DOUBLE_FROM)
FOR_WHOLE_TYPES(TO_ODD_FROM_WHOLE)

/* float to half */
HELPER float float_to_odd(float a)
{
	return a;
}

#define HALF_FROM(source)                                                                          \
	HELPER half half_from_rte(source a)                                                        \
	{                                                                                          \
		return half_narrow_rte(float_to_odd(a));                                           \
	}                                                                                          \
	HELPER half half_from_rtz(source a)                                                        \
	{                                                                                          \
		return half_narrow_rtz(float_to_odd(a));                                           \
	}                                                                                          \
	HELPER half half_from_rtp(source a)                                                        \
	{                                                                                          \
		return half_narrow_rtp(float_to_odd(a));                                           \
	}                                                                                          \
	HELPER half half_from_rtn(source a)                                                        \
	{                                                                                          \
		return half_narrow_rtn(float_to_odd(a));                                           \
	}

FOR_WHOLE_TYPES(HALF_FROM)
HALF_FROM(float)
HALF_FROM(double)
