/* SPDX-License-Identifier: MIT
 *
 * The work of one device: which commands are ready, which workers may run them, how many do. All devices of a process
 * share the workers (worker_pool.h); the scheduler of a sub-device is open to the workers of its units only.
 *
 * A *runner* (runner.h) is a thread that runs commands: a worker, or a *helper*, a thread of the application. It works
 * for one scheduler at a time, and holds a *permit* of it: a scheduler has as many permits as units, and no more permits
 * are taken in all schedulers together than the pool has workers. A runner also has a *slot* if one is free: a worker its
 * own, a helper one of those for helpers. The slot's deque holds the commands that the runner made ready; others steal
 * from it. All other ready commands are in queues. A *split command* (split_command.h) is run in parts by several runners.
 *
 * Schedulers are freed with their pool only, and reused before, so that workers look through all of them without a lock.
 * Invariant: a closed scheduler has no unit, no runner and nothing ready; its units change only while it is closed.
 */
#ifndef WEFT_PTHREAD_SCHEDULER_H
#define WEFT_PTHREAD_SCHEDULER_H

#include "deque.h"
#include "driver.h"
#include "kernel/work.h"
#include "kernel_history.h"
#include "mpsc_queue.h"
#include "worker_pool.h"

struct split_command;

struct runner_slot {
	struct weft_deque deque; /* of struct weft_command */
	/* What one helper leaves for the next. */
	struct weft_arena arena;
	struct split_command *spare_split; /* owned, or NULL */
};

struct scheduler {
	struct worker_pool *pool;
	struct scheduler *older; /* the next in the pool's list; constant */
	bool open;               /* a device has it; changes under the pool's lock */
	uint32_t open_count;     /* how often it has been opened */
	bool pinned;             /* workers stay on `cores` while they work for this scheduler */
	cpu_set_t cores;
	_Atomic uint32_t first; /* the first of its units */
	_Atomic uint32_t units; /* how many units; 0: closed */
	_Atomic int32_t
		num_active; /* permits taken; a futex for the thread that closes the scheduler */
	_Atomic int32_t num_looking; /* helpers that look for work and have found none yet */

	struct weft_mpsc_queue *queues;  /* owned: one per cache group of the pool */
	struct weft_mpsc_queue blocking; /* commands that may block, which helpers leave alone */
	struct weft_mpsc_queue urgent;   /* commands of high priority */
	struct weft_mpsc_queue low;      /* commands of low priority */
	struct weft_mpsc_queue deferred; /* commands of scheduler_push_deferred */
	_Atomic uint32_t num_deferred;   /* at least the number of commands in `deferred` */

	struct weft_mutex split_lock; /* WEFT_RANK_WORKER */
	struct weft_list
		splits WEFT_GUARDED_BY(&split_lock); /* split commands with unclaimed parts */
	_Atomic uint32_t num_splits;                 /* in `splits`; changes under the lock */
	_Atomic uint32_t num_urgent_splits;          /* those of high priority among them */

	struct runner_slot
		*slots; /* owned: one per worker of the pool, by unit, then as many for helpers */
	struct unit_mask free_helper_slots; /* helpers' slots without a helper, counted from 0 */
	_Atomic uint32_t
		used_helper_slots; /* how many of them ever had a helper; the rest is empty */
	struct kernel_history history;
};

/* ---- life ------------------------------------------------------------------------------------ */

/* A pool of `limit` workers, for these cores. */
enum weft_status scheduler_open_workers(uint32_t limit, const cpu_set_t *cores,
					struct worker_pool **pool) WEFT_MUST_CHECK;
/* Ends the pool; its schedulers are closed. NULL is fine. */
void scheduler_close_workers(struct worker_pool *pool);

/* A scheduler for these units. `cores` may be NULL: its workers run where they always do. */
enum weft_status scheduler_open(struct worker_pool *pool, struct unit_range units,
				const cpu_set_t *cores,
				struct scheduler **scheduler) WEFT_MUST_CHECK;
