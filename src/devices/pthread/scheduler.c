/* SPDX-License-Identifier: MIT
 *
 * Pools: opened, closed and started anew, their places, and what is ready in them. See pool.h for the invariants.
 */
#include "scheduler.h"

#include "alloc.h"
#include "futex.h"
#include "split_command.h"
#include "runner.h"

#include <string.h>

/* Commands that wait at once for somebody to be woken for them. */
#define MOST_QUIET 16

/* ---- places ---------------------------------------------------------------------------------- */

static bool is_full(struct pool *pool)
{
	return (uint32_t)atomic_load(&pool->busy) >= atomic_load(&pool->units);
}

bool pool_has_place(struct pool *pool)
{
	return !is_full(pool) && atomic_load(&pool->crew->busy) < pool->crew->limit;
}

static bool raise_below(_Atomic uint32_t *count, uint32_t limit)
{
	uint32_t value = atomic_load(count);

	do {
		if (value >= limit)
			return false;
	} while (!atomic_compare_exchange_weak(count, &value, value + 1));
	return true;
}

static bool raise_busy(struct pool *pool)
{
	int32_t value = atomic_load(&pool->busy);

	do {
		if ((uint32_t)value >= atomic_load(&pool->units))
			return false;
	} while (!atomic_compare_exchange_weak(&pool->busy, &value, value + 1));
	return true;
}

static void lower_busy(struct pool *pool)
{
	if (atomic_fetch_sub(&pool->busy, 1) == 1 && atomic_load(&pool->units) == 0)
		weft_futex_wake_all(&pool->busy);
}

void pool_wake_for_all(struct crew *crew)
{
	for (struct pool *pool = pool_next(crew, NULL); pool; pool = pool_next(crew, pool)) {
		if (pool_has_work(pool))
			(void)pool_wake(pool, 1);
	}
}

void pool_leave(struct pool *pool)
{
	struct crew *crew = pool->crew;

	lower_busy(pool);
	atomic_fetch_sub(&crew->busy, 1);
	pool_wake_for_all(crew);
}

bool pool_enter(struct pool *pool, uint32_t unit)
{
	struct crew *crew = pool->crew;

	if (!raise_below(&crew->busy, crew->limit))
		return false;
	if (!raise_busy(pool)) {
		atomic_fetch_sub(&crew->busy, 1);
		pool_wake_for_all(crew);
		return false;
	}
	/* the pool may have been closed, and opened for others, since it was looked at */
	struct unit_range units = pool_units(pool);
	if (units.count > 0 && (unit == NO_UNIT || unit_range_has(units, unit)))
		return true;
	pool_leave(pool);
	return false;
}

/* ---- what is ready --------------------------------------------------------------------------- */

static bool seats_have_commands(struct pool *pool)
{
	struct unit_range units = pool_units(pool);
	const struct seat *guests = pool->seats + pool->crew->limit;

	for (uint32_t i = units.first; i < units.first + units.count; i++) {
		if (!weft_deque_is_empty(&pool->seats[i].deque))
			return true;
	}
	for (uint32_t i = 0; i < atomic_load(&pool->guests); i++) {
		if (!weft_deque_is_empty(&guests[i].deque))
			return true;
	}
	return false;
}

bool pool_inboxes_are_empty(struct pool *pool)
{
	for (uint32_t i = 0; i < pool->crew->groups; i++) {
		if (!weft_mpsc_queue_is_empty(&pool->inboxes[i]))
			return false;
	}
	return true;
}

static bool has_common_work(struct pool *pool)
{
	return !pool_inboxes_are_empty(pool) || atomic_load(&pool->num_jobs) > 0 ||
	       seats_have_commands(pool);
}

bool pool_has_guest_work(struct pool *pool)
{
	return !weft_mpsc_queue_is_empty(&pool->quiet) || has_common_work(pool);
}

bool pool_has_work(struct pool *pool)
{
	return has_common_work(pool) || !weft_mpsc_queue_is_empty(&pool->natives);
}

bool pool_has_sleeper(struct pool *pool)
{
	return unit_set_count(&pool->crew->sleeping, pool_units(pool)) > 0;
}

/* The worker's unit, or one near to a thread of the application. */
static uint32_t unit_here(const struct pool *pool)
{
	const struct runner *runner = runner_self();

	return runner && runner->crew == pool->crew && runner->unit != NO_UNIT
		       ? runner->unit
		       : crew_unit_here(pool->crew);
}

static struct weft_mpsc_queue *inbox_here(struct pool *pool)
{
	uint32_t unit = pool->crew->groups > 1 ? unit_here(pool) : NO_UNIT;

	return &pool->inboxes[unit == NO_UNIT ? 0 : pool->crew->workers[unit].group];
}

