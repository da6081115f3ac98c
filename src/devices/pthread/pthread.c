/* SPDX-License-Identifier: MIT
 *
 * The pthread driver: every core that this process may use. A device has a scheduler (scheduler.h), whose commands the
 * workers of a pool run (worker_pool.h). A sub-device shares the pool; its scheduler is open to some of the workers only,
 * which are pinned to the cores of the sub-device while they work for it.
 *
 * Threads: workers, started by the first command that needs one, as many as there is work for. Locks: the pool's, the
 * schedulers'. What blocks: close, which joins the workers, or waits for those of a sub-device. `notify` runs short
 * commands at once; it wakes no thread for a few kernels that were short before, if no thread can look for them. `join`
 * makes the waiting thread a helper, if its stack has room for kernels; a runner that waits within a command releases its
 * permit.
 */
#include "alloc.h"
#include "command/command.h"
#include "driver.h"
#include "kernel/interrupt.h"
#include "kernel/module.h"
#include "log.h"
#include "machine/properties.h"
#include "machine/topology.h"
#include "options.h"
#include "run.h"
#include "runner.h"
#include "scheduler.h"
#include "stack.h"

#include <string.h>

struct pthread_device {
	struct weft_device base;
	struct weft_property_strings strings;
	struct unit_range units;     /* of the pool */
	struct worker_pool *pool;    /* owned by the outermost parent */
	bool owns_workers;           /* it is the outermost parent */
	struct scheduler *scheduler; /* NULL in a half-opened device */
};

static struct pthread_device *device_of(struct weft_device *base)
{
	return (struct pthread_device *)(void *)base;
}

/* ---- queue ----------------------------------------------------------------------------------- */

static void pthread_submit(struct weft_device *base, struct weft_command *command)
{
	weft_list_init(&command->link);
	/* a thread may look for a command that this one waits for */
	if (!command->deferrable)
		runner_publish_deferred(device_of(base)->scheduler);
}

struct in_place {
	struct scheduler *scheduler;
	struct weft_command *command;
};

static void run_in_place(void *data)
{
	const struct in_place *call = data;

	runner_run_inline(call->scheduler, call->command);
}

static void pthread_notify(struct weft_device *base, struct weft_command *command,
			   enum weft_status dependencies)
{
	struct scheduler *scheduler = device_of(base)->scheduler;
	struct runner *runner = runner_self();

	weft_command_keep(command, dependencies);
	if (runner && runner->scheduler == scheduler && runner->completing) {
		runner_push_local(runner, command);
		return;
	}
	if (command->in_place && !command->was_blocked &&
	    weft_stack_call(run_in_place, &(struct in_place){scheduler, command}))
		return;
	/* not within another device's runner: the chains of two devices would nest without end */
	if (!runner && run_is_short(command)) {
		runner_run_inline(scheduler, command);
		return;
	}
	bool soon_joined = !command->priority &&
			   (command->caller_waits ||
			    (command->deferrable && run_seems_short(scheduler, command)));
	if (!runner && soon_joined && scheduler_push_deferred(scheduler, command))
		return; /* the thread that waits for it runs it, or publishes it */
	runner_push_shared(scheduler, command);
}

/* This thread completes a command, and runs what became ready by it afterwards. But until then, a native function of another
 * device may wait for that. */
static void share_own(struct scheduler *scheduler)
{
	struct runner *runner = runner_self();

	if (runner && runner->scheduler == scheduler && runner->completing)
		runner_share_local(runner);
}

static void pthread_flush(struct weft_device *base)
{
	struct scheduler *scheduler = device_of(base)->scheduler;

	share_own(scheduler);
	runner_publish_deferred(scheduler);
}

static void join_device(struct weft_device *base, const struct weft_wait *wait)
{
	struct runner *runner = runner_self();
	const bool had_permit = runner && runner_suspend(runner);

	if (weft_stack_has_room())
		runner_run_while_waiting(device_of(base)->scheduler, wait);
	if (runner)
		runner_resume(runner, had_permit, wait);
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

	scheduler_close(device->scheduler);
	if (device->owns_workers)
		scheduler_close_workers(device->pool);
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

static enum weft_status open_workers(struct pthread_device *device,
				     const struct weft_machine *machine, enum binding binding)
{
	enum weft_status status =
		scheduler_open_workers(machine->cores, &machine->usable, &device->pool);

	if (status != WEFT_OK || binding == UNBOUND)
		return status;
	status = worker_pool_bind(device->pool, binding == SPREAD);
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
	device->base.properties.tries = true;
	device->units = (struct unit_range){0, machine.cores};
	device->owns_workers = true;
	enum weft_status status = open_workers(device, &machine, binding);
	if (status == WEFT_OK)
		status = scheduler_open(device->pool, device->units, NULL, &device->scheduler);
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

	if (worker_pool_read_topology(device->pool) != WEFT_OK || !device->pool->topology)
		return 0;
	return weft_topology_split(device->pool->topology, domain, device->units.first,
				   device->units.count, counts);
}

/* Opens the scheduler of a sub-device, pinned to the cores of its units if these are known. */
static enum weft_status open_pinned(struct pthread_device *device)
{
	struct worker_pool *pool = device->pool;
	cpu_set_t cores;

	enum weft_status status = worker_pool_read_topology(pool);
	if (status != WEFT_OK)
		return status;
	if (pool->topology)
		weft_topology_cores(pool->topology, device->units.first, device->units.count,
				    &cores);
	return scheduler_open(pool, device->units, pool->topology ? &cores : NULL,
			      &device->scheduler);
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
		device->pool = parent->pool;
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
	.join = join_device,
};

const struct weft_driver weft_pthread_driver = {
	.name = "pthread",
	.device = &pthread_device_ops,
	.queue = &pthread_queue_ops,
	.program = &weft_module_ops,
	.interrupt = WEFT_CAN_INTERRUPT ? weft_interrupt : NULL,
};
