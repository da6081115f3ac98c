/* SPDX-License-Identifier: MIT
 *
 * The contents of buffers. An input that comes "from" another kernel's buffer is that buffer's object; an io buffer has an object of
 * its own, since others may read the content that it begins with.
 */
#include "data/content.h"
#include "data/npy.h"
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 4096      /* of memory that devices may use in place */
#define LEAST_ALIGNMENT 128 /* of the largest type */

static void free_host(struct weft_engine *engine, struct weft_object *object)
{
	if (!object->pinned)
		free(object->host);
	/* What is mapped still is unmapped with its buffer. */
	else
		engine->cl->ReleaseMemObject(object->pinned);
	object->host = NULL;
	object->pinned = NULL;
}

static bool shares_object(const struct weft_spec_buffer *buffer)
{
	return buffer->from_kernel != WEFT_NO_KERNEL && buffer->direction == WEFT_INPUT;
}

/* Host memory from the first driver that moves bytes faster from there. False: none gives such memory. */
static bool allocate_pinned(struct weft_engine *engine, struct weft_object *object, size_t bytes)
{
	for (size_t d = 0; d < engine->devices->count; d++) {
		const struct weft_device *device = &engine->devices->items[d];
		const struct weft_domain *domain = &engine->devices->domains[device->domain];
		cl_int code = CL_SUCCESS;

		if (!domain->likes_own_memory)
			continue;
		object->pinned = engine->cl->CreateBuffer(domain->context,
							  CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
							  bytes, NULL, &code);
		if (!object->pinned)
			continue;
		object->host = (unsigned char *)engine->cl->EnqueueMapBuffer(
			device->transfers, object->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
			bytes, 0, NULL, NULL, &code);
		if (object->host && (uintptr_t)object->host % LEAST_ALIGNMENT == 0)
			return true;
		free_host(engine, object);
	}
	return false;
}

