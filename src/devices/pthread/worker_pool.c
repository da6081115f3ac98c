/* SPDX-License-Identifier: MIT
 *
 * Starting, waking and ending workers. See worker_pool.h for the invariant.
 */
#include "worker_pool.h"

#include "alloc.h"
#include "futex.h"
#include "machine/topology.h"
#include "stack.h"
#include "thread.h"

/* How long a worker spins before it sleeps, at least. It spins for LONGEST_SPIN_NS after a pause that was shorter than
 * that, and for half the time of before after a longer one. To wake a sleeping core takes ten microseconds and more, on a
 * virtual machine also from the thread that wakes it. */
#define LEAST_SPIN_NS 5000

#define WOKEN_BY 2 /* worker.woken: and the core, or NO_CORE */

/* ---- starting -------------------------------------------------------------------------------- */

static void *begin(void *argument)
{
	struct worker *worker = argument;

	if (worker->pool->bound) {
		cpu_set_t cores;

		weft_topology_cores(worker->pool->topology, worker->unit, 1, &cores);
		(void)sched_setaffinity(0, sizeof(cores), &cores);
	}
	atomic_store_explicit(&worker->core, sched_getcpu(), memory_order_relaxed);
	worker->pool->ops->work(worker);
	return NULL;
}

/* Starts up to `most` workers of the range. */
static void start(struct worker_pool *pool, struct unit_range range, uint32_t most)
{
	const uint32_t end = range.first + range.count;

	weft_mutex_lock(&pool->lock);
	for (uint32_t unit = range.first; unit < end && most > 0 && !worker_pool_is_closing(pool);
	     unit++) {
		if (unit_mask_count(&pool->started, (struct unit_range){unit, 1}) > 0)
			continue;
		struct worker *worker = &pool->workers[unit];
		if (!weft_thread_start_joinable("weft-worker", begin, worker, WEFT_STACK_BYTES,
						&worker->thread))
			break;
		unit_mask_add(&pool->started, unit);
		most--;
	}
	weft_mutex_unlock(&pool->lock);
}

void worker_pool_replace(struct worker_pool *pool, uint32_t unit)
{
	pthread_detach(pthread_self());
	atomic_fetch_add(&pool->num_replaced, 1);
	weft_mutex_lock(&pool->lock);
	unit_mask_remove(&pool->started, unit);
	weft_mutex_unlock(&pool->lock);
}

/* A thread that waits for the last one does not use the pool before the count is zero. */
void worker_pool_end_replaced(struct worker_pool *pool)
{
	if (atomic_fetch_sub(&pool->num_replaced, 1) == 1)
		weft_futex_wake_all(&pool->num_replaced);
}

/* ---- waking ---------------------------------------------------------------------------------- */

/* On the core `from`, or NO_CORE. */
static void wake(struct worker *worker, int from)
{
	atomic_store(&worker->woken, WOKEN_BY + from);
	weft_futex_wake_one(&worker->woken);
}

static bool is_on(const struct worker *worker, int core)
{
	return core != NO_CORE && atomic_load_explicit(&worker->core, memory_order_relaxed) == core;
}

/* Of the mask's units in the range, those whose worker is not on the core. */
static uint64_t word_elsewhere(struct worker_pool *pool, struct unit_mask *mask,
			       struct unit_range range, uint32_t index, int core)
{
	uint64_t word = unit_mask_word(mask, range, index);
	uint64_t elsewhere = word;

	for (; word; word &= word - 1) {
		if (is_on(&pool->workers[index * 64 + (uint32_t)__builtin_ctzll(word)], core))
			elsewhere &= ~(word & -word);
	}
	return elsewhere;
}

static uint32_t count_spinning(struct worker_pool *pool, struct unit_range range, int core)
{
	uint32_t count = 0;

	for (uint32_t i = range.first / 64; i < unit_range_words_end(range); i++)
		count += (uint32_t)__builtin_popcountll(
			word_elsewhere(pool, &pool->spinning, range, i, core));
	return count;
}

uint32_t worker_pool_count_spinning(struct worker_pool *pool, struct unit_range range)
{
	return count_spinning(pool, range, sched_getcpu());
}

static uint32_t claim_elsewhere(struct worker_pool *pool, struct unit_range range, int core)
{
	for (uint32_t i = range.first / 64; i < unit_range_words_end(range); i++) {
		uint64_t word = word_elsewhere(pool, &pool->sleeping, range, i, core);

		for (; word; word &= word - 1) {
			const uint32_t unit = i * 64 + (uint32_t)__builtin_ctzll(word);

			if (unit_mask_remove(&pool->sleeping, unit))
				return unit;
		}
	}
	return NO_UNIT;
}

/* On the calling thread's core the worker would only take turns with it: the system wakes a thread where it has slept, unless
 * another core is idle. */
