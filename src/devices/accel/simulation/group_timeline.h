/* SPDX-License-Identifier: MIT
 *
 * Simulated time of work-groups with DMA requests. Groups of a cluster share its DMA channels, so a group's times depend on
 * the others: what each group does is recorded, and played when its place is known, in the order of simulated time among all
 * places.
 *
 * A region begins when its reads have come, and the next region begins when its writes have been moved. A read that is known
 * one repetition ahead is requested when its region begins the time before. A request goes to the channel that is free first.
 * Its bytes move after those of the requests before it, and `dma_latency` after it was made at the earliest; a line takes a
 * cycle for each `dma_bytes`.
 */
#ifndef WEFT_ACCEL_GROUP_TIMELINE_H
#define WEFT_ACCEL_GROUP_TIMELINE_H

#include "simulation/transfers.h"

#include <stdatomic.h>

/* A request that the kernel itself makes (weft_work_context.request). */
struct accel_copy {
	uint64_t begin; /* cycles from the region's start */
	uint64_t bytes;
	uint64_t cycles;
};

/* One run of a region by a group. */
struct accel_phase {
	uint32_t region;
	bool waits;      /* for all of the group's copies */
	uint64_t cycles; /* of the slowest element */
	uint64_t ahead;  /* a bit for each read ahead that another run of the region follows */
	size_t end;      /* of its copies; they begin where those of the phase before end */
};

/* Phases, and copies, that are recorded of a group. Later ones are added to the last, so that no group takes more memory. */
#define ACCEL_MOST_PHASES (1 << 15)

/* What one group does. */
struct accel_record {
	struct accel_phase *phases; /* owned */
	size_t count, capacity;
	struct accel_copy *copies; /* owned */
	size_t num_copies, copies_capacity;
	_Atomic uint64_t *busy; /* owned: each element's cycles */
};

/* The requests of a launch. */
struct accel_traffic {
	uint64_t requests;
	uint64_t bytes;
	uint64_t waiting; /* cycles that groups waited, added up */
};

/* A place where a cluster runs a group. */
struct accel_timeline_place {
	struct accel_record record;
	uint64_t number;
	uint64_t time;  /* of the group's next step; without a group, when the place became free */
	size_t next;    /* the next of the phases */
	bool runs;      /* it has a group */
	bool ends;      /* the next step is the end of a region */
	uint64_t asked; /* a bit for each read that has been requested ahead */
	uint64_t *coming; /* owned: for each of these, when it will have come */
	uint64_t copied;  /* when the last of the group's copies will have ended */
};

struct accel_group_timeline {
	const struct accel_description *machine; /* borrowed */
	const struct accel_transfers *transfers; /* borrowed: the launch's */
	uint64_t elements;                       /* of a group */
	uint32_t num_places;
	struct accel_timeline_place
		*places;    /* owned: the first place of each cluster, then the second, … */
	uint32_t allocated; /* places */
	/* Owned: a heap of the places; the first one has the next step, or became free first. */
	struct accel_timeline_place **order;
	uint32_t num_ordered;
	uint64_t *channels; /* owned: when each is free, cluster by cluster */
	struct accel_record recorded;
	bool waits;             /* the next phase that is recorded */
	_Atomic uint64_t *busy; /* borrowed: accel_schedule.busy */
	uint64_t finished;
	bool failed; /* there was no memory: the times are wrong */
	struct accel_traffic traffic;
};

void accel_group_timeline_destroy(struct accel_group_timeline *timeline);
/* A launch begins. `timeline` is all zeros or has been used before. */
void accel_group_timeline_begin(struct accel_group_timeline *timeline,
				const struct accel_description *machine,
				const struct accel_transfers *transfers, uint32_t groups_at_a_time,
				_Atomic uint64_t *busy);
/* Where the caller adds what each element does of the group that is recorded; NULL: nowhere. */
_Atomic uint64_t *accel_group_timeline_elements(struct accel_group_timeline *timeline);
/* Records a request that the kernel makes, as weft_work_context.request is told, in the region that the group runs. */
void accel_group_timeline_copy(struct accel_group_timeline *timeline, uint64_t bytes,
			       uint64_t lines, uint64_t begin);
/* Records that the group has run a region. */
void accel_group_timeline_phase(struct accel_group_timeline *timeline, uint32_t region,
				uint64_t cycles);
/* The group that is recorded ends. */
void accel_group_timeline_group(struct accel_group_timeline *timeline);
/* All groups have ended. Returns the cycles from the launch's start. */
uint64_t accel_group_timeline_end(struct accel_group_timeline *timeline);

#endif
