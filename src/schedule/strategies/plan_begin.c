/* SPDX-License-Identifier: MIT
 *
 * Forecasts of plans, and ways to begin one.
 */
#include "strategies/plan.h"

#include <math.h>
#include <string.h>

/* What the mean of the devices' ends counts for beside the last one's. */
#define TIE 1e-3
#define SIXTEENTHS 16

double weft_plan_forecast(const struct weft_schedule_view *view, struct weft_plan *plan,
			  size_t count)
{
	double sum = 0;

	plan->forecast.view = view;
	weft_forecast_begin(&plan->forecast);
	for (size_t i = 0; i < count; i++) {
		const size_t t = plan->order[i];

		plan->forecast.ends[t] = 0;
		plan->forecast.sent[t] = 0;
		for (size_t d = 0; d < view->num_devices; d++) {
			const struct weft_schedule_part part = {
				t, d, plan->slabs[weft_plan_pair(view, t, d)]};
			if (part.slabs > 0)
				weft_forecast_part(&plan->forecast, &part, view->now);
		}
	}
	for (size_t d = 0; d < view->num_devices; d++)
		sum += plan->forecast.lanes[d].ended - view->now;
	plan->evaluations -= plan->evaluations > 0;
	return weft_forecast_end(&plan->forecast) + TIE * sum;
}

/* ---- ways to begin ------------------------------------------------------------------------------- */

void weft_plan_give_to(const struct weft_schedule_view *view, struct weft_plan *plan, size_t task,
		       size_t device)
{
	for (size_t d = 0; d < view->num_devices; d++)
		plan->slabs[weft_plan_pair(view, task, d)] =
			d == device ? view->tasks[task].unclaimed : 0;
}

void weft_plan_split(const struct weft_schedule_view *view, struct weft_plan *plan, size_t task,
		     const size_t devices[2], double share)
{
	const size_t unclaimed = view->tasks[task].unclaimed;
	const size_t first = (size_t)lround(share * (double)unclaimed);

	weft_plan_give_to(view, plan, task, devices[1]);
	plan->slabs[weft_plan_pair(view, task, devices[0])] += first;
	plan->slabs[weft_plan_pair(view, task, devices[1])] -= first;
}

void weft_plan_copy_task(const struct weft_schedule_view *view, size_t *to, const size_t *from,
			 size_t task)
{
	memcpy(&to[task * view->num_devices], &from[task * view->num_devices],
	       view->num_devices * sizeof(*to));
}

void weft_plan_sort(const struct weft_schedule_view *view, struct weft_plan *plan)
{
	weft_ranks(view, plan->ranks);
	plan->count = 0;
	for (size_t i = 0; i < view->num_tasks; i++) {
		const size_t t = view->order[i];
		size_t place = plan->count;

		if (view->tasks[t].unclaimed == 0)
			continue;
		for (; place > 0 && plan->ranks[plan->order[place - 1]] < plan->ranks[t]; place--)
			plan->order[place] = plan->order[place - 1];
		plan->order[place] = t;
		plan->count++;
	}
}

/* The first device of the kind; the first one of all if there is none. */
static size_t first_of_kind(const struct weft_schedule_view *view, bool is_cpu)
{
	for (size_t d = 0; d < view->num_devices; d++) {
		if (view->devices[d].is_cpu == is_cpu)
			return d;
	}
	return 0;
}

/* Keeps what the task's slabs are now if it ends earlier so. */
static void keep_if_earlier(const struct weft_schedule_view *view, struct weft_plan *plan,
			    size_t place, double *least)
{
	const size_t task = plan->order[place];

	weft_plan_forecast(view, plan, place + 1);
	if (plan->forecast.ends[task] >= *least)
		return;
	*least = plan->forecast.ends[task];
	weft_plan_copy_task(view, plan->kept, plan->slabs, task);
}

void weft_plan_earliest(const struct weft_schedule_view *view, struct weft_plan *plan, bool splits)
{
	const size_t kinds[2] = {first_of_kind(view, false), first_of_kind(view, true)};

	for (size_t i = 0; i < plan->count; i++) {
		const size_t t = plan->order[i];
		double least = INFINITY;

		for (size_t d = 0; d < view->num_devices; d++) {
			weft_plan_give_to(view, plan, t, d);
			keep_if_earlier(view, plan, i, &least);
		}
		for (int k = 1; splits && view->tasks[t].unclaimed > 1 && k < SIXTEENTHS; k++) {
			weft_plan_split(view, plan, t, kinds, (double)k / SIXTEENTHS);
			keep_if_earlier(view, plan, i, &least);
		}
		weft_plan_copy_task(view, plan->slabs, plan->kept, t);
	}
}

/* Of the whole task, among other parts. */
static double whole_seconds(const struct weft_schedule_view *view, size_t task, size_t device)
{
	return view->devices[device].handing +
	       weft_part_seconds(view, &(struct weft_schedule_part){task, device,
								    view->tasks[task].unclaimed});
}

/* How many times longer a task takes on the first device. */
static double quotient(const struct weft_schedule_view *view, size_t task, const size_t devices[2])
{
	return whole_seconds(view, task, devices[0]) / whole_seconds(view, task, devices[1]);
}

/* The task whose quotient is the least of those that the second device has as a whole. */
static size_t least_quotient(const struct weft_schedule_view *view, const struct weft_plan *plan,
			     const size_t devices[2])
{
	size_t best = WEFT_NONE;
	double least = INFINITY;

	for (size_t i = 0; i < plan->count; i++) {
		const size_t t = plan->order[i];
		const double here = quotient(view, t, devices);

		if (plan->slabs[weft_plan_pair(view, t, devices[1])] == view->tasks[t].unclaimed &&
		    here < least) {
			least = here;
			best = t;
		}
	}
	return best;
}

void weft_plan_advantages(const struct weft_schedule_view *view, struct weft_plan *plan)
{
	const size_t devices[2] = {first_of_kind(view, true), first_of_kind(view, false)};
	double loads[2] = {0, 0};

	for (size_t i = 0; i < plan->count; i++) {
		weft_plan_give_to(view, plan, plan->order[i], devices[1]);
		loads[1] += whole_seconds(view, plan->order[i], devices[1]);
	}
	while (loads[0] < loads[1] && devices[0] != devices[1]) {
		const size_t t = least_quotient(view, plan, devices);

		if (t == WEFT_NONE)
			break;
		const double first = whole_seconds(view, t, devices[0]);
		const double second = whole_seconds(view, t, devices[1]);
		const double share = fmin(1, (loads[1] - loads[0]) / (first + second));
		weft_plan_split(view, plan, t, devices, share);
		loads[0] += share * first;
		loads[1] -= share * second;
		if (share < 1)
			break;
	}
}
