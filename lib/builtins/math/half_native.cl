/* SPDX-License-Identifier: MIT
 *
 * half_* and native_*: specification 6.15.2. They may be less accurate than the full functions; these are
 * the full ones.
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

WEFT float half_powr(float x, float y)
{
	return powr(x, y);
}

WEFT float native_powr(float x, float y)
{
	return powr(x, y);
}
