/* SPDX-License-Identifier: MIT
 *
 * One part of a task on its device: what it needs goes into the device's memory, the kernel runs, and what it has written is
 * noted.
 */
#include "engine/engine.h"

#include <math.h>
#include <stdio.h>

/* A part of a task with others, whose buffer any slab may write: see weft_memory_merge. */
static bool writes_anywhere(const struct weft_engine *engine, const struct weft_part *part,
			    const struct weft_spec_buffer *buffer)
{
	const struct weft_split *split = &engine->splits[part->task];

	return buffer->direction != WEFT_INPUT && part->slabs.count < split->slabs &&
	       !weft_slice_is_known(engine->tasks[part->task].kernel, split, buffer);
}

static struct weft_move describe(const struct weft_engine *engine, const struct weft_part *part,
				 size_t index)
{
	return (struct weft_move){.object = engine->tasks[part->task].objects[index],
				  .device = part->device,
				  .task = part->task};
}

static bool prepare_buffer(struct weft_engine *engine, const struct weft_part *part, size_t index,
			   struct weft_error *error)
{
	const struct weft_task *task = &engine->tasks[part->task];
	const struct weft_spec_buffer *buffer = &task->kernel->buffers[index];
	struct weft_move move = describe(engine, part, index);

	move.range =
		weft_slice_needed(task->kernel, &engine->splits[part->task], buffer, part->slabs);
	weft_object_claim(engine, move.object);
	const bool done = (!writes_anywhere(engine, part, buffer) ||
			   weft_memory_keep_base(engine, &move, error)) &&
			  weft_memory_to_device(engine, &move, error);
	weft_object_release(engine, move.object);
	return done;
}

static bool set_argument(struct weft_engine *engine, cl_kernel kernel, unsigned pos, size_t size,
			 const void *value, struct weft_error *error)
{
	char what[32];

	snprintf(what, sizeof(what), "argument %u", pos);
	return weft_opencl_check(engine->cl->SetKernelArg(kernel, pos, size, value), what,
				 "SetKernelArg", error);
}

static bool set_buffer(struct weft_engine *engine, const struct weft_part *part, size_t index,
		       struct weft_error *error)
{
	const struct weft_task *task = &engine->tasks[part->task];
	const struct weft_object *object = task->objects[index];
	const size_t domain = engine->devices->items[part->device].domain;
	const unsigned pos = task->kernel->buffers[index].pos;
	cl_kernel made = task->kernels[part->device];
	char what[32];

	if (!engine->devices->domains[domain].takes_pointers)
		return set_argument(engine, made, pos, sizeof(cl_mem),
				    &object->copies[domain].memory, error);
	snprintf(what, sizeof(what), "argument %u", pos);
	return weft_opencl_check(engine->cl->SetKernelArgSVMPointer(made, pos, object->host), what,
				 "SetKernelArgSVMPointer", error);
}

static bool set_arguments(struct weft_engine *engine, const struct weft_part *part,
			  struct weft_error *error)
{
	const struct weft_task *task = &engine->tasks[part->task];
	const struct weft_spec_kernel *kernel = task->kernel;
	cl_kernel made = task->kernels[part->device];
	bool done = true;

	for (size_t i = 0; done && i < kernel->num_buffers; i++)
		done = set_buffer(engine, part, i, error);
	for (size_t i = 0; done && i < kernel->num_values; i++)
		done = set_argument(engine, made, kernel->values[i].pos, kernel->values[i].size,
				    kernel->values[i].bytes, error);
	for (size_t i = 0; done && i < kernel->num_locals; i++)
		done = set_argument(engine, made, kernel->locals[i].pos, kernel->locals[i].bytes,
				    NULL, error);
	return done;
}

bool weft_part_start(struct weft_engine *engine, const struct weft_part *part,
		     struct weft_launch *launch, struct weft_error *error)
{
	const struct weft_spec_kernel *kernel = engine->tasks[part->task].kernel;
	const struct weft_split *split = &engine->splits[part->task];
	const struct weft_device *device = &engine->devices->items[part->device];
	size_t offset[WEFT_MOST_DIMENSIONS] = {0};
	size_t global[WEFT_MOST_DIMENSIONS];

