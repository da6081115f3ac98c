/* SPDX-License-Identifier: MIT
 *
 * Commands in parts (work-groups, blocks of a copy), which several runners may share. A split command begins in one
 * runner, which measures the first parts: if all parts are over in microseconds, no other thread is woken. Otherwise the
 * runner goes on with short claims while every runner has work of its own. Once a runner has none, the command is shared,
 * and claims shrink towards the end. A launch that is foreseen to be long, by what a work-group of the kernel took the last
 * time, is shared before its first work-group.
 *
 * Invariant: a split command is in its scheduler's list while it is shared and has unclaimed parts. It ends when all
 * parts are claimed and its last participant leaves.
 */
#ifndef WEFT_PTHREAD_SPLIT_COMMAND_H
#define WEFT_PTHREAD_SPLIT_COMMAND_H

#include "claims.h"
#include "driver.h"
#include "kernel/work.h"
#include "runner.h"

struct split_command {
	struct weft_list link; /* in scheduler->splits, or alone */
	struct weft_command *command;
	struct weft_work work; /* of an NDRange */
	uint64_t total;        /* parts */
	struct claims claims;
	_Atomic int32_t failed; /* enum weft_status: the first error */
	bool shareable;         /* on the heap: may outlive the call that began it */
	bool shared;            /* set before other runners see it; then constant */
	_Atomic bool blocked;   /* a runner of it waits for other commands; no more runners join */
	uint64_t cost;          /* ns of a part; constant once shared */
	uint64_t least;         /* parts per claim, at least; constant once shared */
	uint64_t most;          /* parts per claim, at most; constant once shared */
	const void *queue;      /* weft_host.queue_of; constant once shared */
	uint32_t participants;  /* runners; guarded by the scheduler's split_lock once shared */
	uint32_t num_segments;  /* constant */
	struct claims_segment segments[]; /* for `claims` */
};

/* Runs a command in parts: all of them, or those that no other runner claims. The command may end in another thread,
 * later. The runner has entered the command (command.h), and leaves it here. */
void split_command_run(struct runner *runner, struct weft_command *command);

/* Whether the command is shared, and the runner's thread waits for another one. */
static inline bool split_command_has_guest(const struct split_command *split,
					   const struct runner *runner)
{
	return split->shared && runner->wait &&
	       !runner_awaits(runner, split->command, split->queue);
}

/* Whether its parts take too long for a thread that waits for another command. */
static inline bool split_command_keeps(const struct split_command *split,
				       const struct runner *runner)
{
	return split->cost > HELP_NS && split_command_has_guest(split, runner);
}

/* Runs parts of a command that the runner has joined (shared_splits.h), and leaves it. */
void split_command_take_part(struct runner *runner, struct split_command *split);

#endif