void pool_put(struct pool *pool, struct weft_command *command)
{
	weft_mpsc_queue_push(command->op == WEFT_OP_NATIVE ? &pool->natives : inbox_here(pool),
			     &command->link);
}

uint32_t pool_take(struct pool *pool, uint32_t group, uint32_t most, struct weft_list *taken)
{
	const uint32_t groups = pool->crew->groups;
	const uint32_t part = 2 * pool->crew->limit;
	uint32_t count = 0;

	for (uint32_t i = 0; i < groups && count == 0; i++)
		count = weft_mpsc_queue_take(&pool->inboxes[(group + i) % groups], part, most,
					     taken);
	return count;
}

bool pool_put_quietly(struct pool *pool, struct weft_command *command)
{
	if (atomic_load_explicit(&pool->num_quiet, memory_order_relaxed) >= MOST_QUIET)
		return false;
	weft_mpsc_queue_push(&pool->quiet, &command->link);
	atomic_fetch_add(&pool->num_quiet, 1);
	return true;
}

/* Counted after it was added: whoever takes the count finds the work, and a thread's own flush finds its count, unless
 * another thread has taken it and announced the work. */
uint32_t pool_announce(struct pool *pool)
{
	struct weft_list taken;

	if (atomic_load(&pool->num_quiet) == 0)
		return 0;
	atomic_store(&pool->num_quiet, 0);
	weft_list_init(&taken);
	uint32_t count = weft_mpsc_queue_take(&pool->quiet, 1, UINT32_MAX, &taken);
	for (uint32_t i = 0; i < count; i++)
		weft_mpsc_queue_push(inbox_here(pool), weft_list_pop(&taken));
	return count;
}

bool pool_wake(struct pool *pool, uint32_t most)
{
	/* who leaves a place looks for work afterwards */
	return !pool_has_place(pool) ||
	       crew_wake(pool->crew, pool_units(pool), most, unit_here(pool));
}

static struct weft_command *steal_from(struct seat *seat)
{
	return weft_deque_is_empty(&seat->deque) ? NULL : weft_deque_steal(&seat->deque);
}

/* From the units of the range, beginning after the own one. */
static struct weft_command *steal_among(struct pool *pool, struct unit_range units, uint32_t own)
{
	struct weft_command *command = NULL;
	uint32_t start = unit_range_has(units, own) ? own - units.first : 0;

	for (uint32_t i = 0; i < units.count && !command; i++)
		command = steal_from(&pool->seats[units.first + (start + 1 + i) % units.count]);
	return command;
}

struct weft_command *pool_steal(struct pool *pool, uint32_t own_seat)
{
	struct unit_range units = pool_units(pool);
	struct seat *guests = pool->seats + pool->crew->limit;
	struct weft_command *command = NULL;

	if (own_seat < pool->crew->limit) {
		struct unit_range near = pool->crew->workers[own_seat].near;

		if (near.count < units.count)
			command = steal_among(pool, unit_range_both(units, near), own_seat);
	}
	if (!command)
		command = steal_among(pool, units, own_seat);
	for (uint32_t i = 0; i < atomic_load(&pool->guests) && !command; i++)
		command = steal_from(&guests[i]);
	return command;
}

/* ---- seats ----------------------------------------------------------------------------------- */

uint32_t pool_take_seat(struct pool *pool)
{
	const uint32_t limit = pool->crew->limit;
	uint32_t number = unit_set_claim(&pool->free_guests, (struct unit_range){0, limit});
	uint32_t guests = atomic_load(&pool->guests);

	if (number == NO_UNIT)
		return NO_UNIT;
	while (number >= guests &&
	       !atomic_compare_exchange_weak(&pool->guests, &guests, number + 1))
		;
	return limit + number;
}

