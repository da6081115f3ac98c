/* SPDX-License-Identifier: MIT
 *
 * WEFT_TRACE=file: what ran when and why, for Perfetto (ui.perfetto.dev) and Chrome's viewer (chrome://tracing). Each
 * thread is a track of what it works on; each queue is one of its commands, waiting and running; an arrow leads from
 * a command to one that could begin because of its end. Threads write into memory of their own; what is full goes to the
 * file, the rest ten times a second, when a thread ends and when the process exits. Times are those of profiling.
 */
#ifndef WEFT_RUNTIME_TRACE_H
#define WEFT_RUNTIME_TRACE_H

#include "event.h"

#include <stdbool.h>

/* Constant for the life of the process. */
bool weft_trace_is_on(void);

/* A new queue, of which device and properties are known, gets its number, if its commands are traced. */
void weft_trace_queue(cl_command_queue queue);
/* The command, of a traced queue, gets its number. */
void weft_trace_create(cl_event event);
/* The traced command has its place in the queue. */
void weft_trace_wait(cl_event event);
/* The traced command may begin now, because of what this thread has just ended. */
void weft_trace_ready(cl_event event);
/* The traced command begins, or has ended, perhaps without having begun; its times are known. */
void weft_trace_begin(cl_event event);
void weft_trace_end(cl_event event);

/* This thread works on the command, or on something else of that name (copied), until it leaves; may be nested. When
 * nothing is traced the latter does nothing. */
void weft_trace_enter_command(struct weft_command *command);
void weft_trace_enter(const char *name);
void weft_trace_leave(void);

/* What drivers tell of simulated time (driver.h). */
void weft_trace_name_part(uint32_t device, uint32_t part, const char *name);
void weft_trace_span(struct weft_command *command, const struct weft_span *span);
void weft_trace_arrow(struct weft_command *command, const struct weft_arrow *arrow);

#endif
