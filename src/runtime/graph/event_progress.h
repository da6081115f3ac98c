/* SPDX-License-Identifier: MIT
 *
 * How a command goes on: what the files of the graph, and what is built on it, call when it becomes ready, runs and ends.
 */
#ifndef WEFT_RUNTIME_EVENT_PROGRESS_H
#define WEFT_RUNTIME_EVENT_PROGRESS_H

#include "graph/event.h"

/* Of an event's nodes. */
extern const struct weft_node_ops weft_event_run_ops;
extern const struct weft_node_ops weft_event_end_ops;

/* A status on the way, and the callbacks that it makes due. */
void weft_event_reach(cl_event event, cl_int status);

/* Nothing is left to wait for: gives the command to its driver, as soon as its code is there, and what it needs is where the
 * device works. */
void weft_event_make_ready(cl_event event);
/* Gives it to its driver; with another status than WEFT_OK, it is not to be run. */
void weft_event_hand_over(cl_event event, enum weft_status status);

/* The command starts now. */
void weft_event_begins(cl_event event);
/* The command has run, or was not to, and ends when what has to end before it has ended: what it kept alive goes, its
 * waiters are told, now or when the outermost call of this thread returns (completion.h), and the graph's reference is
 * released. */
void weft_event_complete(cl_event event, enum weft_status status);
/* Ends a user event and releases one reference. False when it had ended before. */
bool weft_event_end_user(cl_event event, cl_int status);

/* Closes the list of the event's end and tells each waiter. */
void weft_event_tell_waiters(cl_event event);

#endif
