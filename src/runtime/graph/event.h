/* SPDX-License-Identifier: MIT
 *
 * An event is a node of the task graph: a command with what it waits for, what waits for it, its
 * status, times and callbacks. User events are nodes without a command. It is one block of a pool, which
 * has room for what a usual command needs: edges, packed arguments, the list of objects it keeps.
 *
 * Invariants: the status only falls, and is made final once. An edge is in a list until that list is
 * closed; an edge added later counts as met. `unmet` counts what the start waits for, plus one for the
 * enqueue itself; whoever takes it to zero makes the command ready. `before_end` counts what the end
 * waits for. No two events are ever locked together. An error passes along the edges of wait lists; the
 * order of a queue only orders. An event that follows another one on devices has two edges: its start waits for the
 * other to be handed over, and its end for the other's.
 */
#ifndef WEFT_RUNTIME_EVENT_H
#define WEFT_RUNTIME_EVENT_H

#include "device/context.h"
#include "driver.h"
#include "fork_generation.h"
#include "node/edges.h"
#include "node/join_counter.h"
#include "list.h"
#include "mutex.h"
#include "object/object.h"
#include "threads/callbacks.h"

struct weft_event_code;
struct weft_event_migration;
struct weft_subgraph;
struct weft_specialisation;

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

/* Objects that the command keeps alive. */
struct weft_held {
	struct weft_held *next;
	uint32_t count;
	struct weft_object *objects[]; /* retained */
};

struct weft_event_chunk;
struct weft_accesses;

/* Of an event whose device looks after others itself: who follows it on devices is handed over after it. */
struct weft_handing {
	struct weft_edges handed; /* for its being handed over: closed then */
	struct weft_edges all;    /* for its and that of all that it ends after: likewise */
	_Atomic int32_t before_all;
	struct weft_edge
		last_edge; /* from what is before it in its queue; holds a reference to it */
};

struct _cl_event {
	struct weft_object base;
	struct weft_edges waiters; /* for its end: closed once ended; read by keepers too */
	/* For its effects, in a queue whose commands run in parallel: closed once it has run. */
	struct weft_edges effects;
	_Atomic int32_t unmet;
	_Atomic int32_t before_end;
	_Atomic int32_t status;  /* CL_QUEUED … CL_COMPLETE, or a negative error */
	_Atomic int32_t outcome; /* enum weft_status: the worst of its wait list */

	cl_command_type type;
	cl_int result;  /* of a command that has run: what its status will be */
	bool visible;   /* the application asked for it; constant from submit on */
	bool overtakes; /* has effects before its end: see queue.h; constant from submit on */
	bool has_run;   /* `effects` has been closed */
	bool timed;     /* its times are taken; constant from submit on */
	bool has_device_times; /* likewise by its device's timer: at the start of `memory` */
	/* What its device looks after itself (driver.h). Constant from submit on. */
	bool may_follow; /* it may do so */
	bool follows;    /* it does so for something */
	bool may_fail;   /* and if that fails the command is not run, though handed over */
	uint32_t used;   /* bytes of `memory` from its start, and from its end */
	uint32_t used_end;

	cl_command_queue
		queue;      /* NULL for a user event; held by a visible one, outlives the others */
	cl_context context; /* retained by a user event; the queue's otherwise */
	struct weft_join_counter
		*segment;    /* of an out-of-order queue: counts this command; or NULL */
	cl_event next_ended; /* in the list of the thread that ends events; see exec.h, too */
	/* Runs when the command ends, before its status is final; may be NULL. No lock is held. */
	void (*on_end)(cl_event event, enum weft_status status);
	struct weft_specialisation *specialisation; /* of a launch that is timed for it; or NULL */
	struct weft_subgraph *subgraph; /* of a command buffer: what is to be run; or NULL */
	struct weft_handing *handing;   /* of one that others may follow on devices; or NULL */
	struct weft_event_migration
		*migration;              /* what must be somewhere else before it starts; or NULL */
	struct weft_event_code *code;    /* of a launch whose code has yet to be made; or NULL */
	struct weft_held *held;          /* newest first */
	struct weft_event_chunk *chunks; /* owned: memory beyond the block's */
	struct weft_edge *waits; /* to the wait list, num_waits; what lies behind: `sources` */
	const cl_event *sources; /* borrowed until submit */
	cl_uint num_waits;
	uint32_t generation; /* of the process that made it */
	uint64_t trace;      /* its number; 0: not traced */
	bool has_arrow;      /* the trace says whose end it could begin by */
	bool has_begun;      /* likewise when it began */
	_Atomic bool has_callbacks;