static uint32_t claim_sleeper(struct worker_pool *pool, struct unit_range range, uint32_t near,
			      int core)
{
	uint32_t unit = NO_UNIT;

	if (near != NO_UNIT)
		unit = claim_elsewhere(pool, unit_range_both(range, pool->workers[near].near),
				       core);
	if (unit == NO_UNIT)
		unit = claim_elsewhere(pool, range, core);
	return unit != NO_UNIT ? unit : unit_mask_claim(&pool->sleeping, range);
}

bool worker_pool_wake(struct worker_pool *pool, struct unit_range range, uint32_t most,
		      uint32_t permits, uint32_t near)
{
	const uint32_t waking = unit_mask_count(&pool->waking, range);
	const int core = sched_getcpu();
	uint32_t spinning = count_spinning(pool, range, core);
	uint32_t unit;

	if (waking >= permits)
		return true;
	if (most > permits - waking)
		most = permits - waking;
	if (spinning >= most)
		return true;
	for (most -= spinning; most > 0; most--) {
		unit = claim_sleeper(pool, range, near, core);
		if (unit == NO_UNIT)
			break;
		unit_mask_add(&pool->waking, unit);
		wake(&pool->workers[unit], core);
	}
	uint32_t started = unit_mask_count(&pool->started, range);
	if (most == 0 || started == range.count)
		return true;
	start(pool, range, most);
	return started > 0 || unit_mask_count(&pool->started, range) > 0;
}

/* ---- idling ---------------------------------------------------------------------------------- */

/* Threads that wake workers read it of all that spin, so it is written only when it changes. */
static void note_core(struct worker *worker)
{
	const int core = sched_getcpu();

	if (!is_on(worker, core))
		atomic_store_explicit(&worker->core, core, memory_order_relaxed);
}

static bool spin(struct worker *worker)
{
	struct worker_pool *pool = worker->pool;
	struct spin_timer timer = {0};
	bool found;

	if (pool->limit == 1)
		return false;
	unit_mask_add(&pool->spinning, worker->unit);
	do {
		note_core(worker);
		found = pool->ops->has_work(pool, worker->unit);
	} while (!found && !spin_timer_expired(&timer, worker->spin));
	unit_mask_remove(&pool->spinning, worker->unit);
	return found;
}

/* A woken worker is on the core of the thread that woke it where the system has found no idle one. The two would take turns there,
 * and for as long as they run launch after launch. So the worker goes to another core. A set that another thread or process gives it
 * during that stays. */
