/* SPDX-License-Identifier: MIT
 *
 * Schedulers: permits, ready commands, slots; opened, closed and reset. See scheduler.h for the invariants.
 */
#include "scheduler.h"

#include "alloc.h"
#include "command/command.h"
#include "futex.h"
#include "runner.h"
#include "split_command.h"

#include <string.h>

/* Deferred commands at a time. */
#define MOST_DEFERRED 16

/* ---- permits --------------------------------------------------------------------------------- */

static uint32_t count_left(_Atomic int32_t *taken, uint32_t limit)
{
	const uint32_t count = (uint32_t)atomic_load(taken);

	return count < limit ? limit - count : 0;
}

static uint32_t free_permits(struct scheduler *scheduler)
{
	const uint32_t own = count_left(&scheduler->num_active, atomic_load(&scheduler->units));
	const uint32_t common = count_left(&scheduler->pool->num_active, scheduler->pool->limit);

	return own < common ? own : common;
}

bool scheduler_has_permit(struct scheduler *scheduler)
{
	return free_permits(scheduler) > 0;
}

static bool raise_below(_Atomic int32_t *count, uint32_t limit)
{
	int32_t value = atomic_load(count);

	do {
		if ((uint32_t)value >= limit)
			return false;
	} while (!atomic_compare_exchange_weak(count, &value, value + 1));
	return true;
}

static void lower_active(struct scheduler *scheduler)
{
	if (atomic_fetch_sub(&scheduler->num_active, 1) == 1 && atomic_load(&scheduler->units) == 0)
		weft_futex_wake_all(&scheduler->num_active);
}

void scheduler_wake_all(struct worker_pool *pool)
{
	for (struct scheduler *scheduler = scheduler_next(pool, NULL); scheduler;
	     scheduler = scheduler_next(pool, scheduler)) {
		if (scheduler_has_work(scheduler))
			(void)scheduler_wake(scheduler, 1);
	}
}

void scheduler_release_permit(struct scheduler *scheduler)
{
	struct worker_pool *pool = scheduler->pool;

	lower_active(scheduler);
	atomic_fetch_sub(&pool->num_active, 1);
	scheduler_wake_all(pool);
}

bool scheduler_acquire_permit(struct scheduler *scheduler, uint32_t unit)
{
	struct worker_pool *pool = scheduler->pool;

	if (!raise_below(&pool->num_active, pool->limit))
		return false;
	if (!raise_below(&scheduler->num_active, atomic_load(&scheduler->units))) {
		atomic_fetch_sub(&pool->num_active, 1);
		scheduler_wake_all(pool);
		return false;
	}
	/* the scheduler may have been closed since the caller looked at it, and opened for other units */
	struct unit_range units = scheduler_units(scheduler);
	if (units.count > 0 && (unit == NO_UNIT || unit_range_has(units, unit)))
		return true;
	scheduler_release_permit(scheduler);
	return false;
}

/* ---- what is ready --------------------------------------------------------------------------- */

static bool slots_have_commands(struct scheduler *scheduler)
{
	struct unit_range units = scheduler_units(scheduler);
	const struct runner_slot *helpers = scheduler->slots + scheduler->pool->limit;

	for (uint32_t i = units.first; i < units.first + units.count; i++) {
		if (!weft_deque_is_empty(&scheduler->slots[i].deque))
			return true;
	}
	for (uint32_t i = 0; i < atomic_load(&scheduler->used_helper_slots); i++) {
		if (!weft_deque_is_empty(&helpers[i].deque))
			return true;
	}
	return false;
}

bool scheduler_queues_are_empty(struct scheduler *scheduler)
{
	for (uint32_t i = 0; i < scheduler->pool->num_cache_groups; i++) {
		if (!weft_mpsc_queue_is_empty(&scheduler->queues[i]))
			return false;
	}
	return true;
}

bool scheduler_has_better_work(struct scheduler *scheduler, enum weft_priority priority)
{
	if (priority == WEFT_PRIORITY_HIGH)
		return false;
	return !weft_mpsc_queue_is_empty(&scheduler->urgent) ||
	       atomic_load(&scheduler->num_urgent_splits) > 0 ||
	       (priority == WEFT_PRIORITY_LOW && !scheduler_queues_are_empty(scheduler));
}

static bool has_common_work(struct scheduler *scheduler)
{
	return !scheduler_queues_are_empty(scheduler) || atomic_load(&scheduler->num_splits) > 0 ||
	       !weft_mpsc_queue_is_empty(&scheduler->urgent) ||
	       !weft_mpsc_queue_is_empty(&scheduler->low) || slots_have_commands(scheduler);
}

