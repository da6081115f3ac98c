/* SPDX-License-Identifier: MIT
 *
 * Numbers taken apart into an exponent and a significand, and powers of two.
 */
#ifndef WEFT_EXPONENT_H
#define WEFT_EXPONENT_H

/*
 * Float and double by one text: their bits, digits after the point, exponent bias and least normal number, and the power
 * of two that makes the lesser ones normal.
 */
#define EXPONENT(type, bits, digits, bias, min_normal, normalise)                                  \
	/* The exponent of a finite nonzero number, and the number scaled into [1, 2). */          \
	HELPER int exponent_of(type x, type *significand)                                          \
	{                                                                                          \
		const bits sign = (bits)1 << (sizeof(type) * 8 - 1);                               \
		bool small = __builtin_elementwise_abs(x) < (type)min_normal;                      \
		bits b = as_##bits(small ? x * (type)normalise : x);                               \
		int e = (int)((b & ~sign) >> digits) - bias;                                       \
		*significand = as_##type((b & (sign | (((bits)1 << digits) - 1))) |                \
					 (bits)bias << digits);                                    \
		return small ? e - (digits + 1) : e;                                               \
	}                                                                                          \
                                                                                                   \
	/* 2^e for an exponent of a normal number. */                                              \
	HELPER type two_to_##type(int e)                                                           \
	{                                                                                          \
		return as_##type((bits)(e + bias) << digits);                                      \
	}

EXPONENT(float, int, 23, 127, 0x1p-126f, 0x1p24f)
EXPONENT(double, long, 52, 1023, 0x1p-1022, 0x1p53)

#endif
