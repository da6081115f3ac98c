/* SPDX-License-Identifier: MIT */
#include "engine/outcomes.h"

#include <math.h>
#include <string.h>

void weft_outcomes_add(struct weft_outcomes *outcomes, const char *strategy, double seconds)
{
	size_t place = 0;

	while (place < outcomes->count && strcmp(outcomes->items[place].strategy, strategy) != 0)
		place++;
	if (place == WEFT_MOST_OUTCOMES)
		return;
	struct weft_schedule_outcome *outcome = &outcomes->items[place];
	double *last = outcomes->last[place];

	if (place == outcomes->count)
		outcomes->items[outcomes->count++] =
			(struct weft_schedule_outcome){.strategy = strategy};
	memmove(last + 1, last, (WEFT_OUTCOME_RUNS - 1) * sizeof(*last));
	last[0] = seconds;
	outcome->runs++;
	outcome->makespan = INFINITY;
	for (size_t i = 0; i < WEFT_OUTCOME_RUNS && i < outcome->runs; i++)
		outcome->makespan = fmin(outcome->makespan, last[i]);
}
