/* SPDX-License-Identifier: MIT
 *
 * One transfer, by one command of a device.
 */
#ifndef WEFT_SCHEDULE_TRANSFER_H
#define WEFT_SCHEDULE_TRANSFER_H

#include "engine/engine.h"

/* What a transfer is: from or to host memory at the same place of `host`; or from another device's memory. */
struct weft_transfer {
	size_t device; /* which does it */
	bool to_device;
	struct weft_range range;
	unsigned char *host;
	cl_mem from; /* NULL: the host's memory */
};

/* Moves bytes of the object, of the task's record, and returns when they have come. The lock is not held. */
bool weft_transfer_run(struct weft_engine *engine, const struct weft_move *move,
		       const struct weft_transfer *transfer, struct weft_error *error);

#endif
