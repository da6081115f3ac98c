/* SPDX-License-Identifier: MIT
 *
 * Runs commands: short ones in one piece, the others as split commands.
 */
#include "run.h"

#include "clock.h"
#include "command/command.h"
#include "command/transfer.h"
#include "log.h"
#include "runner.h"
#include "scheduler.h"
#include "split_command.h"

void run_end(struct runner *runner, struct weft_command *command, enum weft_status status)
{
	runner->completing = true;
	command->device->host->complete(command, status);
	runner->completing = false;
}

/* Bytes that are copied faster than a thread wakes up. */
#define SHORT_BYTES (16u * 1024)

bool run_is_short(const struct weft_command *command)
{
	if (weft_command_dependencies(command) != WEFT_OK || command->op == WEFT_OP_NOTHING)
		return true; /* it only ends */
	return (command->op == WEFT_OP_COPY || command->op == WEFT_OP_FILL) &&
	       weft_transfer_bytes(command) <= SHORT_BYTES;
}

bool run_seems_short(const struct scheduler *scheduler, const struct weft_command *command)
{
	return command->op == WEFT_OP_NDRANGE && !weft_command_may_block(command) &&
	       weft_command_dependencies(command) == WEFT_OK &&
	       kernel_history_is_short(&scheduler->history, &command->launch);
}

static enum weft_status run_group(struct runner *runner, const struct weft_command *command)
{
	const struct weft_launch *launch = &command->launch;
	struct kernel_history *history = &runner->scheduler->history;
	uint64_t start = kernel_history_is_short(history, launch) ? 0 : weft_clock_now();

	enum weft_status status = weft_work_run_alone(launch, &runner->arena, NULL,
						      command->device->properties.cache_size, NULL);
	if (start && status == WEFT_OK) {
		const uint64_t time = weft_clock_now() - start;

		kernel_history_add_launch(history, launch, time);
		kernel_history_add_group(history, launch, time);
	}
	return status;
}

/* Runs a command that is not worth splitting: one work-group, or a short transfer. False when it is another one. */
static bool run_whole(struct runner *runner, const struct weft_command *command,
		      enum weft_status *status)
{
	if (command->op == WEFT_OP_COPY && run_is_short(command)) {
		weft_transfer_copy(&command->copy, 0, weft_transfer_copy_blocks(&command->copy),
				   command->device->properties.cache_size);
		return true;
	}
	if (command->op == WEFT_OP_FILL && run_is_short(command)) {
		weft_transfer_fill(&command->fill, 0, weft_transfer_fill_blocks(&command->fill));
		return true;
	}
	const uint64_t *groups = command->launch.range.num_groups;
	if (command->op != WEFT_OP_NDRANGE || (groups[0] | groups[1] | groups[2]) > 1 ||
	    weft_command_may_block(command))
		return false;
	*status = run_group(runner, command);
	return true;
}

void run_command(struct runner *runner, struct weft_command *command)
{
	enum weft_status status = weft_command_dependencies(command);

	if (status != WEFT_OK) {
		run_end(runner, command, status);
		return;
	}
	command->device->host->running(command);
	weft_command_enter(command);
	switch (command->op) {
	case WEFT_OP_NOTHING:
		break;
	case WEFT_OP_COPY:
	case WEFT_OP_FILL:
	case WEFT_OP_NDRANGE:
		if (run_whole(runner, command, &status))
			break;
		split_command_run(runner, command);
		return;
	case WEFT_OP_NATIVE:
		weft_command_call(command);
		break;
	default:
		weft_log(WEFT_LOG_ERROR, "device", "unknown operation %d", (int)command->op);
		status = WEFT_INTERNAL;
	}
	weft_command_leave(command);
	run_end(runner, command, status);
}
