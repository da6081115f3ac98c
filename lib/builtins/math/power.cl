/* SPDX-License-Identifier: MIT
 *
 * pow, pown, powr, rootn: specification 6.15.2, by power.h.
 */
#include "power.h"
#include "precompiled_parts.h"

#define POWERS(type, suffix)                                                                       \
	WEFT type pow(type x, type y)                                                              \
	{                                                                                          \
		return __weft_precompiled_whole_pow##suffix(x, y);                                 \
	}                                                                                          \
                                                                                                   \
	WEFT type powr(type x, type y)                                                             \
	{                                                                                          \
		return __weft_precompiled_whole_powr##suffix(x, y);                                \
	}                                                                                          \
                                                                                                   \
	WEFT type pown(type x, int n)                                                              \
	{                                                                                          \
		return pown_of(x, n);                                                              \
	}                                                                                          \
                                                                                                   \
	WEFT type rootn(type x, int n)                                                             \
	{                                                                                          \
		return rootn_of(x, n);                                                             \
	}

POWERS(float, )
POWERS(double, _double)
