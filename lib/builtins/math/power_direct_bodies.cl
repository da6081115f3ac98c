/* SPDX-License-Identifier: MIT
 *
 * As power_bodies.cl, for CPUs that direct.h is for.
 */
#include "power.h"
#include "precompiled_parts.h"

#define BODY(name, type, body)                                                                     \
	type __weft_precompiled_whole_direct_##name(type x, type y)                                \
	{                                                                                          \
		return body(x, y);                                                                 \
	}

BODY(pow, float, pow_directly_of)
BODY(powr, float, powr_directly_of)
BODY(pow_double, double, pow_directly_of)
BODY(powr_double, double, powr_directly_of)
