/* SPDX-License-Identifier: MIT
 *
 * Heterogeneous earliest finish time: of the kernels that are ready, the one with the longest chain behind it goes, as a whole, to
 * the device that has it done first, transfers counted. A device has one kernel waiting at most, so that later decisions know
 * better rates.
 */
#include "strategies/strategies.h"

#include <math.h>
#include <stdlib.h>

#define MOST_QUEUED 2

static size_t best_device(const struct weft_schedule_view *view, size_t task)
{
	double earliest = INFINITY;
	size_t best = 0;

	for (size_t d = 0; d < view->num_devices; d++) {
		const struct weft_schedule_device *device = &view->devices[d];
		const double moved =
			fmax(view->now, device->moved_at) + weft_input_seconds(view, task, d);
		const double end = fmax(moved, device->free_at) +
				   weft_rate(view, task, d) * (double)view->tasks[task].unclaimed;

		if (end < earliest) {
			earliest = end;
			best = d;
		}
	}
	return best;
}

static bool decide(const struct weft_schedule_view *view, struct weft_schedule_decision *decision)
{
	double *ranks = (double *)calloc(view->num_tasks, sizeof(double));
	size_t best = WEFT_NONE;
	size_t device = 0;

	if (!ranks)
		return false;
	weft_ranks(view, ranks);
	for (size_t t = 0; t < view->num_tasks; t++) {
		if (!view->tasks[t].is_ready || view->tasks[t].unclaimed == 0 ||
		    (best != WEFT_NONE && ranks[t] <= ranks[best]))
			continue;
		const size_t wanted = best_device(view, t);
		if (view->devices[wanted].queued >= MOST_QUEUED)
			continue;
		best = t;
		device = wanted;
	}
	free(ranks);
	return best != WEFT_NONE && weft_give_whole(view, best, device, decision);
}

const struct weft_schedule_strategy weft_strategy_heft = {
	.name = "heft",
	.summary =
		"whole kernels, the longest chain first, each to the device that has it done first",
	.decide = decide,
};
