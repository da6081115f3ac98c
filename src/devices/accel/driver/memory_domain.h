/* SPDX-License-Identifier: MIT
 *
 * Memory domains: accelerators that share a memory. Once commands are in the devices' rings, the devices run them by
 * themselves: what a command waits for in its domain ends by way of the event slots in the memory. The host hands commands
 * over, and learns afterwards how they have ended.
 *
 * The domain's threads play the devices' engines, and the part of the host that learns of ends (engine.c). They start when
 * there is something for them. When the system has no thread left, the thread that hands commands over does their work.
 * The domain's lock guards all of this, including its devices' part. No thread holds it while a command runs or while the
 * host is called.
 */
#ifndef WEFT_ACCEL_MEMORY_DOMAIN_H
#define WEFT_ACCEL_MEMORY_DOMAIN_H

#include "device_memory/event_slots.h"
#include "device_memory/kernel_table.h"
#include "device_memory/memory.h"
#include "device_memory/ring.h"
#include "list.h"
#include "mutex.h"
#include "simulation/description.h"
#include "simulation/device_clock.h"

#define ACCEL_MOST_THREADS 64u

struct accel_device;

/* Runs ready commands, up to `most_running` at a time. Guarded by the domain's lock. */
struct accel_engine {
	struct accel_device *device;
	uint32_t most_running;
	uint32_t num_running;
	uint32_t running[ACCEL_MOST_CHANNELS]; /* ring entries; num_running of them */
	struct accel_entries ready;            /* in the order in which they start */
	/* Of the clusters together, or of each channel. */
	uint64_t free[ACCEL_MOST_CHANNELS]; /* simulated time in ps from which on it is free */
	uint64_t busy[ACCEL_MOST_CHANNELS]; /* cycles, in all */
};

struct accel_memory_domain {
	char name[ACCEL_NAME_BYTES];
	uint64_t size;    /* bytes, as asked for */
	weft_space space; /* no other space of the process has this number */
	uint32_t users;   /* references; guarded by the lock of the list of domains */
	struct accel_memory_domain *next; /* in that list; guarded by its lock */
	struct accel_memory memory;
	uint64_t origin; /* ns of the host's clock when simulated time was 0 */

	struct weft_mutex lock; /* WEFT_RANK_WORKER */
	/* There is a task for a thread, or the threads are to end. */
	struct weft_condition changed WEFT_GUARDED_BY(&lock);
	struct weft_list devices WEFT_GUARDED_BY(&lock); /* in the order of their turns */
	struct accel_event_slots slots WEFT_GUARDED_BY(&lock);
	struct accel_clock clock WEFT_GUARDED_BY(&lock);
	uint64_t num_handed_over WEFT_GUARDED_BY(&lock); /* commands, ever */
	/* Commands that are ready to run, or have ended without the host knowing it. */
	uint32_t num_tasks WEFT_GUARDED_BY(&lock);
	uint32_t fork_generation
		WEFT_GUARDED_BY(&lock); /* of the process that these fields are of */

	pthread_t threads[ACCEL_MOST_THREADS] WEFT_GUARDED_BY(&lock);
	uint32_t num_threads WEFT_GUARDED_BY(&lock);
	uint32_t num_idle WEFT_GUARDED_BY(&lock); /* threads that wait for a task */
	uint32_t num_blocked
		WEFT_GUARDED_BY(&lock);      /* threads in native functions of other devices */
	bool closing WEFT_GUARDED_BY(&lock); /* the threads are to end */

	bool reporting WEFT_GUARDED_BY(&lock); /* a thread, `reporter`, tells the host of an end */
	pthread_t reporter WEFT_GUARDED_BY(&lock);
	/* Commands have become ready by that; the reporter hands them over. */
	bool handover_due WEFT_GUARDED_BY(&lock);

	bool draining WEFT_GUARDED_BY(
		&lock); /* a thread, `drainer`, does the tasks for which there are no threads */
	pthread_t drainer WEFT_GUARDED_BY(&lock);
};

/* The domain with this name and size; makes a new one if there is none. The caller gets a reference. WEFT_OUT_OF_MEMORY. */
enum weft_status accel_memory_domain_open(const char *name, uint64_t size,
					  struct accel_memory_domain **domain) WEFT_MUST_CHECK;
/* Takes one more reference. */
void accel_memory_domain_get(struct accel_memory_domain *domain);
/* Gives a reference back. NULL is fine. */
void accel_memory_domain_close(struct accel_memory_domain *domain);
/* The open domain of that space, or NULL. The caller knows that it stays open. */
struct accel_memory_domain *accel_memory_domain_of(weft_space space);

/* The device, of which the description is set, is in the domain until it is removed. No command is in flight then.
 * WEFT_OUT_OF_MEMORY. */
enum weft_status accel_memory_domain_add_device(struct accel_memory_domain *domain,
						struct accel_device *device) WEFT_MUST_CHECK;
void accel_memory_domain_remove_device(struct accel_memory_domain *domain,
				       struct accel_device *device);
/* For the child of a fork. */
void accel_memory_domain_restart_device(struct accel_memory_domain *domain,
					struct accel_device *device);

/* No command uses the module any more. */
void accel_memory_domain_unload(struct accel_memory_domain *domain,
				const struct weft_module *module);
/* Writes the commands that the host has ready into the devices' rings, as far as there is room (handover.c). */
void accel_memory_domain_hand_over(struct accel_memory_domain *domain) WEFT_REQUIRES(&domain->lock);
/* Does this for the devices whose ring was full. */
void accel_memory_domain_refill(struct accel_memory_domain *domain) WEFT_REQUIRES(&domain->lock);
/* Unlocks, and does the tasks for which there are no threads (engine.c). */
void accel_memory_domain_unlock(struct accel_memory_domain *domain) WEFT_RELEASE(&domain->lock);

#endif
