/* SPDX-License-Identifier: MIT
 *
 * Jobs: claiming parts, offering them to others, ending.
 */
#include "split_command.h"

#include "alloc.h"
#include "clock.h"
#include "command.h"
#include "scheduler.h"
#include "run.h"
#include "runner.h"
#include "transfer.h"

/* Nanoseconds. */
#define PROBE_NS 2000   /* what is measured before it is judged */
#define SHARE_NS 10000  /* what remains of a job that is worth offering */
#define HELPER_NS 5000  /* for each such piece one helper is called */
#define LEAST_NS 2000   /* a claim of a shared job */
#define MOST_NS 1000000 /* likewise */
#define ALONE_NS 4000   /* a claim of a job that nobody shares: how long an idle runner waits */
#define LONG_NS 100000  /* what a group is expected to take of a kernel whose groups take long */

#define LARGE_BYTES (2u * 1024 * 1024) /* of a transfer that is shared from its begin */
#define BYTES_PER_NS 12                /* that one thread is expected to transfer */

/* ---- parts ----------------------------------------------------------------------------------- */

static uint32_t most_runners(const struct runner *runner)
{
	return atomic_load_explicit(&runner->pool->units, memory_order_relaxed);
}

/* Groups that the kernel runs as one when it gets them together, as long as there are some for every runner. */
static uint64_t grain_of(const struct job *job, uint32_t runners)
{
	const struct weft_launch *launch = &job->command->launch;

	if (job->command->op != WEFT_OP_NDRANGE ||
	    !(launch->kernel->flags & WEFT_KERNEL_FUSES_GROUPS))
		return 1;
	uint64_t fair = job->total / runners;
	uint64_t grain = launch->kernel->vector_width / launch->range.local_size[0];
	grain = grain < fair ? grain : fair;
	return grain > 0 ? grain : 1;
}

static enum weft_status start_job(struct job *job, struct weft_command *command, uint32_t runners)
{
	enum weft_status status = WEFT_OK;

	job->command = command;
	if (command->op == WEFT_OP_NDRANGE) {
		status = weft_work_start(&job->work, &command->launch);
		job->work.cache_bytes = command->device->properties.cache_size;
		job->total = job->work.num_groups;
	} else if (command->op == WEFT_OP_COPY) {
		job->total = weft_transfer_copy_blocks(&command->copy);
	} else {
		job->total = weft_transfer_fill_blocks(&command->fill);
	}
	job->grain = status == WEFT_OK ? grain_of(job, runners) : 1;
	return status;
}

static void run_parts(struct runner *runner, struct job *job, uint64_t first, uint64_t end)
{
	struct weft_command *command = job->command;

	if (command->op == WEFT_OP_NDRANGE)
		weft_work_run(&job->work, &runner->arena, first, end);
	else if (command->op == WEFT_OP_COPY)
		weft_transfer_copy(&command->copy, first, end,
				   command->device->properties.cache_size);
	else
		weft_transfer_fill(&command->fill, first, end);
}

static uint64_t first_unclaimed(struct job *job)
{
	return atomic_load_explicit(&job->next, memory_order_relaxed);
}

static bool is_claimed(struct job *job)
{
	return first_unclaimed(job) >= job->total;
}

/* Claims `count` parts, made up to whole grains, or as many as there are. False when there are none. */
static bool claim(struct job *job, uint64_t count, uint64_t *first, uint64_t *end)
{
	uint64_t next = first_unclaimed(job);
	uint64_t over = count % job->grain;

	count += over ? job->grain - over : 0;
	do {
		if (next >= job->total)
			return false;
		*first = next;
		*end = count < job->total - next ? next + count : job->total;
	} while (!atomic_compare_exchange_weak_explicit(
		&job->next, &next, *end, memory_order_relaxed, memory_order_relaxed));
	return true;
}

/* Nobody claims more parts. */
static void fail_job(struct job *job, enum weft_status status)
{
	int32_t expected = WEFT_OK;

	atomic_compare_exchange_strong_explicit(&job->failed, &expected, (int32_t)status,
						memory_order_relaxed, memory_order_relaxed);
	atomic_store_explicit(&job->next, job->total, memory_order_relaxed);
}

/* This thread's memory for the job. On an error nobody claims more. */
static bool prepare(struct runner *runner, struct job *job)
{
	if (job->command->op != WEFT_OP_NDRANGE)
		return true;
	enum weft_status status = weft_work_prepare(&job->work, &runner->arena);
	if (status != WEFT_OK)
		fail_job(job, status);
	return status == WEFT_OK;
}

