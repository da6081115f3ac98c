/* SPDX-License-Identifier: MIT
 *
 * Makes a plan better by small changes: a task goes to another device, is split by another share, comes earlier, or changes places
 * with another one. What the forecast says is better is kept.
 */
#include "strategies/plan.h"

#include <math.h>
#include <string.h>

/* Shares of kernels are no finer. */
#define MOST_PARTS 256
/* What is won by less does not count. */
#define LEAST_SECONDS 1e-7

static bool keep_if_better(const struct weft_schedule_view *view, struct weft_plan *plan,
			   size_t task)
{
	const double end = weft_plan_forecast(view, plan, plan->count);

	if (end < plan->end - LEAST_SECONDS) {
		plan->end = end;
		weft_plan_copy_task(view, plan->kept, plan->slabs, task);
		return true;
	}
	weft_plan_copy_task(view, plan->slabs, plan->kept, task);
	return false;
}

static bool try_devices(const struct weft_schedule_view *view, struct weft_plan *plan, size_t task)
{
	bool better = false;

	for (size_t d = 0; plan->evaluations > 0 && d < view->num_devices; d++) {
		if (plan->slabs[weft_plan_pair(view, task, d)] == view->tasks[task].unclaimed)
			continue;
		weft_plan_give_to(view, plan, task, d);
		better |= keep_if_better(view, plan, task);
	}
	return better;
}

/* How much of what two devices have of the task the first one gets, by steps that become smaller. */
static bool try_shares(const struct weft_schedule_view *view, struct weft_plan *plan, size_t task,
		       const size_t devices[2])
{
	size_t *first = &plan->slabs[weft_plan_pair(view, task, devices[0])];
	size_t *second = &plan->slabs[weft_plan_pair(view, task, devices[1])];
	const size_t both = *first + *second;
	const double slabs = (double)view->tasks[task].unclaimed;
	double share = (double)*first / slabs;
	bool better = false;

	for (unsigned parts = 2; parts < MOST_PARTS; parts *= 2) {
		for (int sign = -1; sign <= 1 && plan->evaluations > 0; sign += 2) {
			const double tried = share + (double)sign / parts;

			if (tried < 0 || tried * slabs > (double)both)
				continue;
			*first = (size_t)lround(tried * slabs);
			*second = both - *first;
			if (keep_if_better(view, plan, task)) {
				share = tried;
				better = true;
			}
		}
	}
	return better;
}

static bool try_splits(const struct weft_schedule_view *view, struct weft_plan *plan, size_t task)
{
	const size_t devices = view->num_devices;
	bool better = false;

	for (size_t pair = 0; view->tasks[task].unclaimed > 1 && pair < devices * devices; pair++) {
		const size_t two[2] = {pair / devices, pair % devices};

		if (two[0] < two[1] &&
		    plan->slabs[weft_plan_pair(view, task, two[0])] +
				    plan->slabs[weft_plan_pair(view, task, two[1])] >
			    0)
			better |= try_shares(view, plan, task, two);
	}
	return better;
}

static bool waits_for(const struct weft_schedule_view *view, size_t task, size_t other)
{
	const struct weft_schedule_task *described = &view->tasks[task];

	for (size_t i = 0; i < described->num_depends; i++) {
		if (described->depends[i] == other)
			return true;
	}
	return false;
}

/* The task at one place comes to an earlier one. */
static void move_task(struct weft_plan *plan, size_t from, size_t to)
{
	const size_t task = plan->order[from];

	memmove(&plan->order[to + 1], &plan->order[to], (from - to) * sizeof(*plan->order));
	plan->order[to] = task;
}

static bool try_place(const struct weft_schedule_view *view, struct weft_plan *plan, size_t from,
		      size_t to)
{
	const size_t task = plan->order[from];

	for (size_t i = to; i < from; i++) {
		if (waits_for(view, task, plan->order[i]))
			return false;
	}
	if (plan->evaluations == 0)
		return false;
	move_task(plan, from, to);
	const double end = weft_plan_forecast(view, plan, plan->count);
	if (end < plan->end - LEAST_SECONDS) {
		plan->end = end;
		return true;
	}
	memmove(&plan->order[to], &plan->order[to + 1], (from - to) * sizeof(*plan->order));
	plan->order[from] = task;
	return false;
}

static bool try_earlier(const struct weft_schedule_view *view, struct weft_plan *plan, size_t place)
{
	return try_place(view, plan, place, place - 1) ||
	       (place > 1 && try_place(view, plan, place, 0)) ||
	       (place > 3 && try_place(view, plan, place, place / 2));
}

/* Two tasks change places: devices that have one of them as a whole get the other. */
static bool try_exchange(const struct weft_schedule_view *view, struct weft_plan *plan, size_t one,
			 size_t other)
{
	for (size_t pair = 0; pair < view->num_devices * view->num_devices; pair++) {
		const size_t a = pair / view->num_devices;
		const size_t b = pair % view->num_devices;

		if (a == b || plan->evaluations == 0 ||
		    plan->slabs[weft_plan_pair(view, one, a)] != view->tasks[one].unclaimed ||
		    plan->slabs[weft_plan_pair(view, other, b)] != view->tasks[other].unclaimed)
			continue;
		weft_plan_give_to(view, plan, one, b);
		weft_plan_give_to(view, plan, other, a);
		if (keep_if_better(view, plan, one)) {
			weft_plan_copy_task(view, plan->kept, plan->slabs, other);
			return true;
		}
		weft_plan_copy_task(view, plan->slabs, plan->kept, other);
		return false;
	}
	return false;
}

static bool try_exchanges(const struct weft_schedule_view *view, struct weft_plan *plan,
			  size_t place)
{
	bool better = false;

	for (size_t i = 0; i < place; i++)
		better |= try_exchange(view, plan, plan->order[i], plan->order[place]);
	return better;
}

void weft_plan_improve(const struct weft_schedule_view *view, struct weft_plan *plan)
{
	bool better = true;

	memcpy(plan->kept, plan->slabs, view->num_tasks * view->num_devices * sizeof(*plan->kept));
	while (better && plan->evaluations > 0) {
		better = false;
		for (size_t i = 0; i < plan->count; i++)
			better |= try_devices(view, plan, plan->order[i]);
		for (size_t i = 1; i < plan->count; i++)
			better |= try_earlier(view, plan, i);
		/* The last ones are those whose parts make devices end together. */
		for (size_t i = plan->count; i-- > 0;)
			better |= try_splits(view, plan, plan->order[i]);
		for (size_t i = 1; i < plan->count && !better; i++)
			better |= try_exchanges(view, plan, i);
	}
}
