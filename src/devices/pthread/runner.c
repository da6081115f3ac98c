/* SPDX-License-Identifier: MIT
 *
 * What a thread runs next, and for whom: its own work first, then what the application brought, then what it steals,
 * then its share of a job.
 */
#include "runner.h"

#include "alloc.h"
#include "fork_generation.h"
#include "split_command.h"
#include "run.h"
#include "stack.h"
#include "thread_local.h"

/* How long a guest looks for work that has not found any yet, or has no place. */
#define FIRST_SPIN_NS 20000
/* Commands that a runner runs of its own before others get their turn. */
#define LONGEST_STREAK 64
/* Commands that a runner takes from the inbox at once. */
#define MOST_TAKEN 16
/* Commands of its own that it tells others of at once. */
#define MOST_GIVEN 16

static WEFT_THREAD_LOCAL struct runner *self;

struct runner *runner_self(void)
{
	return self;
}

static void runner_init(struct runner *runner, struct crew *crew, uint32_t unit)
{
	uint32_t near = unit == NO_UNIT ? crew_unit_here(crew) : unit;

	*runner = (struct runner){.crew = crew,
				  .generation = weft_fork_generation(),
				  .unit = unit,
				  .group = near == NO_UNIT ? 0 : crew->workers[near].group,
				  .seat = unit};
}

static void runner_end(struct runner *runner)
{
	weft_arena_destroy(&runner->arena);
	weft_free(runner->spare);
}

/* The child of a fork has new pools, which know nothing of runners from before. */
static bool is_stale(const struct runner *runner)
{
	return runner->generation != weft_fork_generation();
}

/* NULL: it has none. */
static struct weft_deque *deque_of(const struct runner *runner)
{
	return runner->seat != NO_UNIT && !is_stale(runner)
		       ? &runner->pool->seats[runner->seat].deque
		       : NULL;
}

static void lend(void *pool)
{
	runner_lend(pool, NULL);
}

/* No threads are to be had: this one does what is ready. Without memory for another stack, on its own. */
static void do_all_here(struct pool *pool)
{
	if (!weft_stack_call(lend, pool))
		lend(pool);
}

/* ---- what became ready ----------------------------------------------------------------------- */

/* To be taken by this runner first. Native functions and what finds no room go to the inbox. */
static void keep(const struct runner *runner, struct weft_command *command)
{
	struct weft_deque *deque = deque_of(runner);

	if (!deque || command->op == WEFT_OP_NATIVE || !weft_deque_push(deque, command))
		pool_put(runner->pool, command);
}

/* False: no threads are to be had. */
static bool tell_others(struct runner *runner)
{
	uint32_t count = runner->given;

	runner->given = 0;
	return count == 0 || pool_wake(runner->pool, count);
}

void runner_give(struct runner *runner, struct weft_command *command)
{
	if (!runner->next) {
		runner->next = command;
		return;
	}
	keep(runner, command);
	if (++runner->given >= MOST_GIVEN && runner->busy)
		(void)tell_others(runner);
}

void runner_hand_over(struct runner *runner)
{
	struct weft_command *next = runner->next;

	runner->next = NULL;
	if (next) {
		keep(runner, next);
		runner->given++;
	}
	if (!tell_others(runner) && !runner->busy)
		do_all_here(runner->pool);
}

static bool others_wait(const struct runner *runner)
{
	const struct weft_deque *deque = deque_of(runner);

	return !pool_inboxes_are_empty(runner->pool) ||
	       !weft_mpsc_queue_is_empty(&runner->pool->natives) ||
	       (deque && !weft_deque_is_empty(deque));
}

/* Another pool has work for the worker. */
static bool is_wanted_elsewhere(const struct runner *runner)
{
	struct pool *pool = pool_next(runner->crew, NULL);

	while (pool && (pool == runner->pool || !unit_range_has(pool_units(pool), runner->unit) ||
			!pool_has_work(pool)))
		pool = pool_next(runner->crew, pool);
	return pool != NULL;
}

/* What the runner runs after the command just ended, without looking any further; or NULL. */
static struct weft_command *follow(struct runner *runner)
{
	struct weft_command *next = runner->next;
	bool leaves = runner->stray || (runner->awaited && weft_wait_over(runner->awaited));

	if (!next && runner->given == 0)
		return NULL;
	if (next && (leaves || (runner->awaited && next->op == WEFT_OP_NATIVE))) {
		runner_hand_over(runner);
		return NULL;
	}
	runner->next = NULL;
	if (next && ++runner->streak > LONGEST_STREAK &&
	    (others_wait(runner) || is_wanted_elsewhere(runner))) {
		pool_put(runner->pool, next);
		next = NULL;
	}
	(void)tell_others(runner); /* without anybody, this runner does it later */
	return next;
}

/* ---- taking ---------------------------------------------------------------------------------- */

static struct weft_command *command_of(struct weft_list *link)
{
	return link ? WEFT_CONTAINER_OF(link, struct weft_command, link) : NULL;
}

