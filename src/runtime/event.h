/* SPDX-License-Identifier: MIT
 *
 * An event is a node of the task graph: a command with what it waits for, what waits for it, its
 * status, times and callbacks. User events are nodes without a command.
 *
 * Invariants: the status only falls, and one function (weft_event_end) makes it final, once. An
 * edge is in the list of the node it waits for until that node ends; then the list is closed, and
 * an edge added later counts as met. `unmet` counts open edges plus one for the enqueue itself;
 * whoever takes it to zero makes the command ready. No two events are ever locked together. An
 * error passes along the edges of wait lists; the order of a queue only orders.
 */
#ifndef WEFT_RUNTIME_EVENT_H
#define WEFT_RUNTIME_EVENT_H

#include "callbacks.h"
#include "driver.h"
#include "edges.h"
#include "list.h"
#include "mutex.h"
#include "object.h"

struct weft_event_callback {
	struct weft_event_callback *next;
	void(CL_CALLBACK *function)(cl_event, cl_int, void *);
	void *user_data;
	cl_int status; /* at or below which it runs */
	/* From here on the event's own. */
	struct weft_callback post;
	cl_event event; /* retained once the callback is due */
	cl_int result;  /* what the application is told: `status`, or the error */
};

#define WEFT_EVENT_MAX_HELD 4

struct _cl_event {
	struct weft_object base;
	struct weft_command command; /* the driver's part; unused by a user event */
	cl_context context;          /* retained */
	cl_command_queue queue;      /* retained; NULL for a user event */
	struct weft_list queue_link; /* in queue->commands until the command ends */
	cl_command_type type;

	/* CL_QUEUED … CL_COMPLETE, or a negative error. A futex: sleepers wait for it to fall. */
	_Atomic int32_t status;
	_Atomic int32_t unmet;
	_Atomic int32_t dependency_status; /* enum weft_status: the worst outcome */
	_Atomic uint32_t sleepers;         /* threads in weft_event_wait */
	struct weft_edges waiters;         /* closed once ended */
	struct weft_edge *edges;           /* owned, num_edges: to the wait list */
	cl_uint num_edges;
	struct weft_edge order_edge; /* to what queue->last was */
	struct weft_edge
		marker_edge; /* from the next marker that waits for the whole queue to here */
	bool is_marker;      /* that kind of marker: older commands need no other */
	uint64_t sequence;   /* place in the queue's order of enqueueing */
	cl_event next_ended; /* in the list of the thread that ends events */
	bool profiling;
	_Atomic uint64_t times[4]; /* ns of CLOCK_MONOTONIC: queued, submit, start, end */

	/* Objects that live until the command ends, each retained; NULLs at the end. More of them
	 * than fit go into held_more (owned array). */
	struct weft_object *held[WEFT_EVENT_MAX_HELD];
	struct weft_object **held_more;
	size_t num_held_more;
	void *payload; /* owned block freed when the command ends: packed arguments and the like */
	/* Runs when the command ends, before its status is final; may be NULL. No lock is held. */
	void (*on_end)(cl_event event, enum weft_status status);

	_Atomic bool has_callbacks;
	struct weft_mutex lock;                                       /* WEFT_RANK_EVENT */
	struct weft_event_callback *callbacks WEFT_GUARDED_BY(&lock); /* oldest first */
};

/* ---- enqueueing: create, fill in the command, submit ----------------------------------------- */

struct weft_enqueue {
	cl_command_queue queue;
	cl_command_type type;
	cl_uint num_waits;
	const cl_event
		*waits; /* checked by weft_check_wait_list; borrowed until submit or abandon */
};

/* A command of `queue`, not yet part of the graph. Its `command` is WEFT_OP_NOTHING. The caller
 * owns it, and gives it to weft_event_submit or, on an error, to weft_event_abandon. */
cl_int weft_event_create(const struct weft_enqueue *enqueue, cl_event *event) WEFT_MUST_CHECK;
void weft_event_abandon(cl_event event);

/* Keeps an object alive until the command ends (retains it now). */
cl_int weft_event_hold(cl_event event, struct weft_object *object) WEFT_MUST_CHECK;

/* Adds the command to the graph behind its wait list and its queue's order, and hands it to the
 * driver. Cannot fail: everything was allocated before. Afterwards the caller has a reference only
 * by *application_event, when that is not NULL (a reference of the application's). A `blocking`
 * call returns when the command has ended, and then returns
 * CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST or the command's own error if it failed, and no
 * event. */
cl_int weft_event_submit(cl_event event, bool blocking, cl_event *application_event);

/* The same, not blocking, for a marker or barrier: with an empty wait list it waits for every
 * command of the queue; a barrier holds back later commands (specification 5.14). */
void weft_event_submit_marker(cl_event event, bool barrier, cl_event *application_event);

/* ---- events in the application's hands ------------------------------------------------------- */

cl_int weft_event_create_user(cl_context context, cl_event *event) WEFT_MUST_CHECK;
/* CL_INVALID_OPERATION when it was set before. `status` is CL_COMPLETE or negative. */
cl_int weft_event_set_user_status(cl_event event, cl_int status) WEFT_MUST_CHECK;
/* Sleeps, helping the device meanwhile, until the event has ended. Returns its final status. */
cl_int weft_event_wait(cl_event event);
/* Copies function, user_data and status. The callback runs once, at once if it is due already. */
cl_int weft_event_add_callback(cl_event event,
			       const struct weft_event_callback *callback) WEFT_MUST_CHECK;
/* Posts the callbacks that the present status has made due. */
void weft_event_post_due(cl_event event);
/* Ends the event with CL_COMPLETE or an error. False when it had ended before. */
bool weft_event_end(cl_event event, cl_int status);
/* Whether this thread is ending a command or an event, perhaps deep in a driver's thread: then it must
 * not wait for that driver, nor call the application, which might. */
bool weft_event_is_ending(void);

/* What drivers get (driver.h). */
extern const struct weft_host weft_event_host;

static inline cl_int weft_event_status(cl_event event)
{
	return atomic_load_explicit(&event->status, memory_order_acquire);
}

static inline bool weft_event_valid(cl_event event)
{
	return event && weft_object_is(&event->base, WEFT_OBJECT_EVENT);
}

#endif
