/* SPDX-License-Identifier: MIT
 *
 * Recorded commands: one block each, which holds accesses, objects and packed arguments.
 */
#include "command_buffer/recorded_command.h"

#include "alloc.h"
#include "commands/svm_command.h"
#include "memory/allocation.h"
#include "memory/replica.h"
#include "program/deferred_codegen.h"
#include "program/specialisations.h"

#include <string.h>

struct layout {
	uint32_t most_accesses;
	uint32_t most_objects;
	size_t args_size; /* bytes of packed arguments, or of a fill's pattern */
	size_t desc_size; /* bytes of what it is recorded from, if that is kept */
};

static size_t aligned(size_t size)
{
	return (size + WEFT_KERNEL_ALIGNMENT - 1) & ~(size_t)(WEFT_KERNEL_ALIGNMENT - 1);
}

/* `args`, if not NULL, becomes where the packed arguments, or the pattern, go. No overflow: what is counted here exists elsewhere. */
static struct weft_recorded_command *allocate(const struct layout *layout, unsigned char **args)
{
	size_t head =
		aligned(sizeof(struct weft_recorded_command) +
			layout->most_accesses * sizeof(struct weft_access) +
			layout->most_objects * sizeof(struct weft_object *) + layout->desc_size);
	struct weft_recorded_command *recorded =
		weft_alloc_aligned(WEFT_KERNEL_ALIGNMENT, head + aligned(layout->args_size));

	if (!recorded)
		return NULL;
	memset(recorded, 0, head);
	weft_refcount_init(&recorded->refs, 1);
	recorded->command.op = WEFT_OP_NOTHING;
	recorded->accesses.items = (struct weft_access *)(recorded + 1);
	recorded->objects =
		(struct weft_object **)(recorded->accesses.items + layout->most_accesses);
	if (args)
		*args = (unsigned char *)recorded + head;
	return recorded;
}

static void keep_accesses(struct weft_recorded_command *recorded,
			  const struct weft_access_builder *builder)
{
	struct weft_access *items = recorded->accesses.items;

	recorded->accesses = builder->list;
	recorded->accesses.items = items;
	memcpy(items, builder->list.items, builder->list.count * sizeof(*items));
}

void weft_recorded_command_put(struct weft_recorded_command *recorded)
{
	if (!recorded || !weft_refcount_put(&recorded->refs))
		return;
	for (uint32_t i = 0; i < recorded->num_objects; i++)
		weft_object_put(recorded->objects[i]);
	weft_specialisation_put(recorded->specialisations.any_size);
	weft_specialisation_put(recorded->specialisations.sized);
	weft_free(recorded);
}

