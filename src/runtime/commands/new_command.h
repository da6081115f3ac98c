/* SPDX-License-Identifier: MIT
 *
 * A command that is being enqueued: its event, the memory objects that it uses, and what it does to them. Each kind of
 * command begins one, fills in the driver's command and the accesses, and submits it.
 */
#ifndef WEFT_RUNTIME_NEW_COMMAND_H
#define WEFT_RUNTIME_NEW_COMMAND_H

#include "graph/event.h"
#include "graph/queue.h"
#include "memory/access.h"

struct weft_new_command {
	cl_event event;
	unsigned replica; /* of buffers, where it works */
	bool transfers;   /* before it starts, the bytes that it reads are copied to `replica` */
	struct weft_access_builder accesses;
};

/* ---- without a command ----------------------------------------------------------------------- */

/* Whether a command that has nothing to wait for may be done in place: the application does not ask for its event, and no
 * memories of devices have to be looked at. */
static inline bool weft_enqueue_may_be_in_place(const struct weft_enqueue *enqueue,
						const cl_event *event)
{
	return !event && enqueue->num_waits == 0 && !enqueue->queue->context->num_memories;
}

/* A blocking command flushes its queue (5.15) wherever it is done: others may be in flight. */
static inline void weft_enqueue_flush_if(bool blocking, cl_command_queue queue)
{
	if (blocking)
		weft_queue_flush(queue);
}

/* Whether a command that only orders, such as a map, has nothing to order: no command of it is necessary then. */
bool weft_enqueue_is_over(const struct weft_enqueue *enqueue, bool blocking, const cl_event *event);

/* ---- a command ------------------------------------------------------------------------------- */

/* Without accesses. Afterwards it must be submitted. */
cl_int weft_new_command_begin(const struct weft_enqueue *enqueue, unsigned replica,
			      struct weft_new_command *command) WEFT_MUST_CHECK;
/* The command keeps the memory object alive, which has the replica afterwards. */
cl_int weft_new_command_use(struct weft_new_command *command, cl_mem mem) WEFT_MUST_CHECK;
/* It keeps the allocation alive that has the address, if there is one; one that moves has the replica afterwards. */
cl_int weft_new_command_use_address(struct weft_new_command *command,
				    const void *address) WEFT_MUST_CHECK;
/* Submits it as weft_event_submit does. With an error, of what was done since it began, it is abandoned, and the error
 * returned. */
cl_int weft_new_command_submit(struct weft_new_command *command, cl_int err, bool blocking,
			       cl_event *event) WEFT_MUST_CHECK;

#endif