/* ---- from begin to end ----------------------------------------------------------------------- */

/* The caller's stack serves when there is no memory; then the job cannot be shared. */
static struct job *get_job(struct runner *runner, struct job *on_stack)
{
	struct job *job = runner->spare;

	runner->spare = NULL;
	if (!job)
		job = weft_zalloc(sizeof(*job));
	if (job)
		job->shareable = true;
	else
		job = on_stack;
	weft_list_init(&job->link);
	atomic_store_explicit(&job->next, 0, memory_order_relaxed);
	atomic_store_explicit(&job->failed, WEFT_OK, memory_order_relaxed);
	job->shared = false;
	job->participants = 1;
	return job;
}

static void put_job(struct runner *runner, struct job *job)
{
	if (!job->shareable)
		return;
	if (runner->spare)
		weft_free(job);
	else
		runner->spare = job;
}

/* Every part has been run. */
static void finish(struct runner *runner, struct job *job)
{
	struct weft_command *command = job->command;
	enum weft_status status =
		(enum weft_status)atomic_load_explicit(&job->failed, memory_order_relaxed);

	if (command->op == WEFT_OP_NDRANGE)
		weft_work_finish(&job->work);
	put_job(runner, job);
	run_end(runner, command, status);
}

/* Removes a job of which every part is claimed from those that can be joined. */
static void retire(struct pool *pool, struct job *job) WEFT_REQUIRES(&pool->job_lock)
{
	if (weft_list_empty(&job->link))
		return;
	weft_list_remove(&job->link);
	atomic_fetch_sub(&pool->num_jobs, 1);
}

/* True when the job has ended: it is the caller's to finish. */
static bool take_leave(struct pool *pool, struct job *job)
{
	weft_mutex_lock(&pool->job_lock);
	bool claimed = is_claimed(job);
	bool ended = --job->participants == 0 && claimed;
	if (claimed)
		retire(pool, job);
	weft_mutex_unlock(&pool->job_lock);
	return ended;
}

static void leave_job(struct runner *runner, struct job *job)
{
	weft_arena_trim(&runner->arena);
	weft_command_leave(job->command);
	if (!job->shared || take_leave(runner->pool, job))
		finish(runner, job);
}

/* ---- sharing --------------------------------------------------------------------------------- */

static bool wants_to_leave(const struct runner *runner)
{
	return runner->awaited && weft_wait_over(runner->awaited);
}

/* A fair share of half of what remains, so that all end at about the same time. */
static uint64_t share_of(struct job *job, uint32_t runners)
{
	uint64_t next = first_unclaimed(job);
	uint64_t size = next < job->total ? (job->total - next) / (2 * (uint64_t)runners) : 1;

	if (size > job->most)
		size = job->most;
	return size < job->least ? job->least : size;
}

static void run_shared(struct runner *runner, struct job *job)
{
	const uint32_t runners = most_runners(runner);
	uint64_t first;
	uint64_t end;

	while (!wants_to_leave(runner) && claim(job, share_of(job, runners), &first, &end))
		run_parts(runner, job, first, end);
}

/* Nanoseconds for what nobody has claimed; saturates. */
static uint64_t time_left(struct job *job, uint64_t cost)
{
	uint64_t next = first_unclaimed(job);
	uint64_t time;

	if (next >= job->total)
		return 0;
	return __builtin_mul_overflow(job->total - next, cost, &time) ? UINT64_MAX : time;
}

/* Offers the rest, when it is worth it and somebody has nothing else to do. A thread of the application shares in any
 * case, to be able to leave. */
static void offer(struct runner *runner, struct job *job, uint64_t cost)
{
	struct pool *pool = runner->pool;
	uint64_t time = time_left(job, cost);
	uint64_t helpers = most_runners(runner) - 1;

	if (!job->shareable || time < SHARE_NS || !(runner->awaited || pool_has_place(pool)))
		return;
	job->least = 1 + LEAST_NS / cost;
	job->most = 1 + MOST_NS / cost;
	job->shared = true;
	weft_mutex_lock(&pool->job_lock);
	weft_list_append(&pool->jobs, &job->link);
	atomic_fetch_add(&pool->num_jobs, 1);
	weft_mutex_unlock(&pool->job_lock);
	if (time / HELPER_NS < helpers)
		helpers = time / HELPER_NS;
	if (helpers > 0)
		(void)pool_wake(pool,
				(uint32_t)helpers); /* without any, the caller runs it alone */
}

struct job *job_join(struct pool *pool)
{
	struct job *joined = NULL;

