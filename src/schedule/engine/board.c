/* SPDX-License-Identifier: MIT */
#include "engine/board.h"

#include <math.h>
#include <stdlib.h>

/* Where nothing is measured: seconds of a transfer, and work-items per second. Only proportions matter until then. */
#define GUESSED_LATENCY 2e-5
#define GUESSED_ITEMS 1e8
#define GUESSED_HANDING 3e-5
/* The part of what is new that counts of the time of handing a part out, which is no longer than this. */
#define HANDING_SHARE 0.25
#define MOST_HANDING 2e-4
/* The part of a task that a rate of an earlier run counts for. */
#define KNOWN_SHARE 0.25
/* A launch is the most of the shortest part that a device has run, but no longer than this. */
#define LAUNCH_SHARE 0.8
#define MOST_LAUNCH 50e-6
/* The least part of a kernel that a device is thought to be good for, whatever its file says. */
#define LEAST_SHARE 0.05

/* ---- life ---------------------------------------------------------------------------------------- */

static void describe_task(const struct weft_spec_kernel *kernel, const struct weft_split *split,
			  struct weft_schedule_task *task)
{
	*task = (struct weft_schedule_task){
		.label = kernel->label,
		.kernel = kernel->name,
		.slabs = split->slabs,
		.unclaimed = split->slabs,
		.work_items = (double)(kernel->global[0] * kernel->global[1] * kernel->global[2]),
		.partition = (double)kernel->partition / 10,
		.is_ready = kernel->num_depends == 0,
		.depends = kernel->depends,
		.num_depends = kernel->num_depends,
	};
	for (size_t i = 0; i < kernel->num_buffers; i++) {
		if (kernel->buffers[i].direction != WEFT_OUTPUT)
			task->input_bytes += (double)kernel->buffers[i].bytes;
		if (kernel->buffers[i].direction != WEFT_INPUT)
			task->output_bytes += (double)kernel->buffers[i].bytes;
	}
}

/* What is not measured yet: by work-items, and by the file's partition, with which a CPU and a GPU end together. */
static double guess_rate(const struct weft_schedule_task *task, bool is_cpu)
{
	const double share = is_cpu ? 1 - task->partition : task->partition;

	return task->work_items / GUESSED_ITEMS / (double)task->slabs /
	       (2 * fmax(share, LEAST_SHARE));
}

static void guess(struct weft_board *board, size_t pair, double rate)
{
	board->guessed[pair] = rate;
	board->rates[pair] = rate;
}

static size_t count_depends(const struct weft_spec *spec)
{
	size_t count = 0;

	for (size_t t = 0; t < spec->count; t++)
		count += spec->kernels[t].num_depends;
	return count;
}

/* What each task reads of those that it waits for. */
static void describe_depends(struct weft_board *board)
{
	double *bytes = board->depends_bytes;

	for (size_t t = 0; t < board->num_tasks; t++) {
		const struct weft_spec_kernel *kernel = &board->spec->kernels[t];

		board->tasks[t].depends_bytes = bytes;
		for (size_t i = 0; i < kernel->num_depends; i++, bytes++) {
			for (size_t k = 0; k < kernel->num_buffers; k++) {
				if (kernel->buffers[k].from_kernel == kernel->depends[i])
					*bytes += (double)kernel->buffers[k].bytes;
			}
		}
	}
}

static bool allocate(struct weft_board *board)
{
	const size_t pairs = board->num_tasks * board->num_devices;

	board->tasks = (struct weft_schedule_task *)calloc(board->num_tasks, sizeof(*board->tasks));
	board->devices =
		(struct weft_schedule_device *)calloc(board->num_devices, sizeof(*board->devices));
	board->progress =
		(struct weft_progress *)calloc(board->num_tasks, sizeof(*board->progress));
	board->rates = (double *)calloc(pairs, sizeof(double));
	board->costs = (struct weft_schedule_costs *)calloc(pairs, sizeof(*board->costs));
	board->moves = (struct weft_moved_bytes *)calloc(pairs, sizeof(*board->moves));
	board->has_moves = (bool *)calloc(board->num_tasks, sizeof(bool));
	board->logarithms = (double *)calloc(pairs, sizeof(double));
	board->is_measured = (bool *)calloc(pairs, sizeof(bool));
	board->guessed = (double *)calloc(pairs, sizeof(double));
	board->measured = (struct weft_measured *)calloc(pairs, sizeof(*board->measured));
	board->traffic = (struct weft_traffic *)calloc(board->num_domains, sizeof(*board->traffic));
	board->launches = (double *)calloc(board->num_devices, sizeof(double));
	board->handings = (double *)calloc(board->num_devices, sizeof(double));
	board->left_at = (double *)calloc(board->num_devices, sizeof(double));
	board->last_seconds = (double *)calloc(board->num_devices, sizeof(double));
	board->has_inputs = (bool *)calloc(board->num_tasks * board->num_domains, sizeof(bool));
	board->present = (double *)calloc(board->num_tasks * board->num_domains, sizeof(double));
	board->order = (size_t *)calloc(board->num_tasks, sizeof(size_t));
	board->depends_bytes = (double *)calloc(count_depends(board->spec) + 1, sizeof(double));
	board->last_devices = (size_t *)calloc(board->num_tasks, sizeof(size_t));
	return board->tasks && board->devices && board->progress && board->rates && board->costs &&
	       board->moves && board->has_moves && board->logarithms && board->is_measured &&
	       board->guessed && board->measured && board->traffic && board->launches &&
	       board->handings && board->left_at && board->last_seconds && board->has_inputs &&
	       board->present && board->order && board->last_devices && board->depends_bytes;
}

