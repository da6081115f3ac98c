/* SPDX-License-Identifier: MIT
 *
 * Counting forks: the child counts, before it has a second thread.
 */
#include "generation.h"

#include <pthread.h>
#include <stdatomic.h>

static _Atomic uint32_t generation;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void count(void)
{
	atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed);
}

static void install(void)
{
	(void)pthread_atfork(NULL, NULL, count);
}

void weft_generation_watch(void)
{
	pthread_once(&once, install);
}

uint32_t weft_generation(void)
{
	return atomic_load_explicit(&generation, memory_order_relaxed);
}
