/* SPDX-License-Identifier: MIT
 *
 * Arithmetic on sizes that come from the application. Each returns true when the result did not fit;
 * then *result is not to be used.
 */
#ifndef WEFT_BASE_OVERFLOW_H
#define WEFT_BASE_OVERFLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool weft_add_overflows(size_t a, size_t b, size_t *result)
{
	return __builtin_add_overflow(a, b, result);
}

static inline bool weft_mul_overflows(size_t a, size_t b, size_t *result)
{
	return __builtin_mul_overflow(a, b, result);
}

/* Rounds up to a multiple of `alignment`, a power of two. */
static inline bool weft_align_overflows(size_t value, size_t alignment, size_t *result)
{
	if (__builtin_add_overflow(value, alignment - 1, &value))
		return true;
	*result = value & ~(alignment - 1);
	return false;
}

/* Rounds up to a multiple of `unit`, which need not be a power of two, but is not 0. */
static inline bool weft_round_up_overflows(size_t value, size_t unit, size_t *result)
{
	const size_t over = value % unit;

	return __builtin_add_overflow(value, over ? unit - over : 0, result);
}

#endif
