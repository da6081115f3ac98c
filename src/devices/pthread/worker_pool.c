/* SPDX-License-Identifier: MIT
 *
 * Starting, waking and ending workers. See crew.h for the invariant.
 */
#include "worker_pool.h"

#include "alloc.h"
#include "clock.h"
#include "futex.h"
#include "log.h"
#include "stack.h"
#include "topology.h"

#include <signal.h>

/* How long a worker looks for work before it sleeps: the longest time after it has had nothing to do for less than that,
 * half as long as before after it has had nothing to do for longer. To wake a core that sleeps takes ten microseconds
 * and more, on a virtual machine from the thread that wakes it, too. */
#define LEAST_SPIN_NS 5000

/* ---- starting -------------------------------------------------------------------------------- */

static void *begin(void *argument)
{
	struct worker *worker = argument;

	pthread_setname_np(pthread_self(), "weft-worker");
	worker->crew->ops->work(worker);
	return NULL;
}

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

static bool create_thread(struct worker *worker)
{
	pthread_attr_t attributes;
	sigset_t old;
	cpu_set_t cores;

	if (worker->crew->bound)
		weft_topology_cores(worker->crew->topology, worker->unit, 1, &cores);
	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setstacksize(&attributes, WEFT_STACK_BYTES);
	if (worker->crew->bound)
		pthread_attr_setaffinity_np(&attributes, sizeof(cores), &cores);
	block_signals(&old); /* the thread begins with this mask */
	int error = pthread_create(&worker->thread, &attributes, begin, worker);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attributes);
	if (error != 0)
		weft_log(WEFT_LOG_WARN, "device", "cannot start a worker: error %d", error);
	return error == 0;
}

/* Starts up to `most` of the range's workers that have not been. */
static void start(struct crew *crew, struct unit_range range, uint32_t most)
{
	const uint32_t end = range.first + range.count;

	weft_mutex_lock(&crew->lock);
	for (uint32_t unit = range.first; unit < end && most > 0 && !crew_is_closing(crew);
	     unit++) {
		if (unit_set_count(&crew->started, (struct unit_range){unit, 1}) > 0)
			continue;
		if (!create_thread(&crew->workers[unit]))
			break;
		unit_set_add(&crew->started, unit);
		most--;
	}
	weft_mutex_unlock(&crew->lock);
}

void crew_replace(struct crew *crew, uint32_t unit)
{
	pthread_detach(pthread_self());
	atomic_fetch_add(&crew->strays, 1);
	weft_mutex_lock(&crew->lock);
	unit_set_remove(&crew->started, unit);
	weft_mutex_unlock(&crew->lock);
}

/* Nobody who waits for the last one looks at the crew before the count is zero. */
void crew_end_stray(struct crew *crew)
{
	if (atomic_fetch_sub(&crew->strays, 1) == 1)
		weft_futex_wake_all(&crew->strays);
}

/* ---- waking ---------------------------------------------------------------------------------- */

static void wake(struct worker *worker)
{
	atomic_store(&worker->woken, 1);
	weft_futex_wake_one(&worker->woken);
}

static uint32_t claim_sleeper(struct crew *crew, struct unit_range range, uint32_t near)
{
	uint32_t unit = NO_UNIT;

	if (near != NO_UNIT)
		unit = unit_set_claim(&crew->sleeping,
				      unit_range_both(range, crew->workers[near].near));
	return unit != NO_UNIT ? unit : unit_set_claim(&crew->sleeping, range);
}

bool crew_wake(struct crew *crew, struct unit_range range, uint32_t most, uint32_t near)
{
	uint32_t spinning = unit_set_count(&crew->spinning, range);
	uint32_t unit;

	if (spinning >= most)
		return true;
	for (most -= spinning; most > 0; most--) {
		unit = claim_sleeper(crew, range, near);
		if (unit == NO_UNIT)
			break;
		wake(&crew->workers[unit]);
	}
	uint32_t started = unit_set_count(&crew->started, range);
	if (most == 0 || started == range.count)
		return true;
	start(crew, range, most);
	return started > 0 || unit_set_count(&crew->started, range) > 0;
}

/* ---- idling ---------------------------------------------------------------------------------- */

static bool spin(struct worker *worker)
{
	struct crew *crew = worker->crew;
	struct patience patience = {0};
	bool found;

	if (crew->limit == 1)
		return false;
	unit_set_add(&crew->spinning, worker->unit);
	do
		found = crew->ops->has_work(crew, worker->unit);
	while (!found && !patience_over(&patience, worker->spin));
	unit_set_remove(&crew->spinning, worker->unit);
	return found;
}

void crew_idle(struct worker *worker)
{
	struct crew *crew = worker->crew;
	const uint64_t start = weft_clock_now();

	if (spin(worker))
		return;
	atomic_store(&worker->woken, 0);
	unit_set_add(&crew->sleeping, worker->unit);
	if (!crew->ops->has_work(crew, worker->unit) && !crew_is_closing(crew)) {
		weft_futex_wait(&worker->woken, 0);
		if (weft_clock_now() - start < LONGEST_SPIN_NS)
			worker->spin = LONGEST_SPIN_NS;
		else if (worker->spin >= 2 * LEAST_SPIN_NS)
			worker->spin /= 2;
	}
	unit_set_remove(&crew->sleeping, worker->unit);
}