bool scheduler_has_helper_work(struct scheduler *scheduler)
{
	return !weft_mpsc_queue_is_empty(&scheduler->deferred) || has_common_work(scheduler);
}

bool scheduler_has_work(struct scheduler *scheduler)
{
	return has_common_work(scheduler) || !weft_mpsc_queue_is_empty(&scheduler->blocking);
}

bool scheduler_has_sleeper(struct scheduler *scheduler)
{
	return unit_mask_count(&scheduler->pool->sleeping, scheduler_units(scheduler)) > 0;
}

uint32_t scheduler_count_looking(struct scheduler *scheduler)
{
	return (uint32_t)atomic_load_explicit(&scheduler->num_looking, memory_order_relaxed) +
	       worker_pool_count_spinning(scheduler->pool, scheduler_units(scheduler));
}

/* The unit of the calling worker, or one near a thread of the application. */
static uint32_t unit_here(const struct scheduler *scheduler)
{
	const struct runner *runner = runner_self();

	return runner && runner->pool == scheduler->pool && runner->unit != NO_UNIT
		       ? runner->unit
		       : worker_pool_unit_here(scheduler->pool);
}

static struct weft_mpsc_queue *queue_here(struct scheduler *scheduler)
{
	uint32_t unit = scheduler->pool->num_cache_groups > 1 ? unit_here(scheduler) : NO_UNIT;

	return &scheduler->queues[unit == NO_UNIT ? 0 : scheduler->pool->workers[unit].cache_group];
}

/* Native functions have no priority. */
static struct weft_mpsc_queue *queue_for(struct scheduler *scheduler,
					 const struct weft_command *command)
{
	if (weft_command_may_block(command))
		return &scheduler->blocking;
	if (command->priority == WEFT_PRIORITY_HIGH)
		return &scheduler->urgent;
	return command->priority == WEFT_PRIORITY_LOW ? &scheduler->low : queue_here(scheduler);
}

void scheduler_push(struct scheduler *scheduler, struct weft_command *command)
{
	weft_mpsc_queue_push(queue_for(scheduler, command), &command->link);
}

struct weft_command *scheduler_take_one(struct weft_mpsc_queue *queue)
{
	struct weft_list taken;

	if (weft_mpsc_queue_is_empty(queue))
		return NULL;
	weft_list_init(&taken);
	(void)weft_mpsc_queue_take(queue, 1, 1, &taken);
	struct weft_list *link = weft_list_pop(&taken);
	return link ? WEFT_CONTAINER_OF(link, struct weft_command, link) : NULL;
}

uint32_t scheduler_take(struct scheduler *scheduler, uint32_t cache_group, uint32_t most,
			struct weft_list *taken)
{
	const uint32_t groups = scheduler->pool->num_cache_groups;
	const uint32_t part = 2 * scheduler->pool->limit;
	uint32_t count = 0;

	for (uint32_t i = 0; i < groups && count == 0; i++)
		count = weft_mpsc_queue_take(&scheduler->queues[(cache_group + i) % groups], part,
					     most, taken);
	return count;
}

bool scheduler_push_deferred(struct scheduler *scheduler, struct weft_command *command)
{
	if (atomic_load_explicit(&scheduler->num_deferred, memory_order_relaxed) >= MOST_DEFERRED)
		return false;
	weft_mpsc_queue_push(&scheduler->deferred, &command->link);
	atomic_fetch_add(&scheduler->num_deferred, 1);
	return true;
}

/* A command is counted after it was added: a thread that resets the count finds the command. A thread that flushes after
 * it has added a command finds the count, unless another thread has reset it and publishes the command. */
uint32_t scheduler_publish_deferred(struct scheduler *scheduler)
{
	struct weft_list taken;

	if (atomic_load(&scheduler->num_deferred) == 0)
		return 0;
	atomic_store(&scheduler->num_deferred, 0);
	weft_list_init(&taken);
	uint32_t count = weft_mpsc_queue_take(&scheduler->deferred, 1, UINT32_MAX, &taken);
	for (uint32_t i = 0; i < count; i++)
		weft_mpsc_queue_push(queue_here(scheduler), weft_list_pop(&taken));
	return count;
}

bool scheduler_wake(struct scheduler *scheduler, uint32_t most)
{
	const uint32_t permits = free_permits(scheduler);

	/* the runner that releases a permit looks for work afterwards */
	return permits == 0 || worker_pool_wake(scheduler->pool, scheduler_units(scheduler), most,
						permits, unit_here(scheduler));
}

