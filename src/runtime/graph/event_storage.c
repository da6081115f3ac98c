/* SPDX-License-Identifier: MIT
 *
 * The memory and the objects of an event.
 */
#include "graph/event_storage.h"

#include "alloc.h"
#include "graph/event.h"
#include "overflow.h"

/* Memory that found no room in the block; followed by it, at the next multiple of WEFT_KERNEL_ALIGNMENT. */
struct weft_event_chunk {
	struct weft_event_chunk *next;
};

void weft_event_storage_free(cl_event event)
{
	while (event->storage.chunks) {
		struct weft_event_chunk *next = event->storage.chunks->next;

		weft_free(event->storage.chunks);
		event->storage.chunks = next;
	}
}

static void *more_memory(cl_event event, size_t size)
{
	struct weft_event_chunk *chunk;
	size_t whole;

	if (weft_add_overflows(size, WEFT_KERNEL_ALIGNMENT, &whole))
		return NULL;
	chunk = weft_alloc_aligned(WEFT_KERNEL_ALIGNMENT, whole);
	if (!chunk)
		return NULL;
	chunk->next = event->storage.chunks;
	event->storage.chunks = chunk;
	return (unsigned char *)chunk + WEFT_KERNEL_ALIGNMENT;
}

void *weft_event_memory(cl_event event, size_t size)
{
	struct weft_event_storage *storage = &event->storage;
	const size_t start = storage->used;

	if (size > storage->used_end - start)
		return more_memory(event, size);
	const size_t end = start + ((size + 7) & ~(size_t)7);
	storage->used = end < storage->used_end ? (uint16_t)end : storage->used_end;
	return event->room + start;
}

void *weft_event_block(cl_event event, size_t size)
{
	struct weft_event_storage *storage = &event->storage;
	const size_t mask = WEFT_KERNEL_ALIGNMENT - 1;
	const size_t left = (size_t)(storage->used_end - storage->used);

	if (size > left || ((size + mask) & ~mask) > left)
		return more_memory(event, size);
	storage->used_end = (uint16_t)(storage->used_end - ((size + mask) & ~mask));
	return event->room + storage->used_end;
}

struct weft_held *weft_event_hold_more(cl_event event, uint32_t most)
{
	struct weft_held *held =
		weft_event_memory(event, sizeof(*held) + most * sizeof(held->objects[0]));

	if (!held)
		return NULL;
	held->next = event->storage.held;
	held->count = 0;
	event->storage.held = held;
	return held;
}

cl_int weft_event_hold(cl_event event, struct weft_object *object)
{
	struct weft_held *held = weft_event_hold_more(event, 1);

	if (!held)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_get(object);
	held->objects[held->count++] = object;
	return CL_SUCCESS;
}

void weft_event_release_held(cl_event event)
{
	struct weft_held *held = event->storage.held;

	event->storage.held = NULL;
	for (; held; held = held->next) {
		for (uint32_t i = 0; i < held->count; i++)
			weft_object_put(held->objects[i]);
	}
}
