/* SPDX-License-Identifier: MIT
 *
 * The driver of simulated accelerators: embedded many-cores, as WEFT_ACCEL describes them, with global memory apart from
 * the host's. Kernels are compiled for this machine's CPU, or for RISC-V, which a simulator executes (riscv/).
 *
 * Devices that share a memory are in one memory domain, which has the threads that play their engines and one lock for
 * their commands (memory_domain.h). Memories have their own locks (memory.c).
 */
#include "driver/accel.h"

#include "alloc.h"
#include "clock.h"
#include "digest.h"
#include "kernel/interrupt.h"
#include "kernel/module.h"
#include "log.h"
#include "options.h"
#include "riscv/program.h"

#include <stdio.h>
#include <string.h>

#define DEVICE_TYPE_ACCELERATOR (UINT64_C(1) << 3) /* CL_DEVICE_TYPE_ACCELERATOR */

/* A processing element computes with one value at a time. */
#define VECTOR_BYTES 4

/* Costs of an element with a short in-order pipeline and 32-bit floating point; functions do wider arithmetic. They are
 * guesses: see docs/accel.md. */
static const struct weft_costs element_costs = {
	.integer = 1,
	.multiply = 2,
	.divide = 32,
	.real = 2,
	.real_divide = 16,
	.wide = 20,
	.wide_divide = 100,
	.branch = 2,
	.item = 4,
};

static _Atomic uint32_t num_rows; /* of traces */

static const struct weft_driver riscv_driver; /* of devices of that instruction set */

static struct accel_device *device_of(struct weft_device *base)
{
	return WEFT_CONTAINER_OF(base, struct accel_device, base);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static enum weft_status accel_allocate(struct weft_device *base, size_t size, size_t alignment,
				       void **address)
{
	return accel_memory_allocate(&device_of(base)->domain->memory, size, alignment, address);
}

static enum weft_status accel_share(struct weft_device *base, void *address, size_t size)
{
	return accel_memory_share(&device_of(base)->domain->memory, address, size);
}

static void accel_release(struct weft_device *base, void *address)
{
	accel_memory_release(&device_of(base)->domain->memory, address);
}

/* The host's space, and the space of every accelerator. */
static bool accel_reaches(struct weft_device *base, weft_space other)
{
	(void)base;
	return accel_memory_domain_of(other) != NULL;
}

/* ---- programs -------------------------------------------------------------------------------- */

static enum weft_status accel_load(struct weft_device *base, const void *image, size_t size,
				   struct weft_module **module)
{
	return weft_module_ops.load(base, image, size, module);
}

static void accel_unload(struct weft_device *base, struct weft_module *module)
{
	accel_memory_domain_unload(device_of(base)->domain, module);
	weft_module_ops.unload(base, module);
}

static enum weft_status riscv_load(struct weft_device *base, const void *image, size_t size,
				   struct weft_module **module)
{
	return riscv_program_load(&device_of(base)->domain->memory, image, size, module);
}

static void riscv_unload(struct weft_device *base, struct weft_module *module)
{
	accel_memory_domain_unload(device_of(base)->domain, module);
	riscv_program_unload(&device_of(base)->domain->memory, module);
}

static const struct weft_program_desc *accel_describe(const struct weft_module *module)
{
	return weft_module_ops.describe(module);
}

/* ---- device ---------------------------------------------------------------------------------- */

static enum weft_status read_machine(struct accel_machine *machine)
{
	struct accel_mistake mistake;
	enum weft_status status = accel_machine_parse(weft_options()->accel, machine, &mistake);

