/* SPDX-License-Identifier: MIT
 *
 * Replaying. Invariant: a part ends once per run, and a run ends when its last part without successors has, which no
 * part outlives that still looks at it: whoever counts a part down may find the run gone, unless he starts that part.
 */
#include "command_buffer/replay.h"

#include "clock.h"
#include "command_buffer/edition.h"
#include "graph/event_graph.h"
#include "program/late_code.h"
#include "program/specialisations.h"

/* With more commands to begin with, the driver begins the run: it hands over at once what becomes ready together. */
#define FEW_ROOTS 4

static struct weft_part *part_of(struct weft_subcommand *subcommand)
{
	return WEFT_CONTAINER_OF(subcommand, struct weft_part, base);
}

static struct weft_edition *edition_of(cl_event event)
{
	return WEFT_CONTAINER_OF(event->subgraph, struct weft_edition, subgraph);
}

static cl_event event_of(const struct weft_subcommand *subcommand)
{
	return WEFT_CONTAINER_OF(subcommand, struct weft_part, base)->run->event;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static bool same_memory(const struct weft_kernel_desc *a, const struct weft_kernel_desc *b)
{
	return a->local_size == b->local_size && a->spill_per_item <= b->spill_per_item &&
	       a->scratch_size <= b->scratch_size;
}

/* The kernel's specialisation for its local size from the time on when there is one. Until then it is timed now and
 * then. For what is about to run: it counts. */
static void look_for_specialisation(struct weft_part *part)
{
	const struct weft_specialisation_code *made =
		weft_specialisation_code(part->specialisation);
	struct weft_launch *launch = &part->base.command.launch;

	part->start = !made && weft_specialisation_count(
				       part->specialisation); /* the time itself when it runs */
	if (!made)
		return;
	if (same_memory(made->desc, launch->kernel)) { /* what was checked and packed holds */
		launch->module = made->module;
		launch->kernel = made->desc;
	}
	part->specialisation = NULL;
}

static void note_failure(struct weft_run *run, enum weft_status status)
{
	int32_t none = WEFT_OK;

	atomic_compare_exchange_strong_explicit(&run->status, &none, (int32_t)status,
						memory_order_relaxed, memory_order_relaxed);
}

/* False: later, when its code is there. */
static bool has_code(struct weft_part *part)
{
	part->code_edge =
		(struct weft_edge){.subcommand = &part->base, .kind = WEFT_EDGE_SUBCOMMAND};
	if (weft_late_unit_wait(part->unit, &part->code_edge))
		return false;
	enum weft_status status = weft_late_unit_take(part->unit, &part->base.command.launch);
	if (status == WEFT_OK)
		part->unit = NULL;
	else
		note_failure(part->run, status);
	return true;
}

static bool is_over(const struct weft_part *part)
{
	return part->base.command.op == WEFT_OP_NOTHING ||
	       atomic_load_explicit(&part->run->status, memory_order_relaxed) != WEFT_OK;
}

/* Nothing is left to wait for. What does nothing, and what follows an error, is over at once. */
static void start_part(struct weft_part *part, bool deferrable)
{
	struct weft_command *command = &part->base.command;
	const struct weft_driver_queue_ops *queue = command->device->driver->queue;

	/* for the next run */
	atomic_store_explicit(&part->unmet, part->node->predecessors, memory_order_relaxed);
	if (part->unit && !is_over(part) && !has_code(part))
		return;
	if (is_over(part)) {
		weft_event_put_off_subcommand(&part->base);
		return;
	}
	if (part->specialisation)
		look_for_specialisation(part);
	command->deferrable = deferrable;
	command->was_blocked = part->node->predecessors > 0;
	queue->submit(command->device, command);
	queue->notify(command->device, command, WEFT_OK);
}

/* Nothing is left for it to wait for, but perhaps its code. */
static void start_subcommand(struct weft_subcommand *subcommand)
{
	start_part(part_of(subcommand), false);
}

/* The commands of a run lie one behind the other: the next one comes nearer while this one runs. */
static void fetch_successor(const struct weft_part *part)
{
	const struct weft_plan_node *node = part->node;

	if (node->num_successors == 0)
		return;
	const char *next = (const char *)&part->run->parts[node->successors[0]];
	for (size_t at = 0; at < sizeof(struct weft_part); at += 64)
		__builtin_prefetch(next + at, 1);
}

static void running(struct weft_subcommand *subcommand)
{
	struct weft_part *part = part_of(subcommand);

	fetch_successor(part);
	if (part->start)
		part->start = weft_clock_now();
}

static void complete(struct weft_subcommand *subcommand, enum weft_status status)
{
	struct weft_part *part = part_of(subcommand);
	struct weft_device *device = subcommand->command.device;

	if (status != WEFT_OK)
		note_failure(part->run, status);
	else if (part->start)
		weft_specialisation_ran(part->specialisation, weft_clock_now() - part->start);
	part->start = 0;
	weft_event_put_off_subcommand(&part->base);
	weft_event_work_off(device);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void begin_run(struct weft_run *run, bool deferrable);

/* The run goes to the next submission before the end of this one is told. */
static void end_run(struct weft_run *run)
{
	cl_event event = run->event;
	enum weft_status status =
		(enum weft_status)atomic_load_explicit(&run->status, memory_order_relaxed);

	cl_event next = weft_edition_give_back(run);
	weft_event_complete(event, status);
	if (next)
		begin_run(run, false);
}

/* What follows from the end of a part. */
static void go_on(struct weft_subcommand *subcommand)
{
	struct weft_part *part = part_of(subcommand);
	struct weft_run *run = part->run;
	const uint32_t *successors = part->node->successors;
	uint32_t count = part->node->num_successors;

	if (count == 0 && atomic_fetch_sub_explicit(&run->ends, 1, memory_order_acq_rel) == 1)
		end_run(run);
	for (uint32_t i = 0; i < count; i++) {
		struct weft_part *next = &run->parts[successors[i]];

		if (next->node->predecessors == 1 ||
		    atomic_fetch_sub_explicit(&next->unmet, 1, memory_order_acq_rel) == 1)
			start_part(next, false);
	}
}

/* The run is over at once when all parts are, and then gone before the last of the roots has been started. */
static void begin_run(struct weft_run *run, bool deferrable)
{
	cl_event event = run->event;
	const struct weft_plan *plan = run->edition->plan;
	const uint32_t *roots = plan->roots;
	uint32_t count = plan->num_roots;

	atomic_store_explicit(&run->status, WEFT_OK, memory_order_relaxed);
	atomic_store_explicit(&run->ends, plan->num_ends, memory_order_relaxed);
	weft_event_begins(event);
	if (count == 0)
		end_run(run);
	for (uint32_t i = 0; i < count; i++)
		start_part(&run->parts[roots[i]], deferrable);
}

static void begin(cl_event event)
{
	bool deferrable = event->command.deferrable;
	struct weft_run *run = weft_edition_take(edition_of(event), event);

	if (!run)
		return;
	begin_run(run, deferrable);
	weft_event_work_off(NULL); /* no driver is completing anything */
}

/* The event of a submission has nothing left to wait for. */
static void start(cl_event event, enum weft_status dependencies)
{
	struct weft_device *device = event->command.device;

	if (dependencies != WEFT_OK) {
		weft_event_complete(event, dependencies);
	} else if (edition_of(event)->plan->num_roots <= FEW_ROOTS) {
		begin(event);
	} else {
		device->driver->queue->submit(device, &event->command);
		device->driver->queue->notify(device, &event->command, WEFT_OK);
	}
}

/* The driver has completed the event's own command, which was to begin the run. */
static void begin_by_driver(cl_event event, enum weft_status status)
{
	if (status == WEFT_OK)
		begin(event);
	else
		weft_event_complete(event, status);
}

const struct weft_subgraph_ops weft_replay_ops = {
	.start = start,
	.begin = begin_by_driver,
	.commands =
		{
			.event = event_of,
			.running = running,
			.complete = complete,
			.go_on = go_on,
			.start = start_subcommand,
		},
};