static struct weft_command *take_one(struct weft_mpsc_queue *inbox)
{
	struct weft_list taken;

	weft_list_init(&taken);
	(void)weft_mpsc_queue_take(inbox, 1, 1, &taken);
	return command_of(weft_list_pop(&taken));
}

/* Some at once, so that the inbox's lock is rarely taken; others steal what is too much. */
static struct weft_command *take_some(struct runner *runner)
{
	struct weft_deque *deque = deque_of(runner);
	struct weft_list taken;

	weft_list_init(&taken);
	bool several = deque && weft_deque_is_empty(deque);
	(void)pool_take(runner->pool, runner->group, several ? MOST_TAKEN : 1, &taken);
	struct weft_command *first = command_of(weft_list_pop(&taken));
	while (!weft_list_empty(&taken)) { /* the oldest last, to be taken first */
		struct weft_list *link = taken.prev;

		weft_list_remove(link);
		keep(runner, command_of(link));
	}
	return first;
}

/* What nobody has begun to look after: native functions and all others in turn. */
static struct weft_command *take_from_inbox(struct runner *runner)
{
	struct pool *pool = runner->pool;
	struct weft_command *command;

	runner->streak = 0;
	if (runner->awaited) {
		command = take_one(&pool->quiet);
		return command ? command : take_some(runner);
	}
	runner->natives_last = !runner->natives_last;
	command = runner->natives_last ? take_one(&pool->natives) : take_some(runner);
	if (!command)
		command = runner->natives_last ? take_some(runner) : take_one(&pool->natives);
	return command;
}

#define CACHE_LINE 64

/* It comes nearer while something else runs. */
static void fetch(const void *command)
{
	for (size_t at = 0; command && at < sizeof(struct weft_command); at += CACHE_LINE)
		__builtin_prefetch((const char *)command + at, 1);
}

static struct weft_command *take_command(struct runner *runner)
{
	struct weft_deque *deque = deque_of(runner);
	struct weft_command *command = NULL;

	if (runner->streak > LONGEST_STREAK) { /* others' turn, and then the oldest of its own */
		command = take_from_inbox(runner);
		if (!command && deque)
			command = weft_deque_steal(deque);
	}
	if (!command && deque)
		command = weft_deque_take(deque);
	if (!command)
		command = take_from_inbox(runner);
	if (!command)
		command = pool_steal(runner->pool, runner->seat);
	if (command && deque)
		fetch(weft_deque_peek(deque));
	return command;
}

/* Takes something to do. A guest looks at jobs first: it may wait for one. */
static bool take(struct runner *runner, struct weft_command **command, struct job **job)
{
	struct pool *pool = runner->pool;

	if (is_stale(runner))
		return false;
	*command = NULL;
	*job = runner->awaited ? job_join(pool) : NULL;
	if (!*job)
		*command = take_command(runner);
	if (!*job && !*command)
		*job = job_join(pool);
	return *job || *command;
}

/* Several additions may have counted on the one thread that was looking. */
static void wake_next(struct runner *runner)
{
	for (struct pool *pool = pool_next(runner->crew, NULL); pool;
	     pool = pool_next(runner->crew, pool)) {
		if (pool_has_sleeper(pool) && pool_has_work(pool))
			(void)pool_wake(pool, 1);
	}
}

/* Runs one thing and what follows from it. False when there is nothing to run. The runner is in the pool. */
static bool run_one(struct runner *runner)
{
	struct weft_command *command;
	struct job *job;

	if (!take(runner, &command, &job))
		return false;
	wake_next(runner);
	if (job)
		job_help(runner, job);
	else
		run_command(runner, command);
	runner->streak++;
	while ((command = follow(runner)))
		run_command(runner, command);
	return true;
}

/* ---- workers --------------------------------------------------------------------------------- */

/* A worker stays on the cores of a sub-device for as long as it works for that; if it is bound to one core, that is one
 * of them. */
static void pin(struct runner *runner)
{
	struct pool *pool = runner->pool;

	if (!runner->crew->bound && (pool->pinned || runner->pinned))
		(void)sched_setaffinity(0, sizeof(cpu_set_t),
					pool->pinned ? &pool->cores : &runner->crew->cores);
	runner->pinned = pool->pinned;
}

static void leave(struct runner *runner)
{
	if (runner->busy && !is_stale(runner))
		pool_leave(runner->pool);
	runner->busy = false;
}

/* Goes into the pool, if there is anything to do, and does it. */
static bool work_for(struct runner *runner, struct pool *pool)
{
	if (is_stale(runner) || !pool_has_work(pool) || !pool_enter(pool, runner->unit))
		return false;
	if (runner->pool != pool || runner->opening != pool->opening) {
		runner->pool = pool;
		runner->opening = pool->opening;
		pin(runner);
	}
	runner->busy = true;
	if (run_one(runner))
		return true;
	leave(runner);
	return false;
}

