/* SPDX-License-Identifier: MIT
 *
 * What parts will move, and what that takes.
 */
#include "engine/board.h"

#include <math.h>

/* Bytes per second between memories where nothing is measured. */
#define GUESSED_BANDWIDTH 8e9
#define GUESSED_PINNED_BANDWIDTH 3e10

double weft_costs_guess_bandwidth(const struct weft_board *board, size_t domain)
{
	return board->places->domains[domain].likes_own_memory ? GUESSED_PINNED_BANDWIDTH
							       : GUESSED_BANDWIDTH;
}

/* Bytes that the first slab needs. */
static double slab_bytes(const struct weft_board *board, size_t task,
			 const struct weft_spec_buffer *buffer)
{
	const struct weft_range needed =
		weft_slice_needed(&board->spec->kernels[task], &board->splits[task], buffer,
				  (struct weft_slabs){0, 1});

	return (double)(needed.end - needed.begin);
}

static bool is_sliced(const struct weft_board *board, size_t task,
		      const struct weft_spec_buffer *buffer)
{
	return slab_bytes(board, task, buffer) < (double)buffer->bytes;
}

/* Bytes of a sliced buffer that each part needs, whatever its size: what slabs need overlaps, such as the columns of a matrix by rows, all of
 * which but the ends are one range. */
static double common_bytes(const struct weft_board *board, size_t task,
			   const struct weft_spec_buffer *buffer)
{
	const double slabs = (double)board->splits[task].slabs;
	const double overlap = slab_bytes(board, task, buffer) * slabs - (double)buffer->bytes;

	return slabs > 1 ? fmax(0, overlap / (slabs - 1)) : 0;
}

/* The part of what the task reads that is not in the domain's memory. */
static double missing_share(const struct weft_board *board, const struct weft_spec_buffer *buffer,
			    size_t domain)
{
	const bool is_host = board->places->domains[domain].is_host;
	const size_t from = buffer->from_kernel;

	if (from == WEFT_NO_KERNEL || is_host)
		return is_host ? 0 : 1;
	const struct weft_spec_buffer *source =
		&board->spec->kernels[from].buffers[buffer->from_buffer];
	const double present = board->present[from * board->num_domains + domain];
	if (is_sliced(board, from, source))
		return is_host && source->direction == WEFT_INPUT ? 0 : 1 - present;
	return source->direction == WEFT_INPUT ? !(is_host || present > 0) : present < 1;
}

static struct weft_moved_bytes bytes_to_move(const struct weft_board *board, size_t task,
					     size_t device)
{
	const struct weft_spec_kernel *kernel = &board->spec->kernels[task];
	const struct weft_split *split = &board->splits[task];
	const size_t domain = board->devices[device].domain;
	struct weft_moved_bytes moved = {0};

	for (size_t i = 0; i < kernel->num_buffers; i++) {
		const struct weft_spec_buffer *buffer = &kernel->buffers[i];
		const double missing = missing_share(board, buffer, domain);
		const double bytes = (double)buffer->bytes;

		if (buffer->direction != WEFT_OUTPUT && missing > 0) {
			if (is_sliced(board, task, buffer)) {
				const double common = common_bytes(board, task, buffer);

				moved.inputs++;
				moved.slab_inputs +=
					missing * (bytes - common) / (double)split->slabs;
				if (!board->has_inputs[task * board->num_domains + domain])
					moved.whole += missing * common;
			} else if (!board->has_inputs[task * board->num_domains + domain]) {
				moved.inputs++;
				moved.whole += missing * bytes;
			}
		}
		if (buffer->direction != WEFT_INPUT && !board->places->domains[domain].is_host) {
			moved.slab_results += bytes / (double)split->slabs;
			moved.results++;
		}
	}
	return moved;
}

/* The time of a transfer: its latency, which is that of the shortest one so far, and its bytes. */
struct transfer_speed {
	double latency;
	double bandwidth;
};

/* Transfers to the host's memory are those of a domain that has memory of its own. */
static size_t domain_that_moves(const struct weft_board *board, size_t domain)
{
	for (size_t d = 0; board->places->domains[domain].is_host && d < board->num_domains; d++) {
		if (!board->places->domains[d].is_host)
			return d;
	}
	return domain;
}

static struct transfer_speed transfer_speed(const struct weft_board *board, size_t device)
{
	const size_t domain = domain_that_moves(board, board->devices[device].domain);
	const struct weft_traffic *traffic = &board->traffic[domain];
	const double latency = traffic->least_seconds;
	const double seconds = traffic->seconds - traffic->count * latency;

	return (struct transfer_speed){.latency = latency,
				       .bandwidth =
					       traffic->bytes > 0 && seconds > 0
						       ? traffic->bytes / seconds
						       : weft_costs_guess_bandwidth(board, domain)};
}

void weft_costs_forget(struct weft_board *board, size_t task)
{
	board->has_moves[task] = false;
}

static void find_moves(struct weft_board *board, size_t task)
{
	for (size_t d = 0; d < board->num_devices; d++)
		board->moves[task * board->num_devices + d] = bytes_to_move(board, task, d);
	board->has_moves[task] = true;
}

/* Of all tasks. */
static void estimate(struct weft_board *board, size_t device, struct transfer_speed speed)
{
	for (size_t t = 0; t < board->num_tasks; t++) {
		const size_t pair = t * board->num_devices + device;
		const struct weft_moved_bytes *moved = &board->moves[pair];

		if (board->tasks[t].unclaimed == 0)
			continue;
		board->costs[pair] = (struct weft_schedule_costs){
			.inputs = moved->inputs * speed.latency + moved->whole / speed.bandwidth,
			.slab_inputs = moved->slab_inputs / speed.bandwidth,
			.launch = board->launches[device],
			.results = moved->results * speed.latency,
			.slab_results = moved->slab_results / speed.bandwidth};
	}
}

void weft_costs_estimate(struct weft_board *board)
{
	for (size_t t = 0; t < board->num_tasks; t++) {
		if (board->tasks[t].unclaimed > 0 && !board->has_moves[t])
			find_moves(board, t);
	}
	for (size_t d = 0; d < board->num_devices; d++) {
		const struct transfer_speed speed = transfer_speed(board, d);

		if (board->devices[d].moves_ahead) {
			board->devices[d].latency = speed.latency;
			board->devices[d].bandwidth = speed.bandwidth;
		}
		estimate(board, d, speed);
	}
}
