/* SPDX-License-Identifier: MIT
 *
 * Counts forks, so that a process is told from its parent: what was made in an earlier generation may wait for threads that
 * only the parent has.
 */
#ifndef WEFT_BASE_FORK_GENERATION_H
#define WEFT_BASE_FORK_GENERATION_H

#include <stdatomic.h>
#include <stdint.h>

/* For this header alone. */
extern _Atomic uint32_t weft_fork_generation_count;

/* How many forks this process is away from the first. Constant within a process. */
static inline uint32_t weft_fork_generation(void)
{
	return atomic_load_explicit(&weft_fork_generation_count, memory_order_relaxed);
}

#endif
