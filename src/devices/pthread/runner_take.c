/* SPDX-License-Identifier: MIT
 *
 * What a runner takes next: what has high priority, then the newest command of its own deque, then one of the queues, then one
 * that it steals, then parts of a split command, then what has low priority. After a streak of commands of its own, others
 * have their turn.
 */
#include "runner.h"
#include "shared_splits.h"

/* Commands that a runner takes from a queue at once. */
#define MOST_TAKEN 16

static struct weft_command *command_of(struct weft_list *link)
{
	return link ? WEFT_CONTAINER_OF(link, struct weft_command, link) : NULL;
}

/* Several at once, so that the queue's lock is rarely taken; others steal what is too much. */
static struct weft_command *take_some(struct runner *runner)
{
	struct weft_deque *deque = runner_deque(runner);
	struct weft_list taken;

	weft_list_init(&taken);
	bool several = deque && weft_deque_is_empty(deque);
	(void)scheduler_take(runner->scheduler, runner->cache_group, several ? MOST_TAKEN : 1,
			     &taken);
	struct weft_command *first = command_of(weft_list_pop(&taken));
	while (!weft_list_empty(&taken)) { /* the oldest last, to be taken first */
		struct weft_list *link = taken.prev;

		weft_list_remove(link);
		runner_keep(runner, command_of(link));
	}
	return first;
}

/* Commands that may block and other commands in turn. */
static struct weft_command *take_from_queues(struct runner *runner)
{
	struct scheduler *scheduler = runner->scheduler;
	struct weft_command *command;

	runner->streak = 0;
	if (runner->wait) {
		command = scheduler_take_one(&scheduler->deferred);
		return command ? command : take_some(runner);
	}
	runner->took_blocking = !runner->took_blocking;
	command = runner->took_blocking ? scheduler_take_one(&scheduler->blocking)
					: take_some(runner);
	if (!command)
		command = runner->took_blocking ? take_some(runner)
						: scheduler_take_one(&scheduler->blocking);
	return command;
}

#define CACHE_LINE 64

/* Brings the command into the cache while another one runs. */
static void prefetch(const void *command)
{
	for (size_t at = 0; command && at < sizeof(struct weft_command); at += CACHE_LINE)
		__builtin_prefetch((const char *)command + at, 1);
}

static struct weft_command *take_command(struct runner *runner)
{
	struct weft_deque *deque = runner_deque(runner);
	struct weft_command *command = NULL;

	if (runner->streak > LONGEST_STREAK) { /* others' turn, then the oldest of its own */
		command = take_from_queues(runner);
		if (!command && deque)
			command = weft_deque_steal(deque);
	}
	if (!command && deque)
		command = weft_deque_take(deque);
	if (!command)
		command = take_from_queues(runner);
	if (!command)
		command = scheduler_steal(runner->scheduler, runner->slot);
	if (command && deque)
		prefetch(weft_deque_peek(deque));
	return command;
}

static void take(struct runner *runner, struct weft_command **command, struct split_command **split)
{
	struct scheduler *scheduler = runner->scheduler;

	*split = NULL;
	*command = scheduler_take_one(&scheduler->urgent);
	if (*command)
		return;
	if (runner->wait || atomic_load(&scheduler->num_urgent_splits) > 0)
		*split =
			shared_splits_join(runner, atomic_load(&scheduler->num_urgent_splits) == 0);
	if (!*split)
		*command = take_command(runner);
	if (!*split && !*command)
		*split = shared_splits_join(runner, false);
	if (!*split && !*command)
		*command = scheduler_take_one(&scheduler->low);
}

bool runner_take(struct runner *runner, struct weft_command **command, struct split_command **split)
{
	if (runner_is_stale(runner))
		return false;
	take(runner, command, split);
	if (*command && runner_is_kept_by(runner, *command)) {
		scheduler_push(runner->scheduler, *command);
		*command = NULL;
		runner->declined = true;
	}
	return *split || *command;
}
