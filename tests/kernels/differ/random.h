/* SPDX-License-Identifier: MIT
 *
 * Reproducible random numbers (splitmix64).
 */
#ifndef WEFT_DIFFER_RANDOM_H
#define WEFT_DIFFER_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

static inline uint64_t random_bits(struct random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* 0 ≤ result < bound */
static inline int below(struct random *random, int bound)
{
	return (int)(random_bits(random) % (uint64_t)bound);
}

static inline bool one_in(struct random *random, int n)
{
	return below(random, n) == 0;
}

#endif
