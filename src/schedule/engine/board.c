/* SPDX-License-Identifier: MIT */
#include "engine/board.h"

#include <stdlib.h>

/* Where nothing is measured: bytes per second between memories, and work-items per second. Only their proportions matter until
 * then. */
#define GUESSED_BANDWIDTH 8e9
#define GUESSED_ITEMS 1e8

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

static bool allocate(struct weft_board *board)
{
	const size_t pairs = board->num_tasks * board->num_devices;

	board->tasks = (struct weft_schedule_task *)calloc(board->num_tasks, sizeof(*board->tasks));
	board->devices =
		(struct weft_schedule_device *)calloc(board->num_devices, sizeof(*board->devices));
	board->progress =
		(struct weft_progress *)calloc(board->num_tasks, sizeof(*board->progress));
	board->rates = (double *)calloc(pairs, sizeof(double));
	board->transfers = (double *)calloc(pairs, sizeof(double));
	board->is_measured = (bool *)calloc(pairs, sizeof(bool));
	board->present = (bool *)calloc(board->num_tasks * board->num_domains, sizeof(bool));
	return board->tasks && board->devices && board->progress && board->rates &&
	       board->transfers && board->is_measured && board->present;
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
			.domain = device->domain};
	}
	for (size_t t = 0; t < board->num_tasks; t++) {
		describe_task(&spec->kernels[t], &splits[t], &board->tasks[t]);
		board->progress[t].waits = spec->kernels[t].num_depends;
		for (size_t d = 0; d < board->num_devices; d++)
			board->rates[t * board->num_devices + d] = board->tasks[t].work_items /
								   GUESSED_ITEMS /
								   (double)board->tasks[t].slabs;
	}
	return true;
}

void weft_board_destroy(struct weft_board *board)
{
	free(board->tasks);
	free(board->devices);
	free(board->progress);
	free(board->rates);
	free(board->transfers);
	free(board->is_measured);
	free(board->present);
	*board = (struct weft_board){0};
}

/* ---- decisions ----------------------------------------------------------------------------------- */

/* Bytes that the task reads and that are not in the device's memory, as far as whole buffers go. */
static double missing_bytes(const struct weft_board *board, size_t task, size_t device)
{
	const struct weft_spec_kernel *kernel = &board->spec->kernels[task];
	const size_t domain = board->devices[device].domain;
	double bytes = 0;

	for (size_t i = 0; i < kernel->num_buffers; i++) {
		const struct weft_spec_buffer *buffer = &kernel->buffers[i];

		if (buffer->direction == WEFT_OUTPUT)
			continue;
		if (buffer->from_kernel == WEFT_NO_KERNEL
			    ? !board->places->domains[domain].is_host
			    : !board->present[buffer->from_kernel * board->num_domains + domain])
			bytes += (double)buffer->bytes;
	}
	return bytes;
}

static void estimate_transfers(struct weft_board *board)
{
	for (size_t t = 0; t < board->num_tasks; t++) {
		if (board->tasks[t].unclaimed == 0)
			continue;
		for (size_t d = 0; d < board->num_devices; d++)
			board->transfers[t * board->num_devices + d] =
				missing_bytes(board, t, d) / GUESSED_BANDWIDTH;
	}
}

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

	*part = (struct weft_part){.task = wanted->task,
				   .device = wanted->device,
				   .slabs = {task->slabs - task->unclaimed, wanted->slabs},
				   .expected = board->transfers[pair] +
					       board->rates[pair] * (double)wanted->slabs};
	task->unclaimed -= wanted->slabs;
	device->free_at = (device->free_at > now ? device->free_at : now) + part->expected;
	device->queued++;
	board->flying++;
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
						.transfers = board->transfers};
	struct weft_schedule_decision decision = {0};

	decided->count = 0;
	estimate_transfers(board);
	if (!strategy->decide(&view, &decision))
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

void weft_board_leave(struct weft_board *board, const struct weft_part *part, double now)
{
	struct weft_schedule_device *device = &board->devices[part->device];

	board->flying--;
	device->queued--;
	if (device->queued == 0)
		device->free_at = now;
}

void weft_board_end(struct weft_board *board, const struct weft_part *part, double seconds)
{
	const size_t pair = part->task * board->num_devices + part->device;

	board->progress[part->task].ended += part->slabs.count;
	board->rates[pair] = seconds / (double)part->slabs.count;
	board->is_measured[pair] = true;
	board->present[part->task * board->num_domains + board->devices[part->device].domain] =
		true;
}

bool weft_board_is_complete(const struct weft_board *board, size_t task)
{
	return board->progress[task].ended == board->tasks[task].slabs;
}

static bool depends_on(const struct weft_schedule_task *task, size_t other)
{
	for (size_t i = 0; i < task->num_depends; i++) {
		if (task->depends[i] == other)
			return true;
	}
	return false;
}

void weft_board_complete(struct weft_board *board, size_t task)
{
	board->tasks[task].is_ready = false;
	board->tasks[task].has_ended = true;
	board->left--;
	for (size_t t = 0; t < board->num_tasks; t++) {
		if (depends_on(&board->tasks[t], task) && --board->progress[t].waits == 0 &&
		    !board->progress[t].has_failed)
			board->tasks[t].is_ready = true;
	}
}

void weft_board_fail(struct weft_board *board, size_t task)
{
	if (board->progress[task].has_failed)
		return;
	board->progress[task].has_failed = true;
	board->tasks[task].is_ready = false;
	board->tasks[task].unclaimed = 0;
	board->left--;
	/* Tasks fail in the order of a chain: the depth is that of the graph. */
	for (size_t t = 0; t < board->num_tasks; t++) {
		if (depends_on(&board->tasks[t], task))
			weft_board_fail(board, t);
	}
}
