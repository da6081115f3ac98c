/* SPDX-License-Identifier: MIT
 *
 * What every driver does around a command: it keeps what the commands before it came to until it runs, says that this
 * thread works on it, and ends it.
 */
#ifndef WEFT_DEVICES_COMMAND_H
#define WEFT_DEVICES_COMMAND_H

#include "driver.h"

#include <stdint.h>

/* What notify was told, in the command's private data until it runs. */
static inline void weft_command_keep(struct weft_command *command, enum weft_status dependencies)
{
	command->private_data = (void *)(uintptr_t)dependencies;
}

static inline enum weft_status weft_command_dependencies(const struct weft_command *command)
{
	return (enum weft_status)(uintptr_t)command->private_data;
}

/* What this thread does is the command's, until it leaves. */
void weft_command_enter(struct weft_command *command);
void weft_command_leave(const struct weft_command *command);

/* Runs a ready command in this thread; its end is the caller's to tell. */
enum weft_status weft_command_execute(struct weft_command *command,
				      enum weft_status (*execute)(struct weft_device *device,
								  struct weft_command *command));

/* Runs a ready command in this thread, and ends it; without running it when what it waited for has failed. */
void weft_command_run(struct weft_command *command,
		      enum weft_status (*execute)(struct weft_device *device,
						  struct weft_command *command));

/* Calls the native command's function. */
void weft_command_call(struct weft_command *command);

#endif
