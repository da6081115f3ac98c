/* SPDX-License-Identifier: MIT
 *
 * Claimed chunks: a device that is free takes some slabs of the kernel that it is best at, compared with the other devices. Chunks
 * become smaller as work runs out, so that all devices end together, and no ratio needs to be known beforehand. For independent
 * kernels this tends to the best assignment there is: each device has what it has the largest advantage at, and one kernel between
 * two devices is split. Kernels with long chains behind them count for more.
 */
#include "strategies/strategies.h"

#include <math.h>
#include <stdlib.h>

/* A chunk takes at least so long: handing it out costs some tens of microseconds. */
#define LEAST_SECONDS 1e-3
/* A share of what would make all devices end together. */
#define SHARE 0.5
#define CHAIN_WEIGHT 2.0
/* The part of a kernel that a first chunk is. */
#define PROBES 128

/* How many times longer the best other device takes. */
static double advantage(const struct weft_schedule_view *view, size_t task, size_t device)
{
	double other = INFINITY;

	for (size_t d = 0; d < view->num_devices; d++) {
		if (d != device)
			other = fmin(other, weft_rate(view, task, d));
	}
	return isfinite(other) ? other / fmax(weft_rate(view, task, device), 1e-15) : 1;
}

static bool is_open(const struct weft_schedule_task *task)
{
	return task->is_ready && task->unclaimed > 0;
}

/* `chains` are seconds of what waits for each task. */
static size_t best_task(const struct weft_schedule_view *view, size_t device, const double *chains)
{
	size_t best = WEFT_NONE;
	double best_score = 0;
	double longest = 1e-15;

	for (size_t t = 0; t < view->num_tasks; t++)
		longest = fmax(longest, chains[t]);
	for (size_t t = 0; t < view->num_tasks; t++) {
		if (!is_open(&view->tasks[t]))
			continue;
		const double score = log(fmax(advantage(view, t, device), 1e-9)) +
				     CHAIN_WEIGHT * chains[t] / longest;

		if (best == WEFT_NONE || score > best_score) {
			best = t;
			best_score = score;
		}
	}
	return best;
}

/* Seconds until all that is open is done, if all devices share it. */
static double seconds_left(const struct weft_schedule_view *view)
{
	double sum = 0;

	for (size_t t = 0; t < view->num_tasks; t++) {
		double speed = 0;

		for (size_t d = 0; d < view->num_devices; d++)
			speed += 1 / fmax(weft_rate(view, t, d), 1e-15);
		if (is_open(&view->tasks[t]))
			sum += (double)view->tasks[t].unclaimed / speed;
	}
	return sum;
}

static size_t choose_task(const struct weft_schedule_view *view, size_t device)
{
	double *chains = (double *)calloc(view->num_tasks, sizeof(double));

	if (!chains)
		return WEFT_NONE;
	weft_ranks(view, chains);
	for (size_t t = 0; t < view->num_tasks; t++)
		chains[t] -= weft_mean_seconds(view, t);
	const size_t task = best_task(view, device, chains);
	free(chains);
	return task;
}

/* A device whose rate is not known yet shows it with few slabs. */
static size_t chunk_size(const struct weft_schedule_view *view, size_t task, size_t device)
{
	const double seconds = fmax(LEAST_SECONDS, SHARE * seconds_left(view));
	const double slabs = ceil(seconds / fmax(weft_rate(view, task, device), 1e-15));
	const size_t most = view->is_measured[task * view->num_devices + device]
				    ? view->tasks[task].slabs
				    : 1 + view->tasks[task].slabs / PROBES;

	return slabs < (double)most ? (size_t)slabs : most;
}

static bool decide(const struct weft_schedule_view *view, struct weft_schedule_decision *decision)
{
	const size_t device = weft_first_free(view);
	const size_t task = device == WEFT_NONE ? WEFT_NONE : choose_task(view, device);

	return task != WEFT_NONE &&
	       weft_give(view, task, device, chunk_size(view, task, device), decision);
}

const struct weft_schedule_strategy weft_strategy_claims = {
	.name = "claims",
	.summary = "free devices take chunks of the kernel that they are best at, smaller ones "
		   "towards the end",
	.decide = decide,
};