	if (status != WEFT_OK)
		weft_log(WEFT_LOG_ERROR, "device", "WEFT_ACCEL: %s", mistake.text);
	return status;
}

static uint32_t accel_count(void)
{
	struct accel_machine machine;

	return read_machine(&machine) == WEFT_OK ? machine.num_devices : 0;
}

/* What the description does not say is the host's: kernels run there. */
static void fill_properties(struct accel_device *device, uint32_t index,
			    const struct accel_description *description)
{
	struct weft_device_properties *properties = &device->base.properties;
	struct weft_machine machine;

	weft_machine_read(&machine);
	weft_properties_fill(&machine, &weft_accel_driver, "", &device->strings, properties);
	const bool riscv = description->isa == ACCEL_ISA_RISCV64;
	snprintf(device->strings.name, sizeof(device->strings.name),
		 "Weft accelerator, %u clusters of %u%s", (unsigned)description->clusters,
		 (unsigned)description->elements, riscv ? ", RISC-V" : "");
	snprintf(device->strings.vendor, sizeof(device->strings.vendor), "Weft");
	struct weft_digest digest = weft_digest_bytes(properties->uuid, sizeof(properties->uuid));
	digest = weft_digest_field(digest, &index, sizeof(index));
	memcpy(properties->uuid, &digest, sizeof(properties->uuid));
	properties->vendor_id = 0;
	properties->type = DEVICE_TYPE_ACCELERATOR;
	properties->compute_units = (uint32_t)description->clusters;
	properties->clock_mhz = (uint32_t)description->clock_mhz;
	properties->global_memory = description->global_bytes;
	properties->max_allocation = description->global_bytes / 2;
	properties->max_constant = properties->max_allocation;
	properties->local_memory = description->local_bytes;
	properties->has_local_memory = true;
	properties->enqueues = description->enqueue;
	properties->runs_native = false;
	properties->cache_size = description->cache_bytes;
	properties->cache_line = description->cache_bytes ? (uint32_t)description->cache_line : 0;
	properties->native_vector_bytes = VECTOR_BYTES;
	if (riscv) {
		properties->isa = WEFT_ISA_RISCV64;
		properties->cpu = NULL;
		properties->slow_gathers = false;
		device->strings.cpu_features[0] = '\0';
		snprintf(properties->cpu_key, sizeof(properties->cpu_key), "%s", WEFT_ISA_RISCV64);
	}
	properties->space = device->domain->space;
	properties->shares_addresses = description->svm;
}

/* The costs of the device's elements, which are part of the code and of its key. */
static void set_costs(struct accel_device *device)
{
	struct weft_device_properties *properties = &device->base.properties;
	struct weft_costs *costs = &device->costs;

	*costs = element_costs;
	costs->local_access = (uint32_t)device->description.local_latency;
	if (device->description.cache_bytes == 0) /* otherwise the simulated cache counts */
		costs->global_access = (uint32_t)device->description.global_latency;
	/* with a cache, all accesses of global memory go there */
	costs->transfers = device->description.cache_bytes == 0 && device->description.transfers;
	if (device->description.isa == ACCEL_ISA_RISCV64) {
		*costs = (struct weft_costs){.global_access = costs->global_access ? 1 : 0,
					     .transfers = costs->transfers,
					     .executed = 1};
	}
	struct weft_digest digest =
		weft_digest_bytes(properties->cpu_key, strlen(properties->cpu_key));
	digest = weft_digest_field(digest, costs, sizeof(*costs));
	snprintf(properties->cpu_key, sizeof(properties->cpu_key), "accel-%016llx",
		 (unsigned long long)digest.low);
	properties->costs = costs;
}

/* Commands in flight belong to the parent. Its threads may have been using the arena and the arguments, so these are not
 * freed. */
static void accel_restart(struct weft_fork_node *node)
{
	struct accel_device *device = WEFT_CONTAINER_OF(node, struct accel_device, fork);

	accel_memory_domain_restart_device(device->domain, device);
	device->arena = (struct weft_arena){0};
	device->executor.hart.stack = NULL;
	accel_schedule_reset(&device->schedule);
	accel_simulated_cache_reset(&device->cache);
	device->args.bytes = NULL;
	device->args.capacity = 0;
}

static void accel_close(struct weft_device *base)
{
	struct accel_device *device = device_of(base);

	weft_fork_remove(&device->fork);
	accel_memory_domain_remove_device(device->domain, device);
	accel_stats_end(device);
	weft_arena_destroy(&device->arena);
	riscv_executor_destroy(&device->executor);
	accel_schedule_destroy(&device->schedule);
	accel_simulated_cache_destroy(&device->cache);
	weft_free(device->args.bytes);
	accel_memory_domain_close(device->domain);
	weft_free(device);
}

/* The device is complete except for its queue. On an error it is destroyed. */
static enum weft_status begin(struct accel_device *device)
{
	enum weft_status status = accel_schedule_init(&device->schedule, &device->description);
	if (status == WEFT_OK)
		status = accel_simulated_cache_init(&device->cache, &device->description);
	if (status == WEFT_OK)
		status = accel_memory_domain_add_device(device->domain, device);
	if (status != WEFT_OK) {
		accel_schedule_destroy(&device->schedule);
		accel_simulated_cache_destroy(&device->cache);
		accel_memory_domain_close(device->domain);
		weft_free(device);
		return status;
	}
	device->executor.memory = &device->domain->memory;
	device->executor.times = (struct riscv_memory_times){
		.local = (uint32_t)device->description.local_latency,
		.global = (uint32_t)device->description.global_latency,
		.asks_for_global = device->description.cache_bytes > 0,
	};
	device->row = atomic_fetch_add_explicit(&num_rows, 1, memory_order_relaxed);
	accel_stats_begin(device);
	device->fork.restart = accel_restart;
	weft_fork_add(&device->fork);
	return WEFT_OK;
}

static enum weft_status open_domain(struct accel_device *device, uint32_t index,
				    const struct accel_description *description)
{
	char own[16];

	/* names in descriptions have no blanks */
	snprintf(own, sizeof(own), "%*u", (int)sizeof(own) - 1, (unsigned)index);
	return accel_memory_domain_open(description->memory[0] ? description->memory : own,
					description->global_bytes, &device->domain);
}

static enum weft_status accel_open(uint32_t index, const struct weft_host *host,
				   struct weft_device **out)
{
	struct accel_machine machine;

