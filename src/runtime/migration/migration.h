/* SPDX-License-Identifier: MIT
 *
 * In a context whose devices have memories of their own: what a command needs where it works, and the transfers that
 * bring it there. They are decided when the command has become ready, for only then everything that it comes after has
 * happened, in whatever order it was enqueued: user events may turn that around. A transfer is a driver's command of its
 * own, without an event. What another one is bringing already is waited for. When all is there, what the command writes
 * is valid in its replica alone, and the command goes to its driver.
 */
#ifndef WEFT_RUNTIME_MIGRATION_H
#define WEFT_RUNTIME_MIGRATION_H

#include "graph/event.h"
#include "memory/replica.h"

enum weft_use_kind {
	WEFT_USE_NAME,      /* no byte is read or written: the address is all */
	WEFT_USE_READ,      /* all of it may be read */
	WEFT_USE_WRITE,     /* some of it may be read or written */
	WEFT_USE_OVERWRITE, /* all of it is written, or undefined afterwards */
};

/* Bytes of a memory object that a command uses. */
struct weft_use {
	cl_mem mem; /* the command keeps it alive */
	size_t begin;
	size_t end;
	enum weft_use_kind kind;
};

/* The command uses that of the replica; all of its uses name the same one. Not for other contexts. It allocates the
 * replica: CL_MEM_OBJECT_ALLOCATION_FAILURE. */
cl_int weft_migration_add(cl_event event, unsigned replica,
			  const struct weft_use *use) WEFT_MUST_CHECK;

/* The same in any context. */
static inline WEFT_MUST_CHECK cl_int weft_migration_use(cl_event event, unsigned replica,
							const struct weft_use *use)
{
	return event->context->num_memories ? weft_migration_add(event, replica, use) : CL_SUCCESS;
}

/* Transfers that this process has begun. */
uint64_t weft_migration_num_transfers(void);

#endif
