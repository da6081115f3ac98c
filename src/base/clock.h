/* SPDX-License-Identifier: MIT
 *
 * The clock of profiling, of the timer queries, and of all that measures time: nanoseconds of CLOCK_MONOTONIC; and the processor's time that
 * a thread has had.
 */
#ifndef WEFT_BASE_CLOCK_H
#define WEFT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t weft_clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* The processor's time that the calling thread has had, in ns: while it waits, also for its core, that stands still. A system
 * call. */
static inline uint64_t weft_clock_thread(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* Nanoseconds between two ticks. */
static inline uint64_t weft_clock_resolution(void)
{
	struct timespec tick;

	clock_getres(CLOCK_MONOTONIC, &tick);
	return tick.tv_nsec > 0 ? (uint64_t)tick.tv_nsec : 1;
}

#endif
