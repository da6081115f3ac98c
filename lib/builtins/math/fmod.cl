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
