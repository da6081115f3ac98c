/* SPDX-License-Identifier: MIT
 *
 * The worker threads of the process, at most one per compute unit, whatever the number of contexts, devices and
 * sub-devices. They are started when there is work for them, spin for more, sleep, are woken one by one, and end. What
 * they run is in the schedulers (scheduler.h), one per device.
 *
 * Invariant (no wake-up is lost): a worker sleeps only after it has added itself to `sleeping` and has then looked for
 * work again. A thread that makes work available, by adding a command or by releasing a permit (scheduler.h), looks at
 * `spinning` and `sleeping` afterwards. All these accesses are sequentially consistent. tests/model/sleep.pml is a model
 * of it.
 */
#ifndef WEFT_PTHREAD_WORKER_POOL_H
#define WEFT_PTHREAD_WORKER_POOL_H

#include "clock.h"
#include "machine/fork.h"
#include "mutex.h"
#include "status.h"
#include "thread.h"
#include "unit_mask.h"

#include <pthread.h>
#include <sched.h>

/* How long a thread that has just had something to do looks for more, at most. */
#define LONGEST_SPIN_NS 100000

#define NO_CORE (-1)

struct scheduler;
struct weft_topology;
struct worker_pool;

struct worker {
	struct worker_pool *pool;
	uint32_t unit;
	struct unit_range
		near; /* units that share the last cache with `unit`; all if that is not known */
	uint32_t cache_group; /* the number of `near` among such ranges */
	uint32_t spin;        /* ns for which the worker looks for work before it sleeps */
	/* Where the worker looked for work last; NO_CORE: not yet. A thread of that core that is running knows that this one is not. */
	_Atomic int32_t core;
	pthread_t thread;
	/* A futex: 0 from before the worker sleeps until a thread wakes it, which says on which core it does. */
	_Atomic int32_t woken;
};

/* What workers do; the owner of the pool says it. */
struct worker_ops {
	/* The worker's thread runs this and ends with it. */
	void (*work)(struct worker *worker);
	/* Whether there is work that the unit's worker may take now. */
	bool (*has_work)(struct worker_pool *pool, uint32_t unit);
};

struct worker_pool {
	const struct worker_ops *ops;
	uint32_t limit;  /* the most workers, and the most active runners */
	cpu_set_t cores; /* where workers run unless they work for a sub-device */
	struct weft_topology
		*topology;         /* of `cores`, one per unit; owned; NULL: not read, or unknown */
	bool bound;                /* each worker stays on its unit's core */
	uint32_t num_cache_groups; /* of units that share the last cache; 1 if that is not known */
	uint32_t *
		units_by_core; /* owned, with several cache groups only; NO_UNIT for a core without a unit */
	struct worker *workers; /* owned: one per unit */

	/* For scheduler.c. */
	_Atomic(struct scheduler *) schedulers;
	_Atomic int32_t num_active; /* permits taken in all schedulers */
	struct weft_fork_node fork;

	struct weft_mutex lock;    /* WEFT_RANK_DEVICE; held while threads are created */
	struct unit_mask started;  /* changes under the lock */
	struct unit_mask spinning; /* workers that look for work */
	/* A thread that removes a unit here wakes its worker, except the worker itself. */
	struct unit_mask sleeping;
	struct unit_mask
		waking; /* workers that such a thread wakes and that have not looked for work yet */
	_Atomic int32_t num_replaced; /* threads that were a worker and have yet to end; a futex */
	_Atomic bool closing;
};

enum weft_status worker_pool_create(const struct worker_ops *ops, uint32_t limit,
				    const cpu_set_t *cores,
				    struct worker_pool **pool) WEFT_MUST_CHECK;
/* Reads the topology, unless it has been read or there are more units than cores. */
enum weft_status worker_pool_read_topology(struct worker_pool *pool) WEFT_MUST_CHECK;
/* Binds each worker to the core of its unit; no worker has been started. If there are more cores than units, `spread`
 * chooses cores as far apart as possible. WEFT_UNSUPPORTED: there are fewer cores than units. */
enum weft_status worker_pool_bind(struct worker_pool *pool, bool spread) WEFT_MUST_CHECK;
/* Ends the workers, and waits for them. */
void worker_pool_stop(struct worker_pool *pool);
/* The pool has been stopped. */
void worker_pool_destroy(struct worker_pool *pool);
/* For the child of a fork, which has no worker yet. */
void worker_pool_reset(struct worker_pool *pool);

/* Makes up to `most` idle workers of the range look for work. Workers that spin are counted, but for those on the calling
 * thread's core, which cannot run before it sleeps. Of `permits` that are free, workers that are about to wake have one each: no more are
 * woken than can have the others. Wakes workers that have slept on other cores first, of these the ones near the unit `near` (or
 * NO_UNIT). False when the range has no worker and none can be started. */
bool worker_pool_wake(struct worker_pool *pool, struct unit_range range, uint32_t most,
		      uint32_t permits, uint32_t near);
/* Workers of the range that spin, but for those on the calling thread's core. */
uint32_t worker_pool_count_spinning(struct worker_pool *pool, struct unit_range range);
/* A unit near the core on which the calling thread runs; NO_UNIT if all units are equally near. */
uint32_t worker_pool_unit_here(const struct worker_pool *pool);
/* The calling thread stops being the unit's worker: another thread is started when there is work for one. The calling
 * thread ends with worker_pool_end_replaced; worker_pool_stop waits for that. */
void worker_pool_replace(struct worker_pool *pool, uint32_t unit);
void worker_pool_end_replaced(struct worker_pool *pool);
/* Spins, then sleeps. Returns when there may be work for the worker, or when the pool is closing. */
void worker_idle(struct worker *worker);

static inline bool worker_pool_is_closing(struct worker_pool *pool)
{
	return atomic_load(&pool->closing);
}

/* Measures for how long a thread spins. All zeros is a new one. */
struct spin_timer {
	uint64_t start; /* 0: not read yet */
	uint32_t looks; /* without success */
};

/* Called after each look without success: pauses for a moment. Returns whether the thread has spun for `most` ns. */
static inline bool spin_timer_expired(struct spin_timer *timer, uint64_t most)
{
	weft_pause();
	if (++timer->looks % 16 != 1) /* the clock costs more than a look */
		return false;
	uint64_t now = weft_clock_now();
	if (timer->start == 0)
		timer->start = now;
	return now - timer->start >= most;
}

#endif
