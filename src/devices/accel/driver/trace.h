/* SPDX-License-Identifier: MIT
 *
 * Simulated time in a trace: each cluster and each DMA channel is a row of what it works on, with an arrow to each command
 * that waited for another one on the board.
 */
#ifndef WEFT_ACCEL_TIMELINE_H
#define WEFT_ACCEL_TIMELINE_H

#include <stdint.h>

struct accel_device;
struct weft_command;

/* The simulated time that a command takes. */
struct accel_stay {
	uint32_t server; /* of the engine */
	uint64_t cycles; /* 0: it does nothing, and takes no server */
	uint64_t start;  /* ps */
	uint64_t end;    /* likewise */
};

/* A row of a device; part 0: none. */
struct accel_row {
	uint32_t device;
	uint32_t part;
};

/* What a command has waited for last. */
struct accel_cause {
	struct accel_row row;
	uint64_t end; /* ps */
};

/* Shows what the command, which has run as the device's last one of its kind, has done; `cause` may have no row. Returns the
 * row that ended last; without a trace, none. The board's lock is not held. */
struct accel_row accel_timeline_show(struct accel_device *device, struct weft_command *command,
				     const struct accel_stay *stay,
				     const struct accel_cause *cause);

#endif
