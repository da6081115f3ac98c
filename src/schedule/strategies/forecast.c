/* SPDX-License-Identifier: MIT */
#include "strategies/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- parts --------------------------------------------------------------------------------------- */

void weft_forecast_begin(struct weft_forecast *forecast)
{
	const struct weft_schedule_view *view = forecast->view;

	for (size_t d = 0; d < view->num_devices; d++) {
		const struct weft_schedule_device *device = &view->devices[d];
		/* One that is late is thought to stay as long again. */
		const double wait = device->queued > 0 ? fabs(device->free_at - view->now) : 0;

		forecast->lanes[d] = (struct weft_lane){
			.moved = fmax(device->moved_at, view->now),
			.before = device->queued > 1 ? view->now + wait / 2 : view->now,
			.ended = view->now + wait,
			.sent = view->now + wait};
	}
}

/* The part of what a task writes that devices with this one's memory write. */
static double share_here(const struct weft_forecast *forecast, size_t task, size_t device)
{
	const struct weft_schedule_view *view = forecast->view;
	const size_t domain = view->devices[device].domain;
	double slabs = 0;

	if (view->tasks[task].unclaimed == 0)
		return view->last_devices[task] != WEFT_NONE &&
		       view->devices[view->last_devices[task]].domain == domain;
	for (size_t d = 0; d < view->num_devices; d++) {
		if (view->devices[d].domain == domain)
			slabs += (double)forecast->slabs[task * view->num_devices + d];
	}
	return slabs / (double)view->tasks[task].unclaimed;
}

/* When the task may begin, and what it reads of others is in the host's memory as far as the device needs it from there. */
struct begin {
	double from;
	double saved; /* seconds of transfers, since a task before it leaves its results on the device */
};

static struct begin begin_of(const struct weft_forecast *forecast, size_t task, size_t device)
{
	const struct weft_schedule_view *view = forecast->view;
	const struct weft_schedule_task *described = &view->tasks[task];
	const struct weft_schedule_device *place = &view->devices[device];
	struct begin begin = {view->now, 0};

	for (size_t i = 0; i < described->num_depends; i++) {
		const size_t other = described->depends[i];
		const double bytes = described->depends_bytes[i];
		const bool later = view->tasks[other].unclaimed > 0;

		if (view->tasks[other].has_ended)
			continue;
		const double share = share_here(forecast, other, device);
		begin.from = fmax(begin.from, !later                   ? view->tasks[other].ends_at
					      : share < 1 && bytes > 0 ? forecast->sent[other]
								       : forecast->ends[other]);
		if (place->bandwidth > 0)
			begin.saved +=
				share * bytes / place->bandwidth + (share < 1 ? 0 : place->latency);
	}
	return begin;
}

void weft_forecast_part(struct weft_forecast *forecast, const struct weft_schedule_part *part,
			double now)
{
	const struct weft_schedule_view *view = forecast->view;
	const size_t pair = part->task * view->num_devices + part->device;
	const struct weft_schedule_costs *costs = &view->costs[pair];
	const struct begin begin = begin_of(forecast, part->task, part->device);
	const double slabs = (double)part->slabs;
	struct weft_lane *lane = &forecast->lanes[part->device];
	const double inputs = fmax(0, costs->inputs + costs->slab_inputs * slabs - begin.saved);
	const double moved = fmax(fmax(lane->moved, lane->before), fmax(begin.from, now)) + inputs;
	const double end = fmax(moved, lane->ended) + view->devices[part->device].handing +
			   costs->launch + view->rates[pair] * slabs;

	lane->before = lane->ended;
	lane->moved = moved;
	lane->ended = end;
	lane->sent = fmax(lane->sent, end) + costs->results + costs->slab_results * slabs;
	forecast->ends[part->task] = fmax(forecast->ends[part->task], end);
	forecast->sent[part->task] = fmax(forecast->sent[part->task], lane->sent);
}

double weft_forecast_end(const struct weft_forecast *forecast)
{
	double end = forecast->view->now;

	for (size_t d = 0; d < forecast->view->num_devices; d++)
		end = fmax(end, fmax(forecast->lanes[d].ended, forecast->lanes[d].sent));
	return end;
}

/* ---- strategies ---------------------------------------------------------------------------------- */

/* A part that runs, or waits for its device. */
struct flying {
	struct weft_schedule_part part;
	double end;
};

/* The world as a strategy changes it. */
struct rollout {
	struct weft_forecast *forecast;
	struct weft_schedule_view view;
	struct weft_schedule_task *tasks;
	struct weft_schedule_device *devices;
	size_t *last_devices;
	bool *is_measured; /* all: what is guessed is taken for known */
	size_t *left;      /* slabs by task that have not ended */
	struct flying *flying;
	size_t num_flying;
	size_t most_flying;
	size_t *order;
	size_t begun;
};

