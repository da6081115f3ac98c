/* SPDX-License-Identifier: MIT
 *
 * Powers for kernels without precompiled ones.
 */
#include "power.h"
#include "precompiled_parts.h"

#define BODY(name, type, body)                                                                     \
	type __weft_precompiled_whole_##name(type x, type y)                                       \
	{                                                                                          \
		return body(x, y);                                                                 \
	}

BODY(pow, float, pow_of)
BODY(powr, float, powr_of)
BODY(pow_double, double, pow_of)
BODY(powr_double, double, powr_of)
