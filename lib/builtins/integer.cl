/* SPDX-License-Identifier: MIT
 *
 * Integer functions of 64 bits: the other widths compute in the next wider type (families.py). The
 * 128-bit product is one multiplication in machine code.
 */
WEFT long mul_hi(long a, long b)
{
	return (long)(((_BitInt(128))a * b) >> 64);
}

WEFT ulong mul_hi(ulong a, ulong b)
{
	return (ulong)(((unsigned _BitInt(128))a * b) >> 64);
}

WEFT long mad_sat(long a, long b, long c)
{
	_BitInt(128) sum = (_BitInt(128))a * b + c;
	return sum > LONG_MAX ? LONG_MAX : sum < LONG_MIN ? LONG_MIN : (long)sum;
}

WEFT ulong mad_sat(ulong a, ulong b, ulong c)
{
	unsigned _BitInt(128) sum = (unsigned _BitInt(128))a * b + c;
	return sum > ULONG_MAX ? ULONG_MAX : (ulong)sum;
}
