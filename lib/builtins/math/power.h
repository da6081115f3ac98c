/* SPDX-License-Identifier: MIT
 *
 * pow, pown, powr, rootn: specification 6.15.2 and the edge cases of 7.5.1: x^y is the exponential of y log(x), with the
 * logarithm as a sum of two, and the product exact to that. What is made of logarithms to the base of two is for all CPUs; pow_directly_of
 * and its kin are for those that direct.h is for.
 */
#ifndef WEFT_POWER_H
#define WEFT_POWER_H

#include "direct.h"
#include "log2_exp2.h"

/* Whether y is a whole number, and whether it is an odd one. */
#define WHOLE_NUMBERS(type)                                                                        \
	HELPER bool is_whole(type y)                                                               \
	{                                                                                          \
		return __builtin_elementwise_trunc(y) == y;                                        \
	}                                                                                          \
                                                                                                   \
	HELPER bool is_odd(type y)                                                                 \
	{                                                                                          \
		type h = (type)0.5 * y;                                                            \
		return is_whole(y) & (__builtin_elementwise_trunc(h) != h);                        \
	}

WHOLE_NUMBERS(double)
WHOLE_NUMBERS(float)

#define REAL double
#define SUM struct dd
#define BITS_OF(x) as_long(x)
#define GREAT_POWER 0x1p600
#define WHOLE(n) (struct dd){(double)(n), 0.0}
#define ADD_LOWER(whole, l, rest) (rest)
#define FORM(name) name##_of
#define IS_SPECIAL(x, y, r) (not_positive_normal(x) | !(ABS(y) < GREAT_POWER))
#define LOG(a) log2_dd(a)
#define EXP(hi, lo) exp2_dd(hi, lo)
#include "power_body.h"
#undef FORM
#undef LOG
#undef EXP
#define FORM(name) name##_directly_of
#define LOG(a) log_directly(a)
#define EXP(hi, lo) exp_directly(hi, lo)
#include "power_body.h"
#undef REAL
#undef SUM
#undef BITS_OF
#undef GREAT_POWER
#undef WHOLE
#undef ADD_LOWER

#define REAL float
#define SUM struct ff
#define BITS_OF(x) as_int(x)
#define GREAT_POWER 0x1p100f
#define WHOLE(n) fast_two_sum((float)((n) & ~0xffff), (float)((n) & 0xffff))
#define ADD_LOWER(whole, l, rest) FMA((whole).lo, (l).hi, rest)
#include "power_body.h"
#undef FORM
#undef IS_SPECIAL
#undef LOG
#undef EXP
#define FORM(name) name##_of
#define IS_SPECIAL(x, y, r) (not_positive_normal(x) | !(ABS(y) < GREAT_POWER))
#define LOG(a) log2_ff(a)
#define EXP(hi, lo) exp2_ff(hi, lo)
#include "power_body.h"
#undef REAL
#undef SUM
#undef BITS_OF
#undef GREAT_POWER
#undef WHOLE
#undef ADD_LOWER
#undef FORM
#undef IS_SPECIAL
#undef LOG
#undef EXP

#endif
