/* SPDX-License-Identifier: MIT
 *
 * half_* and native_*: specification 6.15.2. They may be less accurate than the full functions, but most are
 * those: what is left to save is little.
 */
#define SAME1(name)                                                                                \
	WEFT float half_##name(float x)                                                            \
	{                                                                                          \
		return name(x);                                                                    \
	}                                                                                          \
	WEFT float native_##name(float x)                                                          \
	{                                                                                          \
		return name(x);                                                                    \
	}

SAME1(cos)
SAME1(exp)
SAME1(exp2)
SAME1(exp10)
SAME1(log)
SAME1(log2)
SAME1(log10)
SAME1(sin)
SAME1(tan)

/* The logarithm loses what log2(result) has before the point, 7 bits at most. The special cases are powr's: 0 times
 * infinity is NaN. */
WEFT float half_powr(float x, float y)
{
	return exp2(y * log2(x));
}

WEFT float native_powr(float x, float y)
{
	return half_powr(x, y);
}
