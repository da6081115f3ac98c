/* SPDX-License-Identifier: MIT
 *
 * Devices that share a memory, and run commands by themselves once these are in their rings: what a command waits for
 * among them ends by way of the event slots in that memory. The host hands commands over, and learns afterwards how they
 * have ended.
 *
 * The board's threads play the devices' engines, and the part of the host that learns of ends (engine.c). They start when
 * there is something for them; when the system has none, whoever hands commands over does their work. The board's lock
 * guards all of this, the devices' part of it too; nobody holds it while a command runs, or while the host is told.
 */
#ifndef WEFT_ACCEL_BOARD_H
#define WEFT_ACCEL_BOARD_H

#include "device_memory/event_slots.h"
#include "device_memory/kernel_table.h"
#include "device_memory/ring.h"
#include "list.h"
#include "mutex.h"
#include "simulation/description.h"
#include "simulation/device_clock.h"

#define ACCEL_MOST_THREADS 64u

struct accel_device;
struct accel_memory;

/* Takes ready commands, so many at a time. Guarded by the board's lock. */
struct accel_engine {
	struct accel_device *device;
	uint32_t most_running;
	uint32_t num_running;
	uint32_t running[ACCEL_MOST_CHANNELS]; /* entries, num_running */
	struct accel_entries ready;            /* in their turn */
	/* Of the clusters together, or of each channel. */
	uint64_t free[ACCEL_MOST_CHANNELS]; /* simulated time, ps: from when on */
	uint64_t busy[ACCEL_MOST_CHANNELS]; /* cycles */
};

struct accel_board {
	struct accel_memory *memory; /* that it belongs to */
	struct weft_mutex lock;      /* WEFT_RANK_WORKER */
	struct weft_condition
		changed WEFT_GUARDED_BY(&lock);          /* there is a job, or none will come */
	struct weft_list devices WEFT_GUARDED_BY(&lock); /* those whose turn it is first */
	struct accel_slots slots WEFT_GUARDED_BY(&lock);
	struct accel_clock clock WEFT_GUARDED_BY(&lock);
	uint64_t num_handed_over WEFT_GUARDED_BY(&lock); /* commands, ever */
	uint64_t origin; /* ns of the host's clock: when simulated time was 0; constant */
	uint32_t num_jobs WEFT_GUARDED_BY(
		&lock); /* commands that are ready, or have ended unbeknown to the host */
	uint32_t generation WEFT_GUARDED_BY(&lock); /* of the process that it was made for */
	uint32_t num_threads WEFT_GUARDED_BY(&lock);
	uint32_t num_idle WEFT_GUARDED_BY(&lock);
	uint32_t num_kept WEFT_GUARDED_BY(&lock); /* by functions that wait for others */
	bool reporting WEFT_GUARDED_BY(&lock);    /* a thread tells the host of an end, which is */
	pthread_t reporter WEFT_GUARDED_BY(&lock);
	bool due WEFT_GUARDED_BY(
		&lock); /* by that, commands have become ready that nobody else hands over */
	bool closing WEFT_GUARDED_BY(&lock);
	bool draining WEFT_GUARDED_BY(&lock);     /* somebody does what there is no thread for, */
	pthread_t drainer WEFT_GUARDED_BY(&lock); /* who is */
	pthread_t threads[ACCEL_MOST_THREADS] WEFT_GUARDED_BY(&lock);
};

void accel_board_init(struct accel_board *board, struct accel_memory *memory);
/* No device is on it. */
void accel_board_destroy(struct accel_board *board);

/* The device, of which the description is set, is on the board until it is removed. No command is in flight then.
 * WEFT_OUT_OF_MEMORY. */
enum weft_status accel_board_add(struct accel_board *board,
				 struct accel_device *device) WEFT_MUST_CHECK;
void accel_board_remove(struct accel_board *board, struct accel_device *device);
/* In the child of a fork. */
void accel_board_restart(struct accel_board *board, struct accel_device *device);

/* No command uses the module any more. */
void accel_board_unlink(struct accel_board *board, const struct weft_module *module);
/* Writes what the host has ready for the devices into their rings, as far as there is room. */
void accel_board_hand_over(struct accel_board *board) WEFT_REQUIRES(&board->lock);
/* The same for the devices whose ring was full. */
void accel_board_refill(struct accel_board *board) WEFT_REQUIRES(&board->lock);
/* Unlocks; then does what there is no thread for. */
void accel_board_leave(struct accel_board *board) WEFT_RELEASE(&board->lock);

#endif
