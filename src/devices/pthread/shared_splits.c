/* SPDX-License-Identifier: MIT
 *
 * The list of shared split commands. Invariant: a command in it has participants; under the lock, one that is found there does not end.
 */
#include "shared_splits.h"

#include "command/command.h"
#include "runner.h"
#include "scheduler.h"

/* Every part is claimed, or a runner waits: no runner can join any more. */
static void retire(struct scheduler *scheduler, struct split_command *split)
	WEFT_REQUIRES(&scheduler->split_lock)
{
	if (weft_list_empty(&split->link))
		return;
	weft_list_remove(&split->link);
	atomic_fetch_sub(&scheduler->num_splits, 1);
	if (split->command->priority == WEFT_PRIORITY_HIGH)
		atomic_fetch_sub(&scheduler->num_urgent_splits, 1);
}

void shared_splits_add(struct scheduler *scheduler, struct split_command *split)
{
	const bool urgent = split->command->priority == WEFT_PRIORITY_HIGH;

	weft_mutex_lock(&scheduler->split_lock);
	weft_list_append(urgent ? scheduler->splits.next : &scheduler->splits, &split->link);
	atomic_fetch_add(&scheduler->num_splits, 1);
	if (urgent)
		atomic_fetch_add(&scheduler->num_urgent_splits, 1);
	weft_mutex_unlock(&scheduler->split_lock);
}

void shared_splits_block(struct scheduler *scheduler, struct split_command *split)
{
	weft_mutex_lock(&scheduler->split_lock);
	atomic_store_explicit(&split->blocked, true, memory_order_relaxed);
	retire(scheduler, split);
	weft_mutex_unlock(&scheduler->split_lock);
}

bool shared_splits_leave(struct scheduler *scheduler, struct split_command *split)
{
	weft_mutex_lock(&scheduler->split_lock);
	bool claimed = claims_left(&split->claims) == 0;
	bool ended = --split->participants == 0 && claimed;
	if (claimed)
		retire(scheduler, split);
	weft_mutex_unlock(&scheduler->split_lock);
	return ended;
}

static bool may_join(const struct runner *runner, const struct split_command *split)
{
	const enum weft_priority priority = (enum weft_priority)split->command->priority;

	return !scheduler_has_better_work(runner->scheduler, priority) &&
	       !(runner->wait && weft_command_may_block(split->command));
}

struct split_command *shared_splits_join(struct runner *runner, bool awaited)
{
	struct scheduler *scheduler = runner->scheduler;
	struct split_command *joined = NULL;

	if (atomic_load(&scheduler->num_splits) == 0)
		return NULL;
	weft_mutex_lock(&scheduler->split_lock);
	struct weft_list *link = scheduler->splits.next;
	while (link != &scheduler->splits && !joined) {
		struct split_command *split = WEFT_CONTAINER_OF(link, struct split_command, link);

		link = link->next;
		if (claims_left(&split->claims) == 0)
			retire(scheduler, split);
		else if (awaited && split_command_has_guest(split, runner))
			continue;
		else if (split_command_keeps(split, runner))
			runner->declined = true;
		else if (may_join(runner, split))
			joined = split;
	}
	if (joined)
		joined->participants++;
	weft_mutex_unlock(&scheduler->split_lock);
	return joined;
}