	/* The event itself, and queues that put others behind it: its block stays for their sake when it is gone. */
	weft_refcount keepers;
	struct weft_event_callback *callbacks WEFT_GUARDED_BY(&context->lock); /* newest first */
	struct weft_edge order_edge; /* to what all of the queue's later commands come after */
	struct weft_edge end_edge;   /* from the end of the command before it */
	_Atomic uint64_t times[4];   /* ns of CLOCK_MONOTONIC: queued, submit, start, end */
	struct weft_command command; /* the driver's part; unused by a user event */
	unsigned char memory[];      /* up to the end of the block */
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

/* Lets go of what was counted in `keepers`; NULL is fine. */
void weft_event_drop(cl_event event);

/* Memory that lives as long as the event, not initialised, for pointers; NULL: out of memory. */
void *weft_event_memory(cl_event event, size_t size) WEFT_MUST_CHECK;
/* The same, aligned to WEFT_KERNEL_ALIGNMENT. */
void *weft_event_block(cl_event event, size_t size) WEFT_MUST_CHECK;

/* Keeps an object alive until the command ends (retains it now). */
cl_int weft_event_hold(cl_event event, struct weft_object *object) WEFT_MUST_CHECK;
/* Room for so many more: the caller adds and counts references, which become the event's. NULL: out of memory. */
struct weft_held *weft_event_hold_more(cl_event event, uint32_t most) WEFT_MUST_CHECK;

/* Adds the command to the graph behind its wait list and its queue's order, and hands it to the
 * driver. Cannot fail: everything was allocated before. Afterwards the caller has a reference only
 * by *application_event, when that is not NULL (a reference of the application's). A `blocking`
 * call returns when the command has ended, and then returns
 * CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST or the command's own error if it failed, and no
 * event. `accesses` is borrowed for the call; NULL: the command may access any memory. */
cl_int weft_event_submit(cl_event event, const struct weft_accesses *accesses, bool blocking,
			 cl_event *application_event);

/* The same, not blocking, for a marker or barrier: with an empty wait list it waits for every
 * command of the queue; a barrier holds back later commands (specification 5.14).
 * CL_OUT_OF_HOST_MEMORY: the event is abandoned. */
cl_int weft_event_submit_marker(cl_event event, bool barrier,
				cl_event *application_event) WEFT_MUST_CHECK;

/* ---- events in the application's hands ------------------------------------------------------- */

cl_int weft_event_create_user(cl_context context, cl_event *event) WEFT_MUST_CHECK;
/* CL_INVALID_OPERATION when it was set before. `status` is CL_COMPLETE or negative. */
cl_int weft_event_set_user_status(cl_event event, cl_int status) WEFT_MUST_CHECK;
/* Sleeps, helping the device meanwhile, until the event has ended. Returns its final status; an error at once for a
 * command that a parent process has in flight. */
cl_int weft_event_wait(cl_event event);
/* Copies function, user_data and status. The callback runs once, at once if it is due already. */
cl_int weft_event_add_callback(cl_event event,
			       const struct weft_event_callback *callback) WEFT_MUST_CHECK;
/* Posts the callbacks that the present status has made due. */
void weft_event_post_due(cl_event event);

static inline cl_int weft_event_status(cl_event event)
{
	return atomic_load_explicit(&event->status, memory_order_acquire);
}

/* Whether the command was enqueued by a process that this one has forked from: it may never end in this one. */
static inline bool weft_event_is_foreign(cl_event event)
{
	return event->queue && event->generation != weft_fork_generation() &&
	       weft_event_status(event) > CL_COMPLETE;
}

/* Its times by its device's timer, as its `times`; NULL: that is the host's clock, or nobody asks for them. */
static inline _Atomic uint64_t *weft_event_device_times(cl_event event)
{
	return event->has_device_times ? (_Atomic uint64_t *)(void *)event->memory : NULL;
}

static inline bool weft_event_valid(cl_event event)
{
	return event && weft_object_is(&event->base, WEFT_OBJECT_EVENT);
}

#endif
