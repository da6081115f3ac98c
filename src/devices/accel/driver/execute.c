/* SPDX-License-Identifier: MIT
 *
 * What one command does on an accelerator. The device's addresses become the driver's here, and only here. An address that
 * is not in the device's memory is a mistake of the runtime, and fails the command.
 */
#include "driver/accel.h"

#include "alloc.h"
#include "command/transfer.h"
#include "log.h"
#include "riscv/program.h"
#include "simulation/cycles.h"

#include <string.h>

/* As if this machine had so large a cache: what is copied stays in none for long. */
#define CACHE_BYTES ((uint64_t)8 << 20)

static enum weft_status not_in_memory(const char *what, const void *address)
{
	weft_log(WEFT_LOG_ERROR, "device", "%s at %p is not in the accelerator's memory", what,
		 address);
	return WEFT_INTERNAL;
}

/* ---- copies and fills ------------------------------------------------------------------------ */

static size_t extent_of(const size_t region[3], const size_t pitch[2])
{
	return (region[2] - 1) * pitch[1] + (region[1] - 1) * pitch[0] + region[0];
}

/* Where the driver finds one side of a copy; NULL: it is not in that space's memory. */
static void *place_of(weft_space space, const void *address, size_t size)
{
	if (space == WEFT_SPACE_HOST)
		return (void *)(uintptr_t)address;
	struct accel_memory_domain *domain = accel_memory_domain_of(space);
	return domain ? accel_memory_at(&domain->memory, address, size) : NULL;
}

static enum weft_status copy(const struct weft_copy *asked)
{
	struct weft_copy copy = *asked;

	copy.source = place_of(asked->source_space, asked->source,
			       extent_of(asked->region, asked->source_pitch));
	if (!copy.source)
		return not_in_memory("the source of a copy", asked->source);
	copy.destination = place_of(asked->destination_space, asked->destination,
				    extent_of(asked->region, asked->destination_pitch));
	if (!copy.destination)
		return not_in_memory("the destination of a copy", asked->destination);
	/* shared by its address: only the time passes */
	if (copy.source == copy.destination && copy.region[1] == 1 && copy.region[2] == 1)
		return WEFT_OK;
	weft_transfer_copy(&copy, 0, weft_transfer_copy_blocks(&copy), CACHE_BYTES);
	return WEFT_OK;
}

static enum weft_status fill(const struct accel_device *device, const struct weft_fill *asked)
{
	struct weft_fill fill = *asked;

	fill.destination = accel_memory_at(&device->domain->memory, asked->destination,
					   extent_of(asked->region, asked->pitch));
	if (!fill.destination)
		return not_in_memory("what is to be filled", asked->destination);
	weft_transfer_fill(&fill, 0, weft_transfer_fill_blocks(&fill));
	return WEFT_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static enum weft_status make_room(struct accel_device *device, size_t size)
{
	if (size <= device->args.capacity)
		return WEFT_OK;
	unsigned char *bytes = weft_alloc_aligned(WEFT_KERNEL_ALIGNMENT, size);
	if (!bytes)
		return WEFT_OUT_OF_RESOURCES;
	weft_free(device->args.bytes);
	device->args.bytes = bytes;
	device->args.capacity = size;
	return WEFT_OK;
}

static enum weft_status place_pointer(const struct accel_device *device, unsigned char *word)
{
	uint64_t address;

	memcpy(&address, word, sizeof(address));
	if (address == 0)
		return WEFT_OK;
	const void *asked = (const void *)(uintptr_t)address;
	const void *place = accel_memory_at(&device->domain->memory, asked, 1);
	if (!place)
		return not_in_memory("a kernel's argument", asked);
	address = (uintptr_t)place;
	memcpy(word, &address, sizeof(address));
	return WEFT_OK;
}

/* Whether the argument is an address, or an image, which begins with its address. */
static bool leads_to_memory(const struct weft_arg_desc *arg)
{
	return arg->kind == WEFT_ARG_GLOBAL || arg->kind == WEFT_ARG_CONSTANT ||
	       arg->kind == WEFT_ARG_IMAGE || arg->kind == WEFT_ARG_PIPE;
}

/* A copy of the arguments, with the driver's addresses. */
static enum weft_status place_args(struct accel_device *device, const struct weft_launch *launch)
{
	const struct weft_kernel_desc *kernel = launch->kernel;
	enum weft_status status = make_room(device, kernel->args_size);

