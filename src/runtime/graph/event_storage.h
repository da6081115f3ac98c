/* SPDX-License-Identifier: MIT
 *
 * What an event owns: memory that lives as long, which is the rest of its block and what finds no room there, and the
 * objects that its command keeps alive.
 */
#ifndef WEFT_RUNTIME_EVENT_STORAGE_H
#define WEFT_RUNTIME_EVENT_STORAGE_H

#include "object/object.h"
#include "object/opencl_headers.h"

struct weft_event_chunk;

/* Objects that the command keeps alive. */
struct weft_held {
	struct weft_held *next;
	uint32_t count;
	struct weft_object *objects[]; /* retained */
};

struct weft_event_storage {
	/* The objects, newest first. */
	struct weft_held *held;
	/* Memory beyond the block's. Owned. */
	struct weft_event_chunk *chunks;
	/* References to the event's block: of the event itself, and of queues that put later commands behind it. While a
	 * queue has one, the block stays when the event is gone. */
	weft_refcount block_refs;
	/* Bytes of the event's `room` that are used from its start, … */
	uint16_t used;
	/* … and where those begin that are used from its end. */
	uint16_t used_end;
};

/* Frees the chunks; the objects have been released. */
void weft_event_storage_free(cl_event event);

/* Memory that lives as long as the event, not initialised, for pointers; NULL: out of memory. */
void *weft_event_memory(cl_event event, size_t size) WEFT_MUST_CHECK;
/* The same, aligned to WEFT_KERNEL_ALIGNMENT. */
void *weft_event_block(cl_event event, size_t size) WEFT_MUST_CHECK;

/* Keeps an object alive until the command ends (retains it now). */
cl_int weft_event_hold(cl_event event, struct weft_object *object) WEFT_MUST_CHECK;
/* Room for so many more: the caller adds and counts references, which become the event's. NULL: out of memory. */
struct weft_held *weft_event_hold_more(cl_event event, uint32_t most) WEFT_MUST_CHECK;
/* Releases the objects. */
void weft_event_release_held(cl_event event);

#endif
