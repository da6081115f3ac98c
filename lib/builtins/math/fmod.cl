/* SPDX-License-Identifier: MIT
 *
 * fmod, remainder, remquo: specification 6.15.2. Exact: one division where the quotient is short, else a long division
 * (long_division.h).
 */
#include "double_double.h"
#include "exponent.h"
#include "precompiled_parts.h"
#include "single.h"

#define REAL float
#define TWO_TO two_to_float
#define LONG_REST __weft_precompiled_long_rest
#define DIGITS 24
#include "fmod_body.h"
#undef REAL
#undef TWO_TO
#undef LONG_REST
#undef DIGITS

#define REAL double
#define TWO_TO two_to_double
#define LONG_REST __weft_precompiled_long_rest_double
#define DIGITS 53
#include "fmod_body.h"

/* 1 less so much, by which a quotient from an estimate is too small. */
#define LESS_THAN_ONE 0x1.fffffffffep-1

/* Where the CPU estimates reciprocals: within 2^-14, after the step within 2^-42 of LESS_THAN_ONE / b. The whole part of a quotient below
 * 2^38 is at most one too small, and a rest below b is exact. What else there is, is rare: other quotients, and reciprocals that are not normal
 * numbers, which leave a NaN or a rest that is too great. */
WEFT double __weft_direct_fmod(double x, double y)
{
	double a = ABS(x), b = ABS(y), inverse = __weft_estimate_recip_double(b);
	double e = FMA(-b, inverse, LESS_THAN_ONE);
	inverse = FMA(inverse, FMA(e, e, e), inverse);
	double q = (a < b ? 0.0 : a) * inverse, whole = __builtin_elementwise_trunc(q);
	double r = FMA(-whole, b, a);
	r = r >= b ? FMA(-1.0 - whole, b, a) : r;
	if (RARELY(!(q < 0x1p38 & r < b))) {
		double rest = LONG_REST(a, b);
		rest = rest >= b ? rest - b : rest; /* it is a itself below 2 b */
		r = a < b ? a : rest;
		r = (a < INF) & (b > 0.0) ? r : (double)NAN;
	}
	return __builtin_elementwise_copysign(r, x);
}
