/* SPDX-License-Identifier: MIT
 *
 * Plans of the strategy `plan`: which slabs of each task run where, and in what order.
 */
#ifndef WEFT_SCHEDULE_PLAN_H
#define WEFT_SCHEDULE_PLAN_H

#include "strategies/forecast.h"

struct weft_plan {
	size_t *order; /* borrowed, like all here: tasks that have unclaimed slabs, the first ones first */
	size_t count;
	struct weft_forecast forecast;
	size_t *slabs; /* by task and device: those of the unclaimed ones that are for it */
	size_t *kept;  /* the same of a plan that may be worse or better */
	size_t *best;  /* the best plan, with its order */
	size_t *best_order;
	double *ranks;
	double end;         /* of all, as forecast */
	size_t evaluations; /* that are left */
};

static inline size_t weft_plan_pair(const struct weft_schedule_view *view, size_t task,
				    size_t device)
{
	return task * view->num_devices + device;
}

/* When all ends, if the first `count` tasks run as the plan says. Of plans that end together, the one of less work is better. */
double weft_plan_forecast(const struct weft_schedule_view *view, struct weft_plan *plan,
			  size_t count);

/* plan_begin.c: all of the task to the device; a share of it to the first one of two devices, and the rest to the other. */
void weft_plan_give_to(const struct weft_schedule_view *view, struct weft_plan *plan, size_t task,
		       size_t device);
void weft_plan_split(const struct weft_schedule_view *view, struct weft_plan *plan, size_t task,
		     const size_t devices[2], double share);
void weft_plan_copy_task(const struct weft_schedule_view *view, size_t *to, const size_t *from,
			 size_t task);

/* The tasks that have unclaimed slabs, the longest chain first; a task that others wait for comes before these. */
void weft_plan_sort(const struct weft_schedule_view *view, struct weft_plan *plan);
/* Each task goes where it ends first: as a whole, or split as well. */
void weft_plan_earliest(const struct weft_schedule_view *view, struct weft_plan *plan, bool splits);
/* Each device has what it is best at, and one task is split, so that both end together: the best there is for two devices, and tasks that do
 * not wait for each other. */
void weft_plan_advantages(const struct weft_schedule_view *view, struct weft_plan *plan);

/* plan_search.c: until nothing gets better, or no evaluations are left. `end` is the plan's. */
void weft_plan_improve(const struct weft_schedule_view *view, struct weft_plan *plan);

#endif
