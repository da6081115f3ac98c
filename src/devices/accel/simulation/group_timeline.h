/* SPDX-License-Identifier: MIT
 *
 * Simulated time of work-groups whose work-items' accesses are DMA requests: what each group does is recorded, and played
 * again when its place is known, in the order of simulated time among all places, since groups of a cluster share its DMA
 * channels.
 *
 * Before a region its reads must have come, and the next one begins when its writes have gone. A read that is known one
 * repetition ahead is asked for when its region begins the time before. A request goes to the channel that is free first; its
 * bytes move after those of requests before it, and `dma_latency` after it was made at the earliest, in a cycle for each
 * `dma_bytes` of a line.
 */
#ifndef WEFT_ACCEL_REPLAY_H
#define WEFT_ACCEL_REPLAY_H

#include "kernel_abi.h"
#include "simulation/description.h"

#include <stdatomic.h>
#include <stdbool.h>

/* A request, as it is for every group of a launch. */
struct accel_request {
	uint32_t region;
	bool writes;
	bool ahead;
	uint64_t bytes;
	uint64_t cycles; /* for which its bytes move */
};

/* What a launch could ask for. */
struct accel_wishes {
	const struct weft_transfer_desc *descs; /* borrowed for the call */
	uint32_t num_descs;
	uint64_t local_size[3];
	bool copies; /* the kernel asks itself, too */
};

/* All groups' memory for a launch's transfers, and which those are. */
struct accel_transfers {
	uint64_t chosen; /* a bit for each */
	uint64_t bytes;  /* of local memory, of a group */
	struct accel_request requests[WEFT_MOST_TRANSFERS];
	uint32_t num_requests; /* chosen or not */
};

/* What the kernel itself asks for (weft_work_context.request). */
struct accel_copy {
	uint64_t begin; /* of the region's cycles */
	uint64_t bytes;
	uint64_t cycles;
};

/* One run of a region by a group. */
struct accel_phase {
	uint32_t region;
	bool waits;      /* for all of the group's copies */
	uint64_t cycles; /* of the slowest element */
	uint64_t ahead;  /* of reads known ahead, those that another run of the region follows */
	size_t end;      /* of its copies; they begin where those of the phase before end */
};

/* Of a group, and its copies: what comes after them is one with the last, so that no group takes more memory than that. */
#define ACCEL_MOST_PHASES (1 << 15)

/* What one group does. */
struct accel_record {
	struct accel_phase *phases; /* owned */
	size_t count, capacity;
	struct accel_copy *copies; /* owned */
	size_t num_copies, copies_capacity;
	_Atomic uint64_t *busy; /* owned: each element's cycles */
};

/* What a launch has asked for. */
struct accel_traffic {
	uint64_t requests;
	uint64_t bytes;
	uint64_t waiting; /* cycles that groups waited, added up */
};

struct accel_played {
	struct accel_record record;
	uint64_t number;
	uint64_t time; /* while it runs, of its next step; else since when it is free */
	size_t next;   /* of the phases */
	bool runs;
	bool ends;        /* the region's work-items have run by the next step */
	uint64_t asked;   /* a bit for each read that is under way ahead */
	uint64_t *coming; /* owned: when these will have come */
	uint64_t copied;  /* when the last of its copies will have ended */
};

struct accel_replay {
	const struct accel_description *machine; /* borrowed */
	const struct accel_transfers *transfers; /* borrowed: the launch's */
	uint64_t elements;                       /* of a group */
	uint32_t num_places;
	struct accel_played *places; /* owned: of all clusters in turn */
	uint32_t allocated;          /* of them */
	/* Owned: a heap of them; the first one has the next step, or is free first. */
	struct accel_played **order;
	uint32_t num_ordered;
	uint64_t *channels; /* owned: when each is free, cluster by cluster */
	struct accel_record recorded;
	bool waits;             /* the phase that is recorded next */
	_Atomic uint64_t *busy; /* borrowed: as accel_schedule.busy */
	uint64_t finished;
	bool failed; /* there was no memory: the times are wrong */
	struct accel_traffic traffic;
};

/* Each request for the local size; which of them pay, and fit beside `local_bytes`. */
void accel_transfers_choose(struct accel_transfers *transfers,
			    const struct accel_description *machine,
			    const struct accel_wishes *wishes, uint64_t local_bytes);
/* With so many groups of a cluster: whether there is room to ask for reads ahead. */
void accel_transfers_place(struct accel_transfers *transfers,
			   const struct accel_description *machine, uint64_t local_bytes,
			   uint32_t groups);

void accel_replay_destroy(struct accel_replay *replay);
/* A launch begins; `replay` is all zeros or has been used before. */
void accel_replay_begin(struct accel_replay *replay, const struct accel_description *machine,
			const struct accel_transfers *transfers, uint32_t groups_at_a_time,
			_Atomic uint64_t *busy);
/* Where to add what each element does of the group that is recorded; NULL: nowhere. */
_Atomic uint64_t *accel_replay_elements(struct accel_replay *replay);
/* What weft_work_context.request is told, of the region that the group runs. */
void accel_replay_copy(struct accel_replay *replay, uint64_t bytes, uint64_t lines, uint64_t begin);
/* The group has run a region. */
void accel_replay_phase(struct accel_replay *replay, uint32_t region, uint64_t cycles);
/* And ends. */
void accel_replay_group(struct accel_replay *replay);
/* All have ended: the cycles from the launch's start. */
uint64_t accel_replay_end(struct accel_replay *replay);

#endif
