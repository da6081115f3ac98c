/* SPDX-License-Identifier: MIT
 *
 * What drivers call: each call is for an event, or for a command without one (upcalls.h).
 */
#include "graph/driver_host.h"

#include "block_pool.h"
#include "device/device.h"
#include "graph/event_progress.h"
#include "graph/event_trace.h"
#include "graph/upcalls.h"
#include "node/completion.h"
#include "trace/trace.h"

static cl_event event_of(const struct weft_command *command)
{
	return WEFT_CONTAINER_OF(command, struct _cl_event, command);
}

#define CACHE_LINE 64

/* What runs next is mostly far away in memory, and so is what the end of this command looks at: they come nearer while
 * it runs. An edge leads to a live node until this event ends; mostly to the run of an event, else no harm is done. */
static void fetch_what_follows(cl_event event)
{
	for (size_t at = 0; at < offsetof(struct _cl_event, command); at += CACHE_LINE)
		__builtin_prefetch((const char *)event + at, 1);
	const struct weft_edge *edge =
		weft_edges_newest(&(event->overtakes ? &event->run : &event->end)->waiters);

	if (!edge)
		return;
	const char *next = (const char *)weft_edge_waiter(edge) - offsetof(struct _cl_event, run);
	for (size_t at = 0; at < offsetof(struct _cl_event, room); at += CACHE_LINE)
		__builtin_prefetch(next + at, 1);
	__builtin_prefetch(next + WEFT_BLOCK_POOL_EVENT_BYTES - WEFT_KERNEL_ALIGNMENT);
}

static void host_running(struct weft_command *command)
{
	if (command->recorded) {
		struct weft_subcommand *subcommand = weft_subcommand_of(command);

		if (subcommand->ops->running)
			subcommand->ops->running(subcommand);
		return;
	}
	cl_event event = event_of(command);
	fetch_what_follows(event);
	if (!event->subgraph) /* a command buffer's run begins later */
		weft_event_begins(event);
	else if (event->subgraph->ops->running)
		event->subgraph->ops->running(event);
}

static const void *host_queue_of(const struct weft_command *command)
{
	struct weft_subcommand *subcommand =
		weft_subcommand_of((struct weft_command *)(uintptr_t)command);
	cl_event event = command->recorded ? subcommand->ops->event(subcommand) : event_of(command);

	return event ? event->queue : NULL;
}

static void host_ran(struct weft_command *command)
{
	if (!command->recorded && !event_of(command)->subgraph)
		weft_event_stamp(event_of(command), WEFT_EVENT_END);
}

static void host_timed(struct weft_command *command, uint64_t start, uint64_t end)
{
	struct weft_subcommand *subcommand = weft_subcommand_of(command);

	if (!command->recorded)
		weft_event_note_times(event_of(command), start, end);
	else if (subcommand->ops->timed)
		subcommand->ops->timed(subcommand, start, end);
}

static void host_complete(struct weft_command *command, enum weft_status status)
{
	if (command->recorded)
		weft_subcommand_of(command)->ops->complete(weft_subcommand_of(command), status);
	else if (event_of(command)->subgraph)
		event_of(command)->subgraph->ops->begin(event_of(command), status);
	else
		weft_event_complete(event_of(command), status);
}

static void host_broadcast(struct weft_command *command)
{
	if (!command->recorded) /* the runtime goes on with a command buffer by itself */
		weft_event_tell_waiters(event_of(command));
}

/* It may wait for what this thread has begun to tell. */
static void host_call(struct weft_command *command)
{
	struct weft_completion_pause pause;

	weft_completion_pause(&pause);
	if (pause.origin) /* which otherwise hands over when this call is over */
		pause.origin->driver->queue->flush(pause.origin);
	command->native.function(command->native.args);
	weft_completion_resume(&pause);
}

static const struct weft_host_accelerator accelerator = {
	.ran = host_ran,
	.timed = host_timed,
	.broadcast = host_broadcast,
};

static const struct weft_host_simulation simulation = {
	.name = weft_event_trace_name_part,
	.spent = weft_event_trace_span,
	.followed = weft_event_trace_arrow,
};

static const struct weft_host plain = {
	.running = host_running,
	.queue_of = host_queue_of,
	.complete = host_complete,
	.call = host_call,
	.accelerator = &accelerator,
};

static const struct weft_host traced = {
	.running = host_running,
	.queue_of = host_queue_of,
	.complete = host_complete,
	.call = host_call,
	.enter = weft_event_trace_enter_command,
	.leave = weft_trace_leave,
	.accelerator = &accelerator,
	.simulation = &simulation,
};

const struct weft_host *weft_driver_host(void)
{
	return weft_trace_is_on() ? &traced : &plain;
}
