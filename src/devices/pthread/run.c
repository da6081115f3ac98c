/* SPDX-License-Identifier: MIT
 *
 * Runs commands. A command in parts is begun alone, with its first parts timed: what is over in a
 * few microseconds never wakes anybody; what is longer is shared, in claims that shrink towards the
 * end. A kernel of which one group took long the last time is shared from the start.
 */
#include "alloc.h"
#include "log.h"
#include "pool.h"
#include "transfer.h"

#include <time.h>

/* Measure for this long before judging; share when at least this much remains; one more helper for
 * each such piece of work; and no claim shorter or longer than that (nanoseconds). */
#define PROBE_NS 2000
#define SHARE_NS 10000
#define SHORT_NS 3000  /* a kernel that is over before somebody is awake */
#define LONG_NS 100000 /* a group that others should not wait for */
#define HELPER_NS 5000
#define LEAST_NS 2000
#define MOST_NS 1000000

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void end_command(struct runner *runner, struct weft_command *command,
			enum weft_status status)
{
	const struct weft_host *host = runner->pool->host;

	runner->ending = true;
	host->complete(command, status);
	runner->ending = false;
}

/* What this thread does is the command's, until it leaves. */
static void enter(const struct runner *runner, struct weft_command *command)
{
	if (runner->pool->host->enter)
		runner->pool->host->enter(command);
}

static void leave(const struct runner *runner)
{
	if (runner->pool->host->leave)
		runner->pool->host->leave();
}

/* ---- jobs: parts of a command ---------------------------------------------------------------- */

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

/* Nobody claims more parts. */
static void fail_job(struct job *job, enum weft_status status)
{
	int32_t expected = WEFT_OK;

	atomic_compare_exchange_strong_explicit(&job->failed, &expected, (int32_t)status,
						memory_order_relaxed, memory_order_relaxed);
	atomic_store_explicit(&job->next, job->total, memory_order_relaxed);
}

/* Claims `count` parts, or as many as there are. False when there are none. */
static bool claim(struct job *job, uint64_t count, uint64_t *first, uint64_t *end)
{
	uint64_t next = atomic_load_explicit(&job->next, memory_order_relaxed);

	do {
		if (next >= job->total)
			return false;
		*first = next;
		*end = count < job->total - next ? next + count : job->total;
	} while (!atomic_compare_exchange_weak_explicit(
		&job->next, &next, *end, memory_order_relaxed, memory_order_relaxed));
	return true;
}

/* A fair share of half of what remains, so that all end at about the same time. */
static uint64_t claim_size(const struct job *job, uint32_t runners)
{
	uint64_t next =
		atomic_load_explicit(&((struct job *)(uintptr_t)job)->next, memory_order_relaxed);
	uint64_t size = next < job->total ? (job->total - next) / (2 * (uint64_t)runners) : 1;

	if (size > job->most)
		size = job->most;
	return size < job->least ? job->least : size;
}

static enum weft_status start_job(struct job *job, struct weft_command *command)
{
	enum weft_status status = WEFT_OK;

	job->command = command;
	if (command->op == WEFT_OP_NDRANGE) {
		status = weft_work_start(&job->work, &command->launch);
		job->total = job->work.num_groups;
	} else if (command->op == WEFT_OP_COPY) {
		job->total = weft_transfer_copy_blocks(&command->copy);
	} else {
		job->total = weft_transfer_fill_blocks(&command->fill);
	}
	return status;
}

