/* SPDX-License-Identifier: MIT
 *
 * Conversions that round in a direction: <type>_from_<mode>. The hardware rounds to nearest even; that
 * result is corrected by one unit in the last place where it lies on the wrong side. To half, everything
 * goes through a float. A double is rounded to odd there, which keeps what decides a later rounding
 * (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to
 * odd", 2008): 24 bits hold 11 and two more. A whole number that is no float is greater than all halves.
 */

/* The neighbour of a nonzero value, one step away from zero (step 1) or towards it (step -1). */
#define STEP(type, bits, x, step) as_##type((bits)(as_##bits(x) + (bits)(step)))

/* To the next narrower type. For -0 and values that underflow, the sign is that of `a`, and so is that of the rounded
 * value. */
#define NARROW(name, type, bits, source)                                                           \
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

/* Whole numbers of 64 bits: the magnitude is cut to the type's digits, which is rounding to zero, and the lost bits
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

DIRECTED_FROM_WHOLE(float, int, 24, long)
DIRECTED_FROM_WHOLE(float, int, 24, ulong)
DIRECTED_FROM_WHOLE(double, long, 53, long)
DIRECTED_FROM_WHOLE(double, long, 53, ulong)

/* All others have a place in a double. */
#define DIRECTED_FROM_INT(mode, source)                                                            \
	HELPER float float_from_##mode(source a)                                                   \
	{                                                                                          \
		return float_from_##mode((double)a);                                               \
	}

DIRECTED_FROM_INT(rtz, int)
DIRECTED_FROM_INT(rtp, int)
DIRECTED_FROM_INT(rtn, int)
DIRECTED_FROM_INT(rtz, uint)
DIRECTED_FROM_INT(rtp, uint)
DIRECTED_FROM_INT(rtn, uint)

#define HALF_FROM(source, as_float)                                                                \
	HELPER half half_from_rtz(source a)                                                        \
	{                                                                                          \
		return half_narrow_rtz(as_float(a));                                               \
	}                                                                                          \
	HELPER half half_from_rtp(source a)                                                        \
	{                                                                                          \
		return half_narrow_rtp(as_float(a));                                               \
	}                                                                                          \
	HELPER half half_from_rtn(source a)                                                        \
	{                                                                                          \
		return half_narrow_rtn(as_float(a));                                               \
	}

HALF_FROM(short, (float))
HALF_FROM(ushort, (float))
HALF_FROM(int, (float))
HALF_FROM(uint, (float))
HALF_FROM(long, (float))
HALF_FROM(ulong, (float))
HALF_FROM(float, )
HALF_FROM(double, float_to_odd)
