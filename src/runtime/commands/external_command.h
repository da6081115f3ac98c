/* SPDX-License-Identifier: MIT
 *
 * Commands that take imported memory over from its other users, and hand it back (cl_khr_external_memory).
 */
#ifndef WEFT_RUNTIME_EXTERNAL_COMMAND_H
#define WEFT_RUNTIME_EXTERNAL_COMMAND_H

#include "graph/event.h"
#include "memory/mem.h"

/* CL_INVALID_MEM_OBJECT: one is not imported. CL_INVALID_COMMAND_QUEUE: the queue's device may not use one, or is not in its
 * context. CL_INVALID_CONTEXT. The queue has been checked. */
cl_int weft_external_check_use(cl_command_queue queue, cl_uint count,
			       const cl_mem *mems) WEFT_MUST_CHECK;

/* All has been checked. After an acquisition the contents are what the other users wrote, and after a release they see what
 * commands have written. */
cl_int weft_external_enqueue(const struct weft_enqueue *enqueue, cl_uint count, const cl_mem *mems,
			     cl_event *event) WEFT_MUST_CHECK;

#endif
