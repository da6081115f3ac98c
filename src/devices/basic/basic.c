/* SPDX-License-Identifier: MIT
 *
 * The basic driver: one compute unit, which is the thread that makes a command ready. It has no threads.
 *
 * Commands run one at a time in the order in which they became ready. The first thread that makes one ready owns the
 * list until it is empty (`draining`). Commands that become ready while it drains, in that thread or in others, are
 * appended, so that a chain of any length needs no recursion. `lock` guards the list; it is not held while a command
 * runs. A thread blocks here only for as long as the commands run that it drains. A thread whose stack has no room for
 * kernels drains on another stack.
 */
#include "alloc.h"
#include "command/command.h"
#include "command/transfer.h"
#include "driver.h"
#include "kernel/interrupt.h"
#include "kernel/module.h"
#include "kernel/work.h"
#include "log.h"
#include "machine/fork.h"
#include "machine/properties.h"
#include "mutex.h"
#include "stack.h"

struct basic_device {
	struct weft_device base;
	struct weft_property_strings strings;
	struct weft_fork_node fork;
	struct weft_arena arena; /* of the draining thread */
	struct weft_mutex lock;  /* WEFT_RANK_WORKER */
	struct weft_list ready WEFT_GUARDED_BY(&lock);
	bool draining WEFT_GUARDED_BY(&lock);
};

static struct basic_device *device_of(struct weft_device *base)
{
	return WEFT_CONTAINER_OF(base, struct basic_device, base);
}

/* ---- running a command ----------------------------------------------------------------------- */

static enum weft_status basic_execute(struct weft_device *base, struct weft_command *command)
{
	switch (command->op) {
	case WEFT_OP_NOTHING:
		return WEFT_OK;
	case WEFT_OP_COPY:
		weft_transfer_copy(&command->copy, 0, weft_transfer_copy_blocks(&command->copy),
				   base->properties.cache_size);
		return WEFT_OK;
	case WEFT_OP_FILL:
		weft_transfer_fill(&command->fill, 0, weft_transfer_fill_blocks(&command->fill));
		return WEFT_OK;
	case WEFT_OP_NDRANGE:
		return weft_work_run_alone(&command->launch, &device_of(base)->arena, NULL,
					   base->properties.cache_size, NULL);
	case WEFT_OP_NATIVE:
		weft_command_call(command);
		return WEFT_OK;
	}
	weft_log(WEFT_LOG_ERROR, "device", "unknown operation %d", (int)command->op);
	return WEFT_INTERNAL;
}

/* ---- queue ----------------------------------------------------------------------------------- */

static void basic_submit(struct weft_device *base, struct weft_command *command)
{
	(void)base;
	weft_list_init(&command->link);
}

/* The next command for the draining thread; NULL when it is done draining. */
static struct weft_command *basic_next(struct basic_device *device)
{
	struct weft_command *command = NULL;

	weft_mutex_lock(&device->lock);
	struct weft_list *link = weft_list_pop(&device->ready);
	if (link)
		command = WEFT_CONTAINER_OF(link, struct weft_command, link);
	else
		device->draining = false;
	weft_mutex_unlock(&device->lock);
	return command;
}

static void drain_here(void *data)
{
	struct weft_command *command;

	while ((command = basic_next(data)))
		weft_command_run(command, basic_execute);
}

/* This thread's stack has no room for kernels and native functions, and there is no memory for another one. */
static enum weft_status execute_own_code(struct weft_device *base, struct weft_command *command)
{
	if (command->op == WEFT_OP_NDRANGE || command->op == WEFT_OP_NATIVE)
		return WEFT_OUT_OF_RESOURCES;
	return basic_execute(base, command);
}

static void basic_notify(struct weft_device *base, struct weft_command *command,
			 enum weft_status dependencies)
{
	struct basic_device *device = device_of(base);

	weft_command_keep(command, dependencies);
	weft_mutex_lock(&device->lock);
	bool drain = !device->draining;
	weft_list_append(&device->ready, &command->link);
	device->draining = true;
	weft_mutex_unlock(&device->lock);
	if (!drain)
		return;
	if (weft_stack_call(drain_here, device))
		return;
	while ((command = basic_next(device)))
		weft_command_run(command, execute_own_code);
}

/* No command is ever held back. */
static void basic_flush(struct weft_device *base)
{
	(void)base;
}

/* ---- device ---------------------------------------------------------------------------------- */

static uint32_t basic_count(void)
{
	return 1;
}

static void basic_close(struct weft_device *base)
{
	struct basic_device *device = device_of(base);

	weft_fork_remove(&device->fork);
	weft_arena_destroy(&device->arena);
	weft_mutex_destroy(&device->lock);
	weft_free(device);
}

/* Commands of other threads belong to the parent. The forking thread may be draining, and goes on; it may be using the
 * arena, which stays. */
static void basic_restart(struct weft_fork_node *node) WEFT_TSA(no_thread_safety_analysis)
{
	struct basic_device *device = WEFT_CONTAINER_OF(node, struct basic_device, fork);

	weft_mutex_init(&device->lock, WEFT_RANK_WORKER);
	weft_list_init(&device->ready);
	device->draining = false;
}

static enum weft_status basic_open(uint32_t index, const struct weft_host *host,
				   struct weft_device **out)
{
	struct weft_machine machine;

	if (index != 0)
		return WEFT_NOT_FOUND;
	struct basic_device *device = weft_zalloc(sizeof(*device));
	if (!device)
		return WEFT_OUT_OF_MEMORY;
	device->base.driver = &weft_basic_driver;
	device->base.host = host;
	weft_machine_read(&machine);
	machine.cores = 1;
	weft_properties_fill(&machine, &weft_basic_driver, " (basic)", &device->strings,
			     &device->base.properties);
	weft_mutex_init(&device->lock, WEFT_RANK_WORKER);
	weft_list_init(&device->ready);
	device->fork.restart = basic_restart;
	weft_fork_add(&device->fork);
	*out = &device->base;
	return WEFT_OK;
}

static const struct weft_driver_device_ops basic_device_ops = {
	.count = basic_count,
	.open = basic_open,
	.close = basic_close,
	.partition = NULL,
	.split = NULL,
};

static const struct weft_driver_queue_ops basic_queue_ops = {
	.submit = basic_submit,
	.notify = basic_notify,
	.flush = basic_flush,
	.join = NULL,
};

const struct weft_driver weft_basic_driver = {
	.name = "basic",
	.device = &basic_device_ops,
	.queue = &basic_queue_ops,
	.program = &weft_module_ops,
	.interrupt = WEFT_CAN_INTERRUPT ? weft_interrupt : NULL,
};