/* Nothing is ready or running; waits for runners that have not found that out yet. NULL is fine. */
void scheduler_close(struct scheduler *scheduler);

/* ---- permits --------------------------------------------------------------------------------- */

/* Takes a permit, for the worker of `unit` or for a helper (NO_UNIT). False if there is none. */
bool scheduler_acquire_permit(struct scheduler *scheduler, uint32_t unit) WEFT_MUST_CHECK;
/* Gives it back, and wakes a worker for work that waited for a permit. */
void scheduler_release_permit(struct scheduler *scheduler);

/* ---- what is ready --------------------------------------------------------------------------- */

/* Adds a ready command to the queue near the calling thread. The caller wakes a runner for it. */
void scheduler_push(struct scheduler *scheduler, struct weft_command *command);
/* Adds a ready command that only helpers see until the next scheduler_publish_deferred. A worker that looks for work
 * just now would take it away from the thread that is about to wait for it. False, and nothing done, when there are
 * many already. */
bool scheduler_push_deferred(struct scheduler *scheduler, struct weft_command *command);
static inline bool scheduler_has_several_deferred(struct scheduler *scheduler)
{
	return atomic_load_explicit(&scheduler->num_deferred, memory_order_relaxed) > 1;
}
/* Moves the deferred commands to a queue that all runners see. Returns how many: the caller wakes as many runners. */
uint32_t scheduler_publish_deferred(struct scheduler *scheduler);

/* Whether the queues are empty, apart from commands that may block, deferred commands, and those of high or low priority. */
bool scheduler_queues_are_empty(struct scheduler *scheduler);
/* Whether work is ready that a runner prefers to a command of that priority. Ready commands in the runners' own deques do not
 * count. */
bool scheduler_has_better_work(struct scheduler *scheduler, enum weft_priority priority);
/* The oldest command of a queue, or NULL. */
struct weft_command *scheduler_take_one(struct weft_mpsc_queue *queue);
/* Takes some of the commands in the queues (see weft_mpsc_queue_take), from the queue of the cache group first, from the
 * others if that is empty. Returns how many. */
uint32_t scheduler_take(struct scheduler *scheduler, uint32_t cache_group, uint32_t most,
			struct weft_list *taken);

/* Makes up to `most` runners look for work. False when there is no worker and none can be started. */
bool scheduler_wake(struct scheduler *scheduler, uint32_t most);

/* After a permit or a unit has become free: a thread may have added work and have woken no worker, or a worker may have
 * looked for none, because there was no permit. Wakes a worker for each scheduler with work. */
void scheduler_wake_all(struct worker_pool *pool);

/* Whether commands are ready that a helper may run. */
bool scheduler_has_helper_work(struct scheduler *scheduler);
/* Whether commands are ready that a worker may run. */
bool scheduler_has_work(struct scheduler *scheduler);
/* Whether a permit is free. */
bool scheduler_has_permit(struct scheduler *scheduler);
/* Other threads that look for work just now, and find some within a microsecond: workers and helpers. */
uint32_t scheduler_count_looking(struct scheduler *scheduler);
/* Whether one of the scheduler's workers sleeps. */
bool scheduler_has_sleeper(struct scheduler *scheduler);

/* The oldest command in another slot, or NULL. */
struct weft_command *scheduler_steal(struct scheduler *scheduler, uint32_t own_slot);

/* The pool's first scheduler (of NULL), or the next one; closed ones included. */
static inline struct scheduler *scheduler_next(struct worker_pool *pool,
					       const struct scheduler *scheduler)
{
	return scheduler ? scheduler->older
			 : atomic_load_explicit(&pool->schedulers, memory_order_acquire);
}

static inline struct unit_range scheduler_units(struct scheduler *scheduler)
{
	uint32_t units = atomic_load(&scheduler->units);

	return (struct unit_range){atomic_load(&scheduler->first), units};
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* The number of a slot for a helper; NO_UNIT when none is free. */
uint32_t scheduler_take_slot(struct scheduler *scheduler);
void scheduler_return_slot(struct scheduler *scheduler, uint32_t number);

#endif
