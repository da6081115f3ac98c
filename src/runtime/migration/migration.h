/* SPDX-License-Identifier: MIT
 *
 * In a context whose devices do not all work in the host's memory: the transfers that bring what a command reads to where
 * it works. They are decided when the command has become ready. Only then everything that it comes after has happened, in
 * whatever order it was enqueued: user events may turn that around. A transfer is a driver's command without an event. For
 * bytes that another transfer is bringing already, the command waits for that one. When all is there, what the command
 * writes becomes valid in its replica alone, and the command goes to its driver.
 */
#ifndef WEFT_RUNTIME_MIGRATION_H
#define WEFT_RUNTIME_MIGRATION_H

#include "graph/event.h"
#include "memory/access.h"

/* A copy whose source is NULL has it set when it starts: to where its bytes are, if that is one memory, which its device reaches. So
 * its source has no replica where it works, unless one is needed.
 *
 * The command works in that replica, which its buffers have, and starts when what it reads is there. In contexts without
 * memories, nothing. CL_OUT_OF_HOST_MEMORY, also when the list is truncated. */
cl_int weft_migration_require(cl_event event, unsigned replica,
			      const struct weft_accesses *accesses) WEFT_MUST_CHECK;

/* Transfers that this process has begun. */
uint64_t weft_migration_num_transfers(void);

#endif
