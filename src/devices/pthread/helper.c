/* SPDX-License-Identifier: MIT
 *
 * Helpers: threads of the application that run commands, and workers whose command waits for others.
 */
#include "run.h"
#include "runner.h"
#include "stack.h"

/* How long a helper looks for work that has not found any yet, or has no permit. */
#define FIRST_SPIN_NS 20000

/* ---- slots ----------------------------------------------------------------------------------- */

static void take_slot(struct runner *runner)
{
	runner->slot = scheduler_take_slot(runner->scheduler);
	if (runner->slot == NO_UNIT)
		return;
	struct runner_slot *slot = &runner->scheduler->slots[runner->slot];
	runner->arena = slot->arena;
	runner->spare_split = slot->spare_split;
	slot->arena = (struct weft_arena){0};
	slot->spare_split = NULL;
}

/* Commands in the deque stay there; others steal them. */
static void return_slot(struct runner *runner)
{
	if (runner->slot == NO_UNIT || runner_is_stale(runner))
		return;
	struct runner_slot *slot = &runner->scheduler->slots[runner->slot];
	slot->arena = runner->arena;
	slot->spare_split = runner->spare_split;
	runner->arena = (struct weft_arena){0};
	runner->spare_split = NULL;
	scheduler_return_slot(runner->scheduler, runner->slot);
}

/* ---- helping --------------------------------------------------------------------------------- */

/* No permit is free: runs a deferred command that takes microseconds, mostly this thread's own, all the same. What follows it waits like
 * others. */
static bool run_short(struct runner *runner)
{
	struct weft_command *command = scheduler_take_one(&runner->scheduler->deferred);

	if (!command)
		return false;
	if (!run_seems_short(runner->scheduler, command)) {
		scheduler_push(runner->scheduler, command);
		return false;
	}
	runner_set_looking(runner, false);
	run_command(runner, command);
	runner_share_local(runner);
	return true;
}

/* False when there is nothing to run. */
static bool help(struct runner *runner)
{
	struct scheduler *scheduler = runner->scheduler;

	if (runner_is_stale(runner))
		return false;
	if (!runner->has_permit &&
	    (runner->wait ? scheduler_has_helper_work(scheduler) : scheduler_has_work(scheduler)))
		runner->has_permit = scheduler_acquire_permit(scheduler, NO_UNIT);
	runner->declined = false;
	if (runner->has_permit ? runner_run_one(runner) : runner->wait && run_short(runner))
		return true;
	runner_release_permit(runner);
	return false;
}

void runner_run_while_waiting(struct scheduler *scheduler, const struct weft_wait *wait)
{
	struct runner runner;
	struct spin_timer timer = {0};
	uint64_t spin = FIRST_SPIN_NS;

	runner_init(&runner, scheduler->pool, NO_UNIT);
	runner.scheduler = scheduler;
	runner.wait = wait;
	take_slot(&runner);
	struct runner *outer = runner_set_self(&runner);
	if (scheduler_has_several_deferred(scheduler))
		(void)scheduler_publish_deferred(
			scheduler); /* the runner that takes the first wakes another one */
	while (!(wait && weft_wait_over(wait))) {
		if (help(&runner)) {
			spin = LONGEST_SPIN_NS;
			timer = (struct spin_timer){0};
			continue;
		}
		runner_set_looking(&runner, true);
		if (!wait || runner.declined ||
		    spin_timer_expired(&timer,
				       scheduler_has_permit(scheduler) ? spin : FIRST_SPIN_NS))
			break;
	}
	runner_set_looking(&runner, false);
	(void)runner_set_self(outer);
	runner_release_permit(&runner);
	return_slot(&runner);
	runner_end(&runner);
	if (wait && scheduler_has_work(scheduler) && !scheduler_wake(scheduler, 1))
		runner_run_all_here(scheduler);
}

static void run_all(void *scheduler)
{
	runner_run_while_waiting(scheduler, NULL);
}

/* On another stack, or, without memory for one, on the thread's own. */
void runner_run_all_here(struct scheduler *scheduler)
{
	if (!weft_stack_call(run_all, scheduler))
		run_all(scheduler);
}

void runner_run_inline(struct scheduler *scheduler, struct weft_command *command)
{
	struct runner runner;

	runner_init(&runner, scheduler->pool, NO_UNIT);
	runner.scheduler = scheduler;
	struct runner *outer = runner_set_self(&runner);
	while (command) {
		run_command(&runner, command);
		command = runner.next;
		runner.next = NULL;
		if (command && !command->in_place && !run_is_short(command)) {
			runner_keep(&runner, command);
			runner.num_unannounced++;
			command = NULL;
		}
	}
	(void)runner_set_self(outer);
	if (runner.num_unannounced > 0 && !scheduler_wake(scheduler, runner.num_unannounced))
		runner_run_all_here(scheduler);
	runner_end(&runner);
}

/* ---- waiting within a command ------------------------------------------------------------------ */

bool runner_suspend(struct runner *runner)
{
	const bool had_permit = runner->has_permit;

	runner_share_local(runner);
	runner_release_permit(runner);
	return had_permit;
}

/* Commands in the slot of a replaced worker stay there, for the worker that replaces it. */
static void replace(struct runner *runner)
{
	worker_pool_replace(runner->pool, runner->unit);
	runner->replaced = true;
	runner->unit = runner->slot = NO_UNIT;
	scheduler_wake_all(runner->pool);
}

void runner_block(struct runner *runner)
{
	if (runner->unit == NO_UNIT || runner_is_stale(runner))
		return;
	(void)runner_suspend(runner);
	replace(runner);
}

void runner_resume(struct runner *runner, bool had_permit, const struct weft_wait *wait)
{
	const bool is_worker = runner->unit != NO_UNIT;

	if (runner_is_stale(runner))
		return;
	if (weft_wait_over(wait)) {
		/* if no permit is free, one runner too many is active until the command ends */
		if (had_permit || is_worker)
			runner->has_permit =
				scheduler_acquire_permit(runner->scheduler, runner->unit);
	} else if (is_worker) {
		replace(runner);
	}
}
