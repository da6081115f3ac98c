/* SPDX-License-Identifier: MIT
 *
 * The commands on buffers, made into the driver's. Invariant: an enqueue that fails leaves nothing
 * behind, no command, no mapping.
 */
#include "commands/mem_command.h"

#include "device/context.h"
#include "graph/queue.h"
#include "trace/trace.h"

#include <string.h>

/* A command that keeps `mems` alive until it ends. NULLs are skipped. */
static cl_int create(const struct weft_enqueue *enqueue, cl_uint num_mems, const cl_mem *mems,
		     cl_event *event)
{
	cl_event created;
	cl_int err = weft_event_create(enqueue, &created);

	if (err != CL_SUCCESS)
		return err;
	for (cl_uint i = 0; i < num_mems && err == CL_SUCCESS; i++) {
		if (mems[i])
			err = weft_event_hold(created, &mems[i]->base);
	}
	if (err != CL_SUCCESS) {
		weft_event_abandon(created);
		return err;
	}
	*event = created;
	return CL_SUCCESS;
}

/* ---- copies ---------------------------------------------------------------------------------- */

static char *address_of(const struct weft_mem_place *place, unsigned replica)
{
	char *base = place->mem ? weft_mem_address(place->mem, replica) : place->host;

	return base + place->rect.start;
}

static void note(struct weft_footprint *footprint, const struct weft_mem_place *place, bool writes)
{
	const struct weft_rect *rect = &place->rect;

	if (place->mem)
		weft_footprint_add(footprint, place->mem, rect->start, rect->end, writes);
	else
		weft_footprint_add_host(footprint, (const char *)place->host + rect->start,
					rect->end - rect->start, writes);
}

static void merge_rows(struct weft_copy *copy)
{
	size_t *region = copy->region;

	if (copy->source_pitch[0] == region[0] && copy->destination_pitch[0] == region[0]) {
		region[0] *= region[1];
		region[1] = 1;
	}
}

/* Rows that follow one another on both sides are one row, slices likewise: fewer, longer runs. */
static void merge(struct weft_copy *copy)
{
	size_t *region = copy->region;

	merge_rows(copy);
	if (region[1] == 1) {
		region[1] = region[2];
		region[2] = 1;
		copy->source_pitch[0] = copy->source_pitch[1];
		copy->destination_pitch[0] = copy->destination_pitch[1];
		merge_rows(copy);
	} else if (copy->source_pitch[1] == region[1] * copy->source_pitch[0] &&
		   copy->destination_pitch[1] == region[1] * copy->destination_pitch[0]) {
		region[1] *= region[2];
		region[2] = 1;
	}
}

/* A buffer of CL_MEM_USE_HOST_PTR, or a mapped one, may be read to or written from its own memory
 * (note to clEnqueueReadBufferRect, 5.2.2): then the bytes are there already. */
static bool in_place(const struct weft_copy *copy)
{
	return copy->source == copy->destination &&
	       (copy->region[1] == 1 || copy->source_pitch[0] == copy->destination_pitch[0]) &&
	       (copy->region[2] == 1 || copy->source_pitch[1] == copy->destination_pitch[1]);
}

/* A command that nobody asks for later and that would have nothing to wait for is done in place. */
static bool may_be_in_place(const struct weft_enqueue *enqueue, const cl_event *event)
{
	return !event && enqueue->num_waits == 0 && !enqueue->queue->context->num_memories;
}

static bool may_be_done_now(const struct weft_enqueue *enqueue, const cl_event *event)
{
	return may_be_in_place(enqueue, event) && weft_queue_is_clear(enqueue->queue);
}

/* Bytes that are copied in less time than it takes to ask another thread for it. */
#define SHORT_BYTES ((size_t)16 * 1024)

/* A blocking command flushes its queue (5.15) wherever it is done: others may be in flight. */
static void flush_if(bool blocking, cl_command_queue queue)
{
	if (blocking)
		weft_queue_flush(queue);
}

struct copy_now {
	const struct weft_mem_copy *copy;
	bool traced;
};

/* A buffer may be read to where it is: the same bytes. */
static void copy_bytes(const void *data)
{
	const struct copy_now *now = data;
	const struct weft_mem_copy *copy = now->copy;

	if (now->traced)
		weft_trace_enter("copy in place");
	memmove(address_of(&copy->destination, 0), address_of(&copy->source, 0), copy->region[0]);
	if (now->traced)
		weft_trace_leave();
}

static bool copy_now(const struct weft_enqueue *enqueue, const struct weft_mem_copy *copy,
		     const cl_event *event)
{
	const struct copy_now now = {copy, enqueue->queue->trace};

	return copy->region[0] <= SHORT_BYTES && copy->region[1] == 1 && copy->region[2] == 1 &&
	       may_be_in_place(enqueue, event) &&
	       weft_queue_do_now(enqueue->queue, copy_bytes, &now);
}

