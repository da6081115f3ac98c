/* SPDX-License-Identifier: MIT
 *
 * The commands on memory objects, made into the driver's. Invariant: an enqueue that fails leaves nothing
 * behind, no command, no mapping.
 */
#include "commands/mem_command.h"

#include "commands/new_command.h"
#include "device/context.h"
#include "graph/queue.h"
#include "memory/replica.h"
#include "trace/trace.h"

#include <string.h>

/* A command that uses `mems` in a replica. On success it must be submitted. */
static cl_int begin(const struct weft_enqueue *enqueue, unsigned replica, cl_uint num_mems,
		    const cl_mem *mems, struct weft_new_command *command)
{
	cl_int err = weft_new_command_begin(enqueue, replica, command);

	if (err != CL_SUCCESS)
		return err;
	for (cl_uint i = 0; i < num_mems && err == CL_SUCCESS; i++)
		err = weft_new_command_use(command, mems[i]);
	return err == CL_SUCCESS ? err : weft_new_command_submit(command, err, false, NULL);
}

/* The same of a copy or a fill, in its queue's device. */
static cl_int begin_at(const struct weft_enqueue *enqueue, unsigned num_places,
		       const struct weft_mem_place *const *places, struct weft_new_command *command)
{
	cl_int err = weft_new_command_begin(enqueue, enqueue->queue->locus.replica, command);

	if (err != CL_SUCCESS)
		return err;
	for (unsigned i = 0; i < num_places && err == CL_SUCCESS; i++) {
		if (places[i]->mem)
			err = weft_new_command_use(command, places[i]->mem);
		else
			err = weft_new_command_use_address(command, places[i]->host);
	}
	return err == CL_SUCCESS ? err : weft_new_command_submit(command, err, false, NULL);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static char *address_of(const struct weft_mem_place *place, unsigned replica)
{
	char *base = place->mem ? weft_mem_address(place->mem, replica) : place->host;

	return base + place->rect.start;
}

static void merge_rows(struct weft_copy *copy)
{
	size_t *region = copy->region;

	if (copy->source_pitch[0] == region[0] && copy->destination_pitch[0] == region[0]) {
		region[0] *= region[1];
		region[1] = 1;
	}
}

/* Rows that follow one another on both sides become one row, and slices that do so one slice: fewer, longer runs. */
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

/* Bytes that are copied in less time than it takes to ask another thread for it. */
#define SHORT_BYTES ((size_t)16 * 1024)

static weft_space space_of(const struct weft_mem_place *place, const struct weft_locus *locus)
{
	return place->mem ? locus->space : WEFT_SPACE_HOST;
}

/* With as few rows as possible. */
static struct weft_copy copy_at(const struct weft_mem_copy *copy, const struct weft_locus *locus)
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

	merge(&transfer);
	return transfer;
}

/* A memory object of CL_MEM_USE_HOST_PTR, or a mapped one, may be read to or written from its own memory
 * (notes to clEnqueueReadBufferRect, 5.2.2, and clEnqueueReadImage, 5.3.3): then the bytes are there already. */
static bool in_place(const struct weft_copy *copy)
{
	return copy->source == copy->destination &&
	       (copy->region[1] == 1 || copy->source_pitch[0] == copy->destination_pitch[0]) &&
	       (copy->region[2] == 1 || copy->source_pitch[1] == copy->destination_pitch[1]);
}

void weft_mem_fill_in_copy(const struct weft_mem_copy *copy, const struct weft_locus *locus,
			   struct weft_command *command)
{
	if (copy->region[0] == 0)
		return;
	const struct weft_copy transfer = copy_at(copy, locus);
	if (in_place(&transfer))
		return;
	command->op = WEFT_OP_COPY;
	command->copy = transfer;
}

struct copy_now {
	const struct weft_mem_copy *copy;
	const struct weft_locus *locus;
	bool traced;
};

/* A memory object may be read to where it is: the same bytes. */
static void copy_bytes(const void *data)
{
	const struct copy_now *now = data;
	const struct weft_copy copy = copy_at(now->copy, now->locus);

	if (now->traced)
		weft_trace_enter("copy in place");
	for (size_t z = 0; z < copy.region[2]; z++) {
		for (size_t y = 0; y < copy.region[1]; y++)
			memmove((char *)copy.destination + z * copy.destination_pitch[1] +
					y * copy.destination_pitch[0],
				(const char *)copy.source + z * copy.source_pitch[1] +
					y * copy.source_pitch[0],
				copy.region[0]);
	}
	if (now->traced)
		weft_trace_leave();
}

/* The product cannot wrap: memory of that size exists. */
static bool copy_now(const struct weft_enqueue *enqueue, const struct weft_mem_copy *copy,
		     const cl_event *event)
{
	const cl_command_queue queue = enqueue->queue;
	const struct copy_now now = {copy, &queue->locus, queue->trace};

	return copy->region[0] * copy->region[1] * copy->region[2] <= SHORT_BYTES &&
	       weft_enqueue_may_be_in_place(enqueue, event) &&
	       weft_queue_do_now(queue, copy_bytes, &now);
}

