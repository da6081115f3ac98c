/* SPDX-License-Identifier: MIT
 *
 * The application's callbacks on events, and the context's on commands that fail.
 */
#ifndef WEFT_RUNTIME_EVENT_CALLBACKS_H
#define WEFT_RUNTIME_EVENT_CALLBACKS_H

#include "object/object.h"
#include "object/opencl_headers.h"
#include "threads/callbacks.h"

struct weft_event_callback {
	/* In the event's list. */
	struct weft_event_callback *next;
	void(CL_CALLBACK *function)(cl_event, cl_int, void *);
	void *user_data;
	/* At or below which it runs. */
	cl_int status;
	/* What follows is event_callbacks.c's own. For the thread that runs callbacks. */
	struct weft_callback post;
	/* Retained once the callback is due. */
	cl_event event;
	/* What the application is told: `status`, or the error. */
	cl_int result;
};

/* Copies function, user_data and status. The callback runs once, at once if it is due already. */
cl_int weft_event_add_callback(cl_event event,
			       const struct weft_event_callback *callback) WEFT_MUST_CHECK;

/* Posts the callbacks that the present status has made due. */
void weft_event_post_due(cl_event event);

/* Tells the context's pfn_notify that the command itself has failed. */
void weft_event_report_failure(cl_event event, cl_int error);

#endif
