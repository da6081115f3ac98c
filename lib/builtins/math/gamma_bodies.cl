/* SPDX-License-Identifier: MIT
 *
 * Gamma functions for kernels without precompiled ones.
 */
#include "gamma.h"
#include "precompiled_parts.h"

double __weft_precompiled_whole_gamma_double(double x)
{
	return gamma_of(x);
}

float __weft_precompiled_whole_gamma(float x)
{
	return gamma_of(x);
}

double __weft_precompiled_whole_log_gamma_double(double x)
{
	return log_gamma_of(x);
}

float __weft_precompiled_whole_log_gamma(float x)
{
	return log_gamma_of(x);
}
