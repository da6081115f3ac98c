/* SPDX-License-Identifier: MIT
 *
 * Runners: threads that run commands. A worker is a runner for its life. A helper is a thread of the application that
 * waits for a command, or has made one ready. Commands that become ready while a runner completes a command are local to
 * that runner: it runs the first of them next, as its data is in the cache; the others lie in the deque of its slot, from
 * which the runner takes the newest and others steal the oldest.
 */
#ifndef WEFT_PTHREAD_RUNNER_H
#define WEFT_PTHREAD_RUNNER_H

#include "driver.h"
#include "fork_generation.h"
#include "scheduler.h"

/* Commands that a runner runs of its own before others get their turn. */
#define LONGEST_STREAK 64

struct runner {
	struct worker_pool *pool;
	struct scheduler
		*scheduler;       /* that it works for or did last; NULL: a worker that never has */
	uint32_t open_count;      /* of the scheduler when the runner began to work for it */
	uint32_t fork_generation; /* of the process when the runner began */
	uint32_t unit;            /* a worker's; NO_UNIT: a helper, or a replaced worker */
	uint32_t cache_group;     /* the runner takes commands from the queue of this group first */
	uint32_t slot;            /* in the scheduler; NO_UNIT: the runner has no deque */
	bool replaced;      /* was a worker until its command waited; ends with that command */
	bool has_permit;    /* of the scheduler */
	bool pinned;        /* to the scheduler's cores */
	bool completing;    /* inside host->complete */
	bool took_blocking; /* what it took last from the queues was a command that may block */
	struct weft_arena arena;
	struct split_command
		*spare_split;        /* owned, or NULL; saves an allocation per split command */
	struct split_command *split; /* that it runs, or ran last */
	struct weft_command *next;   /* the first that became ready by the command just completed */
	uint32_t num_unannounced;    /* commands in its deque for which no other runner was woken */
	uint64_t alone;              /* ns of commands worth sharing that it ran alone since it was
					idle, or woke a worker for that */
	uint32_t streak; /* commands run since it looked at what other threads made ready */
	const struct weft_wait *wait; /* a helper leaves when this is over; or NULL */
	uint64_t
		wakes_at; /* when a worker wakes another one for its split command, unless a helper has joined; 0: it does not */
	bool looking;     /* a helper is counted in scheduler->num_looking */
	bool declined;    /* a helper left something to others that would keep it for long */
};

/* The calling thread's runner; NULL if it is none. */
struct runner *runner_self(void);

/* What a worker's thread runs. */
void runner_work(struct worker *worker);

/* The runner completes a command, by which `command` has become ready: the runner runs it later, unless it is stolen. */
void runner_push_local(struct runner *runner, struct weft_command *command);
/* Lets other runners take what the runner was to run next. */
void runner_share_local(struct runner *runner);

/* Adds a ready command for all runners, and wakes one. */
void runner_push_shared(struct scheduler *scheduler, struct weft_command *command);
/* Publishes the deferred commands, and wakes runners for them. */
void runner_publish_deferred(struct scheduler *scheduler);

/* Runs ready commands in this thread until `wait` is over, or there has been nothing to do for a while. */
void runner_run_while_waiting(struct scheduler *scheduler, const struct weft_wait *wait);
/* The runner's thread is about to wait for other commands, within a command or the completion of one: it shares what it
 * was to run next, and releases its permit. Returns whether it had one. */
bool runner_suspend(struct runner *runner);
/* The thread has helped while it waited. If the wait is over, it goes on with its command, and takes its permit again. If
 * not, it is about to sleep: if it is a worker, another thread replaces it. */
void runner_resume(struct runner *runner, bool had_permit, const struct weft_wait *wait);
/* The kernel that the runner's thread runs waits for other commands: another thread replaces it, if it is a worker. */
void runner_block(struct runner *runner);
/* Runs a ready command that run_is_short in this thread, and what becomes ready by it, as long as that is short too. */
void runner_run_inline(struct scheduler *scheduler, struct weft_command *command);

/* ---- what keeps a helper ----------------------------------------------------------------------- */

/* A helper leaves work-groups that take longer to others, unless it waits for them. */
#define HELP_NS 50000

/* Whether the thread waits for this command: for itself, or for all that its queue runs. */
static inline bool runner_awaits(const struct runner *runner, const struct weft_command *command,
				 const void *queue)
{
	return runner->wait->command == command ||
	       (runner->wait->queue && runner->wait->queue == queue);
}

/* Whether the command, which is ready, would keep a thread that waits for another one. */
bool runner_is_kept_by(const struct runner *runner, const struct weft_command *command);

/* ---- between the files of the runner ----------------------------------------------------------- */

void runner_init(struct runner *runner, struct worker_pool *pool, uint32_t unit);
void runner_end(struct runner *runner);
/* Makes it the calling thread's runner. Returns the one before, or NULL. */
struct runner *runner_set_self(struct runner *runner);
void runner_release_permit(struct runner *runner);
/* Adds a ready command to the runner's deque; or to a queue: what has no room there, what may block, and what has high or low
 * priority. */
void runner_keep(const struct runner *runner, struct weft_command *command);
/* Runs one command or parts of one, and what becomes ready by it. False when there is nothing to run. The runner has a
 * permit. */
bool runner_run_one(struct runner *runner);
/* Takes a command or joins a split command; the other one is NULL. False when there is nothing to do. A helper looks first at
 * split commands that it waits for. */
bool runner_take(struct runner *runner, struct weft_command **command,
		 struct split_command **split);
/* No thread can be started: runs what is ready in this one. */
void runner_run_all_here(struct scheduler *scheduler);

/* The process has forked since the runner began: the schedulers are new, and know nothing of it. */
static inline bool runner_is_stale(const struct runner *runner)
{
	return runner->fork_generation != weft_fork_generation();
}

/* Whether the runner, a helper, is counted among those that look for work. */
static inline void runner_set_looking(struct runner *runner, bool looking)
{
	if (looking == runner->looking || runner_is_stale(runner))
		return;
	runner->looking = looking;
	atomic_fetch_add_explicit(&runner->scheduler->num_looking, looking ? 1 : -1,
				  memory_order_relaxed);
}

/* NULL: it has none. */
static inline struct weft_deque *runner_deque(const struct runner *runner)
{
	return runner->slot != NO_UNIT && !runner_is_stale(runner)
		       ? &runner->scheduler->slots[runner->slot].deque
		       : NULL;
}

#endif