	if (status != WEFT_OK)
		return status;
	memcpy(device->args.bytes, launch->args, kernel->args_size);
	for (uint32_t i = 0; i < kernel->num_args && status == WEFT_OK; i++) {
		const struct weft_arg_desc *arg = &kernel->args[i];

		if (leads_to_memory(arg))
			status = place_pointer(device, device->args.bytes + arg->offset);
	}
	return status;
}

static bool has_pointers(const struct weft_kernel_desc *kernel)
{
	for (uint32_t i = 0; i < kernel->num_args; i++) {
		if (leads_to_memory(&kernel->args[i]))
			return true;
	}
	return false;
}

static void measure(void *observer, const uint64_t *cycles, uint64_t num_items, uint32_t region)
{
	accel_schedule_region(observer, cycles, num_items, region);
}

/* Accesses outside of the memory, such as program-scope constants and local memory by a generic address, bypass the
 * cache. */
static uint64_t look_up(void *observer, uint64_t group, const void *address, uint64_t size,
			uint32_t kind)
{
	struct accel_device *device = WEFT_CONTAINER_OF(observer, struct accel_device, schedule);
	uint64_t place;

	if (device->group != group + 1)
		device->cluster = accel_schedule_cluster(&device->schedule, group);
	device->group = group + 1;
	if (size == 0 || accel_memory_find(&device->domain->memory, address, &place))
		return accel_simulated_cache_access(&device->cache, device->cluster,
						    size ? place : 0, size, kind);
	return device->description.global_latency * (kind & WEFT_GLOBAL_ATOMIC ? 2 : 1) *
	       ((size + 7) / 8);
}

static void request(void *observer, uint64_t bytes, uint64_t lines, uint64_t cycles)
{
	accel_schedule_request(observer, bytes, lines, cycles);
}

/* The group waits for the answer at its next barrier. */
static uint64_t post_call(void *observer, struct weft_work_context *context,
			  const struct weft_posted_call *call)
{
	struct accel_device *device = WEFT_CONTAINER_OF(observer, struct accel_device, schedule);

	accel_schedule_host_call(&device->schedule);
	return accel_call_ring_post(&device->calls, context, call);
}

static void await_call(void *observer, struct weft_work_context *context, uint64_t call)
{
	struct accel_device *device = WEFT_CONTAINER_OF(observer, struct accel_device, schedule);

	accel_call_ring_await(&device->calls, context, call);
}

static struct accel_load load_of(const struct weft_launch *launch)
{
	const uint64_t *local = launch->range.local_size, *groups = launch->range.num_groups;

	return (struct accel_load){
		.num_items = local[0] * local[1] * local[2],
		.num_groups = groups[0] * groups[1] * groups[2],
		.local_bytes = launch->local_bytes,
	};
}

/* With a cache there are no requests within kernels. */
static struct accel_transfer_options options_of(const struct accel_device *device,
						const struct weft_launch *launch)
{
	const uint64_t *local = launch->range.local_size;

	return (struct accel_transfer_options){
		.descs = launch->kernel->transfers,
		.num_descs = launch->kernel->num_transfers,
		.local_size = {local[0], local[1], local[2]},
		.copies = launch->kernel->flags & WEFT_KERNEL_REQUESTS && !device->cache.lines,
	};
}

static void share(void *data, uint64_t cycles)
{
	struct riscv_executor *executor = data;

	accel_schedule_each(&WEFT_CONTAINER_OF(executor, struct accel_device, executor)->schedule,
			    cycles);
}

static enum weft_status run(struct accel_device *device, const struct weft_launch *launch,
			    const struct weft_observer *observer)
{
	struct riscv_executor *executor = &device->executor;

	if (device->description.isa == ACCEL_ISA_HOST)
		return weft_work_run_alone(launch, &device->arena, observer, 0, NULL);
	enum weft_status status = riscv_executor_begin(
		executor, riscv_program_image(launch->module), launch, &device->arena);
	executor->hart.share = share;
	if (status == WEFT_OK)
		status = weft_work_run_alone(launch, &device->arena, observer, 0, &executor->base);
	return status == WEFT_OK ? executor->hart.status : status;
}

/* Work-groups run one after the other, in this thread. */
static enum weft_status launch(struct accel_device *device, const struct weft_launch *asked)
{
	struct weft_launch launch = *asked;

	if (has_pointers(launch.kernel)) {
		enum weft_status placed = place_args(device, asked);
		if (placed != WEFT_OK)
			return placed;
		launch.args = device->args.bytes;
	}
	const struct accel_load load = load_of(&launch);
	const struct accel_transfer_options options = options_of(device, &launch);
	device->group = 0;
	accel_call_ring_begin(&device->calls);
	accel_schedule_begin(&device->schedule, &load, &options);
	const struct weft_observer observer = {
		.measure = measure,
		.data = &device->schedule,
		.access = device->cache.lines ? look_up : NULL,
		.request = request,
		.post_call = post_call,
		.await_call = await_call,
		.transfers = device->schedule.transfers.chosen,
	};
	enum weft_status status = run(device, &launch, &observer);
	device->launch_cycles = accel_schedule_end(&device->schedule);
	device->launch_cycles += accel_simulated_cache_flush(&device->cache);
	if (status == WEFT_OK && device->schedule.uses_timeline && device->schedule.timeline.failed)
		status = WEFT_OUT_OF_RESOURCES;
	return status;
}

uint64_t accel_dma_cycles(const struct accel_device *device, const struct weft_command *command)
{
	const struct accel_description *machine = &device->description;

	return machine->dma_latency + accel_moving_cycles(machine, weft_transfer_bytes(command));
}

enum weft_status accel_execute(struct weft_device *base, struct weft_command *command)
{
	struct accel_device *device = WEFT_CONTAINER_OF(base, struct accel_device, base);

	switch (command->op) {
	case WEFT_OP_NOTHING:
		return WEFT_OK;
	case WEFT_OP_COPY:
		return copy(&command->copy);
	case WEFT_OP_FILL:
		return fill(device, &command->fill);
	case WEFT_OP_NDRANGE:
		return launch(device, &command->launch);
	case WEFT_OP_NATIVE:
		return WEFT_UNSUPPORTED;
	}
	weft_log(WEFT_LOG_ERROR, "device", "unknown operation %d", (int)command->op);
	return WEFT_INTERNAL;
}
