/* SPDX-License-Identifier: MIT
 *
 * In place of functions whose bounds a CPU's estimate meets after a step or two (useInstructions, relaxed_math.h). That
 * for hypot is beside it in root.cl.
 */
#include "arithmetic.h"

/* A step of Newton's, y + y (1 - x y^2) / 2, which squares the estimate's error; half a unit each is of the rounded x y
 * and of the rounded result: less than the 2 of 7.4 with a tenth of a unit that one step leaves for floats. */
#define ROOT_STEP(y, x, type) FMA((type)0.5 * y, FMA(-(x * y), y, (type)1), y)

/* The step makes NaN of the estimates of 0, of infinity and of negative numbers. */
WEFT float __weft_estimated_rsqrt(float x)
{
	float y = __weft_estimate_rsqrt(x);
	y = ROOT_STEP(y, x, float);
	if (RARELY(y != y))
		return 1.0f / __builtin_elementwise_sqrt(x);
	return y;
}

WEFT double __weft_estimated_rsqrt(double x)
{
	double y = __weft_estimate_rsqrt_double(x);
	y = ROOT_STEP(y, x, double);
	y = ROOT_STEP(y, x, double);
	if (RARELY(y != y))
		return 1.0 / __builtin_elementwise_sqrt(x);
	return y;
}

/* For relaxed math: of numbers that are neither 0, subnormal nor infinite. One step leaves a tenth of a unit, as above. */
WEFT float __weft_estimated_recip(float x)
{
	float y = __weft_estimate_recip(x);
	return FMA(FMA(-x, y, 1.0f), y, y);
}

/* Quotients by the same number share its reciprocal, which leaves loops. */
WEFT float __weft_estimated_divide(float x, float y)
{
	return x * __weft_estimated_recip(y);
}