	if (atomic_load(&pool->num_jobs) == 0)
		return NULL;
	weft_mutex_lock(&pool->job_lock);
	struct weft_list *link = pool->jobs.next;
	while (link != &pool->jobs && !joined) {
		struct job *job = WEFT_CONTAINER_OF(link, struct job, link);

		link = link->next;
		if (is_claimed(job))
			retire(pool, job);
		else
			joined = job;
	}
	if (joined)
		joined->participants++;
	weft_mutex_unlock(&pool->job_lock);
	return joined;
}

void job_help(struct runner *runner, struct job *job)
{
	weft_command_enter(job->command);
	if (prepare(runner, job))
		run_shared(runner, job);
	leave_job(runner, job);
}

/* ---- alone ----------------------------------------------------------------------------------- */

/* Runs the first parts, ever more at once, until the clock tells what one costs. Returns that, in nanoseconds (at least
 * 1), or 0 when nothing remains. */
static uint64_t probe(struct runner *runner, struct job *job)
{
	uint64_t start = weft_clock_now();
	uint64_t done = 0;
	uint64_t first;
	uint64_t end;

	while (claim(job, done ? done : 1, &first, &end)) {
		run_parts(runner, job, first, end);
		done = end;
		uint64_t spent = weft_clock_now() - start;
		if (spent >= PROBE_NS)
			return spent / done + 1;
	}
	return 0;
}

/* Runs the rest, in claims that make nobody wait, until it is worth offering to somebody. */
static void run_alone(struct runner *runner, struct job *job, uint64_t cost)
{
	uint64_t time = weft_clock_now();
	uint64_t first;
	uint64_t end;

	for (offer(runner, job, cost); !job->shared; offer(runner, job, cost)) {
		uint64_t count = ALONE_NS / cost;

		if (!claim(job, count > 0 ? count : 1, &first, &end))
			return;
		run_parts(runner, job, first, end);
		uint64_t start = time;
		time = weft_clock_now();
		cost = (time - start) / (end - first) + 1;
	}
	run_shared(runner, job);
}

/* What is known of the kernel decides whether the first part is offered, and is brought up to date. */
static void run_kernel(struct runner *runner, struct job *job)
{
	struct kernel_notes *notes = &runner->pool->notes;
	const struct weft_launch *launch = &job->command->launch;
	uint64_t first;
	uint64_t end;
	uint64_t cost;

	if (notes_say_long(notes, launch)) {
		uint64_t start = weft_clock_now();

		offer(runner, job, LONG_NS);
		if (!claim(job, 1, &first, &end))
			return;
		run_parts(runner, job, first, end);
		cost = (weft_clock_now() - start) / (end - first) + 1;
	} else {
		cost = probe(runner, job);
		if (cost == 0) {
			notes_add_launch(notes, launch, PROBE_NS);
			return;
		}
	}
	notes_add_group(notes, launch, cost);
	if (job->shared)
		run_shared(runner, job);
	else
		run_alone(runner, job, cost);
}

/* The product cannot wrap: memory of that size exists. */
static uint64_t bytes_of(const struct weft_command *command)
{
	const size_t *region = command->copy.region;

	return command->op == WEFT_OP_COPY ? region[0] * region[1] * region[2] : command->fill.size;
}

/* A large one need not be measured. */
static void run_transfer(struct runner *runner, struct job *job)
{
	const uint64_t bytes = bytes_of(job->command);

	if (bytes >= LARGE_BYTES)
		offer(runner, job, bytes / BYTES_PER_NS / job->total + 1);
	if (job->shared) {
		run_shared(runner, job);
		return;
	}
	uint64_t cost = probe(runner, job);
	if (cost > 0)
		run_alone(runner, job, cost);
}

/* Nobody can help. */
static void run_all(struct runner *runner, struct job *job)
{
	uint64_t first;
	uint64_t end;

	if (claim(job, job->total, &first, &end))
		run_parts(runner, job, first, end);
}

void job_run(struct runner *runner, struct weft_command *command)
{
	struct job on_stack = {0};
	struct job *job = get_job(runner, &on_stack);

	enum weft_status status = start_job(job, command, most_runners(runner));
	if (status != WEFT_OK) {
		put_job(runner, job);
		weft_command_leave(command);
		run_end(runner, command, status);
		return;
	}
	if (!prepare(runner, job) || job->total <= 1 ||
	    (most_runners(runner) == 1 && !runner->awaited)) {
		run_all(runner, job);
	} else if (command->op == WEFT_OP_NDRANGE) {
		run_kernel(runner, job);
	} else {
		run_transfer(runner, job);
	}
	leave_job(runner, job);
}
