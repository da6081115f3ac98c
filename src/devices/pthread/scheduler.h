/* SPDX-License-Identifier: MIT
 *
 * The work of one device: what is ready, which workers may run it, how many do. All devices of a process share the
 * workers (crew.h); a sub-device's pool is open to those of its units only.
 *
 * A *runner* (runner.h) is a thread that runs commands. It works for one pool at a time, and has a *place* in it
 * meanwhile: there are no more places than the pool has units, and no more in all pools than the crew has workers. A
 * runner has a *seat*, too, if there is one free: a worker its own, a thread of the application one of those for
 * guests. The deque there holds what it made ready; others steal from it. Everything else that is ready lies in the
 * inbox. A *job* (job.h) is a command in parts that others may join.
 *
 * Pools are never freed before their crew, only used again, so that workers look through all of them without a lock.
 * Invariant: a closed pool has no unit, nobody in it and nothing ready; its units change only then.
 */
#ifndef WEFT_PTHREAD_POOL_H
#define WEFT_PTHREAD_POOL_H

#include "worker_pool.h"
#include "deque.h"
#include "driver.h"
#include "mpsc_queue.h"
#include "kernel_history.h"
#include "work.h"

struct job;

struct seat {
	struct weft_deque deque; /* struct weft_command */
	/* What guests leave for one another. */
	struct weft_arena arena;
	struct job *spare; /* owned, or NULL */
};

struct pool {
	struct crew *crew;
	struct pool *older; /* constant */
	bool open;          /* a device has it; changes under the crew's lock */
	uint32_t opening;   /* how often it has been opened */
	bool pinned;        /* workers stay on `cores` while they are here */
	cpu_set_t cores;
	_Atomic uint32_t first; /* of its units */
	_Atomic uint32_t units; /* how many; 0: closed */
	_Atomic int32_t busy;   /* places taken; a futex for who closes the pool */

	struct weft_mpsc_queue *inboxes; /* owned: one of each of the crew's groups */
	struct weft_mpsc_queue natives;  /* native functions, which guests leave alone */
	struct weft_mpsc_queue quiet;    /* what nobody was told of yet; see pool_put_quietly */
	_Atomic uint32_t num_quiet;      /* at least as many */

	struct weft_mutex job_lock;                       /* WEFT_RANK_WORKER */
	struct weft_list jobs WEFT_GUARDED_BY(&job_lock); /* that have parts to claim */
	_Atomic uint32_t num_jobs;                        /* changes under the lock */

	struct seat *seats; /* owned: of all the crew's workers by their units, then of guests */
	struct unit_set free_guests; /* guests' seats that nobody has, from 0 */
	_Atomic uint32_t
		guests; /* of those, how many ever had somebody: from here on they are empty */
	struct kernel_notes notes;
};

/* ---- life ------------------------------------------------------------------------------------ */

/* A crew of `limit` workers, for these cores. */
enum weft_status pool_open_crew(uint32_t limit, const cpu_set_t *cores,
				struct crew **crew) WEFT_MUST_CHECK;
/* Ends the crew, whose pools are closed. NULL is fine. */
void pool_close_crew(struct crew *crew);

/* A pool of these units. `cores` may be NULL: its workers run where they always do. */
enum weft_status pool_open(struct crew *crew, struct unit_range units, const cpu_set_t *cores,
			   struct pool **pool) WEFT_MUST_CHECK;
/* Nothing is ready or running; waits for runners that are about to find that out. NULL is fine. */
void pool_close(struct pool *pool);

/* ---- places ---------------------------------------------------------------------------------- */

/* Takes a place for a unit's worker, or for a guest (NO_UNIT). */
bool pool_enter(struct pool *pool, uint32_t unit) WEFT_MUST_CHECK;
/* Leaves it, and sees to work that waited for a place. */
void pool_leave(struct pool *pool);

/* ---- what is ready --------------------------------------------------------------------------- */

/* Adds a ready command, for those near to the calling thread first. The caller wakes somebody for it. */
void pool_put(struct pool *pool, struct weft_command *command);
/* Adds one that only guests see until the next pool_announce: a worker that looks for work just now would take it away
 * from the thread that is about to wait for it. False, and nothing done, when there are some already. */
bool pool_put_quietly(struct pool *pool, struct weft_command *command);
static inline bool pool_has_several_quiet(struct pool *pool)
{
	return atomic_load_explicit(&pool->num_quiet, memory_order_relaxed) > 1;
}
/* Shows to all what was added quietly. Returns how many: as many are to be woken. */
uint32_t pool_announce(struct pool *pool);

/* Whether there is nothing that was put, native functions and what is quiet aside. */
bool pool_inboxes_are_empty(struct pool *pool);
/* Takes some of it (as weft_mpsc_queue_take), the group's own first, the others' if it has none. Returns how many. */
uint32_t pool_take(struct pool *pool, uint32_t group, uint32_t most, struct weft_list *taken);

/* Sees to it that up to `most` runners look for work. False when there is no worker, and none can be had. */
bool pool_wake(struct pool *pool, uint32_t most);

/* After a place, or a unit, was left free: somebody may not have looked for work, or have been woken for it, because
 * there was none. */
void pool_wake_for_all(struct crew *crew);

/* Whether commands are ready that a guest may run, or that only workers may run; anything to do at all. */
bool pool_has_guest_work(struct pool *pool);
bool pool_has_work(struct pool *pool);
/* Whether one more runner would find a place. */
bool pool_has_place(struct pool *pool);
/* Whether one of the pool's workers sleeps. */
bool pool_has_sleeper(struct pool *pool);

/* The oldest command that another seat has, or NULL. */
struct weft_command *pool_steal(struct pool *pool, uint32_t own_seat);

/* Steps through the crew's pools, closed ones included, beginning with NULL. */
static inline struct pool *pool_next(struct crew *crew, const struct pool *pool)
{
	return pool ? pool->older : atomic_load_explicit(&crew->pools, memory_order_acquire);
}

static inline struct unit_range pool_units(struct pool *pool)
{
	uint32_t units = atomic_load(&pool->units);

	return (struct unit_range){atomic_load(&pool->first), units};
}

/* ---- seats ----------------------------------------------------------------------------------- */

/* A seat for a guest, by its number among all; NO_UNIT when there is none. */
uint32_t pool_take_seat(struct pool *pool);
void pool_leave_seat(struct pool *pool, uint32_t number);

#endif
