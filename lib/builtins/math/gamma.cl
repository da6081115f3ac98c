/* SPDX-License-Identifier: MIT
 *
 * tgamma, lgamma, lgamma_r: specification 6.15.2. All but the sign is long, and a call.
 */
#include "precompiled_parts.h"

WEFT double tgamma(double x)
{
	return __weft_precompiled_whole_gamma_double(x);
}

WEFT float tgamma(float x)
{
	return __weft_precompiled_whole_gamma(x);
}

WEFT double lgamma(double x)
{
	return __weft_precompiled_whole_log_gamma_double(x);
}

WEFT float lgamma(float x)
{
	return __weft_precompiled_whole_log_gamma(x);
}

/* Of gamma(x); 0 where there is none. */
HELPER int sign_of_gamma(double x)
{
	double below = __builtin_elementwise_floor(x), half_of_it = 0.5 * below;
	bool is_odd = __builtin_elementwise_floor(half_of_it) != half_of_it;
	bool is_pole = (x < 0.0) & (below == x);
	int sign = (x < 0.0 ? is_odd : x == 0.0 & signbit(x)) ? -1 : 1;
	return is_pole | x != x ? 0 : sign;
}

WEFT double lgamma_r(double x, __private int *sign)
{
	*sign = sign_of_gamma(x);
	return lgamma(x);
}

WEFT float lgamma_r(float x, __private int *sign)
{
	*sign = sign_of_gamma((double)x);
	return lgamma(x);
}
