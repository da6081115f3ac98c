/* SPDX-License-Identifier: MIT
 *
 * The executable form of a command buffer, an *exec*: its recorded commands, their DAG, and what submissions run. A
 * submission keeps the exec that it was enqueued with. An update changes the exec in place if no submission has it, and
 * makes another one otherwise.
 *
 * An *instance* is what one submission at a time uses: a node for each recorded command, with the driver's command and
 * how many predecessors have not ended. It is made once and used again and again. An exec has one, or several when
 * submissions may run at the same time. A submission that finds none waits for one; those that wait get theirs in the
 * order in which they became ready.
 *
 * An exec whose commands become events has no instances: event_replay.h.
 */
#ifndef WEFT_RUNTIME_EXEC_H
#define WEFT_RUNTIME_EXEC_H

#include "command_buffer/command_dag.h"
#include "command_buffer/recorded_command.h"
#include "graph/upcalls.h"
#include "mutex.h"
#include "object/object.h"

struct weft_exec_instance;

/* One command of an instance: its node of the task graph waits for its predecessors in the DAG. A node has cache lines for
 * itself, because other threads may run its neighbours. */
struct weft_exec_node {
	_Alignas(64) struct weft_subcommand base;
	struct weft_exec_instance *instance;
	const struct weft_dag_node *place; /* in the DAG */
	const struct weft_specialisation_pair
		*specialisations;       /* of the recorded command; or NULL: it has none */
	struct weft_codegen_unit *unit; /* whose code has yet to be made; or NULL */
	struct weft_edge code_edge;     /* to that */
};

struct weft_exec_instance {
	struct weft_exec *exec;          /* that it belongs to */
	struct weft_exec_instance *next; /* in exec->idle */
	cl_event event;                  /* the submission that uses it */
	_Atomic uint32_t ends;           /* nodes without successors that have not ended */
	_Atomic int32_t status;          /* enum weft_status: the first error */
	struct weft_exec_node nodes[];
};

/* What runs execs: replay.h. */
struct weft_replay_ops {
	struct weft_subgraph_ops submissions;
	struct weft_subcommand_ops commands;
	struct weft_node_ops nodes; /* of the commands */
};

struct weft_exec {
	struct weft_object
		base; /* referred to by the command buffer, and by submissions until they have ended */
	struct weft_subgraph subgraph; /* what its submissions run */
	const struct weft_replay_ops *ops;
	struct weft_command_dag *dag; /* retained */
	struct weft_recorded_command *
		*recorded_commands; /* owned list, retained recorded commands; dag->num_nodes */
	/* Owned: of each command, which queue of the command buffer it is for. NULL: commands do not become events. */
	uint32_t *queue_numbers;
	struct weft_device *device;
	uint32_t most_instances;
	/* Of all recorded commands together. Made under the command buffer's lock; constant while submissions have the
	 * exec. */
	struct weft_access_builder accesses;
	bool accesses_known;
	struct weft_mutex lock; /* WEFT_RANK_EXEC */
	uint32_t num_instances WEFT_GUARDED_BY(&lock);
	struct weft_exec_instance *idle WEFT_GUARDED_BY(&lock);
	/* Submissions that wait for an instance, by their nodes `run`; oldest first. */
	struct weft_node *first_waiting WEFT_GUARDED_BY(&lock);
	struct weft_node *last_waiting WEFT_GUARDED_BY(&lock);
};

/* What the node's command was recorded as. */
static inline const struct weft_recorded_command *
weft_exec_recorded(const struct weft_exec_node *node)
{
	const struct weft_exec_instance *instance = node->instance;

	return instance->exec->recorded_commands[node - instance->nodes];
}

struct weft_exec_desc {
	cl_device_id device;
	struct weft_command_dag *dag;
	struct weft_recorded_command *const *recorded_commands; /* as many as the dag has nodes */
	const uint32_t *queue_numbers; /* as many; or NULL: commands do not become events */
	uint32_t most_instances;       /* at the same time; at least 1 */
	const struct weft_replay_ops *ops;
};

/* With one instance, so that running it needs no memory. NULL: out of memory. Its last reference is
 * not to be given back with a lock held: objects may go with it. */
struct weft_exec *weft_exec_create(const struct weft_exec_desc *desc) WEFT_MUST_CHECK;

/* Whether only the command buffer has it. It stays so while the caller holds the command buffer's lock. */
static inline bool weft_exec_is_idle(struct weft_exec *exec)
{
	return atomic_load_explicit(&exec->base.refs.value, memory_order_acquire) == 1;
}

/* Of an idle one: the command does something else from now on. Its old recorded command stays alive by another reference. */
void weft_exec_change(struct weft_exec *exec, uint32_t command,
		      struct weft_recorded_command *recorded);

/* What it does to memory, in the command buffer's context, whose lock is held. Borrowed while the exec has a submission. */
const struct weft_accesses *weft_exec_accesses(struct weft_exec *exec, cl_context context);

/* An instance for a submission that has become ready; NULL: it gets one later, from weft_exec_give_back. */
struct weft_exec_instance *weft_exec_take(struct weft_exec *exec, cl_event event);
/* The instance is over. The submission that gets it now, or NULL. */
cl_event weft_exec_give_back(struct weft_exec_instance *instance);

#endif
