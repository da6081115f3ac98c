/* SPDX-License-Identifier: MIT
 *
 * Recorded commands: one block each, which holds ranges, objects, uses and packed arguments.
 */
#include "command_buffer/recorded_command.h"

#include "alloc.h"
#include "device/context.h"
#include "program/late_code.h"
#include "program/specialisations.h"

#include <string.h>

struct layout {
	const struct weft_footprint *footprint; /* or NULL */
	uint32_t num_objects;
	uint32_t most_uses;
	size_t args_size; /* bytes of packed arguments */
};

static size_t aligned(size_t size)
{
	return (size + WEFT_KERNEL_ALIGNMENT - 1) & ~(size_t)(WEFT_KERNEL_ALIGNMENT - 1);
}

/* Ranges of the application's memory follow from the buffers' ranges, and may change. */
static void keep_ranges(struct weft_recorded_command *recorded,
			const struct weft_footprint *footprint)
{
	recorded->unknown = footprint->unknown;
	for (unsigned i = 0; i < footprint->count; i++) {
		if (footprint->ranges[i].space)
			recorded->ranges[recorded->num_ranges++] = footprint->ranges[i];
	}
}

/* `args`, if not NULL, becomes where the packed arguments go. No overflow: what is counted here exists elsewhere. */
static struct weft_recorded_command *allocate(const struct layout *layout, unsigned char **args)
{
	unsigned num_ranges = layout->footprint ? layout->footprint->count : 0;
	size_t head = aligned(sizeof(struct weft_recorded_command) +
			      num_ranges * sizeof(struct weft_range) +
			      layout->num_objects * sizeof(struct weft_object *) +
			      layout->most_uses * sizeof(struct weft_use));
	struct weft_recorded_command *recorded =
		weft_alloc_aligned(WEFT_KERNEL_ALIGNMENT, head + aligned(layout->args_size));

	if (!recorded)
		return NULL;
	memset(recorded, 0, head);
	weft_refcount_init(&recorded->refs, 1);
	recorded->command.op = WEFT_OP_NOTHING;
	recorded->ranges = (struct weft_range *)(recorded + 1);
	recorded->objects = (struct weft_object **)(recorded->ranges + num_ranges);
	recorded->uses = (struct weft_use *)(recorded->objects + layout->num_objects);
	recorded->num_objects = layout->num_objects;
	if (layout->footprint)
		keep_ranges(recorded, layout->footprint);
	if (args)
		*args = (unsigned char *)recorded + head;
	return recorded;
}

static void keep(struct weft_recorded_command *recorded, uint32_t place, struct weft_object *object)
{
	weft_object_get(object);
	recorded->objects[place] = object;
}

