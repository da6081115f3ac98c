/* SPDX-License-Identifier: MIT
 *
 * An open accelerator, for the files of this driver.
 */
#ifndef WEFT_ACCEL_ACCEL_H
#define WEFT_ACCEL_ACCEL_H

#include "compiler.h"
#include "device_memory/memory.h"
#include "driver/memory_domain.h"
#include "driver/stats.h"
#include "driver_optional.h"
#include "kernel/work.h"
#include "machine/fork.h"
#include "machine/properties.h"
#include "mutex.h"
#include "simulation/description.h"
#include "simulation/schedule.h"
#include "simulation/simulated_cache.h"

#include <pthread.h>

/* Devices with more elements have no rows for them in traces. */
#define ACCEL_MOST_ROWS 256

struct accel_device {
	struct weft_device base;
	struct weft_property_strings strings;
	struct weft_fork_node fork;
	struct weft_list stats_link;
	uint32_t number; /* of its description */
	uint32_t row;    /* in traces */
	_Atomic bool is_named;
	struct accel_description description;
	struct weft_costs costs;
	struct accel_memory *memory; /* holds a reference */
	struct accel_board *board;   /* the memory's */
	/* The rest, but for what kernels use, is guarded by the board's lock. */
	struct weft_list link;        /* in the board's devices */
	struct accel_engine clusters; /* kernels, one at a time, on all of them */
	struct accel_engine dma;      /* copies and fills, one for each channel */
	/* Commands that are ready, for all that the host has to do with it. */
	struct weft_list pending;
	bool was_full; /* some of them found no room in the ring */
	struct accel_ring ring;
	struct accel_image image;
	struct accel_entries ended; /* the host has yet to learn of them */
	struct accel_stats stats;
	/* Of who runs a kernel. */
	struct weft_arena arena;
	struct accel_schedule schedule;
	uint64_t shown[ACCEL_MOST_ROWS]; /* of schedule.busy, in traces */
	struct accel_cache cache;
	uint64_t group;         /* that accesses global memory, and 1; 0: none yet in this launch */
	uint64_t cluster;       /* where that runs */
	uint64_t launch_cycles; /* of the launch that has run last */
	struct {
		unsigned char *bytes; /* owned, aligned to WEFT_KERNEL_ALIGNMENT; or NULL */
		size_t capacity;
	} args;
};

/* Runs the command, whose dependencies have ended well. */
enum weft_status accel_execute(struct weft_device *base,
			       struct weft_command *command) WEFT_MUST_CHECK;

/* Commands are kernels or copies and fills: clusters run those, DMA channels these. */
static inline bool accel_is_kernel(const struct weft_command *command)
{
	return command->op == WEFT_OP_NDRANGE;
}

/* What a copy or a fill takes of a DMA channel. */
uint64_t accel_dma_cycles(const struct accel_device *device, const struct weft_command *command);

extern const struct weft_driver_queue_ops accel_queue_ops;
extern const struct weft_driver_chaining_ops accel_chaining_ops;

#endif
