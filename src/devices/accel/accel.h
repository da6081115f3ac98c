/* SPDX-License-Identifier: MIT
 *
 * An open accelerator, for the files of this driver.
 */
#ifndef WEFT_ACCEL_ACCEL_H
#define WEFT_ACCEL_ACCEL_H

#include "compiler.h"
#include "description.h"
#include "driver.h"
#include "fork.h"
#include "memory.h"
#include "mutex.h"
#include "properties.h"
#include "schedule.h"
#include "work.h"

#include <pthread.h>

/* What takes ready commands, one for each of its threads at a time. */
struct accel_engine {
	uint32_t most_threads;  /* constant; at most ACCEL_MOST_CHANNELS */
	struct weft_mutex lock; /* WEFT_RANK_WORKER */
	struct weft_condition changed;
	struct weft_list ready WEFT_GUARDED_BY(&lock);
	uint32_t num_ready WEFT_GUARDED_BY(&lock);
	uint32_t num_threads WEFT_GUARDED_BY(&lock);
	uint32_t num_idle WEFT_GUARDED_BY(&lock);
	bool draining WEFT_GUARDED_BY(&lock); /* without a thread: somebody runs what is ready */
	bool closing WEFT_GUARDED_BY(&lock);
	pthread_t threads[ACCEL_MOST_CHANNELS];
};

struct accel_device {
	struct weft_device base;
	struct weft_property_strings strings;
	struct weft_fork_node fork;
	struct accel_memory *memory; /* holds a reference */
	struct accel_description description;
	struct weft_costs costs;
	struct accel_engine clusters; /* kernels; one thread plays them all */
	struct accel_engine dma;      /* copies and fills; a thread for each channel */
	/* Of who runs a kernel. */
	struct weft_arena arena;
	struct accel_schedule schedule;
	struct {
		unsigned char *bytes; /* owned, aligned to WEFT_KERNEL_ALIGNMENT; or NULL */
		size_t capacity;
	} args;
};

/* Runs the command, whose dependencies have ended well. */
enum weft_status accel_execute(struct weft_device *base,
			       struct weft_command *command) WEFT_MUST_CHECK;

/* The commands' part of a device's life. */
void accel_commands_init(struct accel_device *device, uint32_t channels);
/* No command is in flight. */
void accel_commands_end(struct accel_device *device);
/* In the child of a fork. */
void accel_commands_restart(struct accel_device *device);

extern const struct weft_driver_queue_ops accel_queue_ops;

#endif
