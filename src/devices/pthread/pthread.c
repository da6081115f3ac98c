/* SPDX-License-Identifier: MIT
 *
 * The pthread driver: every core that this process may use. A device has a pool of work (pool.h), which the crew of
 * workers (crew.h) does; a sub-device shares the crew, and its pool is open to its part of it only, pinned to its share
 * of the cores meanwhile.
 *
 * Threads: workers, started by the first command that needs one, as many as there is work for. Locks: the crew's, the
 * pools'. What blocks: close, which joins the workers, or waits for those of a sub-device. `notify` runs short commands
 * at once, and wakes nobody for a few kernels that were short before and that nobody can look for; `join` lends the
 * waiting thread to the pool, if its stack has room for kernels, and makes room for others when that is within a command.
 */
#include "alloc.h"
#include "command.h"
#include "driver.h"
#include "log.h"
#include "module.h"
#include "options.h"
#include "scheduler.h"
#include "properties.h"
#include "run.h"
#include "runner.h"
#include "stack.h"
#include "topology.h"

#include <string.h>

struct pthread_device {
	struct weft_device base;
	struct weft_property_strings strings;
	struct unit_range units; /* of the crew */
	struct crew *crew;       /* the outermost parent's */
	bool owns_crew;
	struct pool *pool; /* NULL in a half-opened device */
};

static struct pthread_device *device_of(struct weft_device *base)
{
	return (struct pthread_device *)(void *)base;
}

/* ---- queue ----------------------------------------------------------------------------------- */

static void pthread_submit(struct weft_device *base, struct weft_command *command)
{
	weft_list_init(&command->link);
	/* somebody may look for what this one waits for */
	if (!command->deferrable)
		runner_announce(device_of(base)->pool);
}

static void pthread_notify(struct weft_device *base, struct weft_command *command,
			   enum weft_status dependencies)
{
	struct pool *pool = device_of(base)->pool;
	struct runner *runner = runner_self();

	weft_command_keep(command, dependencies);
	if (runner && runner->pool == pool && runner->ending) {
		runner_give(runner, command);
		return;
	}
	/* not from within another device's runner: two devices' chains would nest without end */
	if (!runner && run_is_short(command)) {
		runner_run_here(pool, command);
		return;
	}
	bool soon_joined =
		command->caller_waits || (command->deferrable && run_seems_short(pool, command));
	if (!runner && soon_joined && pool_put_quietly(pool, command))
		return; /* who waits for it runs it himself, or hands it over */
	runner_offer(pool, command);
}

/* What became ready while this thread completes a command is for this thread, afterwards; but a native function of
 * another device, called meanwhile, may wait for it. */
static void hand_over_own(struct pool *pool)
{
	struct runner *runner = runner_self();

	if (runner && runner->pool == pool && runner->ending)
		runner_hand_over(runner);
}

static void pthread_flush(struct weft_device *base)
{
	struct pool *pool = device_of(base)->pool;

	hand_over_own(pool);
	runner_announce(pool);
}

static void pthread_wait(struct weft_device *base, const struct weft_wait *wait)
{
	struct runner *runner = runner_self();
	const bool had_place = runner && runner_step_aside(runner);

	if (weft_stack_has_room())
		runner_lend(device_of(base)->pool, wait);
	if (runner)
		runner_come_back(runner, had_place, wait);
	pthread_flush(base);
}

/* ---- device ---------------------------------------------------------------------------------- */

static uint32_t pthread_count(void)
{
	return 1;
}

static void pthread_close(struct weft_device *base)
{
	struct pthread_device *device = device_of(base);

	pool_close(device->pool);
	if (device->owns_crew)
		pool_close_crew(device->crew);
	weft_free(device);
}

/* What WEFT_AFFINITY says: how workers are bound, if at all, and, for a list, to which cores. */
enum binding { UNBOUND, COMPACT, SPREAD };

static enum binding read_affinity(struct weft_machine *machine)
{
	const char *text = weft_options()->affinity;
	cpu_set_t cores;

	if (!text || strcmp(text, "none") == 0)
		return UNBOUND;
	if (strcmp(text, "compact") == 0 || strcmp(text, "spread") == 0)
		return text[0] == 'c' ? COMPACT : SPREAD;
	weft_topology_parse(text, &cores);
	CPU_AND(&cores, &cores, &machine->usable);
	if (CPU_COUNT(&cores) == 0) {
		weft_log(WEFT_LOG_ERROR, "device", "WEFT_AFFINITY: no usable core in %s", text);
		return UNBOUND;
	}
	machine->usable = cores;
	if ((uint32_t)CPU_COUNT(&cores) < machine->cores)
		machine->cores = (uint32_t)CPU_COUNT(&cores);
	return COMPACT;
}

