/* SPDX-License-Identifier: MIT
 *
 * Jobs: commands in parts (work-groups, blocks of a copy), which several runners may share. A job begins alone, its
 * first parts timed: what is over in microseconds wakes nobody. What is longer goes on in short claims for as long as
 * every runner has work of its own; once one has none, the job is offered, and claimed in parts that shrink towards the
 * end. A kernel of which one group took long the last time is offered before its first group.
 *
 * Invariant: a job is in its pool's list while it is shared and has parts that nobody has claimed. It ends when all are
 * claimed and its last participant leaves.
 */
#ifndef WEFT_PTHREAD_JOB_H
#define WEFT_PTHREAD_JOB_H

#include "driver.h"
#include "work.h"

struct pool;
struct runner;

struct job {
	struct weft_list link; /* in pool->jobs, or alone */
	struct weft_command *command;
	struct weft_work work;  /* of an NDRange */
	uint64_t total;         /* parts */
	uint64_t grain;         /* parts that are best claimed together */
	_Atomic uint64_t next;  /* the first part that nobody has claimed; at most `total` */
	_Atomic int32_t failed; /* enum weft_status: the first error */
	bool shareable;         /* on the heap: may outlive the call that started it */
	bool shared;            /* set before others see it, then constant */
	uint64_t least;         /* parts per claim once shared, constant then */
	uint64_t most;
	uint32_t participants; /* guarded by the pool's job_lock once shared */
};

/* Runs a command in parts, or those that nobody else runs. It may end in another thread, later. The runner has entered
 * the command (run.h), and leaves it here. */
void job_run(struct runner *runner, struct weft_command *command);

/* A shared job with unclaimed parts, which the caller is counted in; or NULL. */
struct job *job_join(struct pool *pool);
/* Takes part in a job that was joined. */
void job_help(struct runner *runner, struct job *job);

#endif
