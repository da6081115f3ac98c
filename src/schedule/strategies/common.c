/* SPDX-License-Identifier: MIT */
#include "strategies/strategies.h"

#include <math.h>
#include <string.h>

static const struct weft_schedule_strategy *const strategies[] = {
#define WEFT_STRATEGY(name) &weft_strategy_##name,
#include "strategies/strategies.def"
#undef WEFT_STRATEGY
	NULL,
};

const struct weft_schedule_strategy *const *weft_schedule_strategies(void)
{
	return strategies;
}

const struct weft_schedule_strategy *weft_strategy_named(const char *name)
{
	for (size_t i = 0; strategies[i]; i++) {
		if (strcmp(strategies[i]->name, name) == 0)
			return strategies[i];
	}
	return NULL;
}

size_t weft_first_ready(const struct weft_schedule_view *view)
{
	for (size_t t = 0; t < view->num_tasks; t++) {
		if (view->tasks[t].is_ready && view->tasks[t].unclaimed == view->tasks[t].slabs)
			return t;
	}
	return WEFT_NONE;
}

size_t weft_first_free(const struct weft_schedule_view *view)
{
	for (size_t d = 0; d < view->num_devices; d++) {
		if (view->devices[d].queued == 0)
			return d;
	}
	return WEFT_NONE;
}

bool weft_give(const struct weft_schedule_view *view, size_t task, size_t device, size_t slabs,
	       struct weft_schedule_decision *decision)
{
	const size_t unclaimed = view->tasks[task].unclaimed;

	decision->parts[decision->num_parts++] = (struct weft_schedule_part){
		.task = task, .device = device, .slabs = slabs < unclaimed ? slabs : unclaimed};
	return true;
}

bool weft_give_whole(const struct weft_schedule_view *view, size_t task, size_t device,
		     struct weft_schedule_decision *decision)
{
	return weft_give(view, task, device, view->tasks[task].unclaimed, decision);
}

double weft_rate(const struct weft_schedule_view *view, size_t task, size_t device)
{
	return view->rates[task * view->num_devices + device];
}

double weft_input_seconds(const struct weft_schedule_view *view, size_t task, size_t device)
{
	const struct weft_schedule_costs *costs = &view->costs[task * view->num_devices + device];

	return costs->inputs + costs->slab_inputs * (double)view->tasks[task].unclaimed +
	       costs->launch;
}

double weft_part_seconds(const struct weft_schedule_view *view,
			 const struct weft_schedule_part *part)
{
	const size_t pair = part->task * view->num_devices + part->device;
	const struct weft_schedule_costs *costs = &view->costs[pair];
	const double slabs = (double)part->slabs;
	const double inputs = costs->inputs + costs->slab_inputs * slabs;
	const double kernel = costs->launch + view->rates[pair] * slabs;
	const double results = costs->results + costs->slab_results * slabs;

	return view->devices[part->device].moves_ahead ? fmax(kernel, fmax(inputs, results))
						       : inputs + kernel + results;
}

bool weft_is_known(const struct weft_schedule_view *view, size_t device)
{
	for (size_t t = 0; t < view->num_tasks; t++) {
		if (view->is_measured[t * view->num_devices + device])
			return true;
	}
	return false;
}

/* ---- ranks --------------------------------------------------------------------------------------- */

double weft_mean_seconds(const struct weft_schedule_view *view, size_t task)
{
	double sum = 0;

	for (size_t d = 0; d < view->num_devices; d++)
		sum += weft_rate(view, task, d) * (double)view->tasks[task].slabs +
		       weft_input_seconds(view, task, d);
	return sum / (double)view->num_devices;
}

void weft_ranks(const struct weft_schedule_view *view, double *ranks)
{
	for (size_t t = 0; t < view->num_tasks; t++)
		ranks[t] = 0;
	/* Whatever waits for a task has its rank before that task hands its own on. */
	for (size_t i = view->num_tasks; i-- > 0;) {
		const size_t t = view->order[i];
		const struct weft_schedule_task *task = &view->tasks[t];

		ranks[t] += weft_mean_seconds(view, t);
		for (size_t k = 0; k < task->num_depends; k++)
			ranks[task->depends[k]] = fmax(ranks[task->depends[k]], ranks[t]);
	}
}