static void run_parts(struct runner *runner, struct job *job, uint64_t first, uint64_t end)
{
	struct weft_command *command = job->command;

	if (command->op == WEFT_OP_NDRANGE)
		weft_work_run(&job->work, &runner->arena, first, end);
	else if (command->op == WEFT_OP_COPY)
		weft_transfer_copy(&command->copy, first, end);
	else
		weft_transfer_fill(&command->fill, first, end);
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

/* Every part has been run. */
static void finish_job(struct runner *runner, struct job *job)
{
	struct weft_command *command = job->command;
	enum weft_status status =
		(enum weft_status)atomic_load_explicit(&job->failed, memory_order_relaxed);

	if (command->op == WEFT_OP_NDRANGE)
		weft_work_finish(&job->work);
	put_job(runner, job);
	end_command(runner, command, status);
}

static bool wants_to_leave(const struct runner *runner)
{
	return runner->awaited && weft_wait_over(runner->awaited);
}

/* The rest of a job that may be shared by now. */
static void run_claims(struct runner *runner, struct job *job)
{
	uint64_t first;
	uint64_t end;

	while (claim(job, claim_size(job, runner->pool->limit), &first, &end)) {
		run_parts(runner, job, first, end);
		if (job->shared && wants_to_leave(runner))
			break;
	}
	weft_arena_trim(&runner->arena);
	leave(runner);
	if (!job->shared || pool_leave(runner->pool, job))
		finish_job(runner, job);
}

/* Runs the first parts alone, ever more at once, until the clock tells what one costs. Returns
 * that, in nanoseconds (at least 1), or 0 when nothing remains. */
static uint64_t probe(struct runner *runner, struct job *job)
{
	uint64_t start = now();
	uint64_t done = 0;
	uint64_t first;
	uint64_t end;

	while (claim(job, done ? done : 1, &first, &end)) {
		run_parts(runner, job, first, end);
		done = end;
		uint64_t spent = now() - start;
		if (spent >= PROBE_NS)
			return spent / done + 1;
	}
	return 0;
}

/* Decides how the rest is claimed and offers it to others when that is worth a wake-up. */
static void share(struct runner *runner, struct job *job, uint64_t cost)
{
	uint64_t remaining = job->total - atomic_load_explicit(&job->next, memory_order_relaxed);
	uint64_t time; /* saturates */

	if (__builtin_mul_overflow(remaining, cost, &time))
		time = UINT64_MAX;
	job->least = 1 + LEAST_NS / cost;
	job->most = 1 + MOST_NS / cost;
	if (time < SHARE_NS || !job->shareable) {
		job->least = job->total;
		return;
	}
	uint64_t helpers = runner->pool->limit - 1;
	if (time / HELPER_NS < helpers)
		helpers = time / HELPER_NS;
	/* a thread of the application shares in any case, to be able to leave */
	if (helpers > 0 || runner->awaited)
		pool_share(runner->pool, job, (uint32_t)helpers);
}

/* Where a kernel's notes are, in the pool's tables; those of another kernel may stand there. */
static size_t note_of(const struct weft_kernel_desc *kernel)
{
	return (uintptr_t)kernel / WEFT_KERNEL_ALIGNMENT % KERNEL_NOTES;
}

static bool seems_long(struct runner *runner, const struct weft_command *command)
{
	if (command->op != WEFT_OP_NDRANGE)
		return false;
	const struct weft_kernel_desc *kernel = command->launch.kernel;
	return atomic_load_explicit(&runner->pool->long_kernels[note_of(kernel)],
				    memory_order_relaxed) == (uintptr_t)kernel;
}

static void note_cost(struct runner *runner, const struct weft_command *command, uint64_t cost)
{
	if (command->op != WEFT_OP_NDRANGE)
		return;
	const struct weft_kernel_desc *kernel = command->launch.kernel;
	bool is_long = cost >= LONG_NS;
	if (is_long != seems_long(runner, command))
		atomic_store_explicit(&runner->pool->long_kernels[note_of(kernel)],
				      is_long ? (uintptr_t)kernel : 0, memory_order_relaxed);
}

static uint64_t groups_of(const struct weft_command *command)
{
	const uint64_t *groups = command->launch.range.num_groups;

	return groups[0] * groups[1] * groups[2];
}

bool run_seems_short(struct pool *pool, const struct weft_command *command)
{
	if (command->op != WEFT_OP_NDRANGE || command->private_data != NULL)
		return false;
	const struct weft_kernel_desc *kernel = command->launch.kernel;
	size_t place = note_of(kernel);
	return atomic_load_explicit(&pool->short_kernels[place].kernel, memory_order_relaxed) ==
		       (uintptr_t)kernel &&
	       groups_of(command) <= atomic_load_explicit(&pool->short_kernels[place].groups,
							  memory_order_relaxed);
}

/* It took so long, in nanoseconds. Notes of two kernels may mix: they only decide who is woken when. */
static void note_time(struct pool *pool, const struct weft_command *command, uint64_t time)
{
	const struct weft_kernel_desc *kernel = command->launch.kernel;
	size_t place = note_of(kernel);

	if (time > SHORT_NS)
		return;
	atomic_store_explicit(&pool->short_kernels[place].groups, groups_of(command),
			      memory_order_relaxed);
	atomic_store_explicit(&pool->short_kernels[place].kernel, (uintptr_t)kernel,
			      memory_order_relaxed);
}

/* Offers all of it to others, and sees whether that was right. */
static void share_at_once(struct runner *runner, struct job *job)
{
	uint64_t start = now();
	uint64_t first;
	uint64_t end;

	share(runner, job, LONG_NS);
	if (claim(job, 1, &first, &end)) {
		run_parts(runner, job, first, end);
		note_cost(runner, job->command, now() - start);
	}
}

static void probe_and_share(struct runner *runner, struct job *job)
{
	uint64_t cost = probe(runner, job);

	if (cost > 0) {
		note_cost(runner, job->command, cost);
		share(runner, job, cost);
	} else if (job->command->op == WEFT_OP_NDRANGE) {
		note_time(runner->pool, job->command, PROBE_NS);
	}
}

static void run_in_parts(struct runner *runner, struct weft_command *command)
{
	struct job on_stack = {0};
	struct job *job = get_job(runner, &on_stack);

	enum weft_status status = start_job(job, command);
	if (status != WEFT_OK) {
		put_job(runner, job);
		leave(runner);
		end_command(runner, command, status);
		return;
	}
	job->least = job->most = job->total;
	if (prepare(runner, job) && job->total > 1 &&
	    (runner->pool->limit > 1 || runner->awaited)) {
		if (seems_long(runner, command))
			share_at_once(runner, job);
		else
			probe_and_share(runner, job);
	}
	run_claims(runner, job);
}

void run_job(struct runner *runner, struct job *job)
{
	enter(runner, job->command);
	prepare(runner, job);
	run_claims(runner, job);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Bytes that are copied faster than a thread wakes up. */
#define SHORT_BYTES (16u * 1024)

bool run_is_short(const struct weft_command *command)
{
	const size_t *region = command->copy.region;

	if (command->private_data != NULL || command->op == WEFT_OP_NOTHING)
		return true;             /* it only ends */
	if (command->op == WEFT_OP_COPY) /* the product cannot wrap: memory of that size exists */
		return region[0] * region[1] * region[2] <= SHORT_BYTES;
	return command->op == WEFT_OP_FILL && command->fill.size <= SHORT_BYTES;
}

/* What is not worth a job: one work-group, or a short transfer. False when it is no such command.
 */
static bool run_whole(struct runner *runner, const struct weft_command *command,
		      enum weft_status *status)
{
	struct weft_work work;

	if (command->op == WEFT_OP_COPY && run_is_short(command)) {
		weft_transfer_copy(&command->copy, 0, weft_transfer_copy_blocks(&command->copy));
		return true;
	}
	if (command->op == WEFT_OP_FILL && run_is_short(command)) {
		weft_transfer_fill(&command->fill, 0, weft_transfer_fill_blocks(&command->fill));
		return true;
	}
	const uint64_t *groups = command->launch.range.num_groups;
	if (command->op != WEFT_OP_NDRANGE || (groups[0] | groups[1] | groups[2]) > 1)
		return false;
	*status = weft_work_start(&work, &command->launch);
	if (*status != WEFT_OK)
		return true;
	*status = weft_work_prepare(&work, &runner->arena);
	uint64_t start = run_seems_short(runner->pool, command) ? 0 : now();
	if (*status == WEFT_OK && work.num_groups > 0)
		weft_work_run(&work, &runner->arena, 0, work.num_groups);
	if (start)
		note_time(runner->pool, command, now() - start);
	weft_work_finish(&work);
	weft_arena_trim(&runner->arena);
	return true;
}

void run_command(struct runner *runner, struct weft_command *command)
{
	enum weft_status status = (enum weft_status)(uintptr_t)command->private_data;

	if (status != WEFT_OK) {
		end_command(runner, command, status);
		return;
	}
	runner->pool->host->running(command);
	enter(runner, command);
	switch (command->op) {
	case WEFT_OP_NOTHING:
		break;
	case WEFT_OP_COPY:
	case WEFT_OP_FILL:
	case WEFT_OP_NDRANGE:
		if (run_whole(runner, command, &status))
			break;
		run_in_parts(runner, command);
		return;
	case WEFT_OP_NATIVE:
		command->native.function(command->native.args);
		break;
	default:
		weft_log(WEFT_LOG_ERROR, "device", "unknown operation %d", (int)command->op);
		status = WEFT_INTERNAL;
	}
	leave(runner);
	end_command(runner, command, status);
}