bool weft_board_create(struct weft_board *board, const struct weft_spec *spec,
		       const struct weft_split *splits, const struct weft_devices *devices,
		       struct weft_error *error)
{
	*board = (struct weft_board){.spec = spec,
				     .splits = splits,
				     .num_tasks = spec->count,
				     .places = devices,
				     .num_devices = devices->count,
				     .num_domains = devices->num_domains,
				     .left = spec->count};
	if (!allocate(board)) {
		weft_board_destroy(board);
		return weft_fail_memory(error);
	}
	for (size_t d = 0; d < board->num_devices; d++) {
		const struct weft_device *device = &devices->items[d];

		board->devices[d] = (struct weft_schedule_device){
			.name = device->name,
			.is_cpu = (device->type & CL_DEVICE_TYPE_CPU) != 0,
			.domain = device->domain,
			.moves_ahead = !devices->domains[device->domain].is_host,
			.handing = GUESSED_HANDING};
		board->handings[d] = GUESSED_HANDING;
	}
	for (size_t t = 0; t < board->num_tasks; t++) {
		describe_task(&spec->kernels[t], &splits[t], &board->tasks[t]);
		board->progress[t].waits = spec->kernels[t].num_depends;
		for (size_t d = 0; d < board->num_devices; d++)
			guess(board, t * board->num_devices + d,
			      guess_rate(&board->tasks[t], board->devices[d].is_cpu));
		board->last_devices[t] = WEFT_SCHEDULE_NO_DEVICE;
	}
	describe_depends(board);
	if (weft_spec_order(spec, board->order) &&
	    weft_followers_find(&board->followers, board->tasks, board->num_tasks))
		return true;
	weft_board_destroy(board);
	return weft_fail_memory(error);
}

/* In tenths, as files have it: with it, a CPU and the other device end together, which gets all inputs and gives all results back. */
static double predict_partition(const struct weft_board *board, size_t task,
				const struct weft_prediction *seconds)
{
	const struct weft_schedule_task *described = &board->tasks[task];
	double bandwidth = 0;

	for (size_t d = 0; d < board->num_domains; d++)
		bandwidth = fmax(bandwidth, weft_costs_guess_bandwidth(board, d));
	const double other = seconds->other +
			     (described->input_bytes + described->output_bytes) / bandwidth +
			     (double)board->spec->kernels[task].num_buffers * GUESSED_LATENCY;
	return round(10 * seconds->cpu / (seconds->cpu + other)) / 10;
}

void weft_board_predict(struct weft_board *board, const struct weft_prediction *predictions)
{
	for (size_t t = 0; t < board->num_tasks; t++) {
		struct weft_schedule_task *task = &board->tasks[t];
		const struct weft_prediction seconds = predictions[t];

		if (!(seconds.cpu > 0 && seconds.other > 0))
			continue;
		if (seconds.gives_partition && !board->spec->kernels[t].has_partition)
			task->partition = predict_partition(board, t, &seconds);
		/* A file knows the proportion better. */
		const double share = fmin(fmax(task->partition, LEAST_SHARE), 1 - LEAST_SHARE);
		const double mean = sqrt(seconds.cpu * seconds.other);
		const double proportion = board->spec->kernels[t].has_partition
						  ? sqrt(share / (1 - share))
						  : sqrt(seconds.cpu / seconds.other);
		for (size_t d = 0; d < board->num_devices; d++)
			guess(board, t * board->num_devices + d,
			      (board->devices[d].is_cpu ? mean * proportion : mean / proportion) /
				      (double)task->slabs);
	}
}