static struct weft_command *steal_from(struct runner_slot *slot)
{
	return weft_deque_is_empty(&slot->deque) ? NULL : weft_deque_steal(&slot->deque);
}

/* From the slots of the range, beginning after the caller's own. */
static struct weft_command *steal_among(struct scheduler *scheduler, struct unit_range units,
					uint32_t own)
{
	struct weft_command *command = NULL;
	uint32_t start = unit_range_has(units, own) ? own - units.first : 0;

	for (uint32_t i = 0; i < units.count && !command; i++)
		command =
			steal_from(&scheduler->slots[units.first + (start + 1 + i) % units.count]);
	return command;
}

struct weft_command *scheduler_steal(struct scheduler *scheduler, uint32_t own_slot)
{
	struct unit_range units = scheduler_units(scheduler);
	struct runner_slot *helpers = scheduler->slots + scheduler->pool->limit;
	struct weft_command *command = NULL;

	if (own_slot < scheduler->pool->limit) {
		struct unit_range near = scheduler->pool->workers[own_slot].near;

		if (near.count < units.count)
			command = steal_among(scheduler, unit_range_both(units, near), own_slot);
	}
	if (!command)
		command = steal_among(scheduler, units, own_slot);
	for (uint32_t i = 0; i < atomic_load(&scheduler->used_helper_slots) && !command; i++)
		command = steal_from(&helpers[i]);
	return command;
}

/* ---- slots ----------------------------------------------------------------------------------- */

uint32_t scheduler_take_slot(struct scheduler *scheduler)
{
	const uint32_t limit = scheduler->pool->limit;
	uint32_t number =
		unit_mask_claim(&scheduler->free_helper_slots, (struct unit_range){0, limit});
	uint32_t used = atomic_load(&scheduler->used_helper_slots);

	if (number == NO_UNIT)
		return NO_UNIT;
	while (number >= used &&
	       !atomic_compare_exchange_weak(&scheduler->used_helper_slots, &used, number + 1))
		;
	return limit + number;
}

