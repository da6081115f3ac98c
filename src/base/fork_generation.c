/* SPDX-License-Identifier: MIT
 *
 * Counting forks: the child counts, before it has a second thread. Watched from when the library is loaded: locks that
 * were made before anybody asked must tell a fork too.
 */
#include "fork_generation.h"

#include <pthread.h>

_Atomic uint32_t weft_generation_count;

static void count(void)
{
	atomic_fetch_add_explicit(&weft_generation_count, 1, memory_order_relaxed);
}

/* Without memory for the handler, forks are not counted. */
__attribute__((constructor)) static void watch(void)
{
	(void)pthread_atfork(NULL, NULL, count);
}
