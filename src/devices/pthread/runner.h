/* SPDX-License-Identifier: MIT
 *
 * Runners: threads that run commands. A worker is one for its life; a guest is a thread of the application that waits
 * for a command, or has made one ready. What becomes ready while a runner ends a command is its own: the first is run
 * next, its data is in the cache; the others lie in its deque, for itself, newest first, and for thieves.
 */
#ifndef WEFT_PTHREAD_RUNNER_H
#define WEFT_PTHREAD_RUNNER_H

#include "driver.h"
#include "scheduler.h"

struct runner {
	struct crew *crew;
	struct pool *pool; /* that it works for, or did last; NULL: a worker that never has */
	uint32_t opening;  /* the pool's, then */
	uint32_t
		generation; /* of the process when the runner began; another one: a fork was in between */
	uint32_t unit;     /* a worker's; NO_UNIT: a guest, or a stray */
	uint32_t group;    /* it takes that group's work first */
	bool stray;        /* was a worker, until its command waited for others: ends with that */
	uint32_t seat;     /* in the pool, or NO_UNIT: what it makes ready goes to the inbox */
	bool busy;         /* has a place in the pool */
	bool pinned;       /* to the pool's cores */
	bool ending;       /* inside host->complete */
	bool natives_last; /* took a native function last, of those that wait */
	struct weft_arena arena;
	struct job *spare;         /* owned; saves an allocation per job; or NULL */
	struct weft_command *next; /* the first that became ready by the command just ended */
	uint32_t given;            /* how many more, of which nobody was told */
	uint32_t streak;           /* commands run since it looked at what others have made ready */
	const struct weft_wait *awaited; /* a guest leaves when this is over; or NULL */
};

/* The runner that this thread is; NULL for other threads. */
struct runner *runner_self(void);

/* A worker's life. */
void runner_work(struct worker *worker);

/* A command has become ready by the one that the runner ends. */
void runner_give(struct runner *runner, struct weft_command *command);
/* Gives to others what the runner was to run next. */
void runner_hand_over(struct runner *runner);

/* Adds a ready command, and sees to it that somebody runs it. */
void runner_offer(struct pool *pool, struct weft_command *command);
/* Sees to it that somebody runs what was added quietly. */
void runner_announce(struct pool *pool);

/* Runs ready commands in this thread until `awaited` is over or there is nothing to do for a while. */
void runner_lend(struct pool *pool, const struct weft_wait *awaited);
/* The thread, within a command or the end of one, is about to wait for others: it gives up what it was to run next, and
 * its place. Returns whether it had one. */
bool runner_step_aside(struct runner *runner);
/* It has helped, and goes on with its command, or is about to sleep; then it is a worker no more: another one comes in
 * its place. */
void runner_come_back(struct runner *runner, bool had_place, const struct weft_wait *awaited);
/* Runs a ready command that run_is_short in this thread, and what follows as long as that is short too. */
void runner_run_here(struct pool *pool, struct weft_command *command);

#endif
