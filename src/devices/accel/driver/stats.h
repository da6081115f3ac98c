/* SPDX-License-Identifier: MIT
 *
 * What a device has done, counted. WEFT_ACCEL_STATS prints it when the device, or the process, ends.
 */
#ifndef WEFT_ACCEL_STATS_H
#define WEFT_ACCEL_STATS_H

#include <stdint.h>

/* Guarded by the board's lock. */
struct accel_stats {
	uint64_t commands;     /* that have run, or were not to */
	uint64_t kernels;      /* of them */
	uint64_t dma_requests; /* likewise: copies, transfers, fills */
	uint64_t handovers;    /* times that the host wrote commands into the ring */
	uint64_t
		interventions; /* of them, with commands that had waited for something on the host */
	uint64_t
		full_rings; /* times that commands stayed with the host because the ring was full */
	uint64_t
		followed; /* things that commands waited for and the devices looked after themselves */
	uint64_t uploads;        /* of the kernels' image */
	uint64_t kernel_cycles;  /* simulated time of kernels, one after the other */
	uint64_t dma_cycles;     /* likewise of DMA requests, on any channel */
	uint64_t transfers;      /* DMA requests within kernels */
	uint64_t transfer_bytes; /* of them */
	uint64_t transfer_waits; /* simulated time for which groups waited for them, all groups' */
	/* Of the clusters' caches together. */
	uint64_t cache_hits;
	uint64_t cache_misses;
	uint64_t cache_write_backs;
};

struct accel_device;
struct weft_device;

/* A device from now on, until it ends. */
void accel_stats_begin(struct accel_device *device);
/* So far; the device is an accelerator. */
struct accel_stats accel_stats_read(struct weft_device *device);
/* Prints, if asked to. */
void accel_stats_end(struct accel_device *device);

#endif
