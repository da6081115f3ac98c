/* SPDX-License-Identifier: MIT
 *
 * A runner's life: the commands that became ready by those it ran, and workers, which look for work in one scheduler after
 * the other. What a runner takes next is in runner_take.c; helpers are in helper.c.
 */
#include "runner.h"

#include "alloc.h"
#include "command/command.h"
#include "run.h"
#include "split_command.h"
#include "thread_local.h"

/* After so many commands of its own, a runner wakes others for them at once. */
#define MOST_UNANNOUNCED 16

static WEFT_THREAD_LOCAL struct runner *self;

struct runner *runner_self(void)
{
	return self;
}

struct runner *runner_set_self(struct runner *runner)
{
	struct runner *before = self;

	self = runner;
	return before;
}

void runner_init(struct runner *runner, struct worker_pool *pool, uint32_t unit)
{
	uint32_t near = unit == NO_UNIT ? worker_pool_unit_here(pool) : unit;

	*runner = (struct runner){
		.pool = pool,
		.fork_generation = weft_fork_generation(),
		.unit = unit,
		.cache_group = near == NO_UNIT ? 0 : pool->workers[near].cache_group,
		.slot = unit,
	};
}

void runner_end(struct runner *runner)
{
	weft_arena_destroy(&runner->arena);
	weft_free(runner->spare_split);
}

/* ---- what became ready ----------------------------------------------------------------------- */

void runner_keep(const struct runner *runner, struct weft_command *command)
{
	struct weft_deque *deque = runner_deque(runner);

	if (!deque || weft_command_may_block(command) || command->priority ||
	    !weft_deque_push(deque, command))
		scheduler_push(runner->scheduler, command);
}

/* Wakes runners for the commands in the deque. False: there is no worker, and none can be started. */
static bool announce(struct runner *runner)
{
	uint32_t count = runner->num_unannounced;

	runner->num_unannounced = 0;
	return count == 0 || scheduler_wake(runner->scheduler, count);
}

void runner_push_local(struct runner *runner, struct weft_command *command)
{
	if (!runner->next && !command->priority) {
		runner->next = command;
		return;
	}
	runner_keep(runner, command);
	if (++runner->num_unannounced >= MOST_UNANNOUNCED && runner->has_permit)
		(void)announce(runner);
}

void runner_share_local(struct runner *runner)
{
	struct weft_command *next = runner->next;

	runner->next = NULL;
	if (next) {
		runner_keep(runner, next);
		runner->num_unannounced++;
	}
	if (!announce(runner) && !runner->has_permit)
		runner_run_all_here(runner->scheduler);
}

void runner_push_shared(struct scheduler *scheduler, struct weft_command *command)
{
	scheduler_push(scheduler, command);
	if (!scheduler_wake(scheduler, 1))
		runner_run_all_here(scheduler);
}

void runner_publish_deferred(struct scheduler *scheduler)
{
	uint32_t count = scheduler_publish_deferred(scheduler);

	if (count > 0 && scheduler_has_work(scheduler) && !scheduler_wake(scheduler, count))
		runner_run_all_here(scheduler);
}

static bool others_wait(const struct runner *runner)
{
	const struct weft_deque *deque = runner_deque(runner);

	return !scheduler_queues_are_empty(runner->scheduler) ||
	       !weft_mpsc_queue_is_empty(&runner->scheduler->blocking) ||
	       (deque && !weft_deque_is_empty(deque));
}

/* Whether another scheduler has work for the worker. */
static bool is_wanted_elsewhere(const struct runner *runner)
{
	struct scheduler *other = scheduler_next(runner->pool, NULL);

	while (other && (other == runner->scheduler ||
			 !unit_range_has(scheduler_units(other), runner->unit) ||
			 !scheduler_has_work(other)))
		other = scheduler_next(runner->pool, other);
	return other != NULL;
}

bool runner_is_kept_by(const struct runner *runner, const struct weft_command *command)
{
	return runner->wait && command->op == WEFT_OP_NDRANGE &&
	       kernel_history_is_long(&runner->scheduler->history, &command->launch) &&
	       !runner_awaits(runner, command, command->device->host->queue_of(command));
}

