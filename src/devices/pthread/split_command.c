/* SPDX-License-Identifier: MIT
 *
 * Split commands: claiming parts, sharing with other runners, ending.
 */
#include "split_command.h"

#include "alloc.h"
#include "clock.h"
#include "command/command.h"
#include "command/transfer.h"
#include "run.h"
#include "runner.h"
#include "scheduler.h"
#include "shared_splits.h"

/* Nanoseconds. */
#define PROBE_NS 2000   /* parts are run for so long before their cost is judged */
#define SHARE_NS 10000  /* remaining work that is worth sharing, at least */
#define WAKE_NS 5000    /* remaining work for each runner that is woken */
#define LEAST_NS 2000   /* a claim of a shared command, at least */
#define MOST_NS 1000000 /* a claim of a shared command, at most */
#define ALONE_NS 4000   /* a claim of a command that is not shared: how long an idle runner waits */
#define FORESEEN_NS 40000 /* of a launch that is shared before anything of it has run, at least */
#define LOOKING_NS 6000 /* remaining work that is worth sharing with a thread that looks for work */
#define STREAK_NS                                                                                  \
	60000 /* commands in a row that one thread ran alone, until another one is woken */
#define HELPER_NS                                                                                  \
	20000 /* a worker waits so long for a helper before it wakes another worker in its place */
#define LONG_NS 100000 /* expected of a work-group, if the kernel's work-groups take long */

#define MOST_SEGMENTS 256 /* of a command's parts */

#define LARGE_BYTES (2u * 1024 * 1024) /* a transfer of so many bytes is shared from its begin */
#define BYTES_PER_NS 12                /* expected of one thread */

/* ---- waiting for other commands ---------------------------------------------------------------- */

