/* SPDX-License-Identifier: MIT
 *
 * The rest of a by b, in [0, b), for a >= 2 b > 0, both finite.
 *
 * Of the significands x and y of a and b, x 2^s = q y + r with s <= digits - 3, and q the whole number nearest to x 2^s
 * times the rounded 1 / y. As |q| <= 2^(digits - 2), q is off by 1/2 in that rounding, by 1/4 as 1 / y was rounded, and
 * by 1/8 as the product is where the CPU does not fuse. Hence |r| <= 7/8 y; and as a multiple of the last place of y,
 * r is exact. It then takes the place of x, until the exponents agree. Each step takes nearly as many bits of the quotient as a
 * significand has.
 */
#ifndef WEFT_LONG_DIVISION_H
#define WEFT_LONG_DIVISION_H

#include "double_double.h"
#include "exponent.h"
#include "single.h"

/* Float and double by one text: the bits of a significand, the first included, and what rounds to a whole number, added. */
#define LONG_DIVISION(type, digits, rounding)                                                      \
	struct division_##type {                                                                   \
		type r, y, inverse;                                                                \
		int exponent, ahead; /* of y; of r */                                              \
	};                                                                                         \
                                                                                                   \
	HELPER struct division_##type begin_division(type a, type b)                               \
	{                                                                                          \
		struct division_##type d;                                                          \
		d.exponent = exponent_of(b, &d.y);                                                 \
		d.ahead = exponent_of(a, &d.r) - d.exponent;                                       \
		d.inverse = (type)1 / d.y;                                                         \
		return d;                                                                          \
	}                                                                                          \
                                                                                                   \
	/* For ahead > 0. */                                                                       \
	HELPER void divide_step(__private struct division_##type *d)                               \
	{                                                                                          \
		int s = __builtin_elementwise_min(d->ahead, digits - 3);                           \
		type scale = two_to_##type(s);                                                     \
		type sum = MAD(d->r, d->inverse * scale, (type)rounding);                          \
		d->r = FMA((type)rounding - sum, d->y, d->r * scale);                              \
		d->ahead -= s;                                                                     \
	}                                                                                          \
                                                                                                   \
	HELPER type rest_of(struct division_##type d)                                              \
	{                                                                                          \
		/* Not negative, before a small number may become 0 (-cl-denorms-are-zero). */     \
		type r = d.r < 0 ? d.r + d.y : d.r;                                                \
		return r * two_to_##type(d.exponent >> 1) *                                        \
		       two_to_##type(d.exponent - (d.exponent >> 1));                              \
	}                                                                                          \
                                                                                                   \
	HELPER type long_rest(type a, type b)                                                      \
	{                                                                                          \
		struct division_##type d = begin_division(a, b);                                   \
		while (d.ahead > 0)                                                                \
			divide_step(&d);                                                           \
		return rest_of(d);                                                                 \
	}

LONG_DIVISION(float, 24, ROUNDERF)
LONG_DIVISION(double, 53, ROUNDER)

#endif
