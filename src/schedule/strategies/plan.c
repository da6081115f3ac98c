/* SPDX-License-Identifier: MIT
 *
 * Plans ahead: which slabs of each kernel run where, and in what order, with a forecast of when all ends. The first plan is the best of
 * several ways to begin, the rules of PySchedCL among them; then kernels are moved to other devices, split, and put into another
 * order as long as the forecast gets better. Devices that are free take what the plan has for them. When the forecast does not hold,
 * what is left is planned again. The time for plans is bounded by what they are about.
 */
#include "strategies/plan.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of the time that is planned, what a plan may cost: an evaluation takes some tens of nanoseconds for each task, and each other one that it
 * waits for, and device. */
#define PLANNING_SHARE 0.05
#define EVALUATION_SECONDS 40e-9
/* Ways to begin take that share, too, or this. Each of them evaluates half a plan so many times for each task, and for each device once more. */
#define BEGINNING_SECONDS 0.1
#define BEGINNING_EVALUATIONS 16
#define LEAST_EVALUATIONS 64
#define MOST_EVALUATIONS 1e9 /* where the time that is planned has no bound */
/* The same for what is planned again. */
#define AGAIN_SHARE 0.01
#define AGAIN_EVALUATIONS 16
/* A plan is made again if the rest takes so much longer or shorter than it says. */
#define DRIFT 0.05
/* Of a part as long as most of what is left, the end is kept back: if devices are slower than forecast, others help. */
#define LAST_SHARE 0.7
#define LAST_SECONDS 1e-3
/* Of what is left, how much longer it may take if a device does not wait for a task. */
#define OVERTAKING_LOSS 0.01
/* The part of a kernel that shows a rate, if the kernel takes longer than this, or the device has shown none. */
#define PROBES 128
#define PROBE_SECONDS 5e-4
/* A beginning that takes so many times longer than the best plan so far does not become the best one. */
#define FAR_BEHIND 1.15
/* Another strategy decides if it is forecast to be better than the plan by so much; if runs have taken less by so much. */
#define LEAST_GAIN 0.005
#define LEAST_MEASURED_GAIN 0.02
/* Runs that a strategy has decided say what to expect of it if they are so many. */
#define ENOUGH_RUNS 3
/* Forecasts are as wrong as that: a strategy without enough runs is tried if, by forecasts, it may be better than the plan has been. */
#define FORECAST_ERROR 0.1

/* ---- plans --------------------------------------------------------------------------------------- */

static bool knows_rates(const struct weft_schedule_view *view)
{
	for (size_t pair = 0; pair < view->num_tasks * view->num_devices; pair++) {
		if (!view->is_measured[pair])
			return false;
	}
	return true;
}

static double evaluation_seconds(const struct weft_schedule_view *view)
{
	size_t steps = 0;

	for (size_t t = 0; t < view->num_tasks; t++)
		steps += view->tasks[t].unclaimed > 0 ? 1 + view->tasks[t].num_depends : 0;
	return EVALUATION_SECONDS * (double)(steps * view->num_devices + 1);
}

/* Plans by rates that are guessed are made again soon. */
static void set_budget(const struct weft_schedule_view *view, struct weft_plan *plan, double share,
		       size_t least)
{
	const double seconds = evaluation_seconds(view);
	const double most = share * (plan->end - view->now) / seconds;

	plan->evaluations = most > (double)least && knows_rates(view)
				    ? (size_t)fmin(most, MOST_EVALUATIONS)
				    : least;
}

/* The ways to begin that are no strategy's, and `plan` with the strategies whose decisions are a beginning. */
#define OWN_WAYS 3
static const struct weft_schedule_strategy *const deciders[] = {
	&weft_strategy_plan,          &weft_strategy_claims,      &weft_strategy_heft,
	&weft_strategy_cpu_gpu,       &weft_strategy_baseline,    &weft_strategy_lookahead,
	&weft_strategy_adaptive_bias, &weft_strategy_contraction, &weft_strategy_fcfs};
#define DECIDERS (sizeof(deciders) / sizeof(*deciders))

