/* SPDX-License-Identifier: MIT
 *
 * How long launches have run, by few measurements: only the first, second, fourth, … is timed, and stands for those since the last one.
 * What long launches say while they run (weft_replacement.ran) is not counted twice.
 */
#ifndef WEFT_RUNTIME_RUN_TIME_H
#define WEFT_RUNTIME_RUN_TIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Zeros: nothing has run. Several threads may count at once; two may then count as one. */
struct weft_run_time {
	_Atomic uint32_t launches;
	_Atomic uint32_t timed; /* launches, when one was last timed */
	_Atomic uint64_t time;  /* ns of all, going by those that were timed */
	_Atomic uint64_t
		counted; /* ns of `time` that were counted while launches ran, since one was last timed */
};

/* Counts a launch; true when it is to be timed. */
static inline bool weft_run_time_count(struct weft_run_time *run)
{
	const uint32_t count = atomic_load_explicit(&run->launches, memory_order_relaxed) + 1;

	atomic_store_explicit(&run->launches, count, memory_order_relaxed);
	return (count & (count - 1)) == 0;
}

/* A launch ran for so many ns, and goes on. */
static inline void weft_run_time_ran(struct weft_run_time *run, uint64_t time)
{
	atomic_fetch_add_explicit(&run->counted, time, memory_order_relaxed);
	atomic_fetch_add_explicit(&run->time, time, memory_order_relaxed);
}

/* A launch that was to be timed took so many ns in all. Returns what was added to `time`. */
static inline uint64_t weft_run_time_took(struct weft_run_time *run, uint64_t time)
{
	const uint32_t launches = atomic_load_explicit(&run->launches, memory_order_relaxed);
	const uint32_t timed =
		atomic_exchange_explicit(&run->timed, launches, memory_order_relaxed);
	const uint64_t total = time * (launches > timed ? launches - timed : 1);
	const uint64_t counted = atomic_exchange_explicit(&run->counted, 0, memory_order_relaxed);
	const uint64_t more = total > counted ? total - counted : 0;

	atomic_fetch_add_explicit(&run->time, more, memory_order_relaxed);
	return more;
}

static inline uint64_t weft_run_time_total(const struct weft_run_time *run)
{
	return atomic_load_explicit(&((struct weft_run_time *)(uintptr_t)run)->time,
				    memory_order_relaxed);
}

static inline void weft_run_time_begin_again(struct weft_run_time *run)
{
	atomic_store_explicit(&run->time, 0, memory_order_relaxed);
	atomic_store_explicit(&run->counted, 0, memory_order_relaxed);
	atomic_store_explicit(&run->timed, 0, memory_order_relaxed);
	atomic_store_explicit(&run->launches, 0, memory_order_relaxed);
}

#endif
