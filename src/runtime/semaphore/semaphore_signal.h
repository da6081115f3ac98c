/* SPDX-License-Identifier: MIT
 *
 * One signal of a semaphore: from the end of the command that signals to an event, which the command that waits has in its wait
 * list.
 */
#ifndef WEFT_RUNTIME_SEMAPHORE_SIGNAL_H
#define WEFT_RUNTIME_SEMAPHORE_SIGNAL_H

#include "graph/event.h"
#include "list.h"
#include "semaphore/semaphore_payload.h"

struct weft_semaphore_signal {
	struct weft_list link;
	weft_refcount refs;
	/* A user event; retained. NULL: the signal goes to `payload`. */
	cl_event event;
	/* Retained; or NULL. */
	struct weft_semaphore_payload *payload;
	/* In a payload. */
	struct weft_payload_wait wait;
	/* A wait has been enqueued for it, and it has no signal command yet. */
	bool awaited;
};

/* With one reference, and an event of the context. NULL: no memory. */
struct weft_semaphore_signal *weft_semaphore_signal_create(cl_context context);
/* One that counts in a payload, without an event. NULL: no memory. */
struct weft_semaphore_signal *
weft_semaphore_signal_create_shared(struct weft_semaphore_payload *payload);
/* NULL is fine. */
void weft_semaphore_signal_put(struct weft_semaphore_signal *signal);

/* By a command that ends with that result: one that has failed signals nothing, and what waits for it in this process fails as
 * well. Takes over a reference. */
void weft_semaphore_signal_by_command(struct weft_semaphore_signal *signal, cl_int result);
/* What the payload is signalled by next is this signal. Takes over a reference. */
void weft_semaphore_signal_by_payload(struct weft_semaphore_signal *signal,
				      struct weft_semaphore_payload *payload);
/* CL_COMPLETE, or an error for what waits. */
void weft_semaphore_signal_end(struct weft_semaphore_signal *signal, cl_int status);

#endif
