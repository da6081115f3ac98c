/* SPDX-License-Identifier: MIT
 *
 * Simulated time of a kernel's work-groups on the clusters of an accelerator.
 *
 * A cluster's elements are divided evenly among the groups that it runs at a time: each group has a place, of K elements. Of
 * a group of W work-items, element r runs those with the linear local ids r*CF to (r+1)*CF - 1, one after the other, up to
 * each barrier and to their end, where CF = ceil(W/K); the last elements have fewer work-items, or none. The group goes on
 * when its slowest element has come to the barrier. Groups begin in their order, each at the place that is free first.
 */
#ifndef WEFT_ACCEL_SCHEDULE_H
#define WEFT_ACCEL_SCHEDULE_H

#include "simulation/description.h"
#include "simulation/group_timeline.h"

#include <stdatomic.h>
#include <stdbool.h>

struct accel_place {
	uint64_t free;          /* cycles from the launch's start */
	uint64_t number;        /* decides between places that are free at one time */
	_Atomic uint64_t *busy; /* of its elements, in accel_schedule.busy */
};

/* One launch, and what the device's elements have done in all. */
struct accel_schedule {
	const struct accel_description *machine; /* borrowed */
	uint32_t groups_at_a_time;               /* of a cluster */
	uint64_t elements;                       /* of a group */
	uint64_t items;                          /* of a whole group */
	uint64_t factor;                         /* work-items of an element, of a whole group */
	/* Owned: a ring from `first` on, in the order in which the places are free. */
	struct accel_place *places;
	uint32_t num_places, first;
	bool has_group;     /* a group runs at the first place */
	uint64_t running;   /* cycles of that group up to now */
	bool calls_host;    /* the running group has, since it was measured */
	uint64_t each;      /* accel_schedule_each, of the region that is measured next */
	uint64_t num_begun; /* groups of which the first region has been measured */
	uint64_t finished;  /* when the last of the ended groups has ended */
	/* Owned: cycles for which each element has run work-items, cluster by cluster, of all launches. The thread that runs
	 * a launch adds to them; any thread may read them. */
	_Atomic uint64_t *busy;
	/* For kernels with requests: the timeline is used in place of the places. */
	bool uses_timeline;
	struct accel_transfers transfers;
	struct accel_group_timeline timeline;
};

/* What decides how many groups run at a time. */
struct accel_load {
	uint64_t num_items; /* of a group */
	uint64_t num_groups;
	uint64_t local_bytes; /* of a group */
};

/* How many groups a cluster runs at a time: as the description says, else by estimate; no more than there are elements or
 * local memory for. */
uint32_t accel_groups_at_a_time(const struct accel_description *machine,
				const struct accel_load *load);

/* No element has done anything. After WEFT_OUT_OF_MEMORY there is nothing to destroy. */
enum weft_status accel_schedule_init(struct accel_schedule *schedule,
				     const struct accel_description *machine) WEFT_MUST_CHECK;
void accel_schedule_destroy(struct accel_schedule *schedule);
/* Leaves it as accel_schedule_init does, also within a launch of the parent of a fork. */
void accel_schedule_reset(struct accel_schedule *schedule);

/* A launch begins. `options` may be NULL: no transfers. */
void accel_schedule_begin(struct accel_schedule *schedule, const struct accel_load *load,
			  const struct accel_transfer_options *options);

/* As weft_work_context.measure is told: the running group's work-items took these cycles up to a barrier or to their end.
 * Region 0 begins the next group, or consists of several whole groups. */
void accel_schedule_region(struct accel_schedule *schedule, const uint64_t *cycles,
			   uint64_t num_items, uint32_t region);
/* The elements that run work-items of the next region take these cycles each before their first work-item; of several groups that are
 * measured at once, the first group's elements. */
void accel_schedule_each(struct accel_schedule *schedule, uint64_t cycles);
/* As weft_work_context.request is told. */
void accel_schedule_request(struct accel_schedule *schedule, uint64_t bytes, uint64_t lines,
			    uint64_t cycles);

/* A work-item of the running group calls a function of the application's. All such calls up to the next measure are handed over at once: the
 * group waits for as long as the launch of a kernel takes. */
void accel_schedule_host_call(struct accel_schedule *schedule);

/* The cluster that runs the group, counted from 0 in their order: the group whose first region was measured last, or the
 * next one. */
uint64_t accel_schedule_cluster(struct accel_schedule *schedule, uint64_t group);

/* The launch has ended. Returns the cycles from its start. */
uint64_t accel_schedule_end(struct accel_schedule *schedule);
/* The launch's requests within the kernel. */
struct accel_traffic accel_schedule_traffic(const struct accel_schedule *schedule);

#endif
