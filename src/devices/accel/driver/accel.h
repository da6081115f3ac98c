/* SPDX-License-Identifier: MIT
 *
 * An open accelerator, for the files of this driver.
 */
#ifndef WEFT_ACCEL_ACCEL_H
#define WEFT_ACCEL_ACCEL_H

#include "compiler.h"
#include "device_memory/call_ring.h"
#include "driver/memory_domain.h"
#include "driver/stats.h"
#include "driver_optional.h"
#include "kernel/work.h"
#include "machine/fork.h"
#include "machine/properties.h"
#include "riscv/executor.h"
#include "simulation/description.h"
#include "simulation/schedule.h"
#include "simulation/simulated_cache.h"

#include <pthread.h>

/* In traces, a device with more elements has no rows for them. */
#define ACCEL_MOST_ROWS 256

struct accel_device {
	struct weft_device base;
	struct weft_property_strings strings;
	struct weft_fork_node fork;
	struct weft_list stats_link;
	uint32_t number;       /* among the devices of WEFT_ACCEL */
	uint32_t row;          /* in traces: its number */
	_Atomic bool is_named; /* its rows in the trace have names */
	struct accel_description description;
	struct weft_costs costs;
	struct accel_memory_domain *domain; /* holds a reference */

	/* The queue; the domain's lock guards it. */
	struct weft_list link;        /* in domain->devices */
	struct accel_engine clusters; /* kernels, one at a time, on all clusters */
	struct accel_engine dma;      /* copies and fills, one for each channel */
	struct weft_list pending;     /* commands for which the host has nothing left to do */
	bool was_full;                /* some of `pending` found no room in the ring */
	struct accel_ring ring;
	struct accel_kernel_table kernels;
	struct accel_entries ended; /* ring entries of which the host does not know the end yet */
	struct accel_stats stats;

	/* For the one thread that runs a kernel on the device. */
	struct weft_arena arena;
	struct riscv_executor executor; /* of kernels that are not for this machine's CPU */
	struct accel_schedule schedule;
	struct accel_call_ring calls;    /* of the application, by the running kernel */
	uint64_t shown[ACCEL_MOST_ROWS]; /* what traces have shown of schedule.busy */
	struct accel_simulated_cache cache;
	uint64_t group;   /* the work-group that accesses global memory, plus 1; 0: none yet */
	uint64_t cluster; /* on which that work-group runs */
	uint64_t launch_cycles; /* of the last launch */
	struct {
		unsigned char *bytes; /* owned, aligned to WEFT_KERNEL_ALIGNMENT; or NULL */
		size_t capacity;
	} args; /* a launch's arguments with the driver's addresses */
};

/* The domain's first device (of NULL), or the next one; NULL after the last. */
static inline struct accel_device *accel_next_device(struct accel_memory_domain *domain,
						     const struct accel_device *device)
	WEFT_REQUIRES(&domain->lock)
{
	struct weft_list *link = device ? device->link.next : domain->devices.next;

	return link == &domain->devices ? NULL : WEFT_CONTAINER_OF(link, struct accel_device, link);
}

/* Runs the command; what it waits for has ended well. */
enum weft_status accel_execute(struct weft_device *base,
			       struct weft_command *command) WEFT_MUST_CHECK;

/* Clusters run kernels; DMA channels run copies and fills. */
static inline bool accel_is_kernel(const struct weft_command *command)
{
	return command->op == WEFT_OP_NDRANGE;
}

/* For how many cycles a copy or a fill takes a DMA channel. */
uint64_t accel_dma_cycles(const struct accel_device *device, const struct weft_command *command);

extern const struct weft_driver_queue_ops accel_queue_ops;
extern const struct weft_driver_chaining_ops accel_chaining_ops;

#endif