	enum weft_status status = read_machine(&machine);
	if (status != WEFT_OK)
		return status;
	if (index >= machine.num_devices)
		return WEFT_NOT_FOUND;
	struct accel_device *device = weft_zalloc(sizeof(*device));
	if (!device)
		return WEFT_OUT_OF_MEMORY;
	status = open_domain(device, index, &machine.devices[index]);
	if (status != WEFT_OK) {
		weft_free(device);
		return status;
	}
	device->description = machine.devices[index];
	device->description.local_bytes -= device->description.cache_bytes;
	fill_properties(device, index, &device->description);
	set_costs(device);
	device->base.driver =
		device->description.isa == ACCEL_ISA_RISCV64 ? &riscv_driver : &weft_accel_driver;
	device->base.host = host;
	device->number = index;
	status = begin(device);
	if (status == WEFT_OK)
		*out = &device->base;
	return status;
}

/* A device of some of the parent's clusters, in the same memory domain. */
static enum weft_status accel_partition(struct weft_device *base, uint32_t first, uint32_t count,
					struct weft_device **out)
{
	struct accel_device *parent = device_of(base);

	struct accel_device *device = weft_zalloc(sizeof(*device));
	if (!device)
		return WEFT_OUT_OF_MEMORY;
	enum weft_status status =
		weft_properties_part(base, first, count, &device->strings, &device->base);
	if (status != WEFT_OK) {
		weft_free(device);
		return status;
	}
	device->description = parent->description;
	device->description.clusters = count;
	accel_memory_domain_get(parent->domain);
	device->domain = parent->domain;
	device->number = parent->number;
	status = begin(device);
	if (status == WEFT_OK)
		*out = &device->base;
	return status;
}

static uint64_t accel_time(struct weft_device *base)
{
	struct accel_memory_domain *domain = device_of(base)->domain;

	weft_mutex_lock(&domain->lock);
	uint64_t time = accel_clock_read(&domain->clock, weft_clock_now());
	weft_mutex_unlock(&domain->lock);
	return time;
}

static const struct weft_driver_device_ops accel_device_ops = {
	.count = accel_count,
	.open = accel_open,
	.close = accel_close,
	.partition = accel_partition,
	.split = NULL, /* clusters share no cache */
};

static const struct weft_driver_timer_ops accel_timer_ops = {
	.now = accel_time,
};

static const struct weft_driver_memory_ops accel_memory_ops = {
	.allocate = accel_allocate,
	.share = accel_share,
	.release = accel_release,
	.reaches = accel_reaches,
};

static const struct weft_driver_program_ops accel_program_ops = {
	.load = accel_load,
	.unload = accel_unload,
	.describe = accel_describe,
};

static const struct weft_driver_program_ops accel_riscv_program_ops = {
	.load = riscv_load,
	.unload = riscv_unload,
	.describe = riscv_program_describe,
};

const struct weft_driver weft_accel_driver = {
	.name = "accel",
	.device = &accel_device_ops,
	.queue = &accel_queue_ops,
	.program = &accel_program_ops,
	.memory = &accel_memory_ops,
	.chaining = &accel_chaining_ops,
	.timer = &accel_timer_ops,
	.interrupt = WEFT_CAN_INTERRUPT ? weft_interrupt : NULL,
};

/* The runtime reaches a device by its own table; the list of drivers has the one above. */
static const struct weft_driver riscv_driver = {
	.name = "accel",
	.device = &accel_device_ops,
	.queue = &accel_queue_ops,
	.program = &accel_riscv_program_ops,
	.memory = &accel_memory_ops,
	.chaining = &accel_chaining_ops,
	.timer = &accel_timer_ops,
	.interrupt = WEFT_CAN_INTERRUPT ? weft_interrupt : NULL,
};
