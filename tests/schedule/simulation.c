/* SPDX-License-Identifier: MIT */
#include "simulation.h"

#include "strategies/strategies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* The parts that a device has, the running one first. */
struct queue {
	struct weft_part *parts;
	size_t first;
	size_t count;
	double end; /* of the running part */
};

struct run {
	const struct simulation *simulation;
	const struct weft_schedule_strategy *strategy;
	struct weft_board board;
	double now;
	struct queue queues[SIMULATED_DEVICES];
	bool *has_inputs; /* by task and device: what the device needs as a whole is there */
	size_t *slabs;    /* by task and device: that have run there */
};

/* ---- transfers ----------------------------------------------------------------------------------- */

static double move(const struct simulation *simulation, size_t bytes)
{
	return simulation->bandwidth > 0
		       ? simulation->latency + (double)bytes / simulation->bandwidth
		       : 0;
}

static double move_range(const struct simulation *simulation, struct weft_range range)
{
	return range.end > range.begin ? move(simulation, range.end - range.begin) : 0;
}

/* Another task has left the content in the device's memory. */
static bool is_there(const struct run *run, const struct weft_spec_buffer *buffer, size_t device)
{
	const size_t from = buffer->from_kernel;

	return from != WEFT_NO_KERNEL &&
	       run->slabs[from * SIMULATED_DEVICES + device] == run->simulation->splits[from].slabs;
}

static double transfers_in(struct run *run, const struct weft_part *part)
{
	const struct simulation *simulation = run->simulation;
	const struct weft_spec_kernel *kernel = &simulation->spec->kernels[part->task];
	const struct weft_split *split = &simulation->splits[part->task];
	bool *has_inputs = &run->has_inputs[part->task * SIMULATED_DEVICES + part->device];
	double seconds = 0;

	for (size_t i = 0; i < kernel->num_buffers; i++) {
		const struct weft_spec_buffer *buffer = &kernel->buffers[i];
		const struct weft_range needed =
			weft_slice_needed(kernel, split, buffer, part->slabs);
		const bool is_whole = needed.end - needed.begin == buffer->bytes;

		if (buffer->direction != WEFT_OUTPUT && !is_there(run, buffer, part->device) &&
		    !(is_whole && *has_inputs))
			seconds += move_range(simulation, needed);
	}
	*has_inputs = true;
	return seconds;
}

static double transfers_out(const struct simulation *simulation, const struct weft_part *part)
{
	const struct weft_spec_kernel *kernel = &simulation->spec->kernels[part->task];
	double seconds = 0;

	for (size_t i = 0; i < kernel->num_buffers; i++) {
		if (kernel->buffers[i].direction != WEFT_INPUT)
			seconds += move_range(
				simulation, weft_slice_own(kernel, &simulation->splits[part->task],
							   &kernel->buffers[i], part->slabs));
	}
	return seconds;
}

double simulated_transfers(const struct simulation *simulation, size_t task, size_t device,
			   bool without_results_of_others)
{
	const struct weft_spec_kernel *kernel = &simulation->spec->kernels[task];
	double seconds = 0;

	if (simulation->devices->domains[simulation->devices->items[device].domain].is_host)
		return 0;
	for (size_t i = 0; i < kernel->num_buffers; i++) {
		const struct weft_spec_buffer *buffer = &kernel->buffers[i];

		if (buffer->direction != WEFT_OUTPUT &&
		    !(without_results_of_others && buffer->from_kernel != WEFT_NO_KERNEL))
			seconds += move(simulation, buffer->bytes);
		if (buffer->direction != WEFT_INPUT)
			seconds += move(simulation, buffer->bytes);
	}
	return seconds;
}

/* ---- time ---------------------------------------------------------------------------------------- */

static double kernel_seconds(const struct simulation *simulation, const struct weft_part *part)
{
	return simulation->rates[part->task * SIMULATED_DEVICES + part->device] *
	       (double)part->slabs.count;
}

