/* SPDX-License-Identifier: MIT
 *
 * pow, pown, powr, rootn: specification 6.15.2, by power.h.
 */
#include "power.h"
#include "precompiled_parts.h"

/* `form` begins the names of functions for CPUs that direct.h is for. */
#define POWERS(form, whole, type, suffix, of)                                                      \
	WEFT type form##pow(type x, type y)                                                        \
	{                                                                                          \
		return __weft_precompiled_##whole##pow##suffix(x, y);                              \
	}                                                                                          \
                                                                                                   \
	WEFT type form##powr(type x, type y)                                                       \
	{                                                                                          \
		return __weft_precompiled_##whole##powr##suffix(x, y);                             \
	}                                                                                          \
                                                                                                   \
	WEFT type form##pown(type x, int n)                                                        \
	{                                                                                          \
		return pown##of(x, n);                                                             \
	}                                                                                          \
                                                                                                   \
	WEFT type form##rootn(type x, int n)                                                       \
	{                                                                                          \
		return rootn##of(x, n);                                                            \
	}

POWERS(, whole_, float, , _of)
POWERS(, whole_, double, _double, _of)
POWERS(__weft_direct_, whole_direct_, float, , _directly_of)
POWERS(__weft_direct_, whole_direct_, double, _double, _directly_of)
