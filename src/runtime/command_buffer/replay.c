/* SPDX-License-Identifier: MIT
 *
 * Replaying. Invariants: a node ends once in each use of its instance. The instance is free again when its last node
 * without successors has ended. After a thread has counted down a successor it may look at the instance no more, unless
 * it starts that successor.
 */
#include "command_buffer/replay.h"

#include "graph/event_progress.h"
#include "node/completion.h"
#include "program/deferred_codegen.h"
#include "program/specialisations.h"

/* With more commands to begin with, the driver begins the instance, as it hands over at once what becomes ready together. */
#define FEW_ROOTS 4

static struct weft_exec_node *node_of(struct weft_subcommand *subcommand)
{
	return WEFT_CONTAINER_OF(subcommand, struct weft_exec_node, base);
}

static struct weft_exec *exec_of(cl_event event)
{
	return WEFT_CONTAINER_OF(event->subgraph, struct weft_exec, subgraph);
}

static cl_event event_of(const struct weft_subcommand *subcommand)
{
	return WEFT_CONTAINER_OF(subcommand, struct weft_exec_node, base)->instance->event;
}

static void timed(struct weft_subcommand *subcommand, uint64_t start, uint64_t end)
{
	weft_event_note_times(event_of(subcommand), start, end);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* The best of its specialisations that there is. Until there is the best one, the launch is timed now and then. For what is about
 * to run: it counts. The kernel as it was recorded is what arguments were packed for. */
static void choose_specialisation(struct weft_exec_node *node)
{
	const struct weft_kernel_desc *recorded = weft_exec_recorded(node)->command.launch.kernel;
	struct weft_launch *launch = &node->base.command.launch;
	const struct weft_specialisation_choice choice = weft_specialisation_pair_choose(
		node->specialisations, weft_ndrange_items(&launch->range));

	(void)weft_specialisation_choice_apply(&choice, recorded, launch);
	weft_specialisation_choice_replace(&choice, launch);
}

static void note_failure(struct weft_exec_instance *instance, enum weft_status status)
{
	int32_t none = WEFT_OK;

	atomic_compare_exchange_strong_explicit(&instance->status, &none, (int32_t)status,
						memory_order_relaxed, memory_order_relaxed);
}

/* False: its code is not there yet, and the node starts when it is. */
static bool has_code(struct weft_exec_node *node)
{
	node->code_edge = weft_edge_to(&node->base.node);
	atomic_store_explicit(&node->base.node.unmet, 1, memory_order_relaxed);
	if (weft_codegen_unit_wait(node->unit, &node->code_edge))
		return false;
	enum weft_status status = weft_codegen_unit_take(node->unit, &node->base.command.launch);
	if (status == WEFT_OK)
		node->unit = NULL;
	else
		note_failure(node->instance, status);
	return true;
}

static bool is_over(const struct weft_exec_node *node)
{
	return node->base.command.op == WEFT_OP_NOTHING ||
	       atomic_load_explicit(&node->instance->status, memory_order_relaxed) != WEFT_OK;
}

/* Nothing is left to wait for. What does nothing, and what follows an error, is over at once. */
static void start_node(struct weft_exec_node *node, bool deferrable)
{
	struct weft_command *command = &node->base.command;
	const struct weft_driver_queue_ops *queue = command->device->driver->queue;

	if (node->unit && !is_over(node) && !has_code(node))
		return;
	/* for the next use of the instance */
	atomic_store_explicit(&node->base.node.unmet, node->place->predecessors,
			      memory_order_relaxed);
	if (is_over(node)) {
		weft_completion_push(&node->base.node);
		return;
	}
	if (node->specialisations)
		choose_specialisation(node);
	command->deferrable = deferrable;
	command->was_blocked = node->place->predecessors > 0;
	command->priority = node->instance->event->command.priority;
	command->throttled = node->instance->event->command.throttled;
	command->in_place = node->instance->event->command.in_place;
	queue->submit(command->device, command);
	queue->notify(command->device, command, WEFT_OK);
}

/* The code is there that the node waited for. No driver is completing anything, so the device has to be flushed. */
static void ready(struct weft_node *base)
{
	struct weft_exec_node *node = WEFT_CONTAINER_OF(base, struct weft_exec_node, base.node);
	cl_device_id device = node->instance->event->queue->device;

	weft_object_get(&device->base);
	start_node(node, false);
	weft_completion_flush_later(device->impl, &device->base);
}

/* The nodes of an instance lie one behind the other: the next one is fetched while this one runs. */
static void fetch_successor(const struct weft_exec_node *node)
{
	const struct weft_dag_node *place = node->place;

	if (place->num_successors == 0)
		return;
	const char *next = (const char *)&node->instance->nodes[place->successors[0]];
	for (size_t at = 0; at < sizeof(struct weft_exec_node); at += 64)
		__builtin_prefetch(next + at, 1);
}

static void running(struct weft_subcommand *subcommand)
{
	fetch_successor(node_of(subcommand));
}

static void complete(struct weft_subcommand *subcommand, enum weft_status status)
{
	struct weft_exec_node *node = node_of(subcommand);

	if (status != WEFT_OK)
		note_failure(node->instance, status);
	bool first = weft_completion_begin(subcommand->command.device);
	weft_completion_push(&node->base.node);
	weft_completion_end(first);
}

/* ---- instances ------------------------------------------------------------------------------- */

static void begin_instance(struct weft_exec_instance *instance, bool deferrable);

/* The instance goes to the next submission before the end of this one is told. */
static void end_instance(struct weft_exec_instance *instance)
{
	cl_event event = instance->event;
	enum weft_status status =
		(enum weft_status)atomic_load_explicit(&instance->status, memory_order_relaxed);

	cl_event next = weft_exec_give_back(instance);
	weft_event_complete(event, status);
	if (next)
		begin_instance(instance, false);
}

/* What follows from the end of a node. */
static void ended(struct weft_node *base)
{
	struct weft_exec_node *node = WEFT_CONTAINER_OF(base, struct weft_exec_node, base.node);
	struct weft_exec_instance *instance = node->instance;
	const uint32_t *successors = node->place->successors;
	uint32_t count = node->place->num_successors;

	if (count == 0 && atomic_fetch_sub_explicit(&instance->ends, 1, memory_order_acq_rel) == 1)
		end_instance(instance);
	for (uint32_t i = 0; i < count; i++) {
		struct weft_exec_node *next = &instance->nodes[successors[i]];

		if (next->place->predecessors == 1 ||
		    atomic_fetch_sub_explicit(&next->base.node.unmet, 1, memory_order_acq_rel) == 1)
			start_node(next, false);
	}
}

/* The nodes may end, and the instance be another submission's, before the last of the roots has been started. */
static void begin_instance(struct weft_exec_instance *instance, bool deferrable)
{
	cl_event event = instance->event;
	const struct weft_command_dag *dag = instance->exec->dag;
	const uint32_t *roots = dag->roots;
	uint32_t count = dag->num_roots;

	atomic_store_explicit(&instance->status, WEFT_OK, memory_order_relaxed);
	atomic_store_explicit(&instance->ends, dag->num_ends, memory_order_relaxed);
	weft_event_begins(event);
	if (count == 0)
		end_instance(instance);
	for (uint32_t i = 0; i < count; i++)
		start_node(&instance->nodes[roots[i]], deferrable);
}

static void begin(cl_event event)
{
	bool deferrable = event->command.deferrable;
	struct weft_exec_instance *instance = weft_exec_take(exec_of(event), event);

	if (!instance)
		return;
	begin_instance(instance, deferrable);
	/* nodes that were over at once; no driver is completing anything */
	weft_completion_end(weft_completion_begin(NULL));
}

/* The event of a submission has nothing left to wait for. */
static void start(cl_event event, enum weft_status dependencies)
{
	struct weft_device *device = event->command.device;

	if (dependencies != WEFT_OK) {
		weft_event_complete(event, dependencies);
	} else if (exec_of(event)->dag->num_roots <= FEW_ROOTS) {
		begin(event);
	} else {
		device->driver->queue->submit(device, &event->command);
		device->driver->queue->notify(device, &event->command, WEFT_OK);
	}
}

/* The driver has completed the event's own command, which was to begin the instance. */
static void begin_by_driver(cl_event event, enum weft_status status)
{
	if (status == WEFT_OK)
		begin(event);
	else
		weft_event_complete(event, status);
}

const struct weft_replay_ops weft_replay_ops = {
	.submissions = {.start = start, .begin = begin_by_driver},
	.commands = {.event = event_of, .running = running, .timed = timed, .complete = complete},
	.nodes = {.ready = ready, .ended = ended},
};
