/* SPDX-License-Identifier: MIT
 *
 * A command that is being enqueued: its event, the memory objects that it uses, and what it does to them. Each kind of
 * command begins one, fills in the driver's command and the accesses, and submits it.
 */
#ifndef WEFT_RUNTIME_NEW_COMMAND_H
#define WEFT_RUNTIME_NEW_COMMAND_H

#include "graph/event.h"
#include "memory/access.h"

struct weft_new_command {
	cl_event event;
	unsigned replica; /* of buffers, where it works */
	bool transfers;   /* before it starts, the bytes that it reads are copied to `replica` */
	struct weft_access_builder accesses;
};

/* Without accesses. Afterwards it must be submitted. */
cl_int weft_new_command_begin(const struct weft_enqueue *enqueue, unsigned replica,
			      struct weft_new_command *command) WEFT_MUST_CHECK;
/* The command keeps the memory object alive, which has the replica afterwards. */
cl_int weft_new_command_use(struct weft_new_command *command, cl_mem mem) WEFT_MUST_CHECK;
/* Submits it as weft_event_submit does. With an error, of what was done since it began, it is abandoned, and the error
 * returned. */
cl_int weft_new_command_submit(struct weft_new_command *command, cl_int err, bool blocking,
			       cl_event *event) WEFT_MUST_CHECK;

#endif
