/* SPDX-License-Identifier: MIT
 *
 * Claimed chunks: a device that is free takes some slabs of the kernel that it is best at, compared with the other devices. Chunks
 * become smaller as work runs out, so that all devices end together, and no ratio needs to be known beforehand. For independent
 * kernels this tends to the best assignment there is: each device has what it has the largest advantage at, and one kernel between
 * two devices is split. Kernels with long chains behind them count for more. Transfers count; a device that would need more time for
 * its inputs, or for one slab, than the others need for all that is left takes nothing.
 */
#include "strategies/strategies.h"

#include <math.h>
#include <stdlib.h>

/* A chunk takes at least so long, and no shorter rest is left: handing it out costs some tens of microseconds. */
#define LEAST_SECONDS 2e-4
#define REST_SECONDS 1e-4
/* A share of what would make all devices end together. */
#define SHARE 0.7
#define CHAIN_WEIGHT 2.0
/* Inputs that take less than such a share of their kernel are not worth moving ahead. */
#define AHEAD_SHARE 0.1
/* The part of a kernel that a first chunk is. */
#define PROBES 128

static bool is_open(const struct weft_schedule_task *task)
{
	return task->is_ready && task->unclaimed > 0;
}

/* Seconds of a slab if the device takes all that is left. */
static double slab_seconds(const struct weft_schedule_view *view, size_t task, size_t device)
{
	const struct weft_schedule_part part = {
		task, device, view->tasks[task].unclaimed > 0 ? view->tasks[task].unclaimed : 1};

	return fmax(weft_part_seconds(view, &part), 1e-15) / (double)part.slabs;
}

/* How many times longer the best other device takes. */
static double advantage(const struct weft_schedule_view *view, size_t task, size_t device)
{
	double other = INFINITY;

	for (size_t d = 0; d < view->num_devices; d++) {
		if (d != device)
			other = fmin(other, slab_seconds(view, task, d));
	}
	return isfinite(other) ? other / slab_seconds(view, task, device) : 1;
}

/* Seconds until all that is open is done, if all devices but one share it; WEFT_NONE: all devices. */
static double seconds_left(const struct weft_schedule_view *view, size_t without)
{
	double sum = 0;

	for (size_t t = 0; t < view->num_tasks; t++) {
		double speed = 0;
		double least = INFINITY;

		if (!is_open(&view->tasks[t]))
			continue;
		for (size_t d = 0; d < view->num_devices; d++) {
			if (d == without)
				continue;
			const double seconds = slab_seconds(view, t, d);

			speed += 1 / seconds;
			least = fmin(least, seconds);
		}
		sum += fmax((double)view->tasks[t].unclaimed / speed, least);
	}
	return sum;
}

/* A device that is late is thought to stay as long again as it is late by now: what holds it up is not known. */
static double seconds_until_free(const struct weft_schedule_view *view, size_t device)
{
	const double seconds = view->devices[device].free_at - view->now;

	return view->devices[device].queued > 0 ? fabs(seconds) : fmax(0, seconds);
}

/* Seconds until the others have done all that is open. */
static double others_end(const struct weft_schedule_view *view, size_t device)
{
	double first_free = INFINITY;

	for (size_t d = 0; d < view->num_devices; d++) {
		if (d != device)
			first_free = fmin(first_free, seconds_until_free(view, d));
	}
	return view->num_devices > 1 ? first_free + seconds_left(view, device) : INFINITY;
}

/* Seconds until a part that is given out now has ended. */
static double seconds_until_end(const struct weft_schedule_view *view,
				const struct weft_schedule_part *part)
{
	const struct weft_schedule_device *device = &view->devices[part->device];
	const size_t pair = part->task * view->num_devices + part->device;
	const struct weft_schedule_costs *costs = &view->costs[pair];
	const double slabs = (double)part->slabs;
	const double moved =
		fmax(0, device->moved_at - view->now) + costs->inputs + costs->slab_inputs * slabs;

	return fmax(moved, seconds_until_free(view, part->device)) + costs->launch +
	       view->rates[pair] * slabs + costs->results + costs->slab_results * slabs;
}

/* A device that moves inputs ahead has one part waiting, while there is much to do. */
static bool takes_parts(const struct weft_schedule_view *view, size_t d)
{
	const struct weft_schedule_device *device = &view->devices[d];

	return device->queued == 0 ||
	       (device->moves_ahead && device->queued == 1 &&
		seconds_until_free(view, d) < SHARE * seconds_left(view, WEFT_NONE));
}

/* What a device may take. */
struct choice {
	size_t task; /* WEFT_NONE: nothing */
	size_t device;
	double others_end;
};

/* Whether it is worth it to give the task to a device that is not free, for its inputs to move until it is. */
static bool is_worth_waiting(const struct weft_schedule_view *view, size_t task, size_t device)
{
	const struct weft_schedule_costs *costs = &view->costs[task * view->num_devices + device];
	const double slabs = (double)view->tasks[task].unclaimed;

	return view->devices[device].queued == 0 ||
	       (view->is_measured[task * view->num_devices + device] &&
		costs->inputs + costs->slab_inputs * slabs >
			AHEAD_SHARE * weft_rate(view, task, device) * slabs);
}