/* The recorded command is the caller's, or with an error, it is gone. */
static cl_int finish(struct weft_recorded_command *recorded, cl_int err,
		     struct weft_recorded_command **recorded_ret)
{
	if (err == CL_SUCCESS)
		*recorded_ret = recorded;
	else
		weft_recorded_command_put(recorded);
	return err;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

cl_int weft_recorded_command_create_order(struct weft_recorded_command **recorded)
{
	const struct layout layout = {0};

	*recorded = allocate(&layout, NULL);
	return *recorded ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static cl_int use_place(cl_command_queue queue, const struct weft_mem_place *place,
			struct weft_recorded_command *recorded)
{
	cl_mem allocation = place->mem ? NULL : weft_allocation_get(place->host);

	if (place->mem)
		weft_object_get(&place->mem->base);
	if (place->mem || allocation)
		recorded->objects[recorded->num_objects++] =
			place->mem ? &place->mem->base : &allocation->base;
	if (place->mem)
		return weft_mem_allocate(place->mem, queue->locus.replica);
	return allocation && weft_allocation_moves_in(allocation, queue->context)
		       ? weft_mem_allocate(allocation, queue->locus.replica)
		       : CL_SUCCESS;
}

/* A copy or a fill, of a command buffer of the queue. The buffers' replicas are there afterwards, as the command needs
 * their addresses. */
static cl_int use_places(cl_command_queue queue, uint32_t count,
			 const struct weft_mem_place *const *places,
			 const struct weft_access_builder *accesses,
			 struct weft_recorded_command *recorded)
{
	cl_int err = CL_SUCCESS;

	if (!recorded)
		return CL_OUT_OF_HOST_MEMORY;
	keep_accesses(recorded, accesses);
	for (uint32_t i = 0; i < count && err == CL_SUCCESS; i++)
		err = use_place(queue, places[i], recorded);
	return err;
}

/* The desc is looked at again when the command is recorded for another device. */
static size_t kept_size(cl_command_queue queue, size_t size)
{
	return queue->context->num_devices > 1 ? size : 0;
}

/* Behind the objects. NULL: it is not kept. */
static void *keep_desc(struct weft_recorded_command *recorded, const struct layout *layout,
		       const void *desc)
{
	return layout->desc_size
		       ? memcpy(recorded->objects + layout->most_objects, desc, layout->desc_size)
		       : NULL;
}

cl_int weft_recorded_command_create_copy(cl_command_queue queue, const struct weft_mem_copy *copy,
					 struct weft_recorded_command **recorded_ret)
{
	const struct weft_mem_place *const places[] = {&copy->source, &copy->destination};
	const struct layout layout = {
		.most_accesses = 2,
		.most_objects = 2,
		.desc_size = kept_size(queue, sizeof(*copy)),
	};
	struct weft_recorded_command *recorded = allocate(&layout, NULL);
	struct weft_access_builder accesses;

	weft_access_builder_init(&accesses, queue->context);
	weft_mem_copy_accesses(copy, &accesses);
	cl_int err = use_places(queue, 2, places, &accesses, recorded);
	if (err == CL_SUCCESS) {
		weft_mem_fill_in_copy(copy, &queue->locus, &recorded->command);
		recorded->copy = keep_desc(recorded, &layout, copy);
	}
	return finish(recorded, err, recorded_ret);
}

cl_int weft_recorded_command_create_fill(cl_command_queue queue, const struct weft_mem_fill *fill,
					 struct weft_recorded_command **recorded_ret)
{
	const struct layout layout = {1, 1, fill->pattern_size, kept_size(queue, sizeof(*fill))};
	struct weft_mem_fill *kept;
	const struct weft_mem_place *const place = &fill->destination;
	unsigned char *pattern = NULL;
	struct weft_recorded_command *recorded = allocate(&layout, &pattern);
	struct weft_access_builder accesses;

	weft_access_builder_init(&accesses, queue->context);
	weft_mem_fill_accesses(fill, &accesses);
	cl_int err = use_places(queue, 1, &place, &accesses, recorded);
	if (err == CL_SUCCESS) {
		weft_mem_fill_in_fill(fill, &queue->locus, pattern, &recorded->command);
		kept = keep_desc(recorded, &layout, fill);
		if (kept)
			kept->pattern = pattern;
		recorded->fill = kept;
	}
	return finish(recorded, err, recorded_ret);
}

static cl_int bind(cl_command_queue queue, cl_kernel kernel, const struct weft_launch_plan *plan,
		   unsigned char *args, struct weft_recorded_command *recorded)
{
	const struct weft_specialisation_code code = {plan->code->module, plan->code->desc};
	struct weft_access_builder accesses;
	struct weft_launch_binding binding = {
		.kernel = kernel,
		.queue = queue,
		.args = args,
		.objects = recorded->objects,
		.accesses = &accesses,
	};

	weft_access_builder_init(&accesses, queue->context);
	cl_int err = weft_launch_bind(plan, &code, &binding, &recorded->command.launch);
	recorded->num_objects = binding.num_objects;
	if (err == CL_SUCCESS && accesses.list.truncated)
		err = CL_OUT_OF_HOST_MEMORY;
	if (err == CL_SUCCESS && !plan->empty)
		keep_accesses(recorded, &accesses);
	weft_access_builder_destroy(&accesses);
	return err;
}

cl_int weft_recorded_command_create_launch(cl_command_queue queue, cl_kernel kernel,
					   const struct weft_launch_plan *plan,
					   struct weft_recorded_command **recorded_ret)
{
	const struct weft_kernel_desc *desc = plan->code->desc;
	const uint32_t most = (uint32_t)weft_kernel_most_mems(kernel);
	const struct layout layout = {most, most + 1, desc->args_size, 0};
	unsigned char *args;

	struct weft_recorded_command *recorded = allocate(&layout, &args);
	if (!recorded)
		return CL_OUT_OF_HOST_MEMORY;
	cl_int err = finish(recorded, bind(queue, kernel, plan, args, recorded), recorded_ret);
	if (err != CL_SUCCESS || plan->empty)
		return err;
	recorded->command.op = WEFT_OP_NDRANGE;
	recorded->uniform = plan->code->uniform;
	recorded->unit = plan->code->unit;
	if (recorded->unit)
		weft_codegen_unit_want(recorded->unit);
	const struct weft_specialised_launch launch = {desc, &plan->range, args};
	recorded->specialisations = weft_specialisations_find(plan->code->specialisations, &launch);
	return CL_SUCCESS;
}

/* ---- for another queue ----------------------------------------------------------------------- */

static cl_int check_place(cl_command_queue queue, const struct weft_mem_place *place)
{
	return place->mem ? weft_mem_check_alignment(queue, place->mem)
			  : weft_svm_check_queue(queue);
}

static cl_int retarget_fill(const struct weft_mem_fill *fill, cl_command_queue queue,
			    struct weft_recorded_command **result)
{
	const struct weft_mem_place *place = &fill->destination;

	cl_int err = check_place(queue, place);
	if (err == CL_SUCCESS && !place->mem)
		err = weft_svm_check_range(queue, place->host, fill->region[0]);
	return err == CL_SUCCESS ? weft_recorded_command_create_fill(queue, fill, result) : err;
}

cl_int weft_recorded_command_retarget(const struct weft_recorded_command *recorded,
				      cl_command_queue queue, struct weft_recorded_command **result)
{
	const struct weft_mem_copy *copy = recorded->copy;

	if (recorded->fill)
		return retarget_fill(recorded->fill, queue, result);
	if (!copy)
		return weft_recorded_command_create_order(result);
	cl_int err = check_place(queue, &copy->source);
	if (err == CL_SUCCESS)
		err = check_place(queue, &copy->destination);
	return err == CL_SUCCESS ? weft_recorded_command_create_copy(queue, copy, result) : err;
}
