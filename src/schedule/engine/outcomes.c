/* SPDX-License-Identifier: MIT */
#include "engine/outcomes.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	const double one = *(const double *)a;
	const double other = *(const double *)b;

	return (one > other) - (one < other);
}

static double median(const double *values, size_t count)
{
	double sorted[WEFT_OUTCOME_RUNS];

	memcpy(sorted, values, count * sizeof(*values));
	qsort(sorted, count, sizeof(*sorted), compare);
	return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

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
	outcome->makespan =
		median(last, outcome->runs < WEFT_OUTCOME_RUNS ? outcome->runs : WEFT_OUTCOME_RUNS);
}
