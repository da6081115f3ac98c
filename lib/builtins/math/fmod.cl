/* SPDX-License-Identifier: MIT
 *
 * fmod, remainder, remquo: specification 6.15.2. Exact: one division where the quotient is short, else a long division
 * that finds nearly as many bits of it at a time as a significand has.
 */
#include "double_double.h"
#include "exponent.h"
#include "single.h"

#define REAL float
#define TWO_TO two_to_float
#define BITS_OF(x) as_uint(x)
#define ROUNDING ROUNDERF
#define DIGITS 24
#include "fmod_body.h"
#undef REAL
#undef TWO_TO
#undef BITS_OF
#undef ROUNDING
#undef DIGITS

#define REAL double
#define TWO_TO two_to_double
#define BITS_OF(x) (uint) as_ulong(x)
#define ROUNDING ROUNDER
#define DIGITS 53
#include "fmod_body.h"
