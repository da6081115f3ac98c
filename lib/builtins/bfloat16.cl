/* SPDX-License-Identifier: MIT
 *
 * cl_intel_bfloat16_conversions: a bfloat16 is the upper half of a float. To the nearest, ties to even; a NaN stays one.
 */
HELPER ushort to_bfloat16(float x)
{
	uint bits = as_uint(x);
	uint rounded = bits + 0x7fff + (bits >> 16 & 1);
	return (ushort)((x != x ? bits | 0x400000 : rounded) >> 16);
}

HELPER float from_bfloat16(ushort x)
{
	return as_float((uint)x << 16);
}
