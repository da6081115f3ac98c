/* SPDX-License-Identifier: MIT
 *
 * Parts of functions that are called: precompiled ones (precompiled/precompiled.cl), or the library's for kernels without these
 * (large_angles.cl, long_division.cl, *_bodies.cl).
 */
#ifndef WEFT_PRECOMPILED_PARTS_H
#define WEFT_PRECOMPILED_PARTS_H

#define PART_OF_ONE(name)                                                                          \
	__attribute__((const)) float __weft_precompiled_##name(float x);                           \
	__attribute__((const)) double __weft_precompiled_##name##_double(double x);

#define PART_OF_TWO(name)                                                                          \
	__attribute__((const)) float __weft_precompiled_##name(float x, float y);                  \
	__attribute__((const)) double __weft_precompiled_##name##_double(double x, double y);

/* Of an angle of at least LARGE_ANGLE, HUGE_ANGLE for doubles (large_angles.h), infinite or NaN. */
PART_OF_ONE(large_sine)
PART_OF_ONE(large_cosine)
PART_OF_ONE(large_tangent)

/* Whole functions, which full code has the bodies of: sine, cosine and tangent of any angle, gamma(x) and the logarithm of its absolute
 * value, and powers. */
PART_OF_ONE(whole_sine)
PART_OF_ONE(whole_cosine)
PART_OF_ONE(whole_tangent)
PART_OF_ONE(whole_gamma)
PART_OF_ONE(whole_log_gamma)
PART_OF_TWO(whole_pow)
PART_OF_TWO(whole_powr)
/* For CPUs that direct.h is for. */
PART_OF_TWO(whole_direct_pow)
PART_OF_TWO(whole_direct_powr)

/* The rest of x by y, in [0, y); x >= 2 y > 0, both finite. Of an infinite x and of y = 0 it is anything. */
PART_OF_TWO(long_rest)

#endif
