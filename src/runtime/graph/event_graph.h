/* SPDX-License-Identifier: MIT
 *
 * Between the files of the event: times, readiness, how the graph goes on when an event ends, who is told
 * of a failure.
 */
#ifndef WEFT_RUNTIME_EVENT_GRAPH_H
#define WEFT_RUNTIME_EVENT_GRAPH_H

#include "driver_optional.h"
#include "graph/event.h"

struct weft_subcommand;

/* Places in _cl_event.times. */
enum weft_event_time { WEFT_EVENT_QUEUED, WEFT_EVENT_SUBMIT, WEFT_EVENT_START, WEFT_EVENT_END };

/* Notes the time, if the event is profiled. */
void weft_event_stamp(cl_event event, enum weft_event_time which);
/* The end, unless it has been noted, and the start of a command that had none. */
void weft_event_stamp_end(cl_event event);

/* When the command, or one of a command buffer, started and ended by its device's timer. */
void weft_event_note_times(cl_event event, uint64_t start, uint64_t end);

/* Releases what the command held. */
void weft_event_release_held(cl_event event);

/* Around what may make native kernels ready beside an announcement: what is ended meanwhile is put off, until the end of
 * the first call, which is true. No lock is held. */
bool weft_event_begin_telling(void) WEFT_MUST_CHECK;
void weft_event_end_telling(bool first);

/* Around a wait, and a native function: it may be called by a driver's notify within an announcement of this thread. What
 * the thread ends meanwhile must not be put off until that returns. */
struct weft_event_pause {
	bool busy;
	struct weft_device *origin;
};
void weft_event_pause(struct weft_event_pause *pause);
void weft_event_resume(const struct weft_event_pause *pause);

/* A thread waits for something in the graph: weft_wait_until_over, with a pause around it. */
void weft_event_wait_until_over(struct weft_device *device, struct weft_wait *wait);

/* Tells the context's pfn_notify that the command itself has failed. */
void weft_event_report_failure(cl_event event, cl_int error);

/* A status on the way, and the callbacks that it makes due. */
void weft_event_reach(cl_event event, cl_int status);

/* Nothing is left to wait for: gives the command to its driver, as soon as what it needs is where the device works. */
void weft_event_make_ready(cl_event event);
/* Gives it to its driver; with another status than WEFT_OK, it is not to be run. Then those that follow it may be. */
void weft_event_hand_over(cl_event event, enum weft_status status);

/* Whether the event's device looks after it that the event comes after the other one: then the edge only waits for
 * that to be handed over, and *edges counts it if it is open. Not for what has ended. The event has been submitted
 * to its driver. */
bool weft_event_follow(cl_event event, cl_event other, enum weft_follow kind,
		       struct weft_edge *edge, int32_t *edges);

/* The command has run, or was not to; its status will be `result`. Gives up the graph's reference, now or when
 * what has to end before it has ended. Calls made from within another one (a driver may end a command in its
 * notify) are put off until that returns, so that a long chain needs no deep stack. */
void weft_event_has_run(cl_event event, cl_int result);

/* The command starts now. */
void weft_event_begins(cl_event event);
/* The command has ended, and what it kept alive goes; then as weft_event_has_run. */
void weft_event_complete(cl_event event, enum weft_status status);

/* A command without an event has ended. What follows is for its `go_on`, in weft_event_work_off: likewise put off, when
 * this thread is in there already. */
void weft_event_put_off_subcommand(struct weft_subcommand *subcommand);
/* Goes on with all that this thread has put off, because of what a command of the device has done; NULL: nobody's. */
void weft_event_work_off(struct weft_device *origin);

/* Ends a user event and gives up one reference. False when it had ended before. */
bool weft_event_end_user(cl_event event, cl_int status);

/* Closes the event's list of waiters and tells each of them. */
void weft_event_tell_waiters(cl_event event);

/* Code has been made, or never will be: closes the list of those who wait for it, and they go on. */
void weft_event_code_made(struct weft_edges *waiters);

/* Gives the join counter up: what waits for it goes on once all that was counted in has happened. */
void weft_join_counter_close(struct weft_join_counter *counter);

#endif
