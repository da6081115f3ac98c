/* SPDX-License-Identifier: MIT
 *
 * Commands and queues in the trace.
 */
#include "graph/event_trace.h"

#include "clock.h"
#include "device/device.h"
#include "graph/event.h"
#include "graph/queue.h"
#include "graph/upcalls.h"
#include "trace/trace.h"

#include <stdio.h>

static _Atomic uint32_t num_queues;
static _Atomic uint64_t num_commands;

/* `event` and `name` are NULL where there is none; so is what is returned. */
static struct weft_trace_record *append(enum weft_trace_kind kind, uint64_t time, cl_event event,
					const char *name)
{
	struct weft_trace_record *record = weft_trace_append_begin(kind, time, name);

	if (record && event) {
		record->queue = event->queue->trace;
		record->command = event->times.trace;
	}
	return record;
}

static void add(enum weft_trace_kind kind, uint64_t time, cl_event event, const char *name)
{
	struct weft_trace_record *record = append(kind, time, event, name);

	if (record)
		weft_trace_append_end();
}

static uint64_t time_of(cl_event event, enum weft_event_time which)
{
	return atomic_load_explicit(&event->times.host[which], memory_order_relaxed);
}

/* ---- what is traced -------------------------------------------------------------------------- */

static const char *name_of(const struct weft_command *command)
{
	switch (command->op) {
	case WEFT_OP_NOTHING:
		return "order";
	case WEFT_OP_COPY:
		return "copy";
	case WEFT_OP_FILL:
		return "fill";
	case WEFT_OP_NDRANGE:
		return command->launch.kernel->name;
	case WEFT_OP_NATIVE:
		return "native";
	}
	return "";
}

void weft_event_trace_queue(cl_command_queue queue)
{
	if (!weft_trace_is_on())
		return;
	queue->trace = atomic_fetch_add_explicit(&num_queues, 1, memory_order_relaxed) + 1;
	struct weft_trace_record *record = weft_trace_append_begin(WEFT_TRACE_QUEUE, 0, NULL);
	if (!record)
		return;
	record->queue = queue->trace;
	snprintf(record->name, sizeof(record->name), "%s order, %s",
		 weft_queue_in_order(queue) ? "in" : "out of", queue->device->impl->driver->name);
	weft_trace_append_end();
}

void weft_event_trace_create(cl_event event)
{
	event->times.trace = atomic_fetch_add_explicit(&num_commands, 1, memory_order_relaxed) + 1;
}

void weft_event_trace_wait(cl_event event)
{
	add(WEFT_TRACE_WAIT, time_of(event, WEFT_EVENT_QUEUED), event, NULL);
}

/* The arrow begins in what this thread was working on. */
void weft_event_trace_ready(cl_event event)
{
	uint64_t left = weft_trace_last_left();

	if (!left)
		return;
	add(WEFT_TRACE_READY, left - 1, event, NULL);
	event->times.has_arrow = true;
}

static const char *name_in_queue(cl_event event)
{
	return event->subgraph && event->command.op == WEFT_OP_NOTHING ? "command buffer"
								       : name_of(&event->command);
}

void weft_event_trace_begin(cl_event event)
{
	event->times.has_begun = true;
	add(WEFT_TRACE_BEGIN, time_of(event, WEFT_EVENT_START), event, name_in_queue(event));
}

void weft_event_trace_end(cl_event event)
{
	uint64_t time = time_of(event, WEFT_EVENT_END);

	if (event->times.has_begun)
		add(WEFT_TRACE_END, time, event, name_in_queue(event));
	else
		add(WEFT_TRACE_DROP, time, event, NULL);
}

static cl_event event_of(struct weft_command *command)
{
	const struct weft_subcommand *subcommand = weft_subcommand_of(command);

	return command->recorded ? subcommand->ops->event(subcommand)
				 : WEFT_CONTAINER_OF(command, struct _cl_event, command);
}

static const char *name_of_work(const struct weft_command *command)
{
	return command->recorded && command->migrates ? "transfer" : name_of(command);
}

static uint16_t num_images(const struct weft_command *command)
{
	uint16_t count = 0;

	if (command->op != WEFT_OP_NDRANGE)
		return 0;
	for (uint32_t i = 0; i < command->launch.kernel->num_args; i++) {
		if (command->launch.kernel->args[i].kind == WEFT_ARG_IMAGE)
			count++;
	}
	return count;
}

/* The first thread that enters ends the arrow. Other threads come when the first one has offered them a share. */
void weft_event_trace_enter_command(struct weft_command *command)
{
	cl_event event = event_of(command);
	struct weft_trace_record *record =
		append(WEFT_TRACE_ENTER, weft_clock_now(), event, name_of_work(command));

	if (!record)
		return;
	record->images = num_images(command);
	record->arrow = event && event->times.has_arrow;
	if (record->arrow)
		event->times.has_arrow = false;
	weft_trace_append_end();
}

/* ---- simulated time -------------------------------------------------------------------------- */

static void add_part(enum weft_trace_kind kind, const struct weft_span *span, cl_event event,
		     const char *name)
{
	struct weft_trace_record *record = append(kind, span->start, event, name);

	if (!record)
		return;
	record->duration = span->end - span->start;
	record->device = span->device;
	record->part = span->part;
	weft_trace_append_end();
}

void weft_event_trace_name_part(uint32_t device, uint32_t part, const char *name)
{
	const struct weft_span span = {.device = device, .part = part};

	add_part(WEFT_TRACE_PART, &span, NULL, name);
}

void weft_event_trace_span(struct weft_command *command, const struct weft_span *span)
{
	add_part(WEFT_TRACE_SPAN, span, event_of(command), name_of_work(command));
}

/* It ends where its cause does: within that. */
void weft_event_trace_arrow(struct weft_command *command, const struct weft_arrow *arrow)
{
	const struct weft_span from = {arrow->from_device, arrow->from_part, arrow->end - 1,
				       arrow->end};
	const struct weft_span to = {arrow->to_device, arrow->to_part, arrow->start, arrow->start};

	add_part(WEFT_TRACE_FROM, &from, event_of(command), "");
	add_part(WEFT_TRACE_TO, &to, event_of(command), "");
}
