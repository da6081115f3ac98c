/* SPDX-License-Identifier: MIT
 *
 * Commands and queues in the trace (trace.h). Each queue is a track of its commands, waiting and running; an arrow leads
 * from a command to one that could begin because of its end.
 */
#ifndef WEFT_RUNTIME_EVENT_TRACE_H
#define WEFT_RUNTIME_EVENT_TRACE_H

#include "driver_optional.h"
#include "graph/event.h"

/* A new queue, of which device and properties are known, gets its number, if its commands are traced. */
void weft_event_trace_queue(cl_command_queue queue);
/* The command, of a traced queue, whose times are taken, gets its number. */
void weft_event_trace_create(cl_event event);
/* The traced command has its place in the queue. */
void weft_event_trace_wait(cl_event event);
/* The traced command may begin now, because of what this thread has just ended. */
void weft_event_trace_ready(cl_event event);
/* The traced command begins, or has ended, perhaps without having begun; its times are known. */
void weft_event_trace_begin(cl_event event);
void weft_event_trace_end(cl_event event);

/* This thread works on the command, until weft_trace_leave. */
void weft_event_trace_enter_command(struct weft_command *command);

/* What drivers tell of simulated time (driver_optional.h). */
void weft_event_trace_name_part(uint32_t device, uint32_t part, const char *name);
void weft_event_trace_span(struct weft_command *command, const struct weft_span *span);
void weft_event_trace_arrow(struct weft_command *command, const struct weft_arrow *arrow);

#endif