	if (!set_arguments(engine, part, error))
		return false;
	for (unsigned i = 0; i < WEFT_MOST_DIMENSIONS; i++)
		global[i] = kernel->global[i];
	if (part->slabs.count < split->slabs) {
		offset[split->dimension] = part->slabs.first * split->items_per_slab;
		global[split->dimension] = part->slabs.count * split->items_per_slab;
	}
	launch->start = weft_engine_now(engine);
	if (!weft_opencl_check(engine->cl->EnqueueNDRangeKernel(
				       device->kernels,
				       engine->tasks[part->task].kernels[part->device],
				       kernel->dimensions, offset, global, split->local, 0, NULL,
				       &launch->event),
			       device->name, "EnqueueNDRangeKernel", error))
		return false;
	if (weft_opencl_check(engine->cl->Flush(device->kernels), device->name, "Flush", error))
		return true;
	engine->cl->ReleaseEvent(launch->event);
	/* The kernel may run still, and use memory that is soon freed. */
	engine->cl->Finish(device->kernels);
	return false;
}

/* Where inputs of another part have moved while the kernel ran, the time until its end is noticed may be longer than it took: then its
 * device says what it took. */
static double kernel_seconds(struct weft_engine *engine, const struct weft_part *part,
			     cl_event event, double noticed)
{
	cl_ulong submitted = 0;
	cl_ulong ended = 0;

	if (!engine->devices->items[part->device].has_timer || !engine->cl->GetEventProfilingInfo ||
	    engine->cl->GetEventProfilingInfo(event, CL_PROFILING_COMMAND_SUBMIT, sizeof(submitted),
					      &submitted, NULL) != CL_SUCCESS ||
	    engine->cl->GetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(ended),
					      &ended, NULL) != CL_SUCCESS ||
	    ended <= submitted)
		return noticed;
	return fmin(noticed, (double)(ended - submitted) * 1e-9);
}

static bool note_writes(struct weft_engine *engine, const struct weft_part *part, size_t index,
			struct weft_error *error)
{
	const struct weft_task *task = &engine->tasks[part->task];
	const struct weft_spec_buffer *buffer = &task->kernel->buffers[index];
	struct weft_move move = describe(engine, part, index);
	bool done = true;

	if (buffer->direction == WEFT_INPUT)
		return true;
	move.range = weft_slice_own(task->kernel, &engine->splits[part->task], buffer, part->slabs);
	weft_object_claim(engine, move.object);
	if (writes_anywhere(engine, part, buffer))
		move.object->copies[engine->devices->items[part->device].domain].has_written = true;
	else
		done = weft_memory_written(engine, &move, error);
	if (done && !writes_anywhere(engine, part, buffer))
		weft_results_send(engine, &move);
	weft_object_release(engine, move.object);
	return done;
}

bool weft_part_prepare(struct weft_engine *engine, const struct weft_part *part,
		       struct weft_error *error)
{
	for (size_t i = 0; i < engine->tasks[part->task].kernel->num_buffers; i++) {
		if (!prepare_buffer(engine, part, i, error))
			return false;
	}
	return true;
}

bool weft_part_finish(struct weft_engine *engine, const struct weft_part *part,
		      const struct weft_launch *launch, double *seconds, struct weft_error *error)
{
	const struct weft_spec_kernel *kernel = engine->tasks[part->task].kernel;
	const struct weft_device *device = &engine->devices->items[part->device];
	struct weft_span span = {.kind = WEFT_SPAN_KERNEL,
				 .device = part->device,
				 .task = part->task,
				 .first_slab = part->slabs.first,
				 .slabs = part->slabs.count,
				 .start = launch->start};

	const cl_int code = engine->cl->WaitForEvents(1, &launch->event);
	if (code == CL_SUCCESS)
		*seconds = kernel_seconds(engine, part, launch->event,
					  weft_engine_now(engine) - launch->start);
	engine->cl->ReleaseEvent(launch->event);
	/* The kernel may run still, and use memory that is soon freed. */
	if (code != CL_SUCCESS)
		engine->cl->Finish(device->kernels);
	if (!weft_opencl_check(code, device->name, "WaitForEvents", error))
		return false;
	span.end = span.start + *seconds;
	weft_engine_record(engine, &span);
	for (size_t i = 0; i < kernel->num_buffers; i++) {
		if (!note_writes(engine, part, i, error))
			return false;
	}
	return true;
}

bool weft_part_finish_task(struct weft_engine *engine, const struct weft_part *last,
			   struct weft_error *error)
{
	const struct weft_spec_kernel *kernel = engine->tasks[last->task].kernel;
	bool done = true;

	for (size_t i = 0; done && i < kernel->num_buffers; i++) {
		struct weft_move move = describe(engine, last, i);

		if (!writes_anywhere(engine, last, &kernel->buffers[i]))
			continue;
		move.range = (struct weft_range){0, move.object->buffer->bytes};
		weft_object_claim(engine, move.object);
		done = weft_memory_merge(engine, &move, error);
		weft_object_release(engine, move.object);
	}
	return done;
}
