/* SPDX-License-Identifier: MIT
 *
 * Powers for kernels without precompiled ones.
 */
#include "power.h"
#include "precompiled_parts.h"

float __weft_precompiled_whole_pow(float x, float y)
{
	return pow_of(x, y);
}

float __weft_precompiled_whole_powr(float x, float y)
{
	return powr_of(x, y);
}

double __weft_precompiled_whole_pow_double(double x, double y)
{
	return pow_of(x, y);
}

double __weft_precompiled_whole_powr_double(double x, double y)
{
	return powr_of(x, y);
}
