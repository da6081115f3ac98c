/* SPDX-License-Identifier: MIT */
#include "simulation.h"

#include "strategies/strategies.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Parts take what their slabs take. Zero would mean that it is not known: then the board takes a share of the shortest part for it. */
#define NO_LAUNCH 1e-12

/* The parts that a device has been given. */
struct queue {
	struct weft_part *parts;
	double *ends; /* of the parts */
	size_t first; /* that has not ended */
	size_t count;
	double moved; /* when the inputs of all parts are there */
	double ended; /* when the last part ends */
	double sent;  /* when its results are in the host's memory */
};

struct run {
	const struct simulation *simulation;
	const struct weft_schedule_strategy *strategy;
	struct weft_board board;
	double now;
	struct queue queues[SIMULATED_MOST_DEVICES];
	double *moved; /* by task and domain: when what parts need as a whole is there; 0: no part has asked for it */
	size_t *slabs; /* by task and domain: that have run there */
	double *sent;  /* by task: when its results are in the host's memory */
};

static const struct weft_domain *domain_of(const struct simulation *simulation, size_t device)
{
	return &simulation->devices->domains[simulation->devices->items[device].domain];
}

/* A place in arrays by task and domain. */
static size_t place_of(const struct simulation *simulation, size_t task, size_t device)
{
	return task * simulation->devices->num_domains + simulation->devices->items[device].domain;
}

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

/* Whether a slab of the task uses a part of the buffer alone. */
static bool is_sliced(const struct simulation *simulation, size_t task,
		      const struct weft_spec_buffer *buffer)
{
	const struct weft_range needed =
		weft_slice_needed(&simulation->spec->kernels[task], &simulation->splits[task],
				  buffer, (struct weft_slabs){0, 1});

	return needed.end - needed.begin < buffer->bytes;
}

/* The part of the content that is not in the device's memory: other tasks may have left it there. */
static double missing_share(const struct run *run, const struct weft_spec_buffer *buffer,
			    size_t device)
{
	const struct simulation *simulation = run->simulation;
	const size_t from = buffer->from_kernel;

	if (from == WEFT_NO_KERNEL)
		return 1;
	const struct weft_spec_buffer *source =
		&simulation->spec->kernels[from].buffers[buffer->from_buffer];
	const double share = (double)run->slabs[place_of(simulation, from, device)] /
			     (double)simulation->splits[from].slabs;
	if (is_sliced(simulation, from, source))
		return 1 - share;
	return source->direction == WEFT_INPUT ? share == 0 : share < 1;
}

/* Whether the buffer has what another task writes. */
static bool is_result(const struct simulation *simulation, const struct weft_spec_buffer *buffer)
{
	return buffer->from_kernel != WEFT_NO_KERNEL &&
	       simulation->spec->kernels[buffer->from_kernel]
			       .buffers[buffer->from_buffer]
			       .direction != WEFT_INPUT;
}

/* What the part needs, and when the last of that can come. Results are in the memory of the device that has written them, and those that have the
 * host's memory get them when they have been sent there. What other devices of this memory are moving comes by them. */