/* Does something, for one pool after the other. False when there is nothing to do. */
static bool work_once(struct runner *runner)
{
	struct pool *last = runner->pool;
	struct pool *pool = last;
	bool found = runner->busy && run_one(runner);

	if (found && !is_wanted_elsewhere(runner))
		return true;
	leave(runner);
	while (!found) {
		pool = pool_next(runner->crew,
				 pool); /* NULL is before the newest and after the oldest */
		found = pool && work_for(runner, pool);
		if (pool == last)
			break;
	}
	return found;
}

void runner_work(struct worker *worker)
{
	struct runner runner;

	runner_init(&runner, worker->crew, worker->unit);
	self = &runner;
	while (!is_stale(&runner) && !runner.stray) {
		if (work_once(&runner))
			continue;
		if (is_stale(&runner) || crew_is_closing(worker->crew))
			break;
		crew_idle(worker);
	}
	runner_end(&runner);
	if (runner.stray && !is_stale(&runner))
		crew_end_stray(worker->crew);
}

/* ---- guests ---------------------------------------------------------------------------------- */

static void sit_down(struct runner *runner)
{
	runner->seat = pool_take_seat(runner->pool);
	if (runner->seat == NO_UNIT)
		return;
	struct seat *seat = &runner->pool->seats[runner->seat];
	runner->arena = seat->arena;
	runner->spare = seat->spare;
	seat->arena = (struct weft_arena){0};
	seat->spare = NULL;
}

/* What lies in the deque stays there, for thieves. */
static void stand_up(struct runner *runner)
{
	if (runner->seat == NO_UNIT || is_stale(runner))
		return;
	struct seat *seat = &runner->pool->seats[runner->seat];
	seat->arena = runner->arena;
	seat->spare = runner->spare;
	runner->arena = (struct weft_arena){0};
	runner->spare = NULL;
	pool_leave_seat(runner->pool, runner->seat);
}

/* Does something. False when there is nothing to do. */
static bool help(struct runner *runner)
{
	struct pool *pool = runner->pool;

	if (is_stale(runner))
		return false;
	if (!runner->busy && (runner->awaited ? pool_has_guest_work(pool) : pool_has_work(pool)))
		runner->busy = pool_enter(pool, NO_UNIT);
	if (runner->busy && run_one(runner))
		return true;
	leave(runner);
	return false;
}

void runner_lend(struct pool *pool, const struct weft_wait *awaited)
{
	struct runner runner;
	struct runner *outer = self;
	struct patience patience = {0};
	uint64_t spin = FIRST_SPIN_NS;

	runner_init(&runner, pool->crew, NO_UNIT);
	runner.pool = pool;
	runner.awaited = awaited;
	sit_down(&runner);
	self = &runner;
	if (pool_has_several_quiet(pool))
		(void)pool_announce(pool); /* who takes the first sees to the others */
	while (!(awaited && weft_wait_over(awaited))) {
		if (help(&runner)) {
			spin = LONGEST_SPIN_NS;
			patience = (struct patience){0};
			continue;
		}
		if (!awaited ||
		    patience_over(&patience, pool_has_place(pool) ? spin : FIRST_SPIN_NS))
			break;
	}
	self = outer;
	leave(&runner);
	stand_up(&runner);
	runner_end(&runner);
	if (awaited && pool_has_work(pool) && !pool_wake(pool, 1))
		do_all_here(pool);
}

bool runner_step_aside(struct runner *runner)
{
	const bool had_place = runner->busy;

	runner_hand_over(runner);
	leave(runner);
	return had_place;
}

/* What a stray has made ready stays in its seat, for who comes there next. */
void runner_come_back(struct runner *runner, bool had_place, const struct weft_wait *awaited)
{
	const bool works = runner->unit != NO_UNIT;

	if (is_stale(runner))
		return;
	if (weft_wait_over(awaited)) {
		/* without a place, the rest of the command is one too many for a while */
		if (had_place || works)
			runner->busy = pool_enter(runner->pool, runner->unit);
	} else if (works) {
		crew_replace(runner->crew, runner->unit);
		runner->stray = true;
		runner->unit = runner->seat = NO_UNIT;
		pool_wake_for_all(runner->crew);
	}
}

void runner_run_here(struct pool *pool, struct weft_command *command)
{
	struct runner runner;
	struct runner *outer = self;

	runner_init(&runner, pool->crew, NO_UNIT);
	runner.pool = pool;
	self = &runner;
	while (command) {
		run_command(&runner, command);
		command = runner.next;
		runner.next = NULL;
		if (command && !run_is_short(command)) {
			keep(&runner, command);
			runner.given++;
			command = NULL;
		}
	}
	self = outer;
	if (runner.given > 0 && !pool_wake(pool, runner.given))
		do_all_here(pool);
	runner_end(&runner);
}

void runner_offer(struct pool *pool, struct weft_command *command)
{
	pool_put(pool, command);
	if (!pool_wake(pool, 1))
		do_all_here(pool);
}

void runner_announce(struct pool *pool)
{
	uint32_t count = pool_announce(pool);

	if (count > 0 && pool_has_work(pool) && !pool_wake(pool, count))
		do_all_here(pool);
}
