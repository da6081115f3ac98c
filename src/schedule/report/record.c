/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take_rates(const struct weft_board *board, struct weft_record *record)
{
	for (size_t t = 0; t < board->num_tasks; t++) {
		const size_t first = t * board->num_devices;
		double best = INFINITY;

		record->slabs[t] = board->tasks[t].slabs;
		record->ended += board->tasks[t].has_ended;
		for (size_t d = 0; d < board->num_devices; d++) {
			if (board->is_measured[first + d])
				best = fmin(best, board->rates[first + d]);
		}
		for (size_t d = 0; d < board->num_devices; d++)
			record->rates[first + d] = board->is_measured[first + d]
							   ? board->rates[first + d]
						   : isfinite(best) ? best
								    : 0;
	}
}

bool weft_record_take(struct weft_engine *engine, struct weft_record *record)
{
	bool done = true;

	*record = (struct weft_record){.spec = engine->spec, .devices = engine->devices};
	record->rates =
		(double *)calloc(engine->spec->count * engine->devices->count + 1, sizeof(double));
	record->slabs = (size_t *)calloc(engine->spec->count + 1, sizeof(size_t));
	weft_mutex_lock(&engine->lock);
	for (size_t i = 0; done && i < engine->timeline.count; i++)
		done = weft_timeline_add(&record->timeline, &engine->timeline.spans[i]);
	done = done && record->rates && record->slabs;
	if (done && engine->board.tasks)
		take_rates(&engine->board, record);
	weft_mutex_unlock(&engine->lock);
	if (!done)
		weft_record_destroy(record);
	return done;
}

void weft_record_destroy(struct weft_record *record)
{
	weft_timeline_destroy(&record->timeline);
	free(record->rates);
	free(record->slabs);
	*record = (struct weft_record){0};
}
