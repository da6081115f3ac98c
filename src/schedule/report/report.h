/* SPDX-License-Identifier: MIT
 *
 * What is told of a run that is over: numbers, a picture, a trace.
 */
#ifndef WEFT_SCHEDULE_REPORT_H
#define WEFT_SCHEDULE_REPORT_H

#include "engine/engine.h"

/* A copy of what a run has left, so that reports need no lock. */
struct weft_record {
	const struct weft_spec *spec;       /* borrowed */
	const struct weft_devices *devices; /* borrowed */
	struct weft_timeline timeline;      /* owned */
	double *rates; /* owned: seconds of a slab, by task and device; as measured, or those of the fastest device that was */
	size_t *slabs; /* owned: of each task */
	size_t ended;  /* tasks */
};

/* False: out of memory; it is empty then. */
bool weft_record_take(struct weft_engine *engine, struct weft_record *record);
void weft_record_destroy(struct weft_record *record);

void weft_report_summarise(const struct weft_record *record, struct weft_schedule_summary *summary);
/* Seconds that no schedule can beat, if transfers take no time and each slab takes what `rates` says. */
double weft_report_lower_bound(const struct weft_record *record);

bool weft_report_gantt(const struct weft_record *record, const char *path,
		       struct weft_error *error);
bool weft_report_trace(const struct weft_record *record, const char *path,
		       struct weft_error *error);

/* What the compiler says of the kernels. */
bool weft_report_features(const struct weft_engine *engine, const char *path,
			  struct weft_error *error);

#endif
