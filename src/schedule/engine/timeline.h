/* SPDX-License-Identifier: MIT
 *
 * What devices did, and when: the record that reports are made of.
 */
#ifndef WEFT_SCHEDULE_TIMELINE_H
#define WEFT_SCHEDULE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>

enum weft_span_kind {
	WEFT_SPAN_TO_DEVICE,   /* a transfer from the host's memory into the device's */
	WEFT_SPAN_FROM_DEVICE, /* a transfer out of it, to the host's */
	WEFT_SPAN_BETWEEN, /* a transfer into the device's memory from another device's, or from another buffer there */
	WEFT_SPAN_KERNEL,
	WEFT_SPAN_MERGE, /* results of several memories become one, on the host */
};

static inline bool weft_span_is_transfer(enum weft_span_kind kind)
{
	return kind == WEFT_SPAN_TO_DEVICE || kind == WEFT_SPAN_FROM_DEVICE ||
	       kind == WEFT_SPAN_BETWEEN;
}

struct weft_span {
	enum weft_span_kind kind;
	size_t device;
	size_t task;
	size_t first_slab; /* of a kernel */
	size_t slabs;
	size_t bytes; /* of the others */
	double start; /* seconds since the beginning of the run */
	double end;
};

struct weft_timeline {
	struct weft_span *spans; /* owned */
	size_t count;
	size_t room;
};

/* False: out of memory. */
bool weft_timeline_add(struct weft_timeline *timeline, const struct weft_span *span);
/* Seconds from the first beginning to the last end; 0: there is no span. */
double weft_timeline_makespan(const struct weft_timeline *timeline);
void weft_timeline_destroy(struct weft_timeline *timeline);

#endif