void pool_leave_seat(struct pool *pool, uint32_t number)
{
	unit_set_add(&pool->free_guests, number - pool->crew->limit);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* What a guest had at hand is lost if it was on its way to or from the seat. */
static void reset_seat(struct seat *seat, bool at_rest)
{
	atomic_store(&seat->deque.top, 0);
	atomic_store(&seat->deque.bottom, 0);
	if (at_rest)
		return;
	seat->arena = (struct weft_arena){0};
	seat->spare = NULL;
}

/* Empty, with nobody in it. */
static void reset_pool(struct pool *pool) WEFT_TSA(no_thread_safety_analysis)
{
	const uint32_t limit = pool->crew->limit;

	for (uint32_t i = 0; i < pool->crew->groups; i++)
		weft_mpsc_queue_init(&pool->inboxes[i]);
	weft_mpsc_queue_init(&pool->quiet);
	weft_mpsc_queue_init(&pool->natives);
	weft_mutex_init(&pool->job_lock, WEFT_RANK_WORKER);
	weft_list_init(&pool->jobs);
	atomic_store(&pool->num_jobs, 0);
	atomic_store(&pool->num_quiet, 0);
	atomic_store(&pool->busy, 0);
	atomic_store(&pool->guests, 0);
	for (uint32_t i = 0; i < limit; i++) {
		bool at_rest = unit_set_remove(&pool->free_guests, i);

		reset_seat(&pool->seats[i], true);
		reset_seat(&pool->seats[limit + i], at_rest);
		unit_set_add(&pool->free_guests, i);
	}
}

/* In the child of a fork: its workers are yet to come. What they had is the parent's. */
static void restart(struct weft_fork_node *node)
{
	struct crew *crew = WEFT_CONTAINER_OF(node, struct crew, fork);

	crew_reset(crew);
	for (struct pool *pool = pool_next(crew, NULL); pool; pool = pool_next(crew, pool))
		reset_pool(pool);
}

static bool crew_has_work(struct crew *crew, uint32_t unit)
{
	for (struct pool *pool = pool_next(crew, NULL); pool; pool = pool_next(crew, pool)) {
		if (unit_range_has(pool_units(pool), unit) && pool_has_place(pool) &&
		    pool_has_work(pool))
			return true;
	}
	return false;
}

static const struct crew_ops crew_ops = {runner_work, crew_has_work};

enum weft_status pool_open_crew(uint32_t limit, const cpu_set_t *cores, struct crew **out)
{
	enum weft_status status = crew_create(&crew_ops, limit, cores, out);

	if (status != WEFT_OK)
		return status;
	(*out)->fork.restart = restart;
	weft_fork_add(&(*out)->fork);
	return WEFT_OK;
}

static void free_pool(struct pool *pool)
{
	for (uint32_t i = 0; i < 2 * pool->crew->limit; i++) {
		weft_arena_destroy(&pool->seats[i].arena);
		weft_free(pool->seats[i].spare);
	}
	for (uint32_t i = 0; i < pool->crew->groups; i++)
		weft_mpsc_queue_destroy(&pool->inboxes[i]);
	weft_free(pool->inboxes);
	weft_mpsc_queue_destroy(&pool->quiet);
	weft_mpsc_queue_destroy(&pool->natives);
	weft_mutex_destroy(&pool->job_lock);
	weft_free(pool->seats);
	weft_free(pool);
}

void pool_close_crew(struct crew *crew)
{
	if (!crew)
		return;
	weft_fork_remove(&crew->fork);
	crew_stop(crew);
	struct pool *pool = atomic_load(&crew->pools);
	while (pool) {
		struct pool *older = pool->older;

		free_pool(pool);
		pool = older;
	}
	crew_destroy(crew);
}

static struct pool *new_pool(struct crew *crew)
{
	const size_t seats = 2 * (size_t)crew->limit * sizeof(struct seat);
	struct pool *pool = weft_zalloc(sizeof(*pool));

	if (!pool)
		return NULL;
	pool->crew = crew;
	pool->seats = weft_alloc_aligned(_Alignof(struct seat), seats);
	pool->inboxes = weft_calloc(crew->groups, sizeof(*pool->inboxes));
	if (!pool->seats || !pool->inboxes) {
		weft_free(pool->seats);
		weft_free(pool->inboxes);
		weft_free(pool);
		return NULL;
	}
	memset(pool->seats, 0, seats);
	reset_pool(pool);
	return pool;
}

/* One that is closed, or a new one. */
static struct pool *find_pool(struct crew *crew) WEFT_REQUIRES(&crew->lock)
{
	struct pool *pool = pool_next(crew, NULL);

	while (pool && pool->open)
		pool = pool_next(crew, pool);
	if (pool)
		return pool;
	pool = new_pool(crew);
	if (!pool)
		return NULL;
	pool->older = atomic_load(&crew->pools);
	atomic_store_explicit(&crew->pools, pool, memory_order_release);
	return pool;
}

enum weft_status pool_open(struct crew *crew, struct unit_range units, const cpu_set_t *cores,
			   struct pool **out)
{
	weft_mutex_lock(&crew->lock);
	struct pool *pool = find_pool(crew);
	if (pool)
		pool->open = true;
	weft_mutex_unlock(&crew->lock);
	if (!pool)
		return WEFT_OUT_OF_MEMORY;
	pool->opening++;
	pool->pinned = cores != NULL;
	if (cores)
		pool->cores = *cores;
	atomic_store(&pool->first, units.first);
	atomic_store(&pool->units, units.count);
	*out = pool;
	return WEFT_OK;
}

void pool_close(struct pool *pool)
{
	int32_t busy;

	if (!pool)
		return;
	atomic_store(&pool->units, 0);
	while ((busy = atomic_load(&pool->busy)) > 0)
		weft_futex_wait(&pool->busy, busy);
	weft_mutex_lock(&pool->crew->lock);
	pool->open = false;
	weft_mutex_unlock(&pool->crew->lock);
}
