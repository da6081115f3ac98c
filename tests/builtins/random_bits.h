/* SPDX-License-Identifier: MIT
 *
 * Random numbers: xorshift (Marsaglia, 2003), so that each run has the same samples.
 */
#ifndef WEFT_TESTS_BUILTINS_RANDOM_BITS_H
#define WEFT_TESTS_BUILTINS_RANDOM_BITS_H

#include <stdint.h>

static inline uint64_t random_bits(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

#endif