/* The command that became ready first by the one just completed, if the runner goes on with it; or NULL. */
static struct weft_command *next_local(struct runner *runner)
{
	struct weft_command *next = runner->next;
	bool leaves = runner->replaced || (runner->wait && weft_wait_over(runner->wait));

	if (!next && runner->num_unannounced == 0)
		return NULL;
	if (next && (leaves || (runner->wait && weft_command_may_block(next)) ||
		     runner_is_kept_by(runner, next))) {
		runner_share_local(runner);
		return NULL;
	}
	runner->next = NULL;
	if (next && (scheduler_has_better_work(runner->scheduler, WEFT_PRIORITY_MEDIUM) ||
		     (++runner->streak > LONGEST_STREAK &&
		      (others_wait(runner) || is_wanted_elsewhere(runner))))) {
		scheduler_push(runner->scheduler, next);
		next = NULL;
	}
	(void)announce(runner); /* without workers, this runner takes them later */
	return next;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Several pushes may have counted on the one thread that was looking: wakes a worker for what is left. */
static void wake_next(struct runner *runner)
{
	for (struct scheduler *scheduler = scheduler_next(runner->pool, NULL); scheduler;
	     scheduler = scheduler_next(runner->pool, scheduler)) {
		if (scheduler_has_sleeper(scheduler) && scheduler_has_work(scheduler))
			(void)scheduler_wake(scheduler, 1);
	}
}

bool runner_run_one(struct runner *runner)
{
	struct weft_command *command;
	struct split_command *split;

	if (!runner_take(runner, &command, &split))
		return false;
	runner_set_looking(runner, false);
	wake_next(runner);
	if (split)
		split_command_take_part(runner, split);
	else
		run_command(runner, command);
	runner->streak++;
	while ((command = next_local(runner)))
		run_command(runner, command);
	return true;
}

void runner_release_permit(struct runner *runner)
{
	if (runner->has_permit && !runner_is_stale(runner))
		scheduler_release_permit(runner->scheduler);
	runner->has_permit = false;
}

/* ---- workers --------------------------------------------------------------------------------- */

/* A worker stays on the cores of a sub-device while it works for that; the core of a bound worker is one of them. */
static void pin(struct runner *runner)
{
	struct scheduler *scheduler = runner->scheduler;

	if (!runner->pool->bound && (scheduler->pinned || runner->pinned))
		(void)sched_setaffinity(0, sizeof(cpu_set_t),
					scheduler->pinned ? &scheduler->cores
							  : &runner->pool->cores);
	runner->pinned = scheduler->pinned;
}

/* Runs something of the scheduler, if there is a permit. False when there is nothing to run. */
static bool work_for(struct runner *runner, struct scheduler *scheduler)
{
	if (runner_is_stale(runner) || !scheduler_has_work(scheduler) ||
	    !scheduler_acquire_permit(scheduler, runner->unit))
		return false;
	if (runner->scheduler != scheduler || runner->open_count != scheduler->open_count) {
		runner->scheduler = scheduler;
		runner->open_count = scheduler->open_count;
		pin(runner);
	}
	runner->has_permit = true;
	if (runner_run_one(runner))
		return true;
	runner_release_permit(runner);
	return false;
}

/* Runs something, trying one scheduler after the other. False when there is nothing to run. */
static bool work_once(struct runner *runner)
{
	struct scheduler *last = runner->scheduler;
	struct scheduler *scheduler = last;
	bool found = runner->has_permit && runner_run_one(runner);

	if (found && !is_wanted_elsewhere(runner))
		return true;
	runner_release_permit(runner);
	while (!found) {
		/* NULL is before the newest and after the oldest */
		scheduler = scheduler_next(runner->pool, scheduler);
		found = scheduler && work_for(runner, scheduler);
		if (scheduler == last)
			break;
	}
	return found;
}

void runner_work(struct worker *worker)
{
	struct runner runner;

	runner_init(&runner, worker->pool, worker->unit);
	self = &runner;
	while (!runner_is_stale(&runner) && !runner.replaced) {
		if (work_once(&runner))
			continue;
		if (runner_is_stale(&runner) || worker_pool_is_closing(worker->pool))
			break;
		runner.alone = 0;
		worker_idle(worker);
	}
	runner_end(&runner);
	if (runner.replaced && !runner_is_stale(&runner))
		worker_pool_end_replaced(worker->pool);
}
