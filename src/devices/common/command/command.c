/* SPDX-License-Identifier: MIT
 *
 * Commands, from ready to ended.
 */
#include "command/command.h"

#include "command/handoff.h"

void weft_command_enter(struct weft_command *command)
{
	const struct weft_host *host = command->device->host;

	if (host->enter)
		host->enter(command);
}

void weft_command_leave(const struct weft_command *command)
{
	const struct weft_host *host = command->device->host;

	if (host->leave)
		host->leave();
}

enum weft_status weft_command_execute(struct weft_command *command,
				      enum weft_status (*execute)(struct weft_device *device,
								  struct weft_command *command))
{
	command->device->host->running(command);
	weft_command_enter(command);
	enum weft_status status = execute(command->device, command);
	weft_command_leave(command);
	return status;
}

void weft_command_run(struct weft_command *command,
		      enum weft_status (*execute)(struct weft_device *device,
						  struct weft_command *command))
{
	const struct weft_host *host = command->device->host;
	enum weft_status status = weft_command_dependencies(command);

	if (status == WEFT_OK)
		status = weft_command_execute(command, execute);
	host->complete(command, status);
}

void weft_command_call(struct weft_command *command)
{
	weft_handoff_all();
	command->device->host->call(command);
}