/* Rows apart leave what is between them as it was. */
static enum weft_access_kind kind_of_write(const struct weft_region *region)
{
	return weft_region_is_range(region) ? WEFT_ACCESS_WRITE : WEFT_ACCESS_READ_WRITE;
}

static struct weft_region region_of(const struct weft_mem_place *place, const size_t size[3])
{
	const struct weft_region region = weft_region_of_rect(&place->rect, size);

	return place->mem ? region : weft_region_moved(region, (uintptr_t)place->host);
}

void weft_mem_copy_accesses(const struct weft_mem_copy *copy, struct weft_access_builder *accesses)
{
	if (copy->region[0] == 0)
		return;
	const struct weft_region from = region_of(&copy->source, copy->region);
	const struct weft_region to = region_of(&copy->destination, copy->region);
	weft_accesses_add_region(accesses, copy->source.mem, &from, WEFT_ACCESS_READ);
	weft_accesses_add_region(accesses, copy->destination.mem, &to, kind_of_write(&to));
}

/* A copy of one range to the memory of a device: where it comes from is found when it starts (migration.h). */
static bool finds_source(cl_command_queue queue, const struct weft_mem_copy *copy)
{
	if (queue->locus.replica == 0 || !copy->source.mem || !copy->destination.mem ||
	    !weft_mem_root(copy->source.mem)->replicas || copy->region[0] == 0)
		return false;
	const struct weft_region from = region_of(&copy->source, copy->region);
	const struct weft_region to = region_of(&copy->destination, copy->region);
	return weft_region_is_range(&from) && weft_region_is_range(&to);
}

static cl_int enqueue_copy_from_anywhere(const struct weft_enqueue *enqueue,
					 const struct weft_mem_copy *copy, bool blocking,
					 cl_event *event)
{
	const struct weft_locus *locus = &enqueue->queue->locus;
	const struct weft_mem_place *const destination = &copy->destination;
	const size_t size = copy->region[0] * copy->region[1] * copy->region[2];
	struct weft_new_command command;

	cl_int err = begin_at(enqueue, 1, &destination, &command);
	if (err != CL_SUCCESS)
		return err;
	err = weft_event_hold(command.event, &copy->source.mem->base);
	weft_mem_copy_accesses(copy, &command.accesses);
	command.event->command.op = WEFT_OP_COPY;
	command.event->command.copy = (struct weft_copy){
		.destination = address_of(destination, locus->replica),
		.destination_space = locus->space,
		.region = {size, 1, 1},
		.source_pitch = {size, size},
		.destination_pitch = {size, size},
	};
	return weft_new_command_submit(&command, err, blocking, event);
}

cl_int weft_mem_enqueue_copy(const struct weft_enqueue *enqueue, const struct weft_mem_copy *copy,
			     bool blocking, cl_event *event)
{
	const struct weft_locus *locus = &enqueue->queue->locus;
	const struct weft_mem_place *const places[] = {&copy->source, &copy->destination};
	struct weft_new_command command;

	if (copy_now(enqueue, copy, event)) {
		weft_enqueue_flush_if(blocking, enqueue->queue);
		return CL_SUCCESS;
	}
	if (finds_source(enqueue->queue, copy))
		return enqueue_copy_from_anywhere(enqueue, copy, blocking, event);
	cl_int err = begin_at(enqueue, 2, places, &command);
	if (err != CL_SUCCESS)
		return err;
	weft_mem_copy_accesses(copy, &command.accesses);
	weft_mem_fill_in_copy(copy, locus, &command.event->command);
	return weft_new_command_submit(&command, CL_SUCCESS, blocking, event);
}

void weft_mem_fill_accesses(const struct weft_mem_fill *fill, struct weft_access_builder *accesses)
{
	if (fill->region[0] == 0)
		return;
	const struct weft_region region = region_of(&fill->destination, fill->region);
	weft_accesses_add_region(accesses, fill->destination.mem, &region, kind_of_write(&region));
}

void weft_mem_fill_in_fill(const struct weft_mem_fill *fill, const struct weft_locus *locus,
			   void *pattern, struct weft_command *command)
{
	if (fill->region[0] == 0)
		return;
	const struct weft_rect *rect = &fill->destination.rect;
	command->op = WEFT_OP_FILL;
	command->fill = (struct weft_fill){
		.destination = address_of(&fill->destination, locus->replica),
		.region = {fill->region[0], fill->region[1], fill->region[2]},
		.pitch = {rect->row_pitch, rect->slice_pitch},
		.pattern = memcpy(pattern, fill->pattern, fill->pattern_size),
		.pattern_size = fill->pattern_size,
	};
}

cl_int weft_mem_enqueue_fill(const struct weft_enqueue *enqueue, const struct weft_mem_fill *fill,
			     cl_event *event)
{
	const struct weft_locus *locus = &enqueue->queue->locus;
	const struct weft_mem_place *const place = &fill->destination;
	struct weft_new_command command;

	cl_int err = begin_at(enqueue, 1, &place, &command);
	if (err != CL_SUCCESS)
		return err;
	void *pattern = weft_event_memory(command.event, fill->pattern_size);
	weft_mem_fill_accesses(fill, &command.accesses);
	if (pattern)
		weft_mem_fill_in_fill(fill, locus, pattern, &command.event->command);
	return weft_new_command_submit(&command, pattern ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY,
				       false, event);
}