static bool create_object(struct weft_engine *engine, struct weft_object *object,
			  const struct weft_spec_buffer *buffer)
{
	const size_t room = (buffer->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

	object->buffer = buffer;
	if (!allocate_pinned(engine, object, room))
		object->host = (unsigned char *)aligned_alloc(ALIGNMENT, room);
	object->copies =
		(struct weft_copy *)calloc(engine->devices->num_domains, sizeof(*object->copies));
	object->incoming =
		(struct weft_incoming *)calloc(engine->devices->count, sizeof(*object->incoming));
	return object->host && object->copies && object->incoming;
}

/* A kernel may read from one that stands behind it in the file. */
static void share_objects(struct weft_engine *engine)
{
	for (size_t t = 0; t < engine->spec->count; t++) {
		const struct weft_spec_kernel *kernel = &engine->spec->kernels[t];

		for (size_t i = 0; i < kernel->num_buffers; i++) {
			const struct weft_spec_buffer *buffer = &kernel->buffers[i];
			size_t from = t;
			size_t at = i;

			/* Through inputs that come from elsewhere themselves; the graph has no circles. */
			while (shares_object(&engine->spec->kernels[from].buffers[at])) {
				const struct weft_spec_buffer *next =
					&engine->spec->kernels[from].buffers[at];
				from = next->from_kernel;
				at = next->from_buffer;
			}
			if (shares_object(buffer))
				engine->tasks[t].objects[i] = engine->tasks[from].objects[at];
		}
	}
}

static bool is_never_written(const struct weft_split *split, size_t index)
{
	const struct weft_range *writes = split->known ? split->known[index].writes : NULL;

	for (size_t i = 0; writes && i < split->slabs; i++) {
		if (writes[i].begin < writes[i].end)
			return false;
	}
	return writes;
}

/* Finds the objects whose content stays what it is. */
static void find_constants(struct weft_engine *engine)
{
	for (size_t i = 0; i < engine->num_objects; i++)
		engine->objects[i].stays = true;
	for (size_t t = 0; t < engine->spec->count; t++) {
		for (size_t i = 0; i < engine->spec->kernels[t].num_buffers; i++)
			engine->tasks[t].objects[i]->stays &=
				is_never_written(&engine->splits[t], i);
	}
}

bool weft_objects_create(struct weft_engine *engine, struct weft_error *error)
{
	size_t count = 0;

	for (size_t t = 0; t < engine->spec->count; t++)
		count += engine->spec->kernels[t].num_buffers;
	engine->objects = (struct weft_object *)calloc(count + 1, sizeof(*engine->objects));
	if (!engine->objects)
		return weft_fail_memory(error);
	for (size_t t = 0; t < engine->spec->count; t++) {
		const struct weft_spec_kernel *kernel = &engine->spec->kernels[t];

		for (size_t i = 0; i < kernel->num_buffers; i++) {
			if (shares_object(&kernel->buffers[i]))
				continue;
			struct weft_object *object = &engine->objects[engine->num_objects++];

			engine->tasks[t].objects[i] = object;
			if (!create_object(engine, object, &kernel->buffers[i]))
				return weft_fail(
					error,
					"%s: kernel '%s', argument %u: no memory for %zu bytes",
					kernel->place, kernel->label, kernel->buffers[i].pos,
					kernel->buffers[i].bytes);
		}
	}
	share_objects(engine);
	find_constants(engine);
	return true;
}

/* ---- the first content --------------------------------------------------------------------------- */

/* The same for a kernel of the same name in the same place of a file, whatever else there is. */
static uint64_t seed_of(const struct weft_spec_kernel *kernel,
			const struct weft_spec_buffer *buffer)
{
	uint64_t seed = buffer->pos;

	for (const char *c = kernel->label; *c; c++)
		seed = seed * 1099511628211U + (unsigned char)*c;
	return seed;
}

static bool reset_object(struct weft_engine *engine, size_t task, size_t index,
			 struct weft_error *error)
{
	const struct weft_spec_kernel *kernel = &engine->spec->kernels[task];
	const struct weft_spec_buffer *buffer = &kernel->buffers[index];
	struct weft_object *object = engine->tasks[task].objects[index];

	for (size_t d = 0; d < engine->devices->num_domains; d++) {
		weft_ranges_destroy(&object->copies[d].valid);
		object->copies[d].has_written = false;
	}
	weft_ranges_destroy(&object->in_host);
	weft_ranges_destroy(&object->zeros);
	weft_ranges_destroy(&object->own);
	free(object->base);
	object->base = NULL;
	object->source = NULL;
	if (buffer->from_kernel != WEFT_NO_KERNEL) {
		object->source = engine->tasks[buffer->from_kernel].objects[buffer->from_buffer];
		return true;
	}
	const bool has_content = object->stays && object->is_filled;
	char what[WEFT_BUFFER_PLACE];
	weft_spec_place(kernel, buffer, what);
	if (!has_content && buffer->file &&
	    !weft_data_read(buffer->file, what, buffer, object->host, error))
		return false;
	if (!has_content && !buffer->file)
		weft_content_fill(buffer, seed_of(kernel, buffer), object->host);
	object->is_filled = true;
	const struct weft_range all = {0, buffer->bytes};
	return (weft_ranges_add(&object->in_host, all) &&
		(buffer->file || buffer->filling != WEFT_FILL_ZEROS ||
		 weft_ranges_add(&object->zeros, all))) ||
	       weft_fail_memory(error);
}

bool weft_objects_reset(struct weft_engine *engine, struct weft_error *error)
{
	for (size_t t = 0; t < engine->spec->count; t++) {
		const struct weft_spec_kernel *kernel = &engine->spec->kernels[t];

		for (size_t i = 0; i < kernel->num_buffers; i++) {
			if (!shares_object(&kernel->buffers[i]) &&
			    !reset_object(engine, t, i, error))
				return false;
		}
	}
	return true;
}

void weft_objects_destroy(struct weft_engine *engine)
{
	for (size_t i = 0; i < engine->num_objects; i++) {
		struct weft_object *object = &engine->objects[i];

		for (size_t d = 0; object->copies && d < engine->devices->num_domains; d++) {
			if (object->copies[d].memory)
				engine->cl->ReleaseMemObject(object->copies[d].memory);
			weft_ranges_destroy(&object->copies[d].valid);
		}
		weft_ranges_destroy(&object->in_host);
		weft_ranges_destroy(&object->zeros);
		weft_ranges_destroy(&object->own);
		free(object->copies);
		free(object->incoming);
		free(object->base);
		free_host(engine, object);
	}
	free(engine->objects);
}