static enum weft_status open_crew(struct pthread_device *device, const struct weft_machine *machine,
				  enum binding binding)
{
	enum weft_status status = pool_open_crew(machine->cores, &machine->usable, &device->crew);

	if (status != WEFT_OK || binding == UNBOUND)
		return status;
	status = crew_bind(device->crew, binding == SPREAD);
	if (status != WEFT_UNSUPPORTED)
		return status;
	weft_log(WEFT_LOG_WARN, "device", "more workers than cores: they are not bound");
	return WEFT_OK;
}

static enum weft_status pthread_open(uint32_t index, const struct weft_host *host,
				     struct weft_device **out)
{
	int64_t threads = weft_options()->threads;
	struct weft_machine machine;

	if (index != 0)
		return WEFT_NOT_FOUND;
	struct pthread_device *device = weft_zalloc(sizeof(*device));
	if (!device)
		return WEFT_OUT_OF_MEMORY;
	device->base.driver = &weft_pthread_driver;
	device->base.host = host;
	weft_machine_read(&machine);
	enum binding binding = read_affinity(&machine);
	if (threads > 0)
		machine.cores = threads < MOST_UNITS ? (uint32_t)threads : MOST_UNITS;
	else if (machine.cores > MOST_UNITS)
		machine.cores = MOST_UNITS;
	weft_properties_fill(&machine, &weft_pthread_driver, "", &device->strings,
			     &device->base.properties);
	device->units = (struct unit_range){0, machine.cores};
	device->owns_crew = true;
	enum weft_status status = open_crew(device, &machine, binding);
	if (status == WEFT_OK)
		status = pool_open(device->crew, device->units, NULL, &device->pool);
	if (status != WEFT_OK) {
		pthread_close(&device->base);
		return status;
	}
	*out = &device->base;
	return WEFT_OK;
}

static uint32_t pthread_split(struct weft_device *base, enum weft_domain domain, uint32_t *counts)
{
	struct pthread_device *device = device_of(base);

	if (crew_read_topology(device->crew) != WEFT_OK || !device->crew->topology)
		return 0;
	return weft_topology_split(device->crew->topology, domain, device->units.first,
				   device->units.count, counts);
}

/* The pool of a sub-device, pinned to its units' cores if these are known. */
static enum weft_status open_pinned(struct pthread_device *device)
{
	struct crew *crew = device->crew;
	cpu_set_t cores;

	enum weft_status status = crew_read_topology(crew);
	if (status != WEFT_OK)
		return status;
	if (crew->topology)
		weft_topology_cores(crew->topology, device->units.first, device->units.count,
				    &cores);
	return pool_open(crew, device->units, crew->topology ? &cores : NULL, &device->pool);
}

static enum weft_status pthread_partition(struct weft_device *base, uint32_t first, uint32_t count,
					  struct weft_device **out)
{
	struct pthread_device *parent = device_of(base);

	struct pthread_device *device = weft_zalloc(sizeof(*device));
	if (!device)
		return WEFT_OUT_OF_MEMORY;
	enum weft_status status =
		weft_properties_part(base, first, count, &device->strings, &device->base);
	if (status == WEFT_OK) {
		device->units = (struct unit_range){parent->units.first + first, count};
		device->crew = parent->crew;
		status = open_pinned(device);
	}
	if (status != WEFT_OK) {
		pthread_close(&device->base);
		return status;
	}
	*out = &device->base;
	return WEFT_OK;
}

static const struct weft_driver_device_ops pthread_device_ops = {
	.count = pthread_count,
	.open = pthread_open,
	.close = pthread_close,
	.partition = pthread_partition,
	.split = pthread_split,
};

static const struct weft_driver_queue_ops pthread_queue_ops = {
	.submit = pthread_submit,
	.notify = pthread_notify,
	.flush = pthread_flush,
	.join = pthread_wait,
};

const struct weft_driver weft_pthread_driver = {
	.name = "pthread",
	.device = &pthread_device_ops,
	.queue = &pthread_queue_ops,
	.program = &weft_module_ops,
};