/* ---- topology -------------------------------------------------------------------------------- */

enum weft_status crew_read_topology(struct crew *crew)
{
	enum weft_status status = WEFT_OK;

	weft_mutex_lock(&crew->lock);
	if (!crew->topology && (uint32_t)CPU_COUNT(&crew->cores) >= crew->limit) {
		crew->topology = weft_topology_read("", &crew->cores);
		if (!crew->topology)
			status = WEFT_OUT_OF_MEMORY;
	}
	weft_mutex_unlock(&crew->lock);
	return status;
}

/* Only of bound workers is it known who is near. */
static void find_neighbours(struct crew *crew, uint32_t *counts)
{
	uint32_t groups =
		weft_topology_split(crew->topology, WEFT_DOMAIN_L3, 0, crew->limit, counts);
	uint32_t first = 0;

	for (uint32_t i = 0; i < groups; i++) {
		for (uint32_t unit = first; unit < first + counts[i]; unit++) {
			crew->workers[unit].near = (struct unit_range){first, counts[i]};
			crew->workers[unit].group = i;
		}
		first += counts[i];
	}
	crew->groups = groups > 0 ? groups : 1;
}

static enum weft_status list_units_by_core(struct crew *crew)
{
	if (crew->groups == 1)
		return WEFT_OK;
	crew->units_by_core = weft_calloc(CPU_SETSIZE, sizeof(*crew->units_by_core));
	if (!crew->units_by_core)
		return WEFT_OUT_OF_MEMORY;
	for (uint32_t core = 0; core < CPU_SETSIZE; core++)
		crew->units_by_core[core] = NO_UNIT;
	for (uint32_t unit = 0; unit < crew->limit; unit++)
		crew->units_by_core[crew->topology->places[unit].core] = unit;
	return WEFT_OK;
}

uint32_t crew_unit_here(const struct crew *crew)
{
	int core = crew->groups > 1 ? sched_getcpu() : -1;

	return core >= 0 && core < CPU_SETSIZE ? crew->units_by_core[core] : NO_UNIT;
}

enum weft_status crew_bind(struct crew *crew, bool spread)
{
	enum weft_status status = crew_read_topology(crew);

	if (status != WEFT_OK)
		return status;
	if (!crew->topology)
		return WEFT_UNSUPPORTED;
	uint32_t *counts = weft_calloc(crew->limit, sizeof(*counts));
	if (!counts)
		return WEFT_OUT_OF_MEMORY;
	weft_topology_thin(crew->topology, crew->limit, spread);
	find_neighbours(crew, counts);
	weft_free(counts);
	crew->bound = true;
	return list_units_by_core(crew);
}

/* ---- life ------------------------------------------------------------------------------------ */

void crew_reset(struct crew *crew)
{
	weft_mutex_init(&crew->lock, WEFT_RANK_DEVICE);
	unit_set_clear(&crew->started);
	unit_set_clear(&crew->spinning);
	unit_set_clear(&crew->sleeping);
	atomic_store(&crew->busy, 0);
	atomic_store(&crew->strays, 0);
	atomic_store(&crew->closing, false);
	for (uint32_t unit = 0; unit < crew->limit; unit++) {
		struct worker *worker = &crew->workers[unit];

		worker->crew = crew;
		worker->unit = unit;
		worker->spin = LONGEST_SPIN_NS;
		atomic_store(&worker->woken, 0);
	}
}

enum weft_status crew_create(const struct crew_ops *ops, uint32_t limit, const cpu_set_t *cores,
			     struct crew **out)
{
	struct crew *crew = weft_zalloc(sizeof(*crew));

	if (!crew)
		return WEFT_OUT_OF_MEMORY;
	crew->workers = weft_calloc(limit, sizeof(*crew->workers));
	if (!crew->workers) {
		weft_free(crew);
		return WEFT_OUT_OF_MEMORY;
	}
	for (uint32_t unit = 0; unit < limit; unit++)
		crew->workers[unit].near = (struct unit_range){0, limit};
	crew->ops = ops;
	crew->limit = limit;
	crew->groups = 1;
	crew->cores = *cores;
	crew_reset(crew);
	*out = crew;
	return WEFT_OK;
}

void crew_stop(struct crew *crew)
{
	int32_t strays;

	weft_mutex_lock(&crew->lock); /* nobody starts a worker any more */
	atomic_store(&crew->closing, true);
	weft_mutex_unlock(&crew->lock);
	for (uint32_t unit = 0; unit < crew->limit; unit++)
		wake(&crew->workers[unit]);
	for (uint32_t unit = 0; unit < crew->limit; unit++) {
		if (unit_set_remove(&crew->started, unit))
			pthread_join(crew->workers[unit].thread, NULL);
	}
	while ((strays = atomic_load(&crew->strays)) > 0)
		weft_futex_wait(&crew->strays, strays);
}

void crew_destroy(struct crew *crew)
{
	weft_mutex_destroy(&crew->lock);
	weft_free(crew->topology);
	weft_free(crew->units_by_core);
	weft_free(crew->workers);
	weft_free(crew);
}
