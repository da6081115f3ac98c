/* SPDX-License-Identifier: MIT
 *
 * Long divisions for kernels without precompiled ones.
 */
#include "long_division.h"
#include "precompiled_parts.h"

float __weft_precompiled_long_rest(float x, float y)
{
	return long_rest(x, y);
}

double __weft_precompiled_long_rest_double(double x, double y)
{
	return long_rest(x, y);
}
