/* SPDX-License-Identifier: MIT
 *
 * What whole runs have taken, by the strategy that decided them.
 */
#ifndef WEFT_SCHEDULE_OUTCOMES_H
#define WEFT_SCHEDULE_OUTCOMES_H

#include <weft/schedule.h>

#define WEFT_MOST_OUTCOMES 16 /* those of further strategies are not kept */
#define WEFT_OUTCOME_RUNS 5

struct weft_outcomes {
	size_t count;
	struct weft_schedule_outcome items[WEFT_MOST_OUTCOMES];
	double last[WEFT_MOST_OUTCOMES]
		   [WEFT_OUTCOME_RUNS]; /* seconds of the last runs, the last one first */
};

/* The strategy's name is borrowed. */
void weft_outcomes_add(struct weft_outcomes *outcomes, const char *strategy, double seconds);

#endif