static double transfers_in(struct run *run, const struct weft_part *part, double *from)
{
	const struct simulation *simulation = run->simulation;
	const struct weft_spec_kernel *kernel = &simulation->spec->kernels[part->task];
	const struct weft_split *split = &simulation->splits[part->task];
	const bool is_host = domain_of(simulation, part->device)->is_host;
	double *moved = &run->moved[place_of(simulation, part->task, part->device)];
	double seconds = 0;

	for (size_t i = 0; i < kernel->num_buffers; i++) {
		const struct weft_spec_buffer *buffer = &kernel->buffers[i];
		const struct weft_range needed =
			weft_slice_needed(kernel, split, buffer, part->slabs);
		const bool is_whole = needed.end - needed.begin == buffer->bytes;
		const double missing = missing_share(run, buffer, part->device);

		if (buffer->direction == WEFT_OUTPUT || missing == 0)
			continue;
		if (is_host && is_result(simulation, buffer))
			*from = fmax(*from, run->sent[buffer->from_kernel]);
		else if (!is_host && is_whole && *moved > 0)
			*from = fmax(*from, *moved);
		else if (!is_host)
			seconds += move(simulation,
					(size_t)(missing * (double)(needed.end - needed.begin)));
	}
	if (!is_host)
		*moved = fmax(*moved, *from + seconds);
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

struct simulated_transfers simulated_transfers(const struct simulation *simulation, size_t task,
					       size_t device)
{
	const struct weft_spec_kernel *kernel = &simulation->spec->kernels[task];
	struct simulated_transfers transfers = {0};

	if (domain_of(simulation, device)->is_host)
		return transfers;
	for (size_t i = 0; i < kernel->num_buffers; i++) {
		const struct weft_spec_buffer *buffer = &kernel->buffers[i];
		const double seconds = move(simulation, buffer->bytes);

		if (buffer->direction != WEFT_OUTPUT)
			*(buffer->from_kernel == WEFT_NO_KERNEL ? &transfers.inputs
								: &transfers.results_of_others) +=
				seconds;
		if (buffer->direction != WEFT_INPUT)
			transfers.results += seconds;
	}
	return transfers;
}

/* ---- time ---------------------------------------------------------------------------------------- */

static double kernel_seconds(const struct simulation *simulation, const struct weft_part *part)
{
	return simulation->rates[part->task * simulation->devices->count + part->device] *
	       (double)part->slabs.count;
}

/* A part for a device: when it ends is known at once. */
static void push(struct run *run, const struct weft_part *part)
{
	const struct simulation *simulation = run->simulation;
	struct queue *queue = &run->queues[part->device];
	const bool is_host = domain_of(simulation, part->device)->is_host;
	double from = fmax(run->now, queue->moved);

	queue->parts = (struct weft_part *)realloc(queue->parts,
						   (queue->count + 1) * sizeof(*queue->parts));
	queue->ends = (double *)realloc(queue->ends, (queue->count + 1) * sizeof(*queue->ends));
	assert_true(queue->parts && queue->ends);
	const double inputs = transfers_in(run, part, &from);
	queue->moved = from + inputs;
	queue->ended = fmax(fmax(queue->moved, queue->ended), run->now) + simulation->part_seconds +
		       kernel_seconds(simulation, part);
	if (is_host)
		queue->sent = queue->ended;
	else
		queue->sent = fmax(queue->sent, queue->ended) + transfers_out(simulation, part);
	run->sent[part->task] = fmax(run->sent[part->task], queue->sent);
	queue->ends[queue->count] = queue->ended;
	queue->parts[queue->count++] = *part;
}

static void give_out(struct run *run)
{
	struct weft_error error = {0};
	struct weft_decided decided;

	do {
		if (!weft_board_decide(&run->board, run->strategy, run->now, &decided, &error))
			fail_msg("%s", error.text);
		for (size_t i = 0; i < decided.count; i++)
			push(run, &decided.parts[i]);
	} while (decided.count > 0);
}

/* The running part that ends first, ends. */
static void end_part(struct run *run)
{
	struct queue *next = NULL;

	for (size_t d = 0; d < run->simulation->devices->count; d++) {
		struct queue *queue = &run->queues[d];

		if (queue->first < queue->count &&
		    (!next || queue->ends[queue->first] < next->ends[next->first]))
			next = queue;
	}
	assert_non_null(next);
	const struct weft_part part = next->parts[next->first];
	run->now = next->ends[next->first++];
	run->slabs[place_of(run->simulation, part.task, part.device)] += part.slabs.count;
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
	const size_t count = simulation->devices->count;
	for (size_t d = 0; knows_rates && d < count; d++)
		weft_board_know_launch(&run->board, d, NO_LAUNCH, simulation->part_seconds);
	for (size_t pair = 0; knows_rates && pair < simulation->spec->count * count; pair++)
		weft_board_know_rate(&run->board, pair / count, pair % count,
				     simulation->known_rates ? simulation->known_rates[pair]
							     : simulation->rates[pair]);
	if (simulation->outcomes)
		run->board.outcomes = *simulation->outcomes;
}

double simulate(const struct simulation *simulation, const char *strategy, bool knows_rates)
{
	const size_t places = simulation->spec->count * simulation->devices->num_domains;
	struct run run = {.simulation = simulation, .strategy = weft_strategy_named(strategy)};
	struct weft_error error = {0};

	assert_true(simulation->devices->count <= SIMULATED_MOST_DEVICES);
	run.moved = (double *)calloc(places, sizeof(*run.moved));
	run.slabs = (size_t *)calloc(places, sizeof(*run.slabs));
	run.sent = (double *)calloc(simulation->spec->count, sizeof(*run.sent));
	assert_true(run.moved && run.slabs && run.sent);
	assert_true(weft_board_create(&run.board, simulation->spec, simulation->splits,
				      simulation->devices, &error));
	tell_board(&run, knows_rates);
	give_out(&run);
	while (run.board.left > 0) {
		end_part(&run);
		give_out(&run);
	}
	const struct weft_schedule_strategy *decider =
		run.board.follows ? run.board.follows : run.strategy;
	weft_board_destroy(&run.board);
	for (size_t d = 0; d < simulation->devices->count; d++) {
		run.now = fmax(run.now, run.queues[d].sent);
		free(run.queues[d].parts);
		free(run.queues[d].ends);
	}
	if (simulation->outcomes)
		weft_outcomes_add(simulation->outcomes, decider->name, run.now);
	free(run.sent);
	free(run.moved);
	free(run.slabs);
	return run.now;
}
