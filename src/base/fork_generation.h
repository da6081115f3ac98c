/* SPDX-License-Identifier: MIT
 *
 * Which process this is, of those that fork from one another: what was made in an earlier generation may wait for
 * threads that only the parent has.
 */
#ifndef WEFT_BASE_GENERATION_H
#define WEFT_BASE_GENERATION_H

#include <stdatomic.h>
#include <stdint.h>

/* This header's own. */
extern _Atomic uint32_t weft_generation_count;

/* One more in a child than in its parent; constant otherwise. */
static inline uint32_t weft_generation(void)
{
	return atomic_load_explicit(&weft_generation_count, memory_order_relaxed);
}

#endif
