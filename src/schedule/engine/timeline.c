/* SPDX-License-Identifier: MIT */
#include "engine/timeline.h"

#include <math.h>
#include <stdlib.h>

bool weft_timeline_add(struct weft_timeline *timeline, const struct weft_span *span)
{
	if (timeline->count == timeline->room) {
		const size_t room = timeline->room ? 2 * timeline->room : 64;
		struct weft_span *spans =
			(struct weft_span *)realloc(timeline->spans, room * sizeof(*spans));

		if (!spans)
			return false;
		timeline->spans = spans;
		timeline->room = room;
	}
	timeline->spans[timeline->count++] = *span;
	return true;
}

double weft_timeline_makespan(const struct weft_timeline *timeline)
{
	double begin = INFINITY;
	double end = 0;

	for (size_t i = 0; i < timeline->count; i++) {
		begin = fmin(begin, timeline->spans[i].start);
		end = fmax(end, timeline->spans[i].end);
	}
	return fmax(0, end - begin);
}

void weft_timeline_destroy(struct weft_timeline *timeline)
{
	free(timeline->spans);
	*timeline = (struct weft_timeline){0};
}
