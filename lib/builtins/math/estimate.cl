/* SPDX-License-Identifier: MIT
 *
 * What stands in for functions whose bounds a CPU's estimate meets after one step (relaxed_math.h).
 */
#include "arithmetic.h"

/* A step of Newton's, y + y (1 - x y^2) / 2. It squares the estimate's error and leaves a tenth of a unit of it; half a unit
 * each is of the rounded x y and of the rounded result: less than 2 (7.4). */
WEFT float __weft_relaxed_rsqrt(float x)
{
	float y = __weft_estimate_rsqrt(x);
	return FMA(0.5f * y, FMA(-(x * y), y, 1.0f), y);
}

/* The step makes NaN of the estimates of 0, of infinity and of negative numbers. */
WEFT float __weft_estimated_rsqrt(float x)
{
	float y = __weft_relaxed_rsqrt(x);
	if (RARELY(y != y))
		return 1.0f / __builtin_elementwise_sqrt(x);
	return y;
}