/* ---- maps ------------------------------------------------------------------------------------ */

static enum weft_access_kind kind_of_map(const struct weft_mem_map *map,
					 const struct weft_region *region)
{
	if (map->flags & CL_MAP_WRITE_INVALIDATE_REGION)
		return kind_of_write(region);
	return map->flags & CL_MAP_WRITE ? WEFT_ACCESS_READ_WRITE : WEFT_ACCESS_READ;
}

/* The region's bytes are the object's, and what the application names by their address. */
static void add_mapped(struct weft_new_command *command, cl_mem mem,
		       const struct weft_region *region, enum weft_access_kind kind,
		       enum weft_access_kind by_address)
{
	const struct weft_region host = weft_region_moved(*region, (uintptr_t)mem->address);

	weft_accesses_add_region(&command->accesses, mem, region, kind);
	weft_accesses_add_region(&command->accesses, NULL, &host, by_address);
}

/* The application finds the bytes on the host. The map count changes here, not when the command runs: a mapping counts
 * from the moment that the application has the pointer, and what it enqueues behind an unmap may map the region again. */
cl_int weft_mem_enqueue_map(const struct weft_enqueue *enqueue, const struct weft_mem_map *map,
			    bool blocking, cl_event *event, void **pointer)
{
	struct weft_region region = weft_region_of_rect(&map->rect, map->region);
	struct weft_new_command command;
	void *address;

	if (weft_enqueue_is_over(enqueue, blocking, event))
		return weft_mem_map(map->mem, map->flags, &region, pointer);
	cl_int err = begin(enqueue, 0, 1, &map->mem, &command);
	if (err != CL_SUCCESS)
		return err;
	err = weft_mem_map(map->mem, map->flags, &region, &address);
	if (err != CL_SUCCESS)
		return weft_new_command_submit(&command, err, false, NULL);
	/* from then on the bytes are there, for what names them by their address */
	add_mapped(&command, map->mem, &region, kind_of_map(map, &region), WEFT_ACCESS_WRITE);
	weft_object_get(&map->mem->base);
	err = weft_new_command_submit(&command, CL_SUCCESS, blocking, event);
	if (err == CL_SUCCESS)
		*pointer = address;
	else
		(void)weft_mem_unmap(map->mem, address,
				     &region); /* the application does not get it */
	weft_object_put(&map->mem->base);
	return err;
}

/* What the application wrote to the mapping is ordered with what it names by its address. On the host are the mapping's
 * bytes already. */
cl_int weft_mem_enqueue_unmap(const struct weft_enqueue *enqueue, cl_mem mem, const void *pointer,
			      cl_event *event)
{
	struct weft_region region;
	struct weft_new_command command;

	if (weft_enqueue_is_over(enqueue, false, event))
		return weft_mem_unmap(mem, pointer, &region) ? CL_SUCCESS : CL_INVALID_VALUE;
	cl_int err = begin(enqueue, 0, 1, &mem, &command);
	if (err != CL_SUCCESS)
		return err;
	command.transfers = false;
	if (weft_mem_unmap(mem, pointer, &region))
		add_mapped(&command, mem, &region, WEFT_ACCESS_READ_WRITE, WEFT_ACCESS_READ_WRITE);
	else
		err = CL_INVALID_VALUE;
	return weft_new_command_submit(&command, err, false, event);
}

/* A pipe's contents say where its packets are: they are never undefined. */
static enum weft_access_kind migrated_access(cl_mem mem, cl_mem_migration_flags flags)
{
	return (flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) && mem->type != CL_MEM_OBJECT_PIPE
		       ? WEFT_ACCESS_WRITE
		       : WEFT_ACCESS_READ;
}

/* All of the object is there then, or its contents are undefined. In the order of the queue it counts as a reading: what
 * writes the object comes before or after it. Where there are no memories, it does nothing. */
cl_int weft_mem_enqueue_migrate(const struct weft_enqueue *enqueue,
				const struct weft_mem_migration *migration, cl_event *event)
{
	const bool to_host = migration->flags & CL_MIGRATE_MEM_OBJECT_HOST;
	const bool moves = enqueue->queue->context->num_memories > 0;
	struct weft_new_command command;

	cl_int err = begin(enqueue, to_host ? 0 : enqueue->queue->locus.replica,
			   migration->num_mems, migration->mems, &command);
	if (err != CL_SUCCESS)
		return err;
	for (cl_uint i = 0; i < migration->num_mems && moves; i++)
		weft_accesses_add(&command.accesses, migration->mems[i], 0,
				  migration->mems[i]->size,
				  migrated_access(migration->mems[i], migration->flags));
	return weft_new_command_submit(&command, CL_SUCCESS, false, event);
}
