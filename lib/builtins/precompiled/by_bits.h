/* SPDX-License-Identifier: MIT
 *
 * What direct.h has instructions for, by numbers' bits: the same powers, and code that LLVM makes vectors of.
 */
#ifndef WEFT_BY_BITS_H
#define WEFT_BY_BITS_H

#include "math/exponent.h"

#define BY_BITS(type, bits, most)                                                                  \
	HELPER type significand_by_bits(type x)                                                    \
	{                                                                                          \
		type significand;                                                                  \
		exponent_of(x, &significand);                                                      \
		return x >= 0 ? significand : (type)NAN;                                           \
	}                                                                                          \
                                                                                                   \
	/* Infinite also for 0, and for what the processor takes for it (power_body.h). */         \
	HELPER type exponent_by_bits(type x)                                                       \
	{                                                                                          \
		type significand, exponent = (type)exponent_of(x, &significand);                   \
		return 2 * x == 0 | x == (type)INFINITY ? (type)INFINITY : exponent;               \
	}                                                                                          \
                                                                                                   \
	HELPER type within_one_by_bits(type x)                                                     \
	{                                                                                          \
		type r = x > (type) - 1 ? x : (type) - 1;                                          \
		return r < (type)1 ? r : (type)1;                                                  \
	}                                                                                          \
                                                                                                   \
	/* Of numbers about 1. The first product is exact. */                                      \
	HELPER type scale_by_bits(type x, type n)                                                  \
	{                                                                                          \
		type c = n > (type) - most ? n : (type) - most;                                    \
		int k = (int)__builtin_elementwise_floor(c < (type)most ? c : (type)most);         \
		type r = x * two_to_##type(k >> 1) * two_to_##type(k - (k >> 1));                  \
		return n != n ? n : r;                                                             \
	}

BY_BITS(float, int, 200)
BY_BITS(double, long, 1200)

#define __weft_significand significand_by_bits
#define __weft_significand_double significand_by_bits
#define __weft_exponent exponent_by_bits
#define __weft_exponent_double exponent_by_bits
#define __weft_within_one within_one_by_bits
#define __weft_within_one_double within_one_by_bits
#define __weft_scale scale_by_bits
#define __weft_scale_double scale_by_bits

#endif
