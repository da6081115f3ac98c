/* SPDX-License-Identifier: MIT
 *
 * The workers of one pthread device: what is ready, who runs it, who sleeps.
 *
 * A *runner* is a thread that runs commands: a worker, or for a while a thread of the application
 * that waits for a command or made one ready. At most `limit` runners take work from the pool at
 * once. A *job* is a command in parts (work-groups, blocks of a copy) that several runners may
 * share.
 *
 * Invariants: `pending` counts what is in `ready` and `jobs`, and changes under the lock; a worker
 * sleeps only after it has announced so in `sleepers` and has looked at `pending` again, and
 * whoever adds work looks at `sleepers` after `pending`, or leaves that to the next pool_announce: no
 * wake-up is lost. A job is in `jobs`
 * while it is shared and has parts that nobody claimed; it ends when all are claimed and its last
 * participant leaves.
 */
#ifndef WEFT_PTHREAD_POOL_H
#define WEFT_PTHREAD_POOL_H

#include "driver.h"
#include "fork.h"
#include "mutex.h"
#include "work.h"

#include <pthread.h>
#include <sched.h>

struct pool;

struct job {
	struct weft_list link; /* in pool->jobs, or alone */
	struct weft_command *command;
	struct weft_work work;  /* of an NDRange */
	uint64_t total;         /* parts */
	_Atomic uint64_t next;  /* the first part that nobody has claimed; at most `total` */
	_Atomic int32_t failed; /* enum weft_status: the first error */
	bool shareable;         /* on the heap: may outlive the call that started it */
	bool shared;            /* set before others see it, then constant */
	uint64_t least;         /* parts per claim once shared */
	uint64_t most;
	uint32_t participants; /* guarded by the pool's lock once shared */
};

struct runner {
	struct pool *pool;
	uint32_t generation; /* of the process when the runner began; another one: a fork was in
				between */
	struct weft_arena arena;
	struct job *spare;         /* owned; saves an allocation per NDRange; or NULL */
	bool busy;                 /* counted in pool->busy */
	bool ending;               /* inside host->complete: what becomes ready is ours first */
	struct weft_command *next; /* the first that became ready by the command just ended */
	struct weft_list others;   /* the rest of them */
	uint32_t num_others;
	uint32_t streak; /* commands run without looking at the pool */
	const struct weft_wait
		*awaited; /* of an application's thread: it leaves when this is over */
};

#define KERNEL_NOTES 64 /* kernels of which something is remembered at a time */

struct pool {
	const struct weft_host *host;
	uint32_t limit; /* workers, and runners at once */
	bool pinned;    /* workers stay on `cores` */
	cpu_set_t cores;
	struct weft_fork_node fork;

	struct weft_mutex start_lock; /* WEFT_RANK_DEVICE; held while threads are created */
	pthread_t *threads;           /* owned, `limit` of them */
	_Atomic uint32_t started;     /* changes under start_lock */

	struct weft_mutex lock; /* WEFT_RANK_WORKER */
	struct weft_list ready WEFT_GUARDED_BY(&lock);
	struct weft_list jobs WEFT_GUARDED_BY(&lock);
	struct weft_arena lent_arena WEFT_GUARDED_BY(&lock); /* for threads of the application */
	_Atomic uint32_t pending;                            /* changes under the lock */
	_Atomic uint32_t busy;                               /* likewise */
	_Atomic int32_t spinners;
	_Atomic int32_t sleepers;
	_Atomic int32_t epoch; /* what sleepers sleep on */
	_Atomic bool closing;
	_Atomic uint32_t
		unannounced; /* commands in `ready` that nobody was woken for: there may be sleepers */
	_Atomic uintptr_t long_kernels[KERNEL_NOTES]; /* descriptors, to compare with; run.c */
	struct {
		_Atomic uintptr_t kernel; /* likewise */
		_Atomic uint64_t groups;  /* with so many it was soon over */
	} short_kernels[KERNEL_NOTES];
};

/* ---- pool.c ---------------------------------------------------------------------------------- */

/* `cores` may be NULL: the threads run where the scheduler likes. */
enum weft_status pool_init(struct pool *pool, const struct weft_host *host, uint32_t limit,
			   const cpu_set_t *cores) WEFT_MUST_CHECK;
/* Ends the workers; nothing is ready or running. */
void pool_destroy(struct pool *pool);

/* Adds `count` ready commands, and sees to it that somebody runs them. */
void pool_add(struct pool *pool, struct weft_list *commands, uint32_t count);
/* Adds a ready command that can wait for the next pool_announce; false, and nothing done, when enough do. */
bool pool_add_quietly(struct pool *pool, struct weft_command *command);
/* Sees to it that somebody runs what was added quietly. */
void pool_announce(struct pool *pool);
/* Gives to others what the runner was to run next. */
void pool_hand_over(struct runner *runner);
/* Offers a job's unclaimed parts to up to `helpers` others. */
void pool_share(struct pool *pool, struct job *job, uint32_t helpers);
/* A participant leaves. True when the job has ended: it is the caller's to finish. */
bool pool_leave(struct pool *pool, struct job *job);

/* Runs ready commands in this thread until `awaited` is over or there is nothing to do for a while. */
void pool_lend(struct pool *pool, const struct weft_wait *awaited);
/* Runs a ready command that run_is_short in this thread, and what follows as long as that is short
 * too. */
void pool_run_here(struct pool *pool, struct weft_command *command);

/* The runner that this thread is; NULL for other threads. */
struct runner *pool_self(void);

/* ---- run.c ----------------------------------------------------------------------------------- */

/* Runs a ready command, or the parts of it that nobody else runs. It may end in another thread,
 * later. */
void run_command(struct runner *runner, struct weft_command *command);
/* Whether a ready command costs less than telling another thread about it. */
bool run_is_short(const struct weft_command *command);
/* Whether a ready kernel has been over within microseconds before. */
bool run_seems_short(struct pool *pool, const struct weft_command *command);
/* Takes part in a shared job; the caller has been counted as a participant. */
void run_job(struct runner *runner, struct job *job);

#endif
