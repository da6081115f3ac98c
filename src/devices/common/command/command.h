/* SPDX-License-Identifier: MIT
 *
 * What every driver does around a command: it keeps the outcome of the command's dependencies until it runs, reports
 * which thread works on it, and ends it.
 */
#ifndef WEFT_DEVICES_COMMAND_H
#define WEFT_DEVICES_COMMAND_H

#include "driver.h"
#include "kernel_waits.h"

#include <stdint.h>

/* Keeps what notify was told, in the command's private data, until the command runs. */
static inline void weft_command_keep(struct weft_command *command, enum weft_status dependencies)
{
	command->private_data = (void *)(uintptr_t)dependencies;
}

static inline enum weft_status weft_command_dependencies(const struct weft_command *command)
{
	return (enum weft_status)(uintptr_t)command->private_data;
}

/* Whether it may wait for other commands: a native function, or a kernel with pipes. */
static inline bool weft_command_may_block(const struct weft_command *command)
{
	return command->op == WEFT_OP_NATIVE ||
	       (command->op == WEFT_OP_NDRANGE &&
		(command->launch.kernel->flags & WEFT_KERNEL_MAY_BLOCK));
}

/* This thread works on the command until it leaves. */
void weft_command_enter(struct weft_command *command);
void weft_command_leave(const struct weft_command *command);

/* Runs a ready command in this thread; the caller reports the end. */
enum weft_status weft_command_execute(struct weft_command *command,
				      enum weft_status (*execute)(struct weft_device *device,
								  struct weft_command *command));

/* Runs a ready command in this thread, and ends it. If a dependency has failed, only ends it. */
void weft_command_run(struct weft_command *command,
		      enum weft_status (*execute)(struct weft_device *device,
						  struct weft_command *command));

/* Calls the native command's function. */
void weft_command_call(struct weft_command *command);

#endif
