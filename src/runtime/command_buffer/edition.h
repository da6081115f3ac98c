/* SPDX-License-Identifier: MIT
 *
 * What a command buffer is between two updates: its recorded commands, their plan, and what runs them. Submissions
 * keep the edition that they were enqueued with; an update of one that nobody else has changes it, of another one
 * makes a new edition.
 *
 * A *run* is what one submission at a time uses: a driver's command per recorded command, and how much each of them
 * still waits for. It is made once and used over and over. An edition has one, or several when submissions may run
 * at the same time; a submission that finds none waits for one, in the order in which they became ready.
 */
#ifndef WEFT_RUNTIME_EDITION_H
#define WEFT_RUNTIME_EDITION_H

#include "command_buffer/plan.h"
#include "command_buffer/recorded_command.h"
#include "graph/upcalls.h"
#include "mutex.h"
#include "object/object.h"

struct weft_run;

/* One command of a run. A cache line of its own: its neighbours may be run by others. */
struct weft_part {
	_Alignas(64) struct weft_subcommand base;
	struct weft_run *run;
	const struct weft_plan_node *node;
	struct weft_specialisation *specialisation; /* to look for; or NULL */
	struct weft_late_unit *unit;                /* whose code has yet to be made; or NULL */
	struct weft_edge code_edge;                 /* to that */
	uint64_t start;        /* ns, when it is timed for the specialisation; or 0 */
	_Atomic int32_t unmet; /* predecessors that have not ended */
};

struct weft_run {
	struct weft_edition *edition; /* whose it is */
	struct weft_run *next;        /* in edition->idle */
	cl_event event;               /* the submission that uses it */
	_Atomic uint32_t ends;        /* parts without successors that have not ended */
	_Atomic int32_t status;       /* enum weft_status: the first error */
	struct weft_part parts[];
};

struct weft_edition {
	struct weft_object
		base; /* referred to by the command buffer, and by submissions until they have ended */
	struct weft_subgraph subgraph; /* what its submissions run */
	struct weft_plan *plan;        /* retained */
	struct weft_recorded_command *
		*recorded_commands; /* owned list, retained recorded commands; plan->num_nodes */
	struct weft_device *device;
	uint32_t most_runs;
	/* Of buffers, of all recorded commands together; guarded by the command buffer's lock. */
	struct weft_footprint footprint;
	bool footprint_known;
	struct weft_mutex lock; /* WEFT_RANK_EDITION */
	uint32_t num_runs WEFT_GUARDED_BY(&lock);
	struct weft_run *idle WEFT_GUARDED_BY(&lock);
	cl_event first_waiting WEFT_GUARDED_BY(&lock); /* for a run, by next_ended */
	cl_event last_waiting WEFT_GUARDED_BY(&lock);
};

struct weft_edition_desc {
	cl_device_id device;
	struct weft_plan *plan;
	struct weft_recorded_command *const *recorded_commands; /* as many as the plan has nodes */
	uint32_t most_runs;                                     /* at the same time; at least 1 */
	const struct weft_subgraph_ops *ops;                    /* that run it: replay.h */
};

/* With one run, so that running it needs no memory. NULL: out of memory. Not to be given up with a lock: objects may go
 * with it. */
struct weft_edition *weft_edition_create(const struct weft_edition_desc *desc) WEFT_MUST_CHECK;

/* Whether only the command buffer has it, and goes on to have it alone: who gives out references holds its lock. */
static inline bool weft_edition_is_idle(struct weft_edition *edition)
{
	return atomic_load_explicit(&edition->base.refs.value, memory_order_acquire) == 1;
}

/* Of an idle one: the command does something else from now on. Its old recorded command stays alive by another reference. */
void weft_edition_change(struct weft_edition *edition, uint32_t command,
			 struct weft_recorded_command *recorded);

/* What it does to memory, by the mappings that there are. The command buffer's lock is held. */
void weft_edition_note(struct weft_edition *edition, struct weft_footprint *footprint);

/* A run for a submission that has become ready; NULL: it gets one later, from weft_edition_give_back. */
struct weft_run *weft_edition_take(struct weft_edition *edition, cl_event event);
/* The run is over. The submission that gets it now, or NULL. */
cl_event weft_edition_give_back(struct weft_run *run);

#endif