void weft_mem_note_copy(const struct weft_mem_copy *copy, struct weft_footprint *footprint)
{
	weft_footprint_init(footprint);
	if (copy->region[0] == 0)
		return;
	note(footprint, &copy->source, false);
	note(footprint, &copy->destination, true);
}

static weft_space space_of(const struct weft_mem_place *place, const struct weft_locus *locus)
{
	return place->mem ? locus->space : WEFT_SPACE_HOST;
}

void weft_mem_fill_in_copy(const struct weft_mem_copy *copy, const struct weft_locus *locus,
			   struct weft_command *command)
{
	const struct weft_rect *from = &copy->source.rect;
	const struct weft_rect *to = &copy->destination.rect;
	struct weft_copy transfer = {
		.source = address_of(&copy->source, locus->replica),
		.destination = address_of(&copy->destination, locus->replica),
		.source_space = space_of(&copy->source, locus),
		.destination_space = space_of(&copy->destination, locus),
		.region = {copy->region[0], copy->region[1], copy->region[2]},
		.source_pitch = {from->row_pitch, from->slice_pitch},
		.destination_pitch = {to->row_pitch, to->slice_pitch},
	};

	if (transfer.region[0] == 0 || in_place(&transfer))
		return;
	merge(&transfer);
	command->op = WEFT_OP_COPY;
	command->copy = transfer;
}

/* Rows apart leave what is between them as it was. */
static bool is_dense(const struct weft_mem_copy *copy)
{
	const struct weft_rect *rect = &copy->destination.rect;

	return rect->end - rect->start == copy->region[0] * copy->region[1] * copy->region[2];
}

unsigned weft_mem_uses_of_copy(const struct weft_mem_copy *copy, struct weft_use uses[2])
{
	const struct weft_mem_place *from = &copy->source;
	const struct weft_mem_place *to = &copy->destination;
	unsigned count = 0;

	if (from->mem)
		uses[count++] = (struct weft_use){from->mem, from->rect.start, from->rect.end,
						  WEFT_USE_READ};
	if (to->mem)
		uses[count++] =
			(struct weft_use){to->mem, to->rect.start, to->rect.end,
					  is_dense(copy) ? WEFT_USE_OVERWRITE : WEFT_USE_WRITE};
	return count;
}

static cl_int migrate_for_copy(cl_event event, const struct weft_mem_copy *copy)
{
	struct weft_use uses[2];
	unsigned count = weft_mem_uses_of_copy(copy, uses);
	cl_int err = CL_SUCCESS;

	for (unsigned i = 0; i < count && err == CL_SUCCESS; i++)
		err = weft_migration_use(event, event->queue->locus.replica, &uses[i]);
	return err;
}

cl_int weft_mem_enqueue_copy(const struct weft_enqueue *enqueue, const struct weft_mem_copy *copy,
			     bool blocking, cl_event *event)
{
	const cl_mem mems[] = {copy->source.mem, copy->destination.mem};
	struct weft_footprint footprint;
	cl_event created;

	if (copy_now(enqueue, copy, event)) {
		flush_if(blocking, enqueue->queue);
		return CL_SUCCESS;
	}
	cl_int err = create(enqueue, 2, mems, &created);
	if (err != CL_SUCCESS)
		return err;
	err = migrate_for_copy(created, copy);
	if (err != CL_SUCCESS) {
		weft_event_abandon(created);
		return err;
	}
	weft_mem_note_copy(copy, &footprint);
	weft_mem_fill_in_copy(copy, &enqueue->queue->locus, &created->command);
	return weft_event_submit(created, &footprint, blocking, event);
}

void weft_mem_note_fill(const struct weft_mem_fill *fill, struct weft_footprint *footprint)
{
	weft_footprint_init(footprint);
	if (fill->size)
		weft_footprint_add(footprint, fill->mem, fill->offset, fill->offset + fill->size,
				   true);
}

struct weft_use weft_mem_use_of_fill(const struct weft_mem_fill *fill)
{
	return (struct weft_use){fill->mem, fill->offset, fill->offset + fill->size,
				 WEFT_USE_OVERWRITE};
}

void weft_mem_fill_in_fill(const struct weft_mem_fill *fill, const struct weft_locus *locus,
			   struct weft_command *command)
{
	if (fill->size == 0)
		return;
	command->op = WEFT_OP_FILL;
	command->fill.destination = weft_mem_address(fill->mem, locus->replica) + fill->offset;
	command->fill.size = fill->size;
	command->fill.pattern_size = fill->pattern_size;
	memcpy(command->fill.pattern, fill->pattern, fill->pattern_size);
}