void scheduler_return_slot(struct scheduler *scheduler, uint32_t number)
{
	unit_mask_add(&scheduler->free_helper_slots, number - scheduler->pool->limit);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* What a helper of the parent had taken from its slot is lost. */
static void reset_slot(struct runner_slot *slot, bool is_free)
{
	atomic_store(&slot->deque.top, 0);
	atomic_store(&slot->deque.bottom, 0);
	if (is_free)
		return;
	slot->arena = (struct weft_arena){0};
	slot->spare_split = NULL;
}

/* Nothing is ready, and no permit or slot is taken. */
static void reset_scheduler(struct scheduler *scheduler) WEFT_TSA(no_thread_safety_analysis)
{
	const uint32_t limit = scheduler->pool->limit;

	for (uint32_t i = 0; i < scheduler->pool->num_cache_groups; i++)
		weft_mpsc_queue_init(&scheduler->queues[i]);
	weft_mpsc_queue_init(&scheduler->deferred);
	weft_mpsc_queue_init(&scheduler->blocking);
	weft_mpsc_queue_init(&scheduler->urgent);
	weft_mpsc_queue_init(&scheduler->low);
	weft_mutex_init(&scheduler->split_lock, WEFT_RANK_WORKER);
	weft_list_init(&scheduler->splits);
	atomic_store(&scheduler->num_splits, 0);
	atomic_store(&scheduler->num_urgent_splits, 0);
	atomic_store(&scheduler->num_deferred, 0);
	atomic_store(&scheduler->num_active, 0);
	atomic_store(&scheduler->num_looking, 0);
	atomic_store(&scheduler->used_helper_slots, 0);
	for (uint32_t i = 0; i < limit; i++) {
		bool is_free = unit_mask_remove(&scheduler->free_helper_slots, i);

		reset_slot(&scheduler->slots[i], true);
		reset_slot(&scheduler->slots[limit + i], is_free);
		unit_mask_add(&scheduler->free_helper_slots, i);
	}
}

/* In the child of a fork, which has no worker yet: what the workers had belongs to the parent. */
static void restart(struct weft_fork_node *node)
{
	struct worker_pool *pool = WEFT_CONTAINER_OF(node, struct worker_pool, fork);

	worker_pool_reset(pool);
	for (struct scheduler *scheduler = scheduler_next(pool, NULL); scheduler;
	     scheduler = scheduler_next(pool, scheduler))
		reset_scheduler(scheduler);
}

static bool worker_has_work(struct worker_pool *pool, uint32_t unit)
{
	for (struct scheduler *scheduler = scheduler_next(pool, NULL); scheduler;
	     scheduler = scheduler_next(pool, scheduler)) {
		if (unit_range_has(scheduler_units(scheduler), unit) &&
		    scheduler_has_permit(scheduler) && scheduler_has_work(scheduler))
			return true;
	}
	return false;
}

static const struct worker_ops worker_ops = {runner_work, worker_has_work};

enum weft_status scheduler_open_workers(uint32_t limit, const cpu_set_t *cores,
					struct worker_pool **out)
{
	enum weft_status status = worker_pool_create(&worker_ops, limit, cores, out);

	if (status != WEFT_OK)
		return status;
	(*out)->fork.restart = restart;
	weft_fork_add(&(*out)->fork);
	return WEFT_OK;
}

static void free_scheduler(struct scheduler *scheduler)
{
	for (uint32_t i = 0; i < 2 * scheduler->pool->limit; i++) {
		weft_arena_destroy(&scheduler->slots[i].arena);
		weft_free(scheduler->slots[i].spare_split);
	}
	for (uint32_t i = 0; i < scheduler->pool->num_cache_groups; i++)
		weft_mpsc_queue_destroy(&scheduler->queues[i]);
	weft_free(scheduler->queues);
	weft_mpsc_queue_destroy(&scheduler->deferred);
	weft_mpsc_queue_destroy(&scheduler->blocking);
	weft_mpsc_queue_destroy(&scheduler->urgent);
	weft_mpsc_queue_destroy(&scheduler->low);
	weft_mutex_destroy(&scheduler->split_lock);
	weft_free(scheduler->slots);
	weft_free(scheduler);
}

void scheduler_close_workers(struct worker_pool *pool)
{
	if (!pool)
		return;
	weft_fork_remove(&pool->fork);
	worker_pool_stop(pool);
	struct scheduler *scheduler = atomic_load(&pool->schedulers);
	while (scheduler) {
		struct scheduler *older = scheduler->older;

		free_scheduler(scheduler);
		scheduler = older;
	}
	worker_pool_destroy(pool);
}

static struct scheduler *new_scheduler(struct worker_pool *pool)
{
	const size_t slots = 2 * (size_t)pool->limit * sizeof(struct runner_slot);
	struct scheduler *scheduler = weft_zalloc(sizeof(*scheduler));

	if (!scheduler)
		return NULL;
	scheduler->pool = pool;
	scheduler->slots = weft_alloc_aligned(_Alignof(struct runner_slot), slots);
	scheduler->queues = weft_calloc(pool->num_cache_groups, sizeof(*scheduler->queues));
	if (!scheduler->slots || !scheduler->queues) {
		weft_free(scheduler->slots);
		weft_free(scheduler->queues);
		weft_free(scheduler);
		return NULL;
	}
	memset(scheduler->slots, 0, slots);
	reset_scheduler(scheduler);
	return scheduler;
}

/* A closed scheduler, or a new one. */
static struct scheduler *find_scheduler(struct worker_pool *pool) WEFT_REQUIRES(&pool->lock)
{
	struct scheduler *scheduler = scheduler_next(pool, NULL);

	while (scheduler && scheduler->open)
		scheduler = scheduler_next(pool, scheduler);
	if (scheduler)
		return scheduler;
	scheduler = new_scheduler(pool);
	if (!scheduler)
		return NULL;
	scheduler->older = atomic_load(&pool->schedulers);
	atomic_store_explicit(&pool->schedulers, scheduler, memory_order_release);
	return scheduler;
}

enum weft_status scheduler_open(struct worker_pool *pool, struct unit_range units,
				const cpu_set_t *cores, struct scheduler **out)
{
	weft_mutex_lock(&pool->lock);
	struct scheduler *scheduler = find_scheduler(pool);
	if (scheduler)
		scheduler->open = true;
	weft_mutex_unlock(&pool->lock);
	if (!scheduler)
		return WEFT_OUT_OF_MEMORY;
	scheduler->open_count++;
	scheduler->pinned = cores != NULL;
	if (cores)
		scheduler->cores = *cores;
	atomic_store(&scheduler->first, units.first);
	atomic_store(&scheduler->units, units.count);
	*out = scheduler;
	return WEFT_OK;
}

void scheduler_close(struct scheduler *scheduler)
{
	int32_t active;

	if (!scheduler)
		return;
	atomic_store(&scheduler->units, 0);
	while ((active = atomic_load(&scheduler->num_active)) > 0)
		weft_futex_wait(&scheduler->num_active, active);
	weft_mutex_lock(&scheduler->pool->lock);
	scheduler->open = false;
	weft_mutex_unlock(&scheduler->pool->lock);
}
