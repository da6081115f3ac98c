/* SPDX-License-Identifier: MIT
 *
 * fmod, remainder, remquo: specification 6.15.2. Exact, as many bits of the quotient at a time as a significand has.
 */
#include "double_double.h"
#include "single.h"

#define REAL float
#define BEYOND 0x1p100f
#include "fmod_body.h"
#undef REAL
#undef BEYOND

#define REAL double
#define BEYOND 0x1p1000
#include "fmod_body.h"