cl_int weft_mem_enqueue_fill(const struct weft_enqueue *enqueue, const struct weft_mem_fill *fill,
			     cl_event *event)
{
	struct weft_footprint footprint;
	cl_event created;

	const struct weft_locus *locus = &enqueue->queue->locus;
	const struct weft_use use = weft_mem_use_of_fill(fill);

	cl_int err = create(enqueue, 1, &fill->mem, &created);
	if (err != CL_SUCCESS)
		return err;
	err = weft_migration_use(created, locus->replica, &use);
	if (err != CL_SUCCESS) {
		weft_event_abandon(created);
		return err;
	}
	weft_mem_note_fill(fill, &footprint);
	weft_mem_fill_in_fill(fill, locus, &created->command);
	return weft_event_submit(created, &footprint, false, event);
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* The application finds the bytes on the host. */
static struct weft_use use_of_map(const struct weft_mem_map *map)
{
	enum weft_use_kind kind = map->flags & CL_MAP_WRITE_INVALIDATE_REGION ? WEFT_USE_OVERWRITE
				  : map->flags & CL_MAP_WRITE                 ? WEFT_USE_WRITE
									      : WEFT_USE_READ;

	return (struct weft_use){map->mem, map->offset, map->offset + map->size, kind};
}

/* The map count changes here, not when the command runs: a mapping counts from the moment that the
 * application has the pointer, and what it enqueues behind an unmap may map the region again. */
cl_int weft_mem_enqueue_map(const struct weft_enqueue *enqueue, const struct weft_mem_map *map,
			    bool blocking, cl_event *event, void **pointer)
{
	const bool writes = map->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
	struct weft_footprint footprint;
	cl_event created;
	void *address;

	if (may_be_done_now(enqueue, event)) {
		flush_if(blocking, enqueue->queue);
		return weft_mem_map(map->mem, map->flags, map->offset, map->size, pointer);
	}
	const struct weft_use use = use_of_map(map);
	cl_int err = create(enqueue, 1, &map->mem, &created);
	if (err != CL_SUCCESS)
		return err;
	err = weft_migration_use(created, 0, &use);
	if (err == CL_SUCCESS)
		err = weft_mem_map(map->mem, map->flags, map->offset, map->size, &address);
	if (err != CL_SUCCESS) {
		weft_event_abandon(created);
		return err;
	}
	weft_footprint_init(&footprint);
	weft_footprint_add(&footprint, map->mem, map->offset, map->offset + map->size, writes);
	/* from then on the bytes are there, for what names them by their address */
	weft_footprint_add_host(&footprint, address, map->size, true);
	weft_object_get(&map->mem->base);
	err = weft_event_submit(created, &footprint, blocking, event);
	if (err == CL_SUCCESS)
		*pointer = address;
	else
		(void)weft_mem_unmap(map->mem, address); /* the application does not get it */
	weft_object_put(&map->mem->base);
	return err;
}

cl_int weft_mem_enqueue_unmap(const struct weft_enqueue *enqueue, cl_mem mem, const void *pointer,
			      cl_event *event)
{
	struct weft_footprint footprint;
	cl_event created;

	if (may_be_done_now(enqueue, event))
		return weft_mem_unmap(mem, pointer) ? CL_SUCCESS : CL_INVALID_VALUE;
	cl_int err = create(enqueue, 1, &mem, &created);
	if (err != CL_SUCCESS)
		return err;
	/* while it is mapped: what the application wrote there is ordered with what it names by its address */
	weft_footprint_init(&footprint);
	weft_footprint_add(&footprint, mem, 0, mem->size, true);
	if (!weft_mem_unmap(mem, pointer)) {
		weft_event_abandon(created);
		return CL_INVALID_VALUE;
	}
	return weft_event_submit(created, &footprint, false, event);
}

/* All of the object is there then, or its contents are undefined. */
static cl_int migrate_all(cl_event event, const struct weft_mem_migration *migration)
{
	const bool to_host = migration->flags & CL_MIGRATE_MEM_OBJECT_HOST;
	const bool undefined = migration->flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
	cl_int err = CL_SUCCESS;

	for (cl_uint i = 0; i < migration->num_mems && err == CL_SUCCESS; i++) {
		cl_mem mem = migration->mems[i];
		const struct weft_use use = {mem, 0, mem->size,
					     undefined ? WEFT_USE_OVERWRITE : WEFT_USE_READ};

		err = weft_migration_use(event, to_host ? 0 : event->queue->locus.replica, &use);
	}
	return err;
}

/* In the order of the queue it counts as a reading: what writes the object comes before or after it. */
cl_int weft_mem_enqueue_migrate(const struct weft_enqueue *enqueue,
				const struct weft_mem_migration *migration, cl_event *event)
{
	const bool moves = enqueue->queue->context->num_memories > 0;
	struct weft_footprint footprint;
	cl_event created;

	cl_int err = create(enqueue, migration->num_mems, migration->mems, &created);
	if (err != CL_SUCCESS)
		return err;
	err = migrate_all(created, migration);
	if (err != CL_SUCCESS) {
		weft_event_abandon(created);
		return err;
	}
	weft_footprint_init(&footprint);
	for (cl_uint i = 0; i < migration->num_mems && moves; i++)
		weft_footprint_add(&footprint, migration->mems[i], 0, migration->mems[i]->size,
				   migration->flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED);
	return weft_event_submit(created, &footprint, false, event);
}
