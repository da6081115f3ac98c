/* SPDX-License-Identifier: MIT
 *
 * WEFT_TRACE=file: what ran when and why, for Perfetto (ui.perfetto.dev) and Chrome's viewer (chrome://tracing). Each
 * thread is a track of what it works on; each queue is one of its commands, waiting and running (event_trace.h). Threads
 * write into memory of their own; what is full goes to the file, the rest ten times a second, when a thread ends and when
 * the process exits. Times are those of profiling.
 */
#ifndef WEFT_RUNTIME_TRACE_H
#define WEFT_RUNTIME_TRACE_H

#include "trace/trace_record.h"

#include <stdbool.h>
#include <stdint.h>

/* Constant for the life of the process. */
bool weft_trace_is_on(void);

/* This thread works on something of that name (copied), until it leaves; may be nested. When nothing is traced, both do
 * nothing. */
void weft_trace_enter(const char *name);
void weft_trace_leave(void);
/* When this thread left something last, in ns; 0: it never has. */
uint64_t weft_trace_last_left(void);

/* A new record of this thread, of no queue and no command; `name` (copied) may be NULL. NULL: there is no room, or the trace
 * is over. The caller completes the record, and then calls the other function. */
struct weft_trace_record *weft_trace_append_begin(enum weft_trace_kind kind, uint64_t time,
						  const char *name);
void weft_trace_append_end(void);

#endif
