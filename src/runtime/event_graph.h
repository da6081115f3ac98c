/* SPDX-License-Identifier: MIT
 *
 * Between the files of the event: times, how an ended event makes others ready, who is told of a failure.
 */
#ifndef WEFT_RUNTIME_EVENT_GRAPH_H
#define WEFT_RUNTIME_EVENT_GRAPH_H

#include "event.h"

/* Places in _cl_event.times. */
enum weft_event_time { WEFT_EVENT_QUEUED, WEFT_EVENT_SUBMIT, WEFT_EVENT_START, WEFT_EVENT_END };

/* Notes the time, if the event is profiled. */
void weft_event_stamp(cl_event event, enum weft_event_time which);
/* The end, and the start of a command that had none. */
void weft_event_stamp_end(cl_event event);

/* Releases what the command held, and its payload. */
void weft_event_release_held(cl_event event);

/* Around what a driver's host->complete does: weft_event_is_ending is true meanwhile. */
void weft_event_enter_completion(void);
void weft_event_leave_completion(void);

/* Tells the context's pfn_notify that the command itself has failed. */
void weft_event_report_failure(cl_event event, cl_int error);

/* The event's status is final: tells what waits for it and leaves the queue; gives up one
 * reference. Calls made from within another one (a driver may end a command in its notify) are put
 * off until that returns, so that a long chain needs no deep stack. */
void weft_event_broadcast(cl_event event);
/* Closes the event's list of waiters and counts each of them down. */
void weft_event_tell_waiters(cl_event event);

#endif
