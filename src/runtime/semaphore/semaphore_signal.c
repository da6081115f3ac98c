/* SPDX-License-Identifier: MIT
 *
 * The life of a signal of a semaphore. Invariant: its event ends once.
 */
#include "semaphore/semaphore_signal.h"

#include "alloc.h"

#include <assert.h>

static struct weft_semaphore_signal *create(void)
{
	struct weft_semaphore_signal *signal = weft_zalloc(sizeof(*signal));

	if (!signal)
		return NULL;
	weft_list_init(&signal->link);
	weft_refcount_init(&signal->refs, 1);
	return signal;
}

struct weft_semaphore_signal *weft_semaphore_signal_create(cl_context context)
{
	struct weft_semaphore_signal *signal = create();

	if (signal && weft_event_create_user(context, &signal->event) != CL_SUCCESS) {
		weft_free(signal);
		signal = NULL;
	}
	return signal;
}

struct weft_semaphore_signal *
weft_semaphore_signal_create_shared(struct weft_semaphore_payload *payload)
{
	struct weft_semaphore_signal *signal = create();

	if (signal)
		signal->payload = weft_semaphore_payload_get(payload);
	return signal;
}

void weft_semaphore_signal_put(struct weft_semaphore_signal *signal)
{
	if (!signal || !weft_refcount_put(&signal->refs))
		return;
	if (signal->event)
		weft_object_release_api(&signal->event->base);
	weft_semaphore_payload_put(signal->payload);
	weft_free(signal);
}

void weft_semaphore_signal_end(struct weft_semaphore_signal *signal, cl_int status)
{
	const cl_int err = weft_event_set_user_status(signal->event, status);

	assert(err == CL_SUCCESS);
	(void)err;
}

/* ---- by a command ---------------------------------------------------------------------------- */

void weft_semaphore_signal_by_command(struct weft_semaphore_signal *signal, cl_int result)
{
	const bool failed = result < CL_COMPLETE;

	if (signal->event)
		weft_semaphore_signal_end(signal,
					  failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
						 : CL_COMPLETE);
	else if (!failed)
		weft_semaphore_payload_signal(signal->payload);
	weft_semaphore_signal_put(signal);
}

/* ---- by a payload ---------------------------------------------------------------------------- */

static void payload_signalled(struct weft_payload_wait *wait, bool succeeded)
{
	struct weft_semaphore_signal *signal =
		WEFT_CONTAINER_OF(wait, struct weft_semaphore_signal, wait);

	weft_semaphore_signal_end(signal, succeeded ? CL_COMPLETE : CL_OUT_OF_RESOURCES);
	weft_semaphore_signal_put(signal);
}

void weft_semaphore_signal_by_payload(struct weft_semaphore_signal *signal,
				      struct weft_semaphore_payload *payload)
{
	signal->wait.signalled = payload_signalled;
	weft_semaphore_payload_wait(payload, &signal->wait);
}
