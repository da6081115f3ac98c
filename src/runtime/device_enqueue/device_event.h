/* SPDX-License-Identifier: MIT
 *
 * Events that kernels have (clk_event_t): of a launch that a kernel has enqueued, of a marker, or one that a kernel ends. An event is a
 * node of the task graph, which ends with what it stands for. Kernels have references; what the event stands for has one until
 * it ends. No lock, but in a context that may be terminated. The head outlives the event (slab.h), so a handle that is used after its end is known to be none.
 */
#ifndef WEFT_RUNTIME_DEVICE_EVENT_H
#define WEFT_RUNTIME_DEVICE_EVENT_H

#include "device/context.h"
#include "list.h"
#include "node/node.h"
#include "refcount.h"

/* Of one context, at a time. */
#define WEFT_DEVICE_EVENTS_MAX 65536u

struct weft_device_event {
	_Atomic uint32_t tag; /* whether it is one */
	weft_refcount refs;
	_Atomic int32_t status; /* CL_SUBMITTED, CL_COMPLETE, or an error */
	bool user;              /* a kernel ends it */
	bool timed;             /* its queue takes times */
	cl_context context;     /* counts it; lives longer */
	struct weft_list link;  /* in context->device_events, if that may be terminated */
	struct weft_node end;   /* its waiters wait for the end */
	/* ns: when its kernel started, when that had run, and when all had that it enqueued. */
	uint64_t start, ran, ended;
};

/* With a reference for the kernel, and one until it ends. NULL: there are too many, or no memory. */
struct weft_device_event *weft_device_event_create(cl_context context, bool user);
/* NULL: the handle is none of an event. */
struct weft_device_event *weft_device_event_of(uint64_t handle);
void weft_device_event_get(struct weft_device_event *event);
/* A kernel's reference. An event that a kernel was to end, and now cannot, ends with an error. A kernel that has no reference releases
 * none. */
void weft_device_event_release(struct weft_device_event *event);

/* What it stands for has ended; `status` is CL_COMPLETE or negative. Tells what waits for it, and releases the reference of what
 * has ended. Within a bracket of completion.h. */
void weft_device_event_end(struct weft_device_event *event, cl_int status);
/* The same from a kernel, for one that a kernel ends; once. */
void weft_device_event_set_status(struct weft_device_event *event, cl_int status);

/* What waits for events that kernels have in a terminated context, or will, does not wait any more. */
void weft_device_events_open(cl_context context);

/* The edge, a checked one, leads from the event's end; false: that is past, and *failed says how. */
bool weft_device_event_wait(struct weft_device_event *event, struct weft_edge *edge, bool *failed)
	__attribute__((warn_unused_result));

/* When it has ended, its two times (capture_event_profiling_info) are at `times`; now, if it has. Without memory, or of an event whose
 * times are not taken, never. Until then `holder`, which has something left to wait for, waits for it: it keeps the memory. */
void weft_device_event_capture(struct weft_device_event *event, uint64_t *times,
			       struct weft_node *holder);

#endif