/* The makespan of a strategy, if it decides; INFINITY: the way is none's. */
static double begin(const struct weft_schedule_view *view, struct weft_plan *plan, size_t way)
{
	if (way >= OWN_WAYS) {
		plan->forecast.view = view;
		return weft_forecast_strategy(&plan->forecast, deciders[way - OWN_WAYS + 1],
					      plan->order);
	}
	weft_plan_sort(view, plan);
	if (way == 0)
		weft_plan_advantages(view, plan);
	else
		weft_plan_earliest(view, plan, way == 1);
	return INFINITY;
}

/* What runs have taken that the strategy decided; 0: too few are known. */
static double measured(const struct weft_schedule_view *view,
		       const struct weft_schedule_strategy *strategy)
{
	for (size_t i = 0; i < view->num_outcomes; i++) {
		const struct weft_schedule_outcome *outcome = &view->outcomes[i];

		if (outcome->runs >= ENOUGH_RUNS && strcmp(outcome->strategy, strategy->name) == 0)
			return outcome->makespan;
	}
	return 0;
}

/* How many times as long as forecast the best of the runs that are known have taken; 0: none are known. */
static double forecast_factor(const struct weft_schedule_view *view, const double *forecasts)
{
	double least = INFINITY;
	double factor = 0;

	for (size_t i = 0; i < DECIDERS; i++) {
		const double seconds = measured(view, deciders[i]);

		if (seconds > 0 && seconds < least && isfinite(forecasts[i])) {
			least = seconds;
			factor = seconds / forecasts[i];
		}
	}
	return factor;
}

/* The strategy that decides instead of the plan: it is better, as runs have shown or as is forecast. NULL: none is. */
static const struct weft_schedule_strategy *better_strategy(const struct weft_schedule_view *view,
							    const double *forecasts)
{
	const double factor = forecast_factor(view, forecasts);
	const double gain = factor > 0 ? LEAST_MEASURED_GAIN : LEAST_GAIN;
	const double optimism = factor > 0 ? factor * (1 - FORECAST_ERROR) : 1;
	const struct weft_schedule_strategy *better = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < DECIDERS; i++) {
		const double seconds = measured(view, deciders[i]);
		const double expected = seconds > 0 ? seconds : forecasts[i] * optimism;

		if (i == 0)
			least = expected * (1 - gain);
		else if (expected < least && (seconds > 0 || knows_rates(view))) {
			least = expected;
			better = deciders[i];
		}
	}
	return better;
}

/* The best of what several ways to begin lead to. Returns what another strategy does, if that is better still; else NULL. */
static const struct weft_schedule_strategy *make_plan(const struct weft_schedule_view *view,
						      struct weft_plan *plan)
{
	const size_t pairs = view->num_tasks * view->num_devices;
	const size_t ways = OWN_WAYS + DECIDERS - 1;
	double forecasts[DECIDERS];
	double best = INFINITY;

	for (size_t way = 0; way < ways; way++) {
		plan->evaluations = SIZE_MAX;
		const double other = begin(view, plan, way);
		if (way >= OWN_WAYS)
			forecasts[way - OWN_WAYS + 1] = other - view->now;
		if (way >= OWN_WAYS && !isfinite(other))
			continue;
		plan->end = weft_plan_forecast(view, plan, plan->count);
		if (plan->end - view->now > FAR_BEHIND * (best - view->now))
			continue;
		set_budget(view, plan, PLANNING_SHARE / (double)ways, LEAST_EVALUATIONS);
		weft_plan_improve(view, plan);
		/* One that never ends, as rates are without bounds, is a plan, too. */
		if (plan->end < best || way == 0) {
			best = plan->end;
			memcpy(plan->best_order, plan->order, plan->count * sizeof(*plan->order));
			memcpy(plan->best, plan->slabs, pairs * sizeof(*plan->slabs));
		}
	}
	plan->end = best;
	memcpy(plan->order, plan->best_order, plan->count * sizeof(*plan->order));
	memcpy(plan->slabs, plan->best, pairs * sizeof(*plan->slabs));
	forecasts[0] = best - view->now;
	return better_strategy(view, forecasts);
}

