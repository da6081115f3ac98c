/* SPDX-License-Identifier: MIT
 *
 * The worker threads of the process, one per compute unit at most, whatever the number of contexts, devices and
 * sub-devices: started when there is work for them, spinning for more, asleep, woken one by one, ended. What they work
 * on is the pools' (pool.h), one per device.
 *
 * Invariant (no wake-up is lost): a worker sleeps only after it has announced so in `sleeping` and has looked for work
 * again; whoever makes work that a worker could take, be it by adding some or by leaving a place (pool.h) free, looks
 * at `spinning` and `sleeping` afterwards. All four are sequentially consistent. tests/model/sleep.pml is a model of
 * it.
 */
#ifndef WEFT_PTHREAD_CREW_H
#define WEFT_PTHREAD_CREW_H

#include "clock.h"
#include "fork.h"
#include "mutex.h"
#include "status.h"
#include "unit_mask.h"

#include <pthread.h>
#include <sched.h>

/* How long a thread that has just had something to do looks for more, at most. */
#define LONGEST_SPIN_NS 100000

struct crew;
struct pool;
struct weft_topology;

struct worker {
	struct crew *crew;
	uint32_t unit;
	struct unit_range
		near;   /* units that share the last cache with it; all, if that is not known */
	uint32_t group; /* their number */
	uint32_t spin;  /* ns that it looks for work before it sleeps */
	pthread_t thread;
	_Atomic int32_t woken; /* a futex: 0 from before it sleeps until somebody wakes it */
};

/* What workers do, the business of who owns the crew. */
struct crew_ops {
	/* A worker's life. */
	void (*work)(struct worker *worker);
	/* Whether there is something that the unit's worker may take now. */
	bool (*has_work)(struct crew *crew, uint32_t unit);
};

struct crew {
	const struct crew_ops *ops;
	uint32_t limit;  /* workers, and runners at once */
	cpu_set_t cores; /* where workers run, if not for a sub-device */
	struct weft_topology
		*topology; /* of `cores`, a unit each; owned; NULL: not read, or not to be had */
	bool bound;        /* each worker stays on its unit's core */
	uint32_t groups;   /* of units that share the last cache; 1, if that is not known */
	uint32_t *units_by_core; /* with several groups: owned; NO_UNIT where none is */
	struct worker *workers;
	_Atomic(struct pool *) pools; /* pool.c's */
	_Atomic uint32_t busy;        /* likewise */
	struct weft_fork_node fork;   /* likewise */

	struct weft_mutex lock;  /* WEFT_RANK_DEVICE; held while threads are created */
	struct unit_set started; /* changes under the lock */
	struct unit_set spinning;
	struct unit_set sleeping; /* who removes a unit wakes its worker, but for that itself */
	_Atomic int32_t
		strays; /* threads that were a unit's worker, and have yet to end; a futex */
	_Atomic bool closing;
};

enum weft_status crew_create(const struct crew_ops *ops, uint32_t limit, const cpu_set_t *cores,
			     struct crew **crew) WEFT_MUST_CHECK;
/* Reads the topology, unless that has been done or there are more units than cores. */
enum weft_status crew_read_topology(struct crew *crew) WEFT_MUST_CHECK;
/* Binds each worker, none of which has been started, to the core of its unit; `spread` over all cores, when there are
 * more of them. WEFT_UNSUPPORTED: there are fewer. */
enum weft_status crew_bind(struct crew *crew, bool spread) WEFT_MUST_CHECK;
/* Ends the workers, and waits for them. */
void crew_stop(struct crew *crew);
/* It was stopped. */
void crew_destroy(struct crew *crew);
/* In the child of a fork, which has no worker yet. */
void crew_reset(struct crew *crew);

/* Sees to it that up to `most` of the range's idle workers, those that spin included, look for work; of the sleepers
 * those near to the unit `near` (or NO_UNIT) first. False when the range has no worker, and none can be started. */
bool crew_wake(struct crew *crew, struct unit_range range, uint32_t most, uint32_t near);
/* A unit that is near to where the calling thread runs; NO_UNIT, if all are equally so. */
uint32_t crew_unit_here(const struct crew *crew);
/* The calling thread is the unit's worker no more: another is started when there is work for one. It ends with
 * crew_end_stray, of which crew_stop waits for all. */
void crew_replace(struct crew *crew, uint32_t unit);
void crew_end_stray(struct crew *crew);
/* Returns when there may be work for the worker, or the crew ends. */
void crew_idle(struct worker *worker);

static inline bool crew_is_closing(struct crew *crew)
{
	return atomic_load(&crew->closing);
}

/* How long a thread has been looking for something. */
struct patience {
	uint64_t start; /* 0: not known yet */
	uint32_t looks;
};

/* After each look in vain: waits a moment, and says whether this has taken so many nanoseconds. */
static inline bool patience_over(struct patience *patience, uint64_t most)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
	if (++patience->looks % 16 != 1) /* the clock costs more than a look */
		return false;
	uint64_t now = weft_clock_now();
	if (patience->start == 0)
		patience->start = now;
	return now - patience->start >= most;
}

#endif