/* A device that shows its rate for the task with the part that it has takes no other one until that is known. */
static bool is_awaited(const struct weft_schedule_view *view, size_t task, size_t device)
{
	return view->devices[device].queued > 0 && view->last_devices[task] == device &&
	       !view->is_measured[task * view->num_devices + device];
}

/* The task that the device is best at, of those that are worth it; `chains` are seconds of what waits for each task. */
static size_t best_task(const struct weft_schedule_view *view, const struct choice *choice,
			const double *chains)
{
	size_t best = WEFT_NONE;
	double best_score = 0;
	double longest = 1e-15;

	for (size_t t = 0; t < view->num_tasks; t++)
		longest = fmax(longest, chains[t]);
	for (size_t t = 0; t < view->num_tasks; t++) {
		const struct weft_schedule_part slab = {t, choice->device, 1};

		if (!is_open(&view->tasks[t]) || is_awaited(view, t, choice->device) ||
		    !is_worth_waiting(view, t, choice->device) ||
		    seconds_until_end(view, &slab) > choice->others_end)
			continue;
		const double score = log(fmax(advantage(view, t, choice->device), 1e-9)) +
				     CHAIN_WEIGHT * chains[t] / longest;

		if (best == WEFT_NONE || score > best_score) {
			best = t;
			best_score = score;
		}
	}
	return best;
}

/* A device whose rate is not known yet shows it with few slabs, if the task is thought to take longer than a chunk. What a device needs as a whole is worth a chunk that takes as long. A
 * small rest is taken, too, but nothing that the others would have done earlier. */
static size_t chunk_size(const struct weft_schedule_view *view, const struct choice *choice)
{
	const struct weft_schedule_task *task = &view->tasks[choice->task];
	const size_t pair = choice->task * view->num_devices + choice->device;
	const double slab = slab_seconds(view, choice->task, choice->device);
	const double unclaimed = (double)task->unclaimed;
	const double first = seconds_until_end(
		view, &(struct weft_schedule_part){choice->task, choice->device, 1});
	double seconds = fmax(fmax(LEAST_SECONDS, SHARE * seconds_left(view, WEFT_NONE)),
			      view->costs[pair].inputs);

	if (seconds + REST_SECONDS >= unclaimed * slab)
		seconds = unclaimed * slab;
	const double slabs = ceil(fmin(seconds, choice->others_end - first) / slab);
	const bool shows = !view->is_measured[pair] && (unclaimed * slab > LEAST_SECONDS ||
							!weft_is_known(view, choice->device));
	const size_t most = shows ? 1 + task->slabs / PROBES : task->unclaimed;

	return slabs < (double)most ? (size_t)fmax(slabs, 1) : most;
}

/* If no device runs anything and none finds a task worth it: the pair that is done first. */
static struct choice quickest(const struct weft_schedule_view *view)
{
	struct choice best = {.task = WEFT_NONE, .others_end = INFINITY};
	double least = INFINITY;

	for (size_t pair = 0; pair < view->num_tasks * view->num_devices; pair++) {
		const size_t task = pair / view->num_devices;
		const size_t device = pair % view->num_devices;

		if (view->devices[device].queued > 0)
			return (struct choice){.task = WEFT_NONE};
		if (is_open(&view->tasks[task]) && slab_seconds(view, task, device) < least) {
			least = slab_seconds(view, task, device);
			best.task = task;
			best.device = device;
		}
	}
	return best;
}

/* Free devices come first. */
static struct choice choose(const struct weft_schedule_view *view, const double *chains)
{
	for (size_t i = 0; i < 2 * view->num_devices; i++) {
		struct choice choice = {.device = i % view->num_devices};
		const bool is_free = view->devices[choice.device].queued == 0;

		if (is_free != (i < view->num_devices) || !takes_parts(view, choice.device))
			continue;
		choice.others_end = others_end(view, choice.device);
		choice.task = best_task(view, &choice, chains);
		if (choice.task != WEFT_NONE)
			return choice;
	}
	return quickest(view);
}

static bool decide(const struct weft_schedule_view *view, struct weft_schedule_decision *decision)
{
	double *chains = (double *)calloc(view->num_tasks, sizeof(double));

	if (!chains)
		return false;
	weft_ranks(view, chains);
	for (size_t t = 0; t < view->num_tasks; t++)
		chains[t] -= weft_mean_seconds(view, t);
	const struct choice choice = choose(view, chains);
	free(chains);
	return choice.task != WEFT_NONE &&
	       weft_give(view, choice.task, choice.device, chunk_size(view, &choice), decision);
}

const struct weft_schedule_strategy weft_strategy_claims = {
	.name = "claims",
	.summary = "free devices take chunks of the kernel that they are best at, smaller ones "
		   "towards the end",
	.decide = decide,
};
