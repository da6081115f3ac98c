/* SPDX-License-Identifier: MIT
 *
 * Automatic transfers: accesses of global memory in a kernel that a launch may turn into DMA requests.
 */
#ifndef WEFT_ACCEL_TRANSFERS_H
#define WEFT_ACCEL_TRANSFERS_H

#include "kernel_abi.h"
#include "simulation/description.h"

#include <stdbool.h>

/* A request; all work-groups of a launch make it. */
struct accel_transfer_request {
	uint32_t region;
	bool writes; /* from local to global memory */
	bool ahead;  /* known one repetition of the region ahead */
	uint64_t bytes;
	uint64_t cycles; /* for which its bytes move */
};

/* What a launch could request. */
struct accel_transfer_options {
	const struct weft_transfer_desc *descs; /* borrowed for the call */
	uint32_t num_descs;
	uint64_t local_size[3];
	bool copies; /* the kernel itself makes requests, too */
};

/* The transfers of a launch, and the memory for them. */
struct accel_transfers {
	uint64_t chosen; /* a bit for each request that is made */
	uint64_t bytes;  /* of a work-group's local memory */
	struct accel_transfer_request requests[WEFT_MOST_TRANSFERS];
	uint32_t num_requests; /* chosen or not */
};

/* Sets each request for the local size, and chooses those that pay and fit beside `local_bytes`. */
void accel_transfers_choose(struct accel_transfers *transfers,
			    const struct accel_description *machine,
			    const struct accel_transfer_options *options, uint64_t local_bytes);
/* With `groups` work-groups of a cluster at a time: requests are made ahead only if there is room for that. */
void accel_transfers_place(struct accel_transfers *transfers,
			   const struct accel_description *machine, uint64_t local_bytes,
			   uint32_t groups);

#endif
