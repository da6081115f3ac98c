/* SPDX-License-Identifier: MIT
 *
 * PySchedCL's contraction, as far as it is published: kernels that favour the same kind of device and wait for each other are
 * contracted to a task component, which one device runs as a whole. A component is ready when all kernels outside of it have ended
 * that kernels of it wait for; the one with the longest chain of kernels from its front on goes first. docs/schedule.md says what of
 * this has which source.
 *
 * A kernel's level is how often the kind of device changes, at most, on a chain of kernels that leads to it. Kernels of the same kind and
 * level that are neighbours in the graph are of one component. So the level grows from each component to those that wait for it, and
 * contracted graphs have no circles.
 */
#include "strategies/classes.h"

#include <stdlib.h>

struct component {
	bool waits;    /* for a kernel outside */
	size_t device; /* that has begun with it; WEFT_NONE: none has */
};

struct contraction {
	const struct weft_schedule_view *view;
	size_t *levels;
	size_t *leaders;              /* by task, towards the task that stands for its component */
	double *ranks;                /* by task: seconds of the longest chain from it on */
	struct component *components; /* by task that stands for one */
};

static bool favours_gpu(const struct weft_schedule_view *view, size_t task)
{
	return weft_class_of(view, task) >= WEFT_CLASS_MIXED_GPU;
}

static size_t leader_of(struct contraction *graph, size_t task)
{
	while (graph->leaders[task] != task) {
		graph->leaders[task] = graph->leaders[graph->leaders[task]];
		task = graph->leaders[task];
	}
	return task;
}

/* ---- components ---------------------------------------------------------------------------------- */

static void contract(struct contraction *graph)
{
	const struct weft_schedule_view *view = graph->view;

	for (size_t t = 0; t < view->num_tasks; t++)
		graph->leaders[t] = t;
	for (size_t i = 0; i < view->num_tasks; i++) {
		const size_t t = view->order[i];
		const struct weft_schedule_task *task = &view->tasks[t];
		const bool is_gpu = favours_gpu(view, t);

		for (size_t k = 0; k < task->num_depends; k++) {
			const size_t before = task->depends[k];
			const size_t level =
				graph->levels[before] + (favours_gpu(view, before) != is_gpu);

			if (level > graph->levels[t])
				graph->levels[t] = level;
		}
		for (size_t k = 0; k < task->num_depends; k++) {
			const size_t before = task->depends[k];

			if (favours_gpu(view, before) == is_gpu &&
			    graph->levels[before] == graph->levels[t])
				graph->leaders[leader_of(graph, before)] = leader_of(graph, t);
		}
	}
}

/* Whether a component must still wait for what a kernel of it waits for. A kernel that has failed is waited for by none that is left. */
static void describe_task(struct contraction *graph, size_t t)
{
	const struct weft_schedule_view *view = graph->view;
	const struct weft_schedule_task *task = &view->tasks[t];
	const size_t leader = leader_of(graph, t);
	struct component *component = &graph->components[leader];

	if (view->last_devices[t] != WEFT_SCHEDULE_NO_DEVICE)
		component->device = view->last_devices[t];
	if (task->unclaimed == 0)
		return;
	for (size_t i = 0; i < task->num_depends; i++) {
		if (leader_of(graph, task->depends[i]) != leader &&
		    !view->tasks[task->depends[i]].has_ended)
			component->waits = true;
	}
}

static bool create(struct contraction *graph, const struct weft_schedule_view *view)
{
	const size_t count = view->num_tasks;

	*graph = (struct contraction){
		.view = view,
		.levels = (size_t *)calloc(count, sizeof(size_t)),
		.leaders = (size_t *)calloc(count, sizeof(size_t)),
		.ranks = (double *)calloc(count, sizeof(double)),
		.components = (struct component *)calloc(count, sizeof(struct component))};
	if (!graph->levels || !graph->leaders || !graph->ranks || !graph->components)
		return false;
	for (size_t t = 0; t < count; t++)
		graph->components[t].device = WEFT_NONE;
	weft_ranks(view, graph->ranks);
	contract(graph);
	for (size_t t = 0; t < count; t++)
		describe_task(graph, t);
	return true;
}

static void destroy(const struct contraction *graph)
{
	free(graph->levels);
	free(graph->leaders);
	free(graph->ranks);
	free(graph->components);
}

/* ---- decisions ----------------------------------------------------------------------------------- */

/* A ready kernel of a component that a device has begun with goes to that device. */
static bool go_on(struct contraction *graph, struct weft_schedule_decision *decision)
{
	const struct weft_schedule_view *view = graph->view;
	size_t best = WEFT_NONE;

	for (size_t t = 0; t < view->num_tasks; t++) {
		if (view->tasks[t].is_ready && view->tasks[t].unclaimed > 0 &&
		    graph->components[leader_of(graph, t)].device != WEFT_NONE &&
		    (best == WEFT_NONE || graph->ranks[t] > graph->ranks[best]))
			best = t;
	}
	return best != WEFT_NONE &&
	       weft_give_whole(view, best, graph->components[leader_of(graph, best)].device,
			       decision);
}

/* The first kernel of a component for a device of the kind; WEFT_NONE. */
static size_t best_front(struct contraction *graph, bool is_gpu)
{
	const struct weft_schedule_view *view = graph->view;
	size_t best = WEFT_NONE;

	for (size_t t = 0; t < view->num_tasks; t++) {
		const struct component *component = &graph->components[leader_of(graph, t)];

		if (view->tasks[t].is_ready && view->tasks[t].unclaimed > 0 && !component->waits &&
		    favours_gpu(view, t) == is_gpu &&
		    (best == WEFT_NONE || graph->ranks[t] > graph->ranks[best]))
			best = t;
	}
	return best;
}

static bool begin(struct contraction *graph, struct weft_schedule_decision *decision)
{
	const struct weft_free_devices devices = weft_free_devices(graph->view);
	const size_t for_cpu = best_front(graph, false);
	const size_t for_gpu = best_front(graph, true);

	if (devices.cpu != WEFT_NONE && for_cpu != WEFT_NONE)
		return weft_give_whole(graph->view, for_cpu, devices.cpu, decision);
	return devices.gpu != WEFT_NONE && for_gpu != WEFT_NONE &&
	       weft_give_whole(graph->view, for_gpu, devices.gpu, decision);
}

static bool decide(const struct weft_schedule_view *view, struct weft_schedule_decision *decision)
{
	struct contraction graph;
	const bool gives =
		create(&graph, view) && (go_on(&graph, decision) || begin(&graph, decision));

	destroy(&graph);
	return gives;
}

const struct weft_schedule_strategy weft_strategy_contraction = {
	.name = "contraction",
	.summary =
		"PySchedCL's: kernels that favour the same device and wait for each other run on "
		"it together",
	.decide = decide,
};