void weft_board_destroy(struct weft_board *board)
{
	free(board->tasks);
	free(board->devices);
	free(board->progress);
	free(board->rates);
	free(board->costs);
	free(board->moves);
	free(board->has_moves);
	free(board->logarithms);
	weft_followers_destroy(&board->followers);
	free(board->is_measured);
	free(board->guessed);
	free(board->measured);
	free(board->traffic);
	free(board->launches);
	free(board->handings);
	free(board->left_at);
	free(board->last_seconds);
	free(board->has_inputs);
	free(board->present);
	free(board->order);
	free(board->depends_bytes);
	free(board->memory);
	free(board->last_devices);
	*board = (struct weft_board){0};
}

/* ---- decisions ----------------------------------------------------------------------------------- */

static bool check_part(const struct weft_board *board, const char *strategy,
		       const struct weft_schedule_part *part, struct weft_error *error)
{
	if (part->task >= board->num_tasks)
		return weft_fail(error, "strategy %s: there is no task %zu", strategy, part->task);
	if (part->device >= board->num_devices)
		return weft_fail(error, "strategy %s: there is no device %zu", strategy,
				 part->device);
	const struct weft_schedule_task *task = &board->tasks[part->task];
	if (!task->is_ready)
		return weft_fail(error, "strategy %s: kernel '%s' is not ready", strategy,
				 task->label);
	return (part->slabs >= 1 && part->slabs <= task->unclaimed) ||
	       weft_fail(error, "strategy %s: kernel '%s' has %zu slabs left, not %zu", strategy,
			 task->label, task->unclaimed, part->slabs);
}

static void give_out(struct weft_board *board, const struct weft_schedule_part *wanted, double now,
		     struct weft_part *part)
{
	struct weft_schedule_task *task = &board->tasks[wanted->task];
	struct weft_schedule_device *device = &board->devices[wanted->device];
	const size_t pair = wanted->task * board->num_devices + wanted->device;

	const struct weft_schedule_costs *costs = &board->costs[pair];
	const double slabs = (double)wanted->slabs;

	*part = (struct weft_part){.task = wanted->task,
				   .device = wanted->device,
				   .slabs = {task->slabs - task->unclaimed, wanted->slabs}};
	task->unclaimed -= wanted->slabs;
	board->last_devices[wanted->task] = wanted->device;
	board->has_inputs[wanted->task * board->num_domains + device->domain] = true;
	weft_costs_forget(board, wanted->task);
	device->moved_at = fmax(device->moved_at, now) + costs->inputs + costs->slab_inputs * slabs;
	device->free_at = fmax(fmax(device->free_at, now), device->moved_at) + device->handing +
			  costs->launch + board->rates[pair] * slabs;
	part->given_at = now;
	part->moved_at = device->moved_at;
	task->ends_at = fmax(task->ends_at, device->free_at);
	device->queued++;
	board->flying++;
}

/* Asks the strategy, or the one that it leaves the run to; one that leaves it to none, or to itself, keeps it. */
static bool ask(struct weft_board *board, const struct weft_schedule_strategy **strategy,
		const struct weft_schedule_view *view, struct weft_schedule_decision *decision)
{
	const struct weft_schedule_strategy *const first = *strategy;

	if (board->follows)
		*strategy = board->follows;
	for (;;) {
		*decision = (struct weft_schedule_decision){0};
		board->follows = NULL;
		const bool has_decided = (*strategy)->decide(view, decision);
		if (!board->follows || board->follows == *strategy) {
			board->follows = *strategy == first ? NULL : *strategy;
			return has_decided;
		}
		free(board->memory);
		board->memory = NULL;
		*strategy = board->follows;
	}
}

bool weft_board_decide(struct weft_board *board, const struct weft_schedule_strategy *strategy,
		       double now, struct weft_decided *decided, struct weft_error *error)
{
	const struct weft_schedule_view view = {.now = now,
						.num_tasks = board->num_tasks,
						.tasks = board->tasks,
						.num_devices = board->num_devices,
						.devices = board->devices,
						.rates = board->rates,
						.is_measured = board->is_measured,
						.costs = board->costs,
						.order = board->order,
						.last_devices = board->last_devices,
						.memory = &board->memory,
						.outcomes = board->outcomes.items,
						.num_outcomes = board->outcomes.count,
						.follows = &board->follows};
	struct weft_schedule_decision decision;

	decided->count = 0;
	if (board->has_measured)
		weft_measured_guess_again(board);
	weft_costs_estimate(board);
	if (!ask(board, &strategy, &view, &decision))
		return board->flying > 0 || board->left == 0 ||
		       weft_fail(error, "strategy %s: it leaves kernels undone", strategy->name);
	if (decision.num_parts < 1 || decision.num_parts > WEFT_SCHEDULE_MOST_PARTS)
		return weft_fail(error, "strategy %s: %zu parts are not possible", strategy->name,
				 decision.num_parts);
	for (size_t i = 0; i < decision.num_parts; i++) {
		if (!check_part(board, strategy->name, &decision.parts[i], error))
			return false;
		give_out(board, &decision.parts[i], now, &decided->parts[decided->count++]);
	}
	return true;
}

