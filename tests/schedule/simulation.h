/* SPDX-License-Identifier: MIT
 *
 * Kernels in simulated time: the board and the strategies are the real ones, a clock stands for the devices. What a part needs comes in,
 * the part runs, what it has written goes back to the host's memory: each of the three for one part at a time, and beside the others.
 */
#ifndef WEFT_TEST_SIMULATION_H
#define WEFT_TEST_SIMULATION_H

#include "engine/board.h"

#define SIMULATED_MOST_DEVICES 4

struct simulation {
	const struct weft_spec *spec;    /* borrowed, like all here */
	const struct weft_split *splits; /* by task */
	const struct weft_devices *
		devices; /* bytes go from each to each without the host, but for those that have its memory */
	const struct weft_prediction
		*predictions; /* by task, for rates that are not known; NULL: there are none */
	const double *rates;  /* what a slab really takes, by task and device */
	const double *
		known_rates; /* what is thought of it, if rates are known; NULL: they are the real ones */
	struct weft_outcomes
		*outcomes; /* of earlier runs, with this one from its end on; NULL: none are kept */
	double part_seconds; /* what handing a part out takes */
	double latency;      /* seconds of a transfer to or from a domain that is not the host */
	double bandwidth;    /* bytes per second; 0: transfers take no time */
};

/* Returns the makespan. If `knows_rates`, the strategy sees the real rates from the beginning. */
double simulate(const struct simulation *simulation, const char *strategy, bool knows_rates);

/* Seconds of transfers if a device runs the whole task. */
struct simulated_transfers {
	double inputs; /* but for those that other tasks write */
	double results_of_others;
	double results;
};

struct simulated_transfers simulated_transfers(const struct simulation *simulation, size_t task,
					       size_t device);

#endif
