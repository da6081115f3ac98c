/* SPDX-License-Identifier: MIT
 *
 * What the compiler knows of a kernel's buffers: Weft's is asked for each slab. Whatever it cannot say, or fails at, is not known.
 */
#include "engine/engine.h"

#include <stdlib.h>

#define MOST_SLABS 4096 /* of a kernel that is asked for: it takes 10 us for each */

void weft_known_slices_build(struct weft_engine *engine, struct weft_program *program,
			     const char *const texts[2], const char *options)
{
	const struct weft_opencl *cl = engine->cl;
	cl_int code = CL_SUCCESS;

	program->analysed =
		cl->CreateProgramWithSource(engine->devices->analyser.context, 2,
					    (const char **)(void *)(uintptr_t)texts, NULL, &code);
	if (program->analysed &&
	    cl->BuildProgram(program->analysed, 0, NULL, options, NULL, NULL) != CL_SUCCESS) {
		cl->ReleaseProgram(program->analysed);
		program->analysed = NULL;
	}
}

static size_t count_arguments(const struct weft_spec_kernel *kernel)
{
	return kernel->num_buffers + kernel->num_values + kernel->num_locals;
}

static bool ask(struct weft_engine *engine, size_t task, cl_kernel made, size_t slab,
		cl_kernel_access_ranges_weft *rows)
{
	const struct weft_spec_kernel *kernel = engine->tasks[task].kernel;
	const struct weft_split *split = &engine->splits[task];
	const struct weft_analyser *analyser = &engine->devices->analyser;
	size_t offset[WEFT_MOST_DIMENSIONS] = {0};
	size_t global[WEFT_MOST_DIMENSIONS];

	for (unsigned i = 0; i < WEFT_MOST_DIMENSIONS; i++)
		global[i] = kernel->global[i];
	if (split->slabs > 1) {
		offset[split->dimension] = slab * split->items_per_slab;
		global[split->dimension] = split->items_per_slab;
	}
	return analyser->ask(made, analyser->device, kernel->dimensions, offset, global,
			     split->local, (cl_uint)count_arguments(kernel), rows) == CL_SUCCESS;
}

static void keep(struct weft_range **ranges, size_t slab, size_t bytes, struct weft_range range,
		 bool is_known)
{
	if (!is_known) {
		free(*ranges);
		*ranges = NULL;
	}
	if (!*ranges)
		return;
	range.end = range.end < bytes ? range.end : bytes;
	range.begin = range.begin < range.end ? range.begin : range.end;
	(*ranges)[slab] = range;
}

static uint64_t end_of(cl_ulong begin, cl_ulong end, uint64_t so_far)
{
	return begin < end && end > so_far ? end : so_far;
}

static void keep_row(const struct weft_spec_buffer *buffer, size_t slab,
		     const cl_kernel_access_ranges_weft *row, struct weft_known_slices *slices)
{
	keep(&slices->reads, slab, buffer->bytes,
	     (struct weft_range){row->read_begin, row->read_end},
	     !(row->flags & CL_KERNEL_ACCESS_READS_ANYWHERE_WEFT));
	keep(&slices->writes, slab, buffer->bytes,
	     (struct weft_range){row->write_begin, row->write_end},
	     !(row->flags & CL_KERNEL_ACCESS_WRITES_ANYWHERE_WEFT));
	if (row->flags & CL_KERNEL_ACCESS_READS_WEFT)
		slices->end = end_of(row->read_begin, row->read_end, slices->end);
	if (row->flags & CL_KERNEL_ACCESS_WRITES_WEFT)
		slices->end = end_of(row->write_begin, row->write_end, slices->end);
}

/* False: nothing is known of any buffer. */
static bool ask_all(struct weft_engine *engine, size_t task, cl_kernel made,
		    cl_kernel_access_ranges_weft *rows)
{
	const struct weft_spec_kernel *kernel = engine->tasks[task].kernel;
	struct weft_split *split = &engine->splits[task];

	for (size_t i = 0; i < kernel->num_buffers; i++) {
		/* The launch will fail. */
		if (kernel->buffers[i].pos >= count_arguments(kernel))
			return false;
	}
	for (size_t slab = 0; slab < split->slabs; slab++) {
		if (!ask(engine, task, made, slab, rows))
			return false;
		for (size_t i = 0; i < kernel->num_buffers; i++)
			keep_row(&kernel->buffers[i], slab, &rows[kernel->buffers[i].pos],
				 &split->known[i]);
	}
	for (size_t i = 0; i < kernel->num_buffers; i++) {
		if (split->known[i].writes)
			weft_split_check_writes(split, &split->known[i]);
	}
	return true;
}

bool weft_known_slices_find(struct weft_engine *engine, size_t task, cl_kernel made)
{
	const struct weft_spec_kernel *kernel = engine->tasks[task].kernel;
	struct weft_split *split = &engine->splits[task];

	if (split->slabs > MOST_SLABS)
		return true;
	cl_kernel_access_ranges_weft *rows =
		(cl_kernel_access_ranges_weft *)calloc(count_arguments(kernel) + 1, sizeof(*rows));
	const bool done = rows && weft_split_make_room(split, kernel->num_buffers);
	if (!done || !ask_all(engine, task, made, rows))
		weft_split_destroy(split, kernel->num_buffers);
	free(rows);
	return done;
}
