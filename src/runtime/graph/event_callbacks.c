/* SPDX-License-Identifier: MIT
 *
 * The application's callbacks on events, and the context's on commands that fail. Invariant: a callback is in its
 * event's list until the status has fallen to its own; the thread that takes it out posts it, once.
 */
#include "graph/event_callbacks.h"

#include "alloc.h"
#include "device/context.h"
#include "graph/event.h"

#include <stdio.h>

static void run_callback(struct weft_callback *post)
{
	struct weft_event_callback *callback =
		WEFT_CONTAINER_OF(post, struct weft_event_callback, post);

	callback->function(callback->event, callback->result, callback->user_data);
	weft_object_put(&callback->event->base);
	weft_free(callback);
}

/* Takes the callbacks that are due out of the event's list: they come oldest first. */
static struct weft_event_callback *take_due(cl_event event)
{
	struct weft_event_callback *due = NULL;

	weft_mutex_lock(&event->context->lock);
	cl_int status = atomic_load_explicit(&event->status, memory_order_seq_cst);
	struct weft_event_callback **link = &event->callbacks;
	while (*link) {
		struct weft_event_callback *callback = *link;

		if (status > callback->status) {
			link = &callback->next;
			continue;
		}
		*link = callback->next;
		callback->next = due;
		callback->result = status < 0 ? status : callback->status;
		due = callback;
	}
	weft_mutex_unlock(&event->context->lock);
	return due;
}

/* The status is stored before `has_callbacks` is read here, and a new callback sets `has_callbacks`
 * before it reads the status, all in one total order: one of the two finds the callback due. */
void weft_event_post_due(cl_event event)
{
	if (!atomic_load_explicit(&event->has_callbacks, memory_order_seq_cst))
		return;
	struct weft_event_callback *callback = take_due(event);
	while (callback) {
		struct weft_event_callback *next = callback->next;

		weft_object_get(&event->base);
		callback->event = event;
		callback->post.run = run_callback;
		weft_callbacks_post(&callback->post);
		callback = next;
	}
}

cl_int weft_event_add_callback(cl_event event, const struct weft_event_callback *desc)
{
	struct weft_event_callback *callback = weft_zalloc(sizeof(*callback));

	if (!callback)
		return CL_OUT_OF_HOST_MEMORY;
	callback->function = desc->function;
	callback->user_data = desc->user_data;
	callback->status = desc->status;
	/* once it is in the list it may run, and release what the application has of the event */
	weft_object_get(&event->base);
	weft_mutex_lock(&event->context->lock);
	struct weft_event_callback **newest = &event->callbacks;
	callback->next = *newest;
	*newest = callback;
	weft_mutex_unlock(&event->context->lock);
	atomic_store_explicit(&event->has_callbacks, true, memory_order_seq_cst);
	/* there may be many: they are looked through when one is due */
	if (atomic_load_explicit(&event->status, memory_order_seq_cst) <= desc->status)
		weft_event_post_due(event);
	weft_object_put(&event->base);
	return CL_SUCCESS;
}

/* ---- what goes wrong in a command ------------------------------------------------------------ */

struct report {
	struct weft_callback post;
	cl_context context; /* retained */
	char message[96];
};

static void run_report(struct weft_callback *post)
{
	struct report *report = WEFT_CONTAINER_OF(post, struct report, post);

	weft_context_report(report->context, report->message);
	weft_object_put(&report->context->base);
	weft_free(report);
}

/* In the callbacks thread, as this one may be a driver's. Without memory there is no message; the event has the
 * error still. */
void weft_event_report_failure(cl_event event, cl_int error)
{
	if (!event->context->notify)
		return;
	struct report *report = weft_zalloc(sizeof(*report));
	if (!report)
		return;
	snprintf(report->message, sizeof(report->message),
		 "a command of type 0x%x ended with error %d", (unsigned)event->type, error);
	weft_object_get(&event->context->base);
	report->context = event->context;
	report->post.run = run_report;
	weft_callbacks_post(&report->post);
}
