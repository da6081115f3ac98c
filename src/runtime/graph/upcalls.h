/* SPDX-License-Identifier: MIT
 *
 * What the task graph calls of what is built on it: command buffers, transfers before the start of a command, code
 * that is made after the build, and specialisations of kernels. Each of them embeds one of the structs below. The graph includes none of their
 * headers.
 */
#ifndef WEFT_RUNTIME_UPCALLS_H
#define WEFT_RUNTIME_UPCALLS_H

#include "driver.h"
#include "node/node.h"
#include "object/opencl_headers.h"

struct weft_subcommand;

/* What drivers tell of a command without an event. */
struct weft_subcommand_ops {
	/* The event that it is run for. */
	cl_event (*event)(const struct weft_subcommand *subcommand);
	/* host->running; may be NULL. */
	void (*running)(struct weft_subcommand *subcommand);
	/* host->accelerator->timed; may be NULL. */
	void (*timed)(struct weft_subcommand *subcommand, uint64_t start, uint64_t end);
	/* host->complete */
	void (*complete)(struct weft_subcommand *subcommand, enum weft_status status);
};

/* A command without an event, which is run for an event: one of a running command buffer, or a transfer. */
struct weft_subcommand {
	struct weft_command command; /* `recorded` is set */
	const struct weft_subcommand_ops *ops;
	struct weft_node node;
};

struct weft_subgraph_ops {
	/* Nothing is left for the event to wait for. With another status than WEFT_OK it is not to be run. */
	void (*start)(cl_event event, enum weft_status dependencies);
	/* The event's own command starts; NULL: that says nothing. */
	void (*running)(cl_event event);
	/* The driver has completed the event's own command. */
	void (*begin)(cl_event event, enum weft_status status);
};

/* Commands with an order of their own, which are run in place of an event's command: those of a command buffer; or after it: those
 * that a kernel enqueues. */
struct weft_subgraph {
	const struct weft_subgraph_ops *ops;
};

/* What a command needs in the memory where it works, before it starts. */
struct weft_event_migration {
	unsigned replica; /* where it works: a number of its context's (context.h) */
	/* Nothing else is left for the event to wait for; calls weft_event_hand_over once all is there. */
	void (*start)(cl_event event);
};

/* Of a command whose end is of use to others. Either may be NULL. No lock is held. */
struct weft_event_hooks {
	/* The command has completed. What comes before it in the order of its queue may not have ended. */
	void (*completed)(cl_event event, enum weft_status status);
	/* It ends, and all before it has. `result` is what its status will be: who sees that sees what is done here. */
	void (*ends)(cl_event event, cl_int result);
};

/* Code of a launch that is made after the build. */
struct weft_event_code {
	/* Adds an edge that is met when the code is there, or will never be; false: so it is by now. */
	bool (*wait)(struct weft_event_code *code, struct weft_edge *edge);
	/* Once that is met: puts the kernel's code in place of what only describes it; or says why there is none. */
	enum weft_status (*take)(const struct weft_event_code *code, struct weft_launch *launch);
};

static inline struct weft_subcommand *weft_subcommand_of(struct weft_command *command)
{
	return WEFT_CONTAINER_OF(command, struct weft_subcommand, command);
}

#endif