/* ---- following ----------------------------------------------------------------------------------- */

/* Most tasks have not run anywhere: plans by guesses come out worse than claims, which measures as it goes. */
static bool is_new(const struct weft_schedule_view *view)
{
	size_t known = 0;

	for (size_t t = 0; t < view->num_tasks; t++) {
		bool is_measured = false;

		for (size_t d = 0; d < view->num_devices; d++)
			is_measured |= view->is_measured[weft_plan_pair(view, t, d)];
		known += is_measured;
	}
	return 2 * known < view->num_tasks;
}

/* Of so many tasks the ways to begin take longer than a plan may cost. */
static bool is_too_large(const struct weft_schedule_view *view)
{
	const double devices = (double)view->num_devices;
	double planned = 0;

	for (size_t t = 0; t < view->num_tasks; t++)
		planned += weft_mean_seconds(view, t) / devices;
	return evaluation_seconds(view) * (double)view->num_tasks *
		       (devices + BEGINNING_EVALUATIONS) >
	       fmax(BEGINNING_SECONDS, PLANNING_SHARE * planned);
}

/* All in one block, which the board frees. Another strategy may decide instead. */
static struct weft_plan *create(const struct weft_schedule_view *view)
{
	const size_t tasks = view->num_tasks;
	const size_t pairs = tasks * view->num_devices;
	struct weft_plan *plan = (struct weft_plan *)calloc(
		1, sizeof(*plan) + view->num_devices * sizeof(struct weft_lane) +
			   3 * tasks * sizeof(double) + (2 * tasks + 3 * pairs) * sizeof(size_t));

	if (!plan)
		return NULL;
	struct weft_lane *lanes = (struct weft_lane *)(plan + 1);
	double *times = (double *)(lanes + view->num_devices);
	plan->ranks = times + 2 * tasks;
	plan->order = (size_t *)(plan->ranks + tasks);
	plan->slabs = plan->order + tasks;
	plan->kept = plan->slabs + pairs;
	plan->best = plan->kept + pairs;
	plan->best_order = plan->best + pairs;
	plan->forecast = (struct weft_forecast){
		.slabs = plan->slabs, .ends = times, .sent = times + tasks, .lanes = lanes};
	if (is_new(view) || is_too_large(view))
		*view->follows = &weft_strategy_claims;
	else
		*view->follows = make_plan(view, plan);
	return plan;
}

static void plan_again(const struct weft_schedule_view *view, struct weft_plan *plan)
{
	plan->end = weft_plan_forecast(view, plan, plan->count);
	set_budget(view, plan, AGAIN_SHARE, AGAIN_EVALUATIONS);
	weft_plan_improve(view, plan);
}

/* What is given out, or has failed, is not planned any more. */
static void update(const struct weft_schedule_view *view, struct weft_plan *plan)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->count; i++) {
		if (view->tasks[plan->order[i]].unclaimed > 0)
			plan->order[count++] = plan->order[i];
	}
	plan->count = count;
	const double end = weft_plan_forecast(view, plan, count);
	if (fabs(end - plan->end) > DRIFT * (plan->end - view->now))
		plan_again(view, plan);
}

/* Whether rates were measured, not guessed, of all that the task waits for: it is known then when it can begin. */
static bool knows_begin(const struct weft_schedule_view *view, const struct weft_plan *plan,
			size_t task)
{
	for (size_t i = 0; i < view->tasks[task].num_depends; i++) {
		const size_t other = view->tasks[task].depends[i];

		for (size_t d = 0; !view->tasks[other].has_ended && d < view->num_devices; d++) {
			const size_t pair = weft_plan_pair(view, other, d);

			if (!view->is_measured[pair] &&
			    (plan->slabs[pair] > 0 || view->last_devices[other] == d))
				return false;
		}
	}
	return true;
}

/* Whether the device may take the task at `place` of the order before the one at `first`, which is not ready; the order is changed then. It waits
 * for that one if all else would end later. */
