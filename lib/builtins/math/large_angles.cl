/* SPDX-License-Identifier: MIT
 *
 * Functions of large angles for kernels that are not linked with the precompiled ones (precompiled/precompiled.cl).
 */
#include "large_angles.h"

double __weft_precompiled_large_sine_double(double a)
{
	return sine_of_huge(a, 0);
}

double __weft_precompiled_large_cosine_double(double a)
{
	return sine_of_huge(a, 1);
}

double __weft_precompiled_large_tangent_double(double a)
{
	return tangent_of_huge(a);
}

float __weft_precompiled_large_sine(float a)
{
	return sine_of_large(a, 0);
}

float __weft_precompiled_large_cosine(float a)
{
	return sine_of_large(a, 1);
}

float __weft_precompiled_large_tangent(float a)
{
	return tangent_of_large(a);
}