/* The first part of the queue begins at `start`. */
static void begin(struct run *run, size_t device, double start)
{
	const struct simulation *simulation = run->simulation;
	const struct weft_part *part = &run->queues[device].parts[run->queues[device].first];
	const size_t domain = simulation->devices->items[device].domain;
	double seconds = simulation->part_seconds + kernel_seconds(simulation, part);

	if (!simulation->devices->domains[domain].is_host)
		seconds += transfers_in(run, part) + transfers_out(simulation, part);
	run->queues[device].end = start + seconds;
}

static void give_out(struct run *run)
{
	struct weft_error error = {0};
	struct weft_decided decided;

	do {
		if (!weft_board_decide(&run->board, run->strategy, run->now, &decided, &error))
			fail_msg("%s", error.text);
		for (size_t i = 0; i < decided.count; i++) {
			struct queue *queue = &run->queues[decided.parts[i].device];

			queue->parts = (struct weft_part *)realloc(
				queue->parts, (queue->count + 1) * sizeof(*queue->parts));
			assert_non_null(queue->parts);
			queue->parts[queue->count++] = decided.parts[i];
			if (queue->count - queue->first == 1)
				begin(run, decided.parts[i].device, run->now);
		}
	} while (decided.count > 0);
}

/* The running part that ends first, ends. */
static void end_part(struct run *run)
{
	struct queue *next = NULL;

	for (size_t d = 0; d < SIMULATED_DEVICES; d++) {
		struct queue *queue = &run->queues[d];

		if (queue->first < queue->count && (!next || queue->end < next->end))
			next = queue;
	}
	assert_non_null(next);
	const struct weft_part part = next->parts[next->first++];
	run->now = next->end;
	run->slabs[part.task * SIMULATED_DEVICES + part.device] += part.slabs.count;
	if (next->first < next->count)
		begin(run, part.device, run->now);
	weft_board_end(&run->board, &part, kernel_seconds(run->simulation, &part));
	weft_board_leave(&run->board, &part, run->now);
	if (weft_board_is_complete(&run->board, part.task))
		weft_board_complete(&run->board, part.task);
}

/* What earlier runs have measured. */
static void tell_board(struct run *run, bool knows_rates)
{
	const struct simulation *simulation = run->simulation;

	for (size_t d = 0; simulation->bandwidth > 0 && d < simulation->devices->num_domains; d++) {
		weft_board_moved(&run->board, d, 0, simulation->latency);
		weft_board_moved(&run->board, d, simulation->bandwidth, simulation->latency + 1);
	}
	if (simulation->predictions)
		weft_board_predict(&run->board, simulation->predictions);
	for (size_t pair = 0; knows_rates && pair < simulation->spec->count * SIMULATED_DEVICES;
	     pair++)
		weft_board_know_rate(&run->board, pair / SIMULATED_DEVICES,
				     pair % SIMULATED_DEVICES, simulation->rates[pair]);
}

double simulate(const struct simulation *simulation, const char *strategy, bool knows_rates)
{
	const size_t pairs = simulation->spec->count * SIMULATED_DEVICES;
	struct run run = {.simulation = simulation, .strategy = weft_strategy_named(strategy)};
	struct weft_error error = {0};

	run.has_inputs = (bool *)calloc(pairs, sizeof(*run.has_inputs));
	run.slabs = (size_t *)calloc(pairs, sizeof(*run.slabs));
	assert_true(run.has_inputs && run.slabs);
	assert_true(weft_board_create(&run.board, simulation->spec, simulation->splits,
				      simulation->devices, &error));
	tell_board(&run, knows_rates);
	give_out(&run);
	while (run.board.left > 0) {
		end_part(&run);
		give_out(&run);
	}
	weft_board_destroy(&run.board);
	for (size_t d = 0; d < SIMULATED_DEVICES; d++)
		free(run.queues[d].parts);
	free(run.has_inputs);
	free(run.slabs);
	return run.now;
}
