/* SPDX-License-Identifier: MIT
 *
 * When an event was enqueued, submitted, started and ended, for profiling and for the trace.
 */
#ifndef WEFT_RUNTIME_EVENT_TIMES_H
#define WEFT_RUNTIME_EVENT_TIMES_H

#include "object/opencl_headers.h"
#include "status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Places in weft_event_times.host. */
enum weft_event_time {
	WEFT_EVENT_QUEUED,
	WEFT_EVENT_SUBMIT,
	WEFT_EVENT_START,
	WEFT_EVENT_END,
	WEFT_EVENT_NUM_TIMES,
};

struct weft_event_times {
	/* ns of CLOCK_MONOTONIC, in the event's memory; NULL: its times are not taken. Constant from submit on. */
	_Atomic uint64_t *host;
	/* ns of the clock or timer of its end: when all had ended that it enqueued from the device; 0: it enqueued nothing. */
	uint64_t complete;
	/* The event's number in the trace; 0: not traced. */
	uint64_t trace;
	/* Behind them lie as many times by its device's timer, which is not the host's clock. Constant from submit on. */
	bool by_device;
	/* The trace says by whose end the event could begin. */
	bool has_arrow;
	/* The trace says when the event began. */
	bool has_begun;
};

/* The event's times will be taken, by its device's timer, too, where `by_device`. False: out of memory. */
bool weft_event_begin_times(cl_event event, bool by_device) WEFT_MUST_CHECK;

/* Notes the time, if the event is timed. */
void weft_event_stamp(cl_event event, enum weft_event_time which);
/* The end, unless it has been noted, and the start of a command that had none. */
void weft_event_stamp_end(cl_event event);

/* By the host's clock, it was submitted, and started, when it was enqueued. */
void weft_event_start_at_once(cl_event event);

/* When the command, or one of a command buffer, started and ended by its device's timer. */
void weft_event_note_times(cl_event event, uint64_t start, uint64_t end);

#endif