static bool overtakes(const struct weft_schedule_view *view, struct weft_plan *plan, size_t first,
		      size_t place)
{
	const size_t task = plan->order[place];
	size_t *order = &plan->order[first];
	const double before = weft_plan_forecast(view, plan, plan->count);

	memmove(order + 1, order, (place - first) * sizeof(*order));
	*order = task;
	const double after = weft_plan_forecast(view, plan, plan->count);
	if (after - view->now <= (1 + OVERTAKING_LOSS) * (before - view->now))
		return true;
	memmove(order, order + 1, (place - first) * sizeof(*order));
	plan->order[place] = task;
	return false;
}

/* The first task that the device can begin with; WEFT_NONE. It shows a rate that is not known before it takes more of the task. */
static size_t next_task(const struct weft_schedule_view *view, struct weft_plan *plan,
			size_t device)
{
	size_t first = WEFT_NONE;

	for (size_t i = 0; i < plan->count; i++) {
		const size_t t = plan->order[i];
		const size_t pair = weft_plan_pair(view, t, device);
		const bool is_shown = view->devices[device].queued > 0 &&
				      !view->is_measured[pair] && view->last_devices[t] == device;

		if (plan->slabs[pair] == 0)
			continue;
		if (!view->tasks[t].is_ready || is_shown)
			first = first == WEFT_NONE ? i : first;
		else if (first == WEFT_NONE || !view->is_measured[pair] ||
			 !knows_begin(view, plan, plan->order[first]) ||
			 overtakes(view, plan, first, i))
			return t;
	}
	return WEFT_NONE;
}

static size_t part_size(const struct weft_schedule_view *view, const struct weft_plan *plan,
			size_t task, size_t device)
{
	const size_t pair = weft_plan_pair(view, task, device);
	const size_t slabs = plan->slabs[pair];
	const double seconds = (double)slabs * view->rates[pair];
	const size_t probe = 1 + view->tasks[task].slabs / PROBES;

	if (!view->is_measured[pair] && (seconds > PROBE_SECONDS || !weft_is_known(view, device)))
		return slabs < probe ? slabs : probe;
	if (seconds > LAST_SECONDS && seconds > LAST_SHARE * (plan->end - view->now))
		return (size_t)ceil(LAST_SHARE * (double)slabs);
	return slabs;
}

/* Free devices come first; one that moves inputs ahead has one part waiting. */
static bool give_next(const struct weft_schedule_view *view, struct weft_plan *plan,
		      struct weft_schedule_decision *decision)
{
	for (size_t i = 0; i < 2 * view->num_devices; i++) {
		const size_t d = i % view->num_devices;
		const size_t queued = i < view->num_devices ? 0 : 1;

		if (view->devices[d].queued != queued ||
		    (queued == 1 && !view->devices[d].moves_ahead))
			continue;
		const size_t task = next_task(view, plan, d);
		if (task == WEFT_NONE)
			continue;
		const size_t slabs = part_size(view, plan, task, d);
		plan->slabs[weft_plan_pair(view, task, d)] -= slabs;
		return weft_give(view, task, d, slabs, decision);
	}
	return false;
}

/* Whether a device has nothing to do while others have more than they are given. */
static bool is_idle(const struct weft_schedule_view *view, const struct weft_plan *plan,
		    size_t device)
{
	for (size_t i = 0; i < plan->count; i++) {
		if (plan->slabs[weft_plan_pair(view, plan->order[i], device)] > 0)
			return false;
	}
	return view->devices[device].queued == 0 && plan->count > 0;
}

static bool decide(const struct weft_schedule_view *view, struct weft_schedule_decision *decision)
{
	struct weft_plan *plan = (struct weft_plan *)*view->memory;

	if (plan)
		update(view, plan);
	else
		*view->memory = plan = create(view);
	if (!plan || *view->follows)
		return false;
	if (give_next(view, plan, decision))
		return true;
	for (size_t d = 0; d < view->num_devices; d++) {
		if (!is_idle(view, plan, d))
			continue;
		plan_again(view, plan);
		return give_next(view, plan, decision);
	}
	return false;
}

const struct weft_schedule_strategy weft_strategy_plan = {
	.name = "plan",
	.summary = "what is forecast to end first: kernels by device, order and share, planned "
		   "again as rates get known",
	.decide = decide,
};