void weft_recorded_command_put(struct weft_recorded_command *recorded)
{
	if (!recorded || !weft_refcount_put(&recorded->refs))
		return;
	for (uint32_t i = 0; i < recorded->num_objects; i++)
		weft_object_put(recorded->objects[i]);
	weft_free(recorded);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

cl_int weft_recorded_command_create_order(struct weft_recorded_command **recorded)
{
	const struct layout layout = {0};

	*recorded = allocate(&layout, NULL);
	return *recorded ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/* For a command buffer of the queue; its replica is there afterwards, as the command needs its address. */
static cl_int keep_use(struct weft_recorded_command *recorded, cl_command_queue queue,
		       const struct weft_use *use)
{
	if (!queue->context->num_memories)
		return CL_SUCCESS;
	recorded->uses[recorded->num_uses++] = *use;
	return weft_replica_allocate(use->mem, queue->locus.replica);
}

cl_int weft_recorded_command_create_copy(cl_command_queue queue, const struct weft_mem_copy *copy,
					 struct weft_recorded_command **recorded_ret)
{
	struct weft_footprint footprint;
	const struct layout layout = {.footprint = &footprint, .num_objects = 2, .most_uses = 2};
	struct weft_use uses[2];
	const unsigned num_uses = weft_mem_uses_of_copy(copy, uses);
	cl_int err = CL_SUCCESS;

	weft_mem_note_copy(copy, &footprint);
	struct weft_recorded_command *recorded = allocate(&layout, NULL);
	if (!recorded)
		return CL_OUT_OF_HOST_MEMORY;
	keep(recorded, 0, &copy->source.mem->base);
	keep(recorded, 1, &copy->destination.mem->base);
	for (unsigned i = 0; i < num_uses && err == CL_SUCCESS; i++)
		err = keep_use(recorded, queue, &uses[i]);
	if (err != CL_SUCCESS) {
		weft_recorded_command_put(recorded);
		return err;
	}
	weft_mem_fill_in_copy(copy, &queue->locus, &recorded->command);
	*recorded_ret = recorded;
	return CL_SUCCESS;
}

cl_int weft_recorded_command_create_fill(cl_command_queue queue, const struct weft_mem_fill *fill,
					 struct weft_recorded_command **recorded_ret)
{
	struct weft_footprint footprint;
	const struct layout layout = {.footprint = &footprint, .num_objects = 1, .most_uses = 1};
	const struct weft_use use = weft_mem_use_of_fill(fill);

	weft_mem_note_fill(fill, &footprint);
	struct weft_recorded_command *recorded = allocate(&layout, NULL);
	if (!recorded)
		return CL_OUT_OF_HOST_MEMORY;
	keep(recorded, 0, &fill->mem->base);
	cl_int err = keep_use(recorded, queue, &use);
	if (err != CL_SUCCESS) {
		weft_recorded_command_put(recorded);
		return err;
	}
	weft_mem_fill_in_fill(fill, &queue->locus, &recorded->command);
	*recorded_ret = recorded;
	return CL_SUCCESS;
}

/* The memory objects among the kernel's arguments. */
static cl_int keep_args(struct weft_recorded_command *recorded, cl_command_queue queue,
			cl_kernel kernel, const struct weft_kernel_desc *desc)
{
	struct weft_use use;
	cl_int err = CL_SUCCESS;

	for (uint32_t i = 0; i < desc->num_args && err == CL_SUCCESS; i++) {
		if (!weft_launch_use(kernel, desc, i, &use))
			continue;
		keep(recorded, i, &use.mem->base);
		err = keep_use(recorded, queue, &use);
	}
	return err;
}

cl_int weft_recorded_command_create_launch(cl_command_queue queue, cl_kernel kernel,
					   const struct weft_launch_plan *plan,
					   struct weft_recorded_command **recorded_ret)
{
	const struct weft_kernel_desc *desc = plan->code->desc;
	const struct weft_specialisation_code code = {plan->code->module, desc};
	struct weft_footprint footprint;
	const struct layout layout = {&footprint, desc->num_args + 1,
				      queue->context->num_memories ? desc->num_args : 0,
				      desc->args_size};
	struct weft_launch launch;
	unsigned char *args;

	if (plan->empty)
		return weft_recorded_command_create_order(recorded_ret);
	cl_int err = weft_launch_describe(queue->device, kernel, plan, &code, &launch);
	if (err != CL_SUCCESS)
		return err;
	weft_launch_note(kernel, desc, &footprint);
	struct weft_recorded_command *recorded = allocate(&layout, &args);
	if (!recorded)
		return CL_OUT_OF_HOST_MEMORY;
	keep(recorded, desc->num_args, &kernel->base);
	err = keep_args(recorded, queue, kernel, desc);
	if (err != CL_SUCCESS) {
		weft_recorded_command_put(recorded);
		return err;
	}
	weft_launch_pack(kernel, desc, queue->locus.replica, args);
	launch.args = args;
	recorded->command.op = WEFT_OP_NDRANGE;
	recorded->command.launch = launch;
	recorded->unit = plan->code->unit;
	if (recorded->unit)
		weft_late_unit_want(recorded->unit);
	recorded->specialisation =
		weft_specialisations_find(plan->code->specialisations, desc, &plan->range);
	*recorded_ret = recorded;
	return CL_SUCCESS;
}

/* ---- what is done to memory ------------------------------------------------------------------ */

void weft_recorded_command_note(const struct weft_recorded_command *recorded,
				struct weft_footprint *footprint)
{
	if (recorded->unknown)
		footprint->unknown = true;
	for (uint32_t i = 0; i < recorded->num_ranges && !footprint->unknown; i++)
		weft_footprint_add_range(footprint, &recorded->ranges[i]);
}

static bool same_range(const struct weft_range *a, const struct weft_range *b)
{
	return a->space == b->space && a->begin == b->begin && a->end == b->end &&
	       a->writes == b->writes;
}

bool weft_recorded_command_same_data(const struct weft_recorded_command *a,
				     const struct weft_recorded_command *b)
{
	if (a->unknown != b->unknown || a->num_ranges != b->num_ranges)
		return false;
	for (uint32_t i = 0; i < a->num_ranges; i++) {
		if (!same_range(&a->ranges[i], &b->ranges[i]))
			return false;
	}
	return true;
}
