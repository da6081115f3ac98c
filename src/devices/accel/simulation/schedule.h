/* SPDX-License-Identifier: MIT
 *
 * Simulated time of a kernel's work-groups on the clusters of an accelerator.
 *
 * A cluster's elements are divided evenly among the groups that it runs at a time: each of these has a place, of K
 * elements. Of a group of W work-items, element r runs those with the linear local ids r*CF to (r+1)*CF - 1, one after the
 * other, up to each barrier and to their end, CF = ceil(W/K): as many as that, or what is left of W, or none. The slowest
 * element says when the group goes on. Groups begin in their order, each at the place that is free first.
 */
#ifndef WEFT_ACCEL_SCHEDULE_H
#define WEFT_ACCEL_SCHEDULE_H

#include "simulation/description.h"
#include "simulation/group_timeline.h"

#include <stdatomic.h>
#include <stdbool.h>

struct accel_place {
	uint64_t free;          /* cycles from the launch's start */
	uint64_t number;        /* among those that are free at the same time */
	_Atomic uint64_t *busy; /* its elements' in accel_schedule.busy */
};

/* One launch, and what the device's elements have done in all. */
struct accel_schedule {
	const struct accel_description *machine; /* borrowed */
	uint32_t groups_at_a_time;               /* of a cluster */
	uint64_t elements;                       /* of a group */
	uint64_t items;                          /* of a whole group */
	uint64_t factor;                         /* work-items of an element, of a whole group */
	struct accel_place
		*places; /* owned: a ring, in the order in which they are free, from `first` on */
	uint32_t num_places, first;
	uint64_t running;   /* cycles of the group at the first place, up to now */
	bool has_group;     /* there is one */
	uint64_t num_begun; /* groups, of which the first region has been measured */
	uint64_t finished;  /* when the last place is free, of those whose group has ended */
	/* Owned: cycles for which each element has run work-items, cluster by cluster, of all launches. Whoever runs a launch
	 * adds to them, anybody may look. */
	_Atomic uint64_t *busy;
	/* Of kernels that make requests: this takes over from the places. */
	bool replays;
	struct accel_transfers transfers;
	struct accel_replay replay;
};

/* What decides how many groups run at a time. */
struct accel_load {
	uint64_t num_items; /* of a group */
	uint64_t num_groups;
	uint64_t local_bytes; /* of a group */
};

/* As many as the description says, else by estimate; no more than there are elements, or local memory for. */
uint32_t accel_groups_at_a_time(const struct accel_description *machine,
				const struct accel_load *load);

/* No element has done anything. WEFT_OUT_OF_MEMORY, and nothing to destroy. */
enum weft_status accel_schedule_init(struct accel_schedule *schedule,
				     const struct accel_description *machine) WEFT_MUST_CHECK;
void accel_schedule_destroy(struct accel_schedule *schedule);
/* As after accel_schedule_init, also in the midst of a launch of a parent process. */
void accel_schedule_reset(struct accel_schedule *schedule);

/* A launch begins, of a kernel that has transfers; or NULL. */
void accel_schedule_begin(struct accel_schedule *schedule, const struct accel_load *load,
			  const struct accel_wishes *wishes);

/* What weft_work_context.measure is told: the running group's work-items took so many cycles up to a barrier or their end;
 * region 0 begins the next group, or is several whole ones. */
void accel_schedule_region(struct accel_schedule *schedule, const uint64_t *cycles,
			   uint64_t num_items, uint32_t region);

/* Where the group runs, counted from 0 in their order: the one whose first region was measured last, or the next one. */
uint64_t accel_schedule_cluster(struct accel_schedule *schedule, uint64_t group);
/* And what weft_work_context.request is. */
void accel_schedule_request(struct accel_schedule *schedule, uint64_t bytes, uint64_t lines,
			    uint64_t cycles);

/* The launch has ended: the cycles from its start. */
uint64_t accel_schedule_end(struct accel_schedule *schedule);
/* Its requests within the kernel. */
struct accel_traffic accel_schedule_traffic(const struct accel_schedule *schedule);

#endif
