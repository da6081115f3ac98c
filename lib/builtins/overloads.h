/* SPDX-License-Identifier: MIT
 *
 * Macros that the expressions in families.py use.
 */
#ifndef WEFT_OVERLOADS_H
#define WEFT_OVERLOADS_H

#define CONVERT1(type, x) ((type)(x))
#define CONVERTN(type, x) __builtin_convertvector((x), type)

#define SMOOTH(type, x)                                                                            \
	({                                                                                         \
		type t_ = (x);                                                                     \
		t_ * t_ * ((type)3 - (type)2 * t_);                                                \
	})

/* A mask of `count` bits from bit `offset` up, of an element's width. */
#define FIELD(element, bits, offset, count)                                                        \
	((element)((count) == 0 ? 0ul : (~0ul >> (64 - (count))) << (offset)))

#endif