/* The kernel that this thread runs has waited for a while. What it waits for may be a command that no thread runs yet. */
static void block(void)
{
	struct runner *runner = runner_self();
	struct scheduler *scheduler = runner->scheduler;

	if (runner_is_stale(runner))
		return;
	shared_splits_block(scheduler, runner->split);
	runner_block(runner);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static uint32_t most_runners(const struct runner *runner)
{
	return atomic_load_explicit(&runner->scheduler->units, memory_order_relaxed);
}

/* Work-groups that the kernel runs together when one call runs them, as long as there are some for every runner. */
static uint64_t grain_of(const struct split_command *split, uint32_t runners)
{
	const struct weft_launch *launch = &split->command->launch;

	if (split->command->op != WEFT_OP_NDRANGE ||
	    !(launch->kernel->flags & WEFT_KERNEL_COALESCES_GROUPS))
		return 1;
	uint64_t fair = split->total / runners;
	uint64_t grain = launch->kernel->vector_width / launch->range.local_size[0];
	grain = grain < fair ? grain : fair;
	return grain > 0 ? grain : 1;
}

/* Whether parts begin in their order: one may wait for those before it, or the order shows. */
static bool has_order(const struct weft_command *command)
{
	return weft_command_may_block(command) ||
	       (command->op == WEFT_OP_NDRANGE &&
		(command->launch.kernel->flags & (WEFT_KERNEL_MAY_WAIT | WEFT_KERNEL_PRINTS)));
}

static enum weft_status start_split(struct split_command *split, struct weft_command *command,
				    uint32_t runners)
{
	enum weft_status status = WEFT_OK;

	split->command = command;
	if (command->op == WEFT_OP_NDRANGE) {
		status = weft_work_start(&split->work, &command->launch);
		split->work.cache_bytes = command->device->properties.cache_size;
		split->work.blocked = block;
		split->total = split->work.num_groups;
	} else if (command->op == WEFT_OP_COPY) {
		split->total = weft_transfer_copy_blocks(&command->copy);
	} else {
		split->total = weft_transfer_fill_blocks(&command->fill);
	}
	const uint64_t grain = status == WEFT_OK ? grain_of(split, runners) : 1;
	const uint32_t segments = has_order(command) ? 0 : split->num_segments;
	claims_init(&split->claims, split->total, grain, split->segments,
		    runners < segments ? runners : segments);
	return status;
}

static void run_parts(struct runner *runner, struct split_command *split, uint64_t first,
		      uint64_t end)
{
	struct weft_command *command = split->command;

	if (command->op == WEFT_OP_NDRANGE)
		weft_work_run(&split->work, &runner->arena, first, end);
	else if (command->op == WEFT_OP_COPY)
		weft_transfer_copy(&command->copy, first, end,
				   command->device->properties.cache_size);
	else
		weft_transfer_fill(&command->fill, first, end);
}

/* Claims `count` parts, or as many as are left near this thread's core. False when none is left. */
static bool claim(struct split_command *split, uint64_t count, uint64_t *first, uint64_t *end)
{
	const int core = split->claims.num_segments > 1 ? sched_getcpu() : 0;

	return claims_take(&split->claims, core > 0 ? (uint32_t)core : 0, count, first, end);
}

/* No runner claims more parts. */
static void fail_split(struct split_command *split, enum weft_status status)
{
	int32_t expected = WEFT_OK;

	atomic_compare_exchange_strong_explicit(&split->failed, &expected, (int32_t)status,
						memory_order_relaxed, memory_order_relaxed);
	claims_stop(&split->claims);
}

/* This thread's memory for the parts. On an error no runner claims more parts. */
static bool prepare(struct runner *runner, struct split_command *split)
{
	if (split->command->op != WEFT_OP_NDRANGE)
		return true;
	enum weft_status status = weft_work_prepare(&split->work, &runner->arena);
	if (status != WEFT_OK)
		fail_split(split, status);
	return status == WEFT_OK;
}

/* ---- begin and end --------------------------------------------------------------------------- */

static struct split_command *new_split(uint32_t cores)
{
	const uint32_t num_segments = cores < MOST_SEGMENTS ? cores : MOST_SEGMENTS;
	struct split_command *split =
		weft_zalloc(sizeof(*split) + num_segments * sizeof(split->segments[0]));

	if (!split)
		return NULL;
	split->shareable = true;
	split->num_segments = num_segments;
	return split;
}

/* `on_stack`, of the caller, when there is no memory; then the command cannot be shared. */
static struct split_command *get_split(struct runner *runner, struct split_command *on_stack)
{
	struct split_command *split = runner->spare_split;

	runner->spare_split = NULL;
	if (!split)
		split = new_split(runner->pool->limit);
	if (!split)
		split = on_stack;
	weft_list_init(&split->link);
	atomic_store_explicit(&split->failed, WEFT_OK, memory_order_relaxed);
	split->shared = false;
	atomic_store_explicit(&split->blocked, false, memory_order_relaxed);
	split->participants = 1;
	return split;
}

static void put_split(struct runner *runner, struct split_command *split)
{
	if (!split->shareable)
		return;
	if (runner->spare_split)
		weft_free(split);
	else
		runner->spare_split = split;
}

/* Every part has run. */
static void finish(struct runner *runner, struct split_command *split)
{
	struct weft_command *command = split->command;
	enum weft_status status =
		(enum weft_status)atomic_load_explicit(&split->failed, memory_order_relaxed);
	enum weft_status ran = WEFT_OK;

	if (command->op == WEFT_OP_NDRANGE)
		ran = weft_work_finish(&split->work);
	put_split(runner, split);
	run_end(runner, command, status == WEFT_OK ? ran : status);
}

static void leave_split(struct runner *runner, struct split_command *split,
			const struct weft_work_time *time)
{
	weft_work_time_end(&split->work, time);
	weft_arena_trim(&runner->arena);
	weft_command_leave(split->command);
	if (!split->shared || shared_splits_leave(runner->scheduler, split))
		finish(runner, split);
}

/* ---- sharing --------------------------------------------------------------------------------- */

static bool has_better_work(struct scheduler *scheduler, const struct split_command *split)
{
	return scheduler_has_better_work(scheduler, (enum weft_priority)split->command->priority);
}

/* Then its runners stay until all parts have run. */
static bool is_blocked(struct split_command *split)
{
	return atomic_load_explicit(&split->blocked, memory_order_relaxed);
}

/* Another runner goes on with the rest, or this one later. */
static bool wants_to_leave(const struct runner *runner, struct split_command *split)
{
	return ((runner->wait && weft_wait_over(runner->wait)) ||
		split_command_keeps(split, runner) || has_better_work(runner->scheduler, split)) &&
	       !is_blocked(split);
}

/* A fair share of half of the remaining parts, so that all runners end at about the same time. Less for a thread that may have to leave
 * soon. */
static uint64_t share_of(struct split_command *split, const struct runner *runner)
{
	const uint64_t brief = 1 + HELP_NS / split->cost;
	uint64_t size = claims_left(&split->claims) / (2 * (uint64_t)most_runners(runner));

	if (size > split->most)
		size = split->most;
	if (runner->wakes_at && size > 1 + HELPER_NS / 2 / split->cost)
		size = 1 + HELPER_NS / 2 / split->cost;
	if (size > brief && split_command_has_guest(split, runner))
		size = brief;
	return size < split->least ? split->least : size;
}

/* Or another version may run some of its work-groups. */
static bool may_be_replaced(const struct split_command *split)
{
	const struct weft_launch *launch = &split->command->launch;

	return split->command->op == WEFT_OP_NDRANGE &&
	       (weft_launch_is_trial(launch) || weft_launch_may_be_replaced(launch));
}

/* All zeros of a transfer. */
static struct weft_work_time begin_time(const struct split_command *split)
{
	const struct weft_launch *launch = &split->command->launch;

	if (split->command->op != WEFT_OP_NDRANGE)
		return (struct weft_work_time){0};
	return weft_work_time_begin(&split->work, launch->replacement ? weft_clock_now() : 0);
}

/* ns for the unclaimed parts; saturates. */
static uint64_t time_left(struct split_command *split, uint64_t cost)
{
	uint64_t time;

	return __builtin_mul_overflow(claims_left(&split->claims), cost, &time) ? UINT64_MAX : time;
}

/* No helper has come, or scheduler_wake finds that it has the last permit. */
static void wake_for_helper(struct runner *runner, struct split_command *split)
{
	if (!runner->wakes_at || weft_clock_now() < runner->wakes_at)
		return;
	runner->wakes_at = 0;
	if (time_left(split, split->cost) >= SHARE_NS &&
	    scheduler_count_looking(runner->scheduler) == 0)
		(void)scheduler_wake(runner->scheduler, 1);
}

static void run_shared(struct runner *runner, struct split_command *split,
		       struct weft_work_time *time)
{
	uint64_t first;
	uint64_t end;

	while (!wants_to_leave(runner, split) &&
	       claim(split, share_of(split, runner), &first, &end)) {
		run_parts(runner, split, first, end);
		weft_work_time_note(&split->work, time);
		wake_for_helper(runner, split);
	}
	runner->wakes_at = 0;
}

/* One that is shared may be left. */
static bool may_share(const struct runner *runner, struct split_command *split)
{
	if (!split->shareable || split->command->in_place || is_blocked(split))
		return false;
	if (wants_to_leave(runner, split))
		return true;
	return !split->command->throttled &&
	       (runner->wait || scheduler_has_permit(runner->scheduler));
}

/* Shares the remaining parts, if they are enough and a runner has nothing else to do: `least` ns when that runner is to be woken. A helper
 * that waits shares in any case, to be able to leave. A worker wakes the last one later: the thread that has made the command ready, if it
 * waits for it next, is a helper by then, and a worker that is woken would only take its core. */
static void share(struct runner *runner, struct split_command *split, uint64_t cost, uint64_t least)
{
	struct scheduler *scheduler = runner->scheduler;
	uint64_t time = time_left(split, cost);
	uint64_t woken = most_runners(runner) - 1;

	if (time < LOOKING_NS || !may_share(runner, split))
		return;
	const uint64_t looking = scheduler_count_looking(scheduler);
	if (time < least && looking == 0)
		return;
	split->cost = cost;
	split->queue = split->command->device->host->queue_of(split->command);
	split->least = 1 + LEAST_NS / cost;
	split->most = 1 + MOST_NS / cost;
	split->shared = true;
	shared_splits_add(scheduler, split);
	if (time / WAKE_NS < woken)
		woken = time / WAKE_NS;
	woken -= looking < woken ? looking : woken;
	if (woken > 0 && runner->unit != NO_UNIT) {
		woken--;
		runner->wakes_at = weft_clock_now() + HELPER_NS;
	}
	if (woken > 0)
		(void)scheduler_wake(
			scheduler,
			(uint32_t)woken); /* without workers, the caller runs all parts */
}

void split_command_take_part(struct runner *runner, struct split_command *split)
{
	struct weft_work_time time;

	runner->split = split;
	weft_command_enter(split->command);
	time = begin_time(split);
	if (prepare(runner, split))
		run_shared(runner, split, &time);
	leave_split(runner, split, &time);
}

/* ---- alone ----------------------------------------------------------------------------------- */

/* Runs the first parts, ever more at once but at most `most`, until the clock shows the cost of one part, in ns, at least 1. False when no
 * part is left; the cost is then that of the few that were run, or 0. */
static bool probe(struct runner *runner, struct split_command *split, uint64_t most, uint64_t *cost)
{
	const uint64_t start = weft_clock_now();
	uint64_t done = 0;
	uint64_t count = 1;
	uint64_t first;
	uint64_t end;

	*cost = 0;
	while (claim(split, count, &first, &end)) {
		run_parts(runner, split, first, end);
		done += end - first;
		count = done < most ? done : most;
		uint64_t spent = weft_clock_now() - start;
		*cost = spent / done + 1;
		if (spent >= PROBE_NS)
			return true;
	}
	return false;
}

/* Each of the commands that the runner runs is too short to wake a thread for; one that looks for work would share the next ones. */
static void note_alone(struct runner *runner, struct split_command *split, uint64_t time)
{
	if (time < LOOKING_NS || !may_share(runner, split))
		return;
	runner->alone += time;
	if (runner->alone < STREAK_NS)
		return;
	runner->alone = 0;
	(void)scheduler_wake(runner->scheduler, 1);
}

/* Runs the remaining parts, in claims so short that an idle runner hardly waits, until they can be shared. */
static void run_alone(struct runner *runner, struct split_command *split, uint64_t cost,
		      struct weft_work_time *time)
{
	const uint64_t began = weft_clock_now();
	uint64_t now = began;
	uint64_t first;
	uint64_t end;

	for (share(runner, split, cost, SHARE_NS); !split->shared;
	     share(runner, split, cost, SHARE_NS)) {
		uint64_t count = ALONE_NS / cost;

		if (!claim(split, count > 0 ? count : 1, &first, &end))
			break;
		run_parts(runner, split, first, end);
		uint64_t start = now;
		now = weft_clock_now();
		cost = (now - start) / (end - first) + 1;
		weft_work_time_note(&split->work, time);
	}
	if (split->shared)
		run_shared(runner, split, time);
	else
		note_alone(runner, split, now - began);
}

/* Shares the launch before its first part, if it is long by what a work-group of the kernel took before. */
static void share_foreseen(struct runner *runner, struct split_command *split,
			   const struct weft_launch *launch)
{
	const struct kernel_history *history = &runner->scheduler->history;
	const uint64_t cost = kernel_history_is_long(history, launch)
				      ? LONG_NS
				      : kernel_history_group_time(history, launch);

	if (cost > 0)
		share(runner, split, cost, FORESEEN_NS);
}

/* Earlier launches of the kernel decide whether it is shared before its first part; then they are updated. */
static void run_kernel(struct runner *runner, struct split_command *split,
		       struct weft_work_time *time)
{
	struct kernel_history *history = &runner->scheduler->history;
	const struct weft_launch *launch = &split->command->launch;
	uint64_t cost;

	share_foreseen(runner, split, launch);
	const uint64_t before = kernel_history_group_time(history, launch);
	const uint64_t most = before > 0 ? 1 + ALONE_NS / before : UINT64_MAX;
	const bool is_left = probe(runner, split, most, &cost);
	/* What was foreseen to be long and is over says so: else one work-group that was once interrupted would wake threads for each
	 * later launch. */
	if (!is_left && !split->shared)
		kernel_history_add_launch(history, launch, PROBE_NS);
	else if (cost > 0)
		kernel_history_add_group(history, launch, cost);
	if (!is_left)
		return;
	weft_work_time_note(&split->work, time);
	if (split->shared)
		run_shared(runner, split, time);
	else
		run_alone(runner, split, cost, time);
}

/* A large transfer need not be measured. */
static void run_transfer(struct runner *runner, struct split_command *split,
			 struct weft_work_time *time)
{
	const uint64_t bytes = weft_transfer_bytes(split->command);

	if (bytes >= LARGE_BYTES)
		share(runner, split, bytes / BYTES_PER_NS / split->total + 1, SHARE_NS);
	if (split->shared) {
		run_shared(runner, split, time);
		return;
	}
	uint64_t cost;
	if (probe(runner, split, UINT64_MAX, &cost))
		run_alone(runner, split, cost, time);
}

/* No other runner can take part, and all parts run the same code. */
static bool is_for_one_call(const struct runner *runner, const struct split_command *split)
{
	return split->total <= 1 ||
	       (most_runners(runner) == 1 && !runner->wait && !may_be_replaced(split));
}

static void run_all(struct runner *runner, struct split_command *split)
{
	uint64_t first;
	uint64_t end;

	while (claim(split, split->total, &first, &end))
		run_parts(runner, split, first, end);
}

void split_command_run(struct runner *runner, struct weft_command *command)
{
	struct split_command on_stack = {0};
	struct split_command *split = get_split(runner, &on_stack);

	runner->split = split;
	enum weft_status status = start_split(split, command, most_runners(runner));
	if (status != WEFT_OK) {
		put_split(runner, split);
		weft_command_leave(command);
		run_end(runner, command, status);
		return;
	}
	struct weft_work_time time = begin_time(split);
	if (!prepare(runner, split) || is_for_one_call(runner, split)) {
		run_all(runner, split);
	} else if (command->op == WEFT_OP_NDRANGE) {
		run_kernel(runner, split, &time);
	} else {
		run_transfer(runner, split, &time);
	}
	leave_split(runner, split, &time);
}
