/* SPDX-License-Identifier: MIT
 *
 * The pool: taking work, sleeping and waking, starting and ending workers, lending the
 * application's threads. See pool.h for the invariants.
 */
#include "pool.h"

#include "alloc.h"
#include "futex.h"
#include "generation.h"
#include "log.h"
#include "thread_local.h"

#include <signal.h>
#include <unistd.h>

/* Pauses before an idle thread sleeps: some ten microseconds. */
#define SPINS 400
/* Commands of one chain that a runner follows before others get their turn. */
#define LONGEST_STREAK 64
/* Commands that wait at once for somebody to be woken for them. */
#define MOST_QUIET 4
#define WORKER_STACK_BYTES ((size_t)8 * 1024 * 1024)

static WEFT_THREAD_LOCAL struct runner *self;

struct runner *pool_self(void)
{
	return self;
}

static inline void pause_briefly(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

static void runner_init(struct runner *runner, struct pool *pool)
{
	*runner = (struct runner){.pool = pool, .generation = weft_generation()};
	weft_list_init(&runner->others);
}

/* The child of a fork has a new pool, which knows nothing of runners from before. */
static bool is_stale(const struct runner *runner)
{
	return runner->generation != weft_generation();
}

/* ---- waking ---------------------------------------------------------------------------------- */

static void *worker(void *argument);

/* Synchronous signals stay: they are a bug's, and belong to the thread that has it. */
static void block_signals(sigset_t *old)
{
	static const int synchronous[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
	sigset_t set;

	sigfillset(&set);
	for (size_t i = 0; i < sizeof(synchronous) / sizeof(synchronous[0]); i++)
		sigdelset(&set, synchronous[i]);
	pthread_sigmask(SIG_SETMASK, &set, old);
}

static bool create_thread(struct pool *pool, pthread_t *thread)
{
	pthread_attr_t attributes;
	sigset_t old;

	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setstacksize(&attributes, WORKER_STACK_BYTES);
	if (pool->pinned)
		pthread_attr_setaffinity_np(&attributes, sizeof(pool->cores), &pool->cores);
	block_signals(&old); /* the thread begins with this mask */
	int error = pthread_create(thread, &attributes, worker, pool);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attributes);
	if (error != 0)
		weft_log(WEFT_LOG_WARN, "device", "cannot start a worker: error %d", error);
	return error == 0;
}

/* Starts workers until there are `wanted`. False when there is none at all. */
static bool start_workers(struct pool *pool, uint32_t wanted)
{
	weft_mutex_lock(&pool->start_lock);
	uint32_t started = atomic_load(&pool->started);
	while (started < wanted && started < pool->limit &&
	       create_thread(pool, &pool->threads[started]))
		atomic_store(&pool->started, ++started);
	weft_mutex_unlock(&pool->start_lock);
	return started > 0;
}

/* Work was added: wakes sleepers for what the spinning workers cannot take, and starts workers that
 * are missing. `pending` was raised before. False when no worker can be had. */
static bool wake(struct pool *pool, uint32_t most)
{
	uint32_t pending = atomic_load(&pool->pending);
	int32_t spinners = atomic_load(&pool->spinners);
	int32_t sleepers = atomic_load(&pool->sleepers);
	uint32_t started = atomic_load(&pool->started);
	uint32_t idle =
		(uint32_t)(spinners > 0 ? spinners : 0) + (uint32_t)(sleepers > 0 ? sleepers : 0);

	if (sleepers > 0 && most > (uint32_t)(spinners > 0 ? spinners : 0)) {
		uint32_t count = most - (uint32_t)(spinners > 0 ? spinners : 0);
		atomic_fetch_add(&pool->epoch, 1);
		if (count >= (uint32_t)sleepers)
			weft_futex_wake_all(&pool->epoch);
		else
			while (count-- > 0)
				weft_futex_wake_one(&pool->epoch);
	}
	uint32_t demand = most > pending ? most : pending;
	if (started < pool->limit && demand > idle)
		return start_workers(pool, started + (demand - idle));
	return true;
}

/* ---- giving and taking ----------------------------------------------------------------------- */

void pool_add(struct pool *pool, struct weft_list *commands, uint32_t count)
{
	struct weft_list *link;

	weft_mutex_lock(&pool->lock);
	while ((link = weft_list_pop(commands)))
		weft_list_append(&pool->ready, link);
	atomic_fetch_add(&pool->pending, count);
	weft_mutex_unlock(&pool->lock);
	if (!wake(pool, count))
		pool_lend(pool, NULL); /* no threads to be had: this one does it */
}

bool pool_add_quietly(struct pool *pool, struct weft_command *command)
{
	if (atomic_load_explicit(&pool->unannounced, memory_order_relaxed) >= MOST_QUIET)
		return false;
	weft_mutex_lock(&pool->lock);
	weft_list_append(&pool->ready, &command->link);
	atomic_fetch_add(&pool->pending, 1);
	weft_mutex_unlock(&pool->lock);
	atomic_fetch_add(&pool->unannounced, 1);
	return true;
}

/* Counted after it was added: whoever takes the count finds the work, and a thread's own flush finds its count, unless
 * another thread has taken it and announced the work. */
void pool_announce(struct pool *pool)
{
	if (atomic_load(&pool->unannounced) == 0)
		return;
	uint32_t count = atomic_exchange(&pool->unannounced, 0);
	uint32_t pending = atomic_load(&pool->pending);
	if (count > 0 && pending > 0 && !wake(pool, pending))
		pool_lend(pool, NULL);
}

void pool_share(struct pool *pool, struct job *job, uint32_t helpers)
{
	weft_mutex_lock(&pool->lock);
	job->shared = true;
	weft_list_append(&pool->jobs, &job->link);
	atomic_fetch_add(&pool->pending, 1);
	weft_mutex_unlock(&pool->lock);
	(void)wake(pool, helpers); /* without any, the caller runs it alone */
}

/* Removes a job of which every part is claimed from those that can be joined. */
static void retire(struct pool *pool, struct job *job) WEFT_REQUIRES(&pool->lock)
{
	if (weft_list_empty(&job->link))
		return;
	weft_list_remove(&job->link);
	atomic_fetch_sub(&pool->pending, 1);
}

static bool is_claimed(struct job *job)
{
	return atomic_load_explicit(&job->next, memory_order_relaxed) >= job->total;
}

bool pool_leave(struct pool *pool, struct job *job)
{
	weft_mutex_lock(&pool->lock);
	bool claimed = is_claimed(job);
	bool ended = --job->participants == 0 && claimed;
	if (claimed)
		retire(pool, job);
	weft_mutex_unlock(&pool->lock);
	return ended;
}

static struct job *join_a_job(struct pool *pool) WEFT_REQUIRES(&pool->lock)
{
	struct weft_list *link = pool->jobs.next;

	while (link != &pool->jobs) {
		struct job *job = WEFT_CONTAINER_OF(link, struct job, link);
		link = link->next;
		if (!is_claimed(job)) {
			job->participants++;
			return job;
		}
		retire(pool, job);
	}
	return NULL;
}

static struct weft_command *take_a_command(struct pool *pool, const struct runner *runner)
	WEFT_REQUIRES(&pool->lock)
{
	if (weft_list_empty(&pool->ready))
		return NULL;
	struct weft_command *command =
		WEFT_CONTAINER_OF(pool->ready.next, struct weft_command, link);
	/* a native function may take any time; who waits leaves it to the workers */
	if (runner->awaited && command->op == WEFT_OP_NATIVE)
		return NULL;
	weft_list_remove(&command->link);
	atomic_fetch_sub(&pool->pending, 1);
	return command;
}

/* Takes something to do. False: nothing, and the runner is no longer busy. */
static bool take(struct runner *runner, struct weft_command **command, struct job **job)
{
	struct pool *pool = runner->pool;

	if (is_stale(runner))
		return false;
	*job = NULL;
	*command = NULL;
	weft_mutex_lock(&pool->lock);
	if (runner->busy || atomic_load(&pool->busy) < pool->limit) {
		*job = join_a_job(pool);
		if (!*job)
			*command = take_a_command(pool, runner);
	}
	bool found = *job || *command;
	if (found && !runner->busy)
		atomic_fetch_add(&pool->busy, 1);
	if (!found && runner->busy)
		atomic_fetch_sub(&pool->busy, 1);
	runner->busy = found;
	bool more = found && !weft_list_empty(&pool->ready);
	weft_mutex_unlock(&pool->lock);
	/* each of several additions may have counted on this one spinning thread */
	if (more)
		(void)wake(pool, 1);
	return found;
}

static bool has_work(struct pool *pool)
{
	return atomic_load(&pool->pending) > 0 && atomic_load(&pool->busy) < pool->limit;
}

/* ---- running --------------------------------------------------------------------------------- */

/* What became ready by the command that just ended: one for this runner, the rest for all. */
static struct weft_command *follow(struct runner *runner)
{
	struct pool *pool = runner->pool;
	struct weft_command *next = runner->next;
	bool others_wait = atomic_load_explicit(&pool->pending, memory_order_relaxed) > 0;

	runner->next = NULL;
	if (next && ((++runner->streak > LONGEST_STREAK && others_wait) ||
		     (runner->awaited && weft_wait_over(runner->awaited)))) {
		weft_list_append(&runner->others, &next->link);
		runner->num_others++;
		next = NULL;
	}
	if (runner->num_others > 0) {
		uint32_t count = runner->num_others;
		runner->num_others = 0;
		pool_add(pool, &runner->others, count);
	}
	if (!next)
		runner->streak = 0;
	return next;
}

void pool_hand_over(struct runner *runner)
{
	struct weft_command *next = runner->next;
	uint32_t count = runner->num_others + (next != NULL);

	runner->next = NULL;
	runner->num_others = 0;
	if (next)
		weft_list_append(&runner->others, &next->link);
	if (count > 0)
		pool_add(runner->pool, &runner->others, count);
}

/* Runs one thing and what follows from it. False when there is nothing to run. */
static bool run_one(struct runner *runner)
{
	struct weft_command *command;
	struct job *job;

	if (!take(runner, &command, &job))
		return false;
	if (job)
		run_job(runner, job);
	else
		run_command(runner, command);
	while ((command = follow(runner)))
		run_command(runner, command);
	return true;
}

/* Returns when there may be work, or the pool closes. */
static void idle(struct pool *pool)
{
	atomic_fetch_add(&pool->spinners, 1);
	for (int i = 0; pool->limit > 1 && i < SPINS && !has_work(pool); i++)
		pause_briefly();
	atomic_fetch_sub(&pool->spinners, 1);
	if (has_work(pool))
		return;
	int32_t epoch = atomic_load(&pool->epoch);
	atomic_fetch_add(&pool->sleepers, 1);
	if (!has_work(pool) && !atomic_load(&pool->closing))
		weft_futex_wait(&pool->epoch, epoch);
	atomic_fetch_sub(&pool->sleepers, 1);
}

static void runner_end(struct runner *runner)
{
	weft_arena_destroy(&runner->arena);
	weft_free(runner->spare);
}

static void *worker(void *argument)
{
	struct pool *pool = argument;
	struct runner runner;

	pthread_setname_np(pthread_self(), "weft-worker");
	runner_init(&runner, pool);
	self = &runner;
	while (!is_stale(&runner)) {
		if (run_one(&runner))
			continue;
		if (is_stale(&runner) || atomic_load(&pool->closing))
			break;
		idle(pool);
	}
	runner_end(&runner);
	return NULL;
}

/* ---- threads of the application -------------------------------------------------------------- */

static void borrow_arena(struct runner *runner)
{
	struct pool *pool = runner->pool;

	weft_mutex_lock(&pool->lock);
	runner->arena = pool->lent_arena;
	pool->lent_arena = (struct weft_arena){0};
	weft_mutex_unlock(&pool->lock);
}

/* Gives back the arena and the place among the busy ones. */
static void end_lending(struct runner *runner)
{
	struct pool *pool = runner->pool;

	if (!is_stale(runner)) {
		weft_mutex_lock(&pool->lock);
		if (runner->busy)
			atomic_fetch_sub(&pool->busy, 1);
		if (!pool->lent_arena.memory) {
			pool->lent_arena = runner->arena;
			runner->arena = (struct weft_arena){0};
		}
		weft_mutex_unlock(&pool->lock);
	}
	runner_end(runner);
	/* somebody may have gone to sleep because this thread had the last place */
	if (atomic_load(&pool->pending) > 0 && !wake(pool, 1) && runner->awaited)
		pool_lend(pool, NULL); /* nobody else will do it */
}

void pool_lend(struct pool *pool, const struct weft_wait *awaited)
{
	struct runner runner;
	struct runner *outer = self;
	int spins = 0;

	runner_init(&runner, pool);
	runner.awaited = awaited;
	borrow_arena(&runner);
	self = &runner;
	while (!(awaited && weft_wait_over(awaited))) {
		if (atomic_load(&pool->pending) > 0 && run_one(&runner)) {
			spins = 0;
			continue;
		}
		if (!awaited || ++spins > SPINS)
			break;
		pause_briefly();
	}
	self = outer;
	end_lending(&runner);
}

void pool_run_here(struct pool *pool, struct weft_command *command)
{
	struct runner runner;
	struct runner *outer = self;

	runner_init(&runner, pool);
	self = &runner;
	while (command) {
		run_command(&runner, command);
		command = runner.next;
		runner.next = NULL;
		if (command && !run_is_short(command)) {
			weft_list_append(&runner.others, &command->link);
			runner.num_others++;
			command = NULL;
		}
	}
	self = outer;
	if (runner.num_others > 0)
		pool_add(pool, &runner.others, runner.num_others);
	runner_end(&runner);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void reset(struct pool *pool) WEFT_TSA(no_thread_safety_analysis)
{
	weft_mutex_init(&pool->start_lock, WEFT_RANK_DEVICE);
	weft_mutex_init(&pool->lock, WEFT_RANK_WORKER);
	weft_list_init(&pool->ready);
	weft_list_init(&pool->jobs);
	pool->lent_arena = (struct weft_arena){0};
	atomic_store(&pool->started, 0);
	atomic_store(&pool->pending, 0);
	atomic_store(&pool->unannounced, 0);
	atomic_store(&pool->busy, 0);
	atomic_store(&pool->spinners, 0);
	atomic_store(&pool->sleepers, 0);
	atomic_store(&pool->epoch, 0);
	atomic_store(&pool->closing, false);
}

/* In the child of a fork: its workers are yet to come. What they had is the parent's (and lost
 * here: an arena may have been given away in the middle of the fork). */
static void restart(struct weft_fork_node *node)
{
	struct pool *pool = WEFT_CONTAINER_OF(node, struct pool, fork);

	reset(pool);
}

enum weft_status pool_init(struct pool *pool, const struct weft_host *host, uint32_t limit,
			   const cpu_set_t *cores)
{
	pool->host = host;
	pool->limit = limit;
	pool->pinned = cores != NULL;
	if (cores)
		pool->cores = *cores;
	reset(pool);
	pool->threads = weft_calloc(limit, sizeof(*pool->threads));
	if (!pool->threads)
		return WEFT_OUT_OF_MEMORY;
	pool->fork.restart = restart;
	weft_fork_add(&pool->fork);
	return WEFT_OK;
}

void pool_destroy(struct pool *pool) WEFT_TSA(no_thread_safety_analysis)
{
	atomic_store(&pool->closing, true);
	atomic_fetch_add(&pool->epoch, 1);
	weft_futex_wake_all(&pool->epoch);
	if (pool->threads) {
		weft_fork_remove(&pool->fork);
		for (uint32_t i = 0; i < atomic_load(&pool->started); i++)
			pthread_join(pool->threads[i], NULL);
	}
	weft_arena_destroy(&pool->lent_arena);
	weft_free(pool->threads);
	weft_mutex_destroy(&pool->lock);
	weft_mutex_destroy(&pool->start_lock);
}