static bool start(struct rollout *rollout, size_t tasks, size_t devices)
{
	rollout->most_flying = tasks + 4 * devices + WEFT_SCHEDULE_MOST_PARTS;
	rollout->tasks = (struct weft_schedule_task *)calloc(tasks, sizeof(*rollout->tasks));
	rollout->devices =
		(struct weft_schedule_device *)calloc(devices, sizeof(*rollout->devices));
	rollout->last_devices = (size_t *)calloc(2 * tasks, sizeof(size_t));
	rollout->flying = (struct flying *)calloc(rollout->most_flying, sizeof(*rollout->flying));
	rollout->is_measured = (bool *)malloc(tasks * devices * sizeof(bool));
	if (!rollout->tasks || !rollout->devices || !rollout->last_devices || !rollout->flying ||
	    !rollout->is_measured)
		return false;
	const struct weft_schedule_view *view = rollout->forecast->view;
	memcpy(rollout->tasks, view->tasks, tasks * sizeof(*rollout->tasks));
	memcpy(rollout->devices, view->devices, devices * sizeof(*rollout->devices));
	memcpy(rollout->last_devices, view->last_devices, tasks * sizeof(size_t));
	for (size_t pair = 0; pair < tasks * devices; pair++)
		rollout->is_measured[pair] = true;
	rollout->left = rollout->last_devices + tasks;
	for (size_t t = 0; t < tasks; t++)
		rollout->left[t] = view->tasks[t].unclaimed;
	rollout->view = *view;
	rollout->view.tasks = rollout->tasks;
	rollout->view.devices = rollout->devices;
	rollout->view.last_devices = rollout->last_devices;
	rollout->view.is_measured = rollout->is_measured;
	return true;
}

static void give_out(struct rollout *rollout, const struct weft_schedule_part *part)
{
	struct weft_forecast *forecast = rollout->forecast;
	struct weft_schedule_task *task = &rollout->tasks[part->task];
	struct weft_schedule_device *device = &rollout->devices[part->device];

	if (task->unclaimed == forecast->view->tasks[part->task].unclaimed)
		rollout->order[rollout->begun++] = part->task;
	forecast->slabs[part->task * rollout->view.num_devices + part->device] += part->slabs;
	weft_forecast_part(forecast, part, rollout->view.now);
	task->unclaimed -= part->slabs;
	task->ends_at = forecast->ends[part->task];
	device->queued++;
	device->moved_at = forecast->lanes[part->device].moved;
	device->free_at = forecast->lanes[part->device].ended;
	rollout->last_devices[part->task] = part->device;
	rollout->flying[rollout->num_flying++] = (struct flying){*part, device->free_at};
}

static void end_task(struct rollout *rollout, size_t task)
{
	rollout->tasks[task].has_ended = true;
	rollout->tasks[task].is_ready = false;
	for (size_t t = 0; t < rollout->view.num_tasks; t++) {
		struct weft_schedule_task *waits = &rollout->tasks[t];
		bool is_ready = !waits->has_ended && waits->num_depends > 0;

		for (size_t i = 0; is_ready && i < waits->num_depends; i++)
			is_ready = rollout->tasks[waits->depends[i]].has_ended;
		waits->is_ready |= is_ready;
	}
}

/* The part that ends first, ends. */
static void end_part(struct rollout *rollout)
{
	size_t first = 0;

	for (size_t i = 1; i < rollout->num_flying; i++) {
		if (rollout->flying[i].end < rollout->flying[first].end)
			first = i;
	}
	const struct flying ended = rollout->flying[first];
	rollout->flying[first] = rollout->flying[--rollout->num_flying];
	rollout->view.now = ended.end;
	rollout->devices[ended.part.device].queued--;
	rollout->left[ended.part.task] -= ended.part.slabs;
	if (rollout->left[ended.part.task] == 0)
		end_task(rollout, ended.part.task);
}

/* False: there is no room for what it gives out. */
static bool decide(struct rollout *rollout, const struct weft_schedule_strategy *strategy)
{
	for (;;) {
		struct weft_schedule_decision decision = {0};

		if (!strategy->decide(&rollout->view, &decision))
			return true;
		if (rollout->num_flying + decision.num_parts > rollout->most_flying)
			return false;
		for (size_t i = 0; i < decision.num_parts; i++)
			give_out(rollout, &decision.parts[i]);
	}
}

static void end(struct rollout *rollout)
{
	free(rollout->tasks);
	free(rollout->devices);
	free(rollout->last_devices);
	free(rollout->is_measured);
	free(rollout->flying);
}

double weft_forecast_strategy(struct weft_forecast *forecast,
			      const struct weft_schedule_strategy *strategy, size_t *order)
{
	const size_t tasks = forecast->view->num_tasks;
	const size_t devices = forecast->view->num_devices;
	struct rollout rollout = {.forecast = forecast, .order = order};
	size_t open = 0;

	memset(forecast->slabs, 0, tasks * devices * sizeof(*forecast->slabs));
	memset(forecast->ends, 0, tasks * sizeof(*forecast->ends));
	memset(forecast->sent, 0, tasks * sizeof(*forecast->sent));
	weft_forecast_begin(forecast);
	for (size_t t = 0; t < tasks; t++)
		open += forecast->view->tasks[t].unclaimed > 0;
	bool done = start(&rollout, tasks, devices) && decide(&rollout, strategy);
	while (done && rollout.num_flying > 0) {
		end_part(&rollout);
		done = decide(&rollout, strategy);
	}
	for (size_t t = 0; done && t < tasks; t++)
		done = rollout.left[t] == 0;
	end(&rollout);
	return done && rollout.begun == open ? weft_forecast_end(forecast) : INFINITY;
}