/* ---- ends ---------------------------------------------------------------------------------------- */

/* What has passed since the device could begin with the part, but for the kernel. Much more than before is something else, as inputs that are late. */
static void learn_handing(struct weft_board *board, const struct weft_part *part, double now)
{
	double *handing = &board->handings[part->device];
	const double begun =
		fmax(fmax(part->given_at, part->moved_at), board->left_at[part->device]);
	const double taken = fmax(0, now - begun - board->last_seconds[part->device]);

	if (board->last_seconds[part->device] > 0)
		*handing +=
			HANDING_SHARE * (fmin(taken, fmin(MOST_HANDING, 2 * *handing)) - *handing);
	board->last_seconds[part->device] = 0;
	board->left_at[part->device] = now;
}

void weft_board_leave(struct weft_board *board, const struct weft_part *part, double now)
{
	struct weft_schedule_device *device = &board->devices[part->device];

	learn_handing(board, part, now);

	board->flying--;
	device->queued--;
	if (device->queued == 0)
		device->free_at = now;
}

void weft_board_know_launch(struct weft_board *board, size_t device, double seconds, double handing)
{
	board->launches[device] = seconds;
	if (handing > 0)
		board->devices[device].handing = board->handings[device] = handing;
}

static void learn_launch(struct weft_board *board, size_t device, double seconds)
{
	const double launch = fmin(LAUNCH_SHARE * seconds, MOST_LAUNCH);

	if (board->launches[device] == 0 || launch < board->launches[device])
		board->launches[device] = launch;
}

void weft_board_know_rate(struct weft_board *board, size_t task, size_t device, double rate)
{
	const double slabs = KNOWN_SHARE * (double)board->tasks[task].slabs;

	weft_measured_add(board, task * board->num_devices + device,
			  &(struct weft_measured){.seconds = rate * slabs, .slabs = slabs});
}

void weft_board_moved(struct weft_board *board, size_t domain, double bytes, double seconds)
{
	struct weft_traffic *traffic = &board->traffic[domain];

	if (traffic->count == 0 || seconds < traffic->least_seconds)
		traffic->least_seconds = seconds;
	traffic->count++;
	traffic->bytes += bytes;
	traffic->seconds += seconds;
}

void weft_board_end(struct weft_board *board, const struct weft_part *part, double seconds)
{
	board->progress[part->task].ended += part->slabs.count;
	learn_launch(board, part->device, seconds);
	board->last_seconds[part->device] = seconds;
	weft_measured_add(board, part->task * board->num_devices + part->device,
			  &(struct weft_measured){.seconds = seconds,
						  .slabs = (double)part->slabs.count,
						  .parts = 1});
	board->present[part->task * board->num_domains + board->devices[part->device].domain] +=
		(double)part->slabs.count / (double)board->tasks[part->task].slabs;
	for (size_t i = board->followers.begin[part->task];
	     i < board->followers.begin[part->task + 1]; i++)
		weft_costs_forget(board, board->followers.tasks[i]);
}

bool weft_board_is_complete(const struct weft_board *board, size_t task)
{
	return board->progress[task].ended == board->tasks[task].slabs;
}

void weft_board_complete(struct weft_board *board, size_t task)
{
	const struct weft_followers *followers = &board->followers;

	board->tasks[task].is_ready = false;
	board->tasks[task].has_ended = true;
	board->left--;
	for (size_t i = followers->begin[task]; i < followers->begin[task + 1]; i++) {
		struct weft_progress *progress = &board->progress[followers->tasks[i]];

		if (--progress->waits == 0 && !progress->has_failed)
			board->tasks[followers->tasks[i]].is_ready = true;
	}
}

static void fail(struct weft_board *board, size_t task)
{
	board->progress[task].has_failed = true;
	board->tasks[task].is_ready = false;
	board->tasks[task].unclaimed = 0;
	board->left--;
}

static bool waits_for_failed(const struct weft_board *board, size_t task)
{
	for (size_t i = 0; i < board->tasks[task].num_depends; i++) {
		if (board->progress[board->tasks[task].depends[i]].has_failed)
			return true;
	}
	return false;
}

void weft_board_fail(struct weft_board *board, size_t task)
{
	if (board->progress[task].has_failed)
		return;
	fail(board, task);
	for (size_t i = 0; i < board->num_tasks; i++) {
		const size_t t = board->order[i];

		if (!board->progress[t].has_failed && waits_for_failed(board, t))
			fail(board, t);
	}
}
