/* SPDX-License-Identifier: MIT
 *
 * Simulated time in a trace: each cluster and each DMA channel is a row with what it works on. An arrow leads to each
 * command that waited for another one in its memory domain.
 */
#ifndef WEFT_ACCEL_TRACE_H
#define WEFT_ACCEL_TRACE_H

#include "device_memory/event_slots.h"

/* The simulated time for which an engine works on a command. */
struct accel_service {
	uint32_t server; /* of the engine: a channel, or 0 */
	uint64_t cycles; /* 0: the command does nothing, and takes no server */
	uint64_t start;  /* ps */
	uint64_t end;    /* ps */
};

/* Shows what the command has done; it has run as the device's last one of its kind. `cause` may have no row. Returns the row
 * that ended last; no row if nothing is traced. The domain's lock is not held. */
struct accel_trace_row accel_trace_command(struct accel_device *device,
					   struct weft_command *command,
					   const struct accel_service *service,
					   const struct accel_trace_cause *cause);

#endif
