/* SPDX-License-Identifier: MIT
 *
 * Sine, cosine and tangent for kernels without precompiled ones.
 */
#include "precompiled_parts.h"
#include "trigonometry.h"

float __weft_precompiled_whole_sine(float x)
{
	return sin_of(x);
}

float __weft_precompiled_whole_cosine(float x)
{
	return cos_of(x);
}

float __weft_precompiled_whole_tangent(float x)
{
	return tan_of(x);
}

double __weft_precompiled_whole_sine_double(double x)
{
	return sin_of(x);
}

double __weft_precompiled_whole_cosine_double(double x)
{
	return cos_of(x);
}

double __weft_precompiled_whole_tangent_double(double x)
{
	return tan_of(x);
}
