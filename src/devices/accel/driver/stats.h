/* SPDX-License-Identifier: MIT
 *
 * Counters of what a device has done. WEFT_ACCEL_STATS prints them when the device is closed, or when the process ends.
 */
#ifndef WEFT_ACCEL_STATS_H
#define WEFT_ACCEL_STATS_H

#include <stdint.h>

/* The domain's lock guards it. */
struct accel_stats {
	uint64_t commands;     /* that have run, or were not to run */
	uint64_t kernels;      /* of these commands */
	uint64_t dma_requests; /* of these commands: copies, transfers, fills */
	uint64_t handovers;    /* times that the host wrote commands into the ring */
	uint64_t
		interventions; /* handovers with commands that had waited for something on the host */
	uint64_t
		full_rings; /* times that commands stayed with the host because the ring was full */
	uint64_t
		followed; /* things that commands waited for, to which the devices saw themselves */
	uint64_t uploads; /* of the kernel table */
	uint64_t kernel_cycles;  /* simulated time of kernels, added up */
	uint64_t dma_cycles;     /* simulated time of DMA requests on all channels, added up */
	uint64_t transfers;      /* DMA requests within kernels */
	uint64_t transfer_bytes; /* of these requests */
	uint64_t transfer_waits; /* simulated time for which groups waited for them, all groups' */
	uint64_t host_calls;     /* functions of the application that kernels have called */
	uint64_t host_batches;   /* times that the host was asked for some of these */
	/* Of the clusters' caches together. */
	uint64_t cache_hits;
	uint64_t cache_misses;
	uint64_t cache_write_backs;
};

struct accel_device;
struct weft_device;

/* The device is counted from now on. */
void accel_stats_begin(struct accel_device *device);
/* The counters so far; the device is an accelerator. */
struct accel_stats accel_stats_read(struct weft_device *device);
/* Prints the counters, if WEFT_ACCEL_STATS asks for it. */
void accel_stats_end(struct accel_device *device);

#endif