static void leave_waker(struct worker *worker)
{
	const int core = atomic_load(&worker->woken) - WOKEN_BY;
	cpu_set_t allowed;

	if (worker->pool->bound || core < 0 || core != sched_getcpu() ||
	    sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return;
	cpu_set_t others = allowed;
	cpu_set_t set;
	CPU_CLR((size_t)core, &others);
	if (CPU_COUNT(&others) > 0 && sched_setaffinity(0, sizeof(others), &others) == 0 &&
	    sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_EQUAL(&set, &others))
		(void)sched_setaffinity(0, sizeof(allowed), &allowed);
}

void worker_idle(struct worker *worker)
{
	struct worker_pool *pool = worker->pool;
	const uint64_t start = weft_clock_now();

	if (spin(worker))
		return;
	atomic_store(&worker->woken, 0);
	unit_mask_add(&pool->sleeping, worker->unit);
	if (!pool->ops->has_work(pool, worker->unit) && !worker_pool_is_closing(pool)) {
		weft_futex_wait(&worker->woken, 0);
		leave_waker(worker);
		if (weft_clock_now() - start < LONGEST_SPIN_NS)
			worker->spin = LONGEST_SPIN_NS;
		else if (worker->spin >= 2 * LEAST_SPIN_NS)
			worker->spin /= 2;
	}
	if (!unit_mask_remove(&pool->sleeping,
			      worker->unit)) { /* the thread that did wakes this one */
		weft_futex_wait(&worker->woken, 0);
		unit_mask_remove(&pool->waking, worker->unit);
	}
}

/* ---- topology -------------------------------------------------------------------------------- */

enum weft_status worker_pool_read_topology(struct worker_pool *pool)
{
	enum weft_status status = WEFT_OK;

	weft_mutex_lock(&pool->lock);
	if (!pool->topology && (uint32_t)CPU_COUNT(&pool->cores) >= pool->limit) {
		pool->topology = weft_topology_read("", &pool->cores);
		if (!pool->topology)
			status = WEFT_OUT_OF_MEMORY;
	}
	weft_mutex_unlock(&pool->lock);
	return status;
}

/* Which workers are near each other is known of bound workers only. */
static void find_neighbours(struct worker_pool *pool, uint32_t *counts)
{
	uint32_t groups =
		weft_topology_split(pool->topology, WEFT_DOMAIN_L3, 0, pool->limit, counts);
	uint32_t first = 0;

	for (uint32_t i = 0; i < groups; i++) {
		for (uint32_t unit = first; unit < first + counts[i]; unit++) {
			pool->workers[unit].near = (struct unit_range){first, counts[i]};
			pool->workers[unit].cache_group = i;
		}
		first += counts[i];
	}
	pool->num_cache_groups = groups > 0 ? groups : 1;
}

static enum weft_status list_units_by_core(struct worker_pool *pool)
{
	if (pool->num_cache_groups == 1)
		return WEFT_OK;
	pool->units_by_core = weft_calloc(CPU_SETSIZE, sizeof(*pool->units_by_core));
	if (!pool->units_by_core)
		return WEFT_OUT_OF_MEMORY;
	for (uint32_t core = 0; core < CPU_SETSIZE; core++)
		pool->units_by_core[core] = NO_UNIT;
	for (uint32_t unit = 0; unit < pool->limit; unit++)
		pool->units_by_core[pool->topology->places[unit].core] = unit;
	return WEFT_OK;
}

uint32_t worker_pool_unit_here(const struct worker_pool *pool)
{
	int core = pool->num_cache_groups > 1 ? sched_getcpu() : -1;

	return core >= 0 && core < CPU_SETSIZE ? pool->units_by_core[core] : NO_UNIT;
}

enum weft_status worker_pool_bind(struct worker_pool *pool, bool spread)
{
	enum weft_status status = worker_pool_read_topology(pool);

	if (status != WEFT_OK)
		return status;
	if (!pool->topology)
		return WEFT_UNSUPPORTED;
	uint32_t *counts = weft_calloc(pool->limit, sizeof(*counts));
	if (!counts)
		return WEFT_OUT_OF_MEMORY;
	weft_topology_thin(pool->topology, pool->limit, spread);
	find_neighbours(pool, counts);
	weft_free(counts);
	pool->bound = true;
	return list_units_by_core(pool);
}

/* ---- life ------------------------------------------------------------------------------------ */

void worker_pool_reset(struct worker_pool *pool)
{
	weft_mutex_init(&pool->lock, WEFT_RANK_DEVICE);
	unit_mask_clear(&pool->started);
	unit_mask_clear(&pool->spinning);
	unit_mask_clear(&pool->sleeping);
	unit_mask_clear(&pool->waking);
	atomic_store(&pool->num_active, 0);
	atomic_store(&pool->num_replaced, 0);
	atomic_store(&pool->closing, false);
	for (uint32_t unit = 0; unit < pool->limit; unit++) {
		struct worker *worker = &pool->workers[unit];

		worker->pool = pool;
		worker->unit = unit;
		worker->spin = LONGEST_SPIN_NS;
		atomic_store(&worker->woken, 0);
		atomic_store(&worker->core, NO_CORE);
	}
}

enum weft_status worker_pool_create(const struct worker_ops *ops, uint32_t limit,
				    const cpu_set_t *cores, struct worker_pool **out)
{
	struct worker_pool *pool = weft_zalloc(sizeof(*pool));

	if (!pool)
		return WEFT_OUT_OF_MEMORY;
	pool->workers = weft_calloc(limit, sizeof(*pool->workers));
	if (!pool->workers) {
		weft_free(pool);
		return WEFT_OUT_OF_MEMORY;
	}
	for (uint32_t unit = 0; unit < limit; unit++)
		pool->workers[unit].near = (struct unit_range){0, limit};
	pool->ops = ops;
	pool->limit = limit;
	pool->num_cache_groups = 1;
	pool->cores = *cores;
	worker_pool_reset(pool);
	*out = pool;
	return WEFT_OK;
}

void worker_pool_stop(struct worker_pool *pool)
{
	int32_t num_replaced;

	weft_mutex_lock(&pool->lock); /* no thread starts a worker any more */
	atomic_store(&pool->closing, true);
	weft_mutex_unlock(&pool->lock);
	for (uint32_t unit = 0; unit < pool->limit; unit++)
		wake(&pool->workers[unit], NO_CORE);
	for (uint32_t unit = 0; unit < pool->limit; unit++) {
		if (unit_mask_remove(&pool->started, unit))
			pthread_join(pool->workers[unit].thread, NULL);
	}
	while ((num_replaced = atomic_load(&pool->num_replaced)) > 0)
		weft_futex_wait(&pool->num_replaced, num_replaced);
}

void worker_pool_destroy(struct worker_pool *pool)
{
	weft_mutex_destroy(&pool->lock);
	weft_free(pool->topology);
	weft_free(pool->units_by_core);
	weft_free(pool->workers);
	weft_free(pool);
}
