/* SPDX-License-Identifier: MIT
 *
 * The child of a fork counts, before it has a second thread. The handler is registered when the library is loaded: locks
 * made before any call must detect a fork too.
 */
#include "fork_generation.h"

#include <pthread.h>

_Atomic uint32_t weft_fork_generation_count;

static void count(void)
{
	atomic_fetch_add_explicit(&weft_fork_generation_count, 1, memory_order_relaxed);
}

/* Without memory for the handler, forks are not counted. */
__attribute__((constructor)) static void watch(void)
{
	(void)pthread_atfork(NULL, NULL, count);
}
