/* SPDX-License-Identifier: MIT
 *
 * Launches: the checks of an NDRange, the size of its groups, and the command with its packed
 * arguments.
 */
#include "commands/launch.h"

#include "alloc.h"
#include "clock.h"
#include "commands/group_size.h"
#include "device/context.h"
#include "device/device.h"
#include "graph/event_graph.h"
#include "memory/mem.h"
#include "overflow.h"
#include "program/late_code.h"

#include <string.h>

static cl_int check_args(cl_kernel kernel)
{
	return weft_kernel_has_all_args(kernel) ? CL_SUCCESS : CL_INVALID_KERNEL_ARGS;
}

/* Fills in the global part. Without a global size, or with a zero in it, nothing runs (5.10). */
static cl_int plan_global(const struct weft_launch_request *request, struct weft_launch_plan *plan)
{
	struct weft_ndrange *range = &plan->range;
	uint64_t end;

	range->work_dim = request->work_dim;
	plan->empty = request->global == NULL;
	for (cl_uint i = 0; i < 3; i++) {
		bool given = i < request->work_dim;

		range->global_offset[i] = given && request->offset ? request->offset[i] : 0;
		range->global_size[i] = given && request->global ? request->global[i] : 1;
		plan->empty = plan->empty || range->global_size[i] == 0;
		if (__builtin_add_overflow(range->global_offset[i], range->global_size[i], &end))
			return CL_INVALID_GLOBAL_OFFSET;
	}
	return CL_SUCCESS;
}

static void choose_local(const struct weft_launch_request *request, struct weft_launch_plan *plan)
{
	const struct weft_kernel_desc *desc = plan->code->desc;
	const struct weft_device_properties *properties =
		weft_device_properties(request->queue->device);
	const struct weft_group_size_request choice = {
		.work_dim = request->work_dim,
		.global = plan->range.global_size,
		.item_max = properties->max_item_sizes,
		.limit = weft_kernel_group_limit(desc, request->queue->device),
		.compute_units = properties->compute_units,
		.lanes = desc->vector_width,
		.uniform = plan->code->uniform,
	};

	if (!desc->reqd_local_size[0]) {
		weft_group_size_choose(&choice, plan->range.local_size);
		return;
	}
	for (int i = 0; i < 3; i++)
		plan->range.local_size[i] = desc->reqd_local_size[i];
}

/* In the order of the table: the whole group before its dimensions. */
static cl_int check_local(const struct weft_launch_request *request,
			  const struct weft_launch_plan *plan)
{
	const struct weft_device_properties *properties =
		weft_device_properties(request->queue->device);
	const struct weft_kernel_desc *desc = plan->code->desc;
	const uint64_t *local = plan->range.local_size;
	size_t items = 1;

	for (int i = 0; i < 3; i++) {
		if (local[i] == 0 || weft_mul_overflows(items, local[i], &items) ||
		    (plan->code->uniform && plan->range.global_size[i] % local[i] != 0) ||
		    (desc->reqd_local_size[0] && local[i] != desc->reqd_local_size[i]))
			return CL_INVALID_WORK_GROUP_SIZE;
	}
	if (items > weft_kernel_group_limit(desc, request->queue->device))
		return CL_INVALID_WORK_GROUP_SIZE;
	for (int i = 0; i < 3; i++) {
		if (local[i] > properties->max_item_sizes[i])
			return CL_INVALID_WORK_ITEM_SIZE;
	}
	return CL_SUCCESS;
}

static cl_int plan_local(const struct weft_launch_request *request, struct weft_launch_plan *plan)
{
	struct weft_ndrange *range = &plan->range;
	size_t groups = 1;

	if (plan->empty)
		return CL_SUCCESS;
	for (cl_uint i = 0; i < 3; i++)
		range->local_size[i] =
			request->local && i < request->work_dim ? request->local[i] : 1;
	if (!request->local)
		choose_local(request, plan);
	cl_int err = check_local(request, plan);
	if (err != CL_SUCCESS)
		return err;
	for (int i = 0; i < 3; i++) {
		uint64_t local = range->local_size[i];

		range->num_groups[i] =
			range->global_size[i] / local + (range->global_size[i] % local != 0);
		if (weft_mul_overflows(groups, range->num_groups[i], &groups))
			return CL_INVALID_GLOBAL_WORK_SIZE;
	}
	return CL_SUCCESS;
}

static cl_int check_alignment(const struct weft_launch_request *request)
{
	for (uint32_t i = 0; i < request->kernel->desc->num_args; i++) {
		const struct weft_kernel_arg *arg = &request->kernel->args[i];

		if (arg->mem && weft_kernel_arg_valid(arg) &&
		    !weft_mem_aligned_for(arg->mem, request->queue->device))
			return CL_MISALIGNED_SUB_BUFFER_OFFSET;
	}
	return CL_SUCCESS;
}

cl_int weft_launch_plan(const struct weft_launch_request *request,
			struct weft_launch_plan *plan_ret)
{
	struct weft_launch_plan plan = {0};

	plan.code = weft_kernel_code(request->kernel, request->queue->device);
	if (!plan.code)
		return CL_INVALID_PROGRAM_EXECUTABLE;
	if (request->kernel->program->context != request->queue->context)
		return CL_INVALID_CONTEXT;
	cl_int err = request->args_later ? CL_SUCCESS : check_args(request->kernel);
	if (err == CL_SUCCESS && (request->work_dim < 1 || request->work_dim > 3))
		err = CL_INVALID_WORK_DIMENSION;
	if (err == CL_SUCCESS)
		err = plan_global(request, &plan);
	if (err == CL_SUCCESS)
		err = plan_local(request, &plan);
	if (err == CL_SUCCESS)
		err = check_alignment(request);
	if (err == CL_SUCCESS)
		*plan_ret = plan;
	return err;
}

/* ---- the command ----------------------------------------------------------------------------- */

void weft_launch_pack(cl_kernel kernel, const struct weft_kernel_desc *desc, unsigned replica,
		      unsigned char *block)
{
	size_t local = desc->local_size;

	memcpy(block, kernel->block, desc->args_size);
	for (uint32_t i = 0; i < desc->num_args; i++) {
		const struct weft_kernel_arg *arg = &kernel->args[i];
		uint32_t kind = desc->args[i].kind;
		uint64_t word = 0;

		if (kind == WEFT_ARG_LOCAL) {
			/* No overflow: weft_kernel_local_bytes has added them up. */
			word = (local + WEFT_KERNEL_ALIGNMENT - 1) &
			       ~(uint64_t)(WEFT_KERNEL_ALIGNMENT - 1);
			local = word + arg->local_size;
		} else if (kind == WEFT_ARG_GLOBAL || kind == WEFT_ARG_CONSTANT) {
			word = arg->mem ? (uintptr_t)weft_mem_address(arg->mem, replica) : 0;
		} else {
			continue;
		}
		memcpy(block + desc->args[i].offset, &word, sizeof(word));
	}
}

/* The kernel, and the memory objects among its arguments. */
static cl_int hold_all(cl_event event, cl_kernel kernel, const struct weft_kernel_desc *desc)
{
	cl_int err = weft_event_hold(event, &kernel->base);

	for (uint32_t i = 0; i < desc->num_args && err == CL_SUCCESS; i++) {
		const struct weft_kernel_arg *arg = &kernel->args[i];

		if (arg->mem)
			err = weft_event_hold_live(event, &arg->mem->base, arg->serial);
	}
	return err;
}

/* What the kernel does with a buffer: the compiler's analysis, and what the buffer's flags promise. */
static uint32_t access_of(const struct weft_arg_desc *desc, cl_mem mem)
{
	if (desc->kind == WEFT_ARG_CONSTANT || (mem->flags & CL_MEM_READ_ONLY))
		return desc->access & ~(uint32_t)WEFT_POINTER_WRITTEN;
	return desc->access;
}

static void note_buffer(struct weft_footprint *footprint, const struct weft_arg_desc *desc,
			cl_mem mem)
{
	uint32_t access = access_of(desc, mem);

	if (desc->access & WEFT_POINTER_ESCAPES)
		footprint->unknown = true;
	else if (access)
		weft_footprint_add(footprint, mem, 0, mem->size, access & WEFT_POINTER_WRITTEN);
}

/* A kernel that prints, or finds its way to memory by other ways than its arguments, may touch anything. */
void weft_launch_note(cl_kernel kernel, const struct weft_kernel_desc *desc,
		      struct weft_footprint *footprint)
{
	weft_footprint_init(footprint);
	footprint->unknown = desc->flags & (WEFT_KERNEL_PRINTS | WEFT_KERNEL_TOUCHES_OTHER_MEMORY);
	for (uint32_t i = 0; i < desc->num_args && !footprint->unknown; i++) {
		if (kernel->args[i].mem)
			note_buffer(footprint, &desc->args[i], kernel->args[i].mem);
	}
}

/* A pointer that escapes may be read and written through by other ways than the argument. */
static enum weft_use_kind use_kind(const struct weft_kernel_desc *desc, uint32_t access)
{
	if ((access & (WEFT_POINTER_WRITTEN | WEFT_POINTER_ESCAPES)) ||
	    (desc->flags & WEFT_KERNEL_TOUCHES_OTHER_MEMORY))
		return WEFT_USE_WRITE;
	return access & WEFT_POINTER_READ ? WEFT_USE_READ : WEFT_USE_NAME;
}

bool weft_launch_use(cl_kernel kernel, const struct weft_kernel_desc *desc, uint32_t arg,
		     struct weft_use *use)
{
	cl_mem mem = kernel->args[arg].mem;

	if (!mem)
		return false;
	*use = (struct weft_use){mem, 0, mem->size,
				 use_kind(desc, access_of(&desc->args[arg], mem))};
	return true;
}

static cl_int migrate_for_args(cl_event event, cl_kernel kernel,
			       const struct weft_kernel_desc *desc)
{
	struct weft_use use;
	cl_int err = CL_SUCCESS;

	for (uint32_t i = 0; i < desc->num_args && err == CL_SUCCESS; i++) {
		if (weft_launch_use(kernel, desc, i, &use))
			err = weft_migration_add(event, event->queue->locus.replica, &use);
	}
	return err;
}

/* Whether the threads that run the command at once would take more memory than the device has: then it is
 * better not to begin, for a system that overcommits would end the process. */
static bool takes_too_much(const struct weft_launch_plan *plan, const struct weft_kernel_desc *desc,
			   size_t local_bytes, const struct weft_device_properties *properties)
{
	const struct weft_ndrange *range = &plan->range;
	size_t items = range->local_size[0] * range->local_size[1] * range->local_size[2];
	size_t threads = range->num_groups[0] * range->num_groups[1] * range->num_groups[2];
	size_t bytes;

	if (threads > properties->compute_units)
		threads = properties->compute_units;
	return weft_mul_overflows(items, desc->spill_per_item, &bytes) ||
	       weft_add_overflows(bytes, desc->scratch_size, &bytes) ||
	       weft_add_overflows(bytes, local_bytes, &bytes) ||
	       weft_mul_overflows(bytes, threads, &bytes) || bytes > properties->global_memory;
}

static void note_time(cl_event event, enum weft_status status)
{
	uint64_t start =
		atomic_load_explicit(&event->times[WEFT_EVENT_START], memory_order_relaxed);

	if (status == WEFT_OK)
		weft_specialisation_ran(event->specialisation, weft_clock_now() - start);
}

/* The kernel's specialisation for this size, when it is made; until then its own code, timed now and then. */
static struct weft_specialisation_code choose_code(cl_event event,
						   const struct weft_launch_plan *plan)
{
	const struct weft_kernel_code *code = plan->code;
	struct weft_specialisation *specialisation =
		weft_specialisations_find(code->specialisations, code->desc, &plan->range);
	const struct weft_specialisation_code *made =
		specialisation ? weft_specialisation_code(specialisation) : NULL;

	if (made)
		return *made;
	if (specialisation && weft_specialisation_count(specialisation)) {
		event->timed = true;
		event->specialisation = specialisation;
		event->on_end = note_time;
	}
	if (code->unit) {
		weft_late_unit_want(code->unit);
		event->code = weft_late_unit_code(code->unit);
	}
	return (struct weft_specialisation_code){code->module, code->desc};
}

cl_int weft_launch_describe(cl_device_id device, cl_kernel kernel,
			    const struct weft_launch_plan *plan,
			    const struct weft_specialisation_code *code, struct weft_launch *launch)
{
	const struct weft_kernel_desc *desc = code->desc;
	const struct weft_device_properties *properties = weft_device_properties(device);
	size_t local_bytes = weft_kernel_local_bytes(kernel, desc);

	if (local_bytes > properties->local_memory ||
	    takes_too_much(plan, desc, local_bytes, properties))
		return CL_OUT_OF_RESOURCES;
	*launch = (struct weft_launch){
		.module = code->module,
		.kernel = desc,
		.range = plan->range,
		.local_bytes = local_bytes,
	};
	return CL_SUCCESS;
}

static cl_int fill_command(cl_event event, cl_kernel kernel, const struct weft_launch_plan *plan)
{
	const struct weft_specialisation_code code = choose_code(event, plan);
	struct weft_launch *launch = &event->command.launch;

	cl_int err = weft_launch_describe(event->queue->device, kernel, plan, &code, launch);
	if (err != CL_SUCCESS)
		return err;
	unsigned char *args = weft_event_block(event, code.desc->args_size);
	if (!args)
		return CL_OUT_OF_HOST_MEMORY;
	err = hold_all(event, kernel, code.desc);
	if (err == CL_SUCCESS && event->context->num_memories)
		err = migrate_for_args(event, kernel, code.desc);
	if (err != CL_SUCCESS)
		return err;
	weft_launch_pack(kernel, code.desc, event->queue->locus.replica, args);
	launch->args = args;
	event->command.op = WEFT_OP_NDRANGE;
	return CL_SUCCESS;
}

cl_int weft_launch_enqueue(const struct weft_enqueue *enqueue, cl_kernel kernel,
			   const struct weft_launch_plan *plan, cl_event *application_event)
{
	struct weft_footprint footprint;
	cl_event event;

	cl_int err = weft_event_create(enqueue, &event);
	if (err != CL_SUCCESS)
		return err;
	weft_footprint_init(&footprint);
	if (!plan->empty) {
		err = fill_command(event, kernel, plan); /* holds the memory objects */
		if (err == CL_SUCCESS)
			weft_launch_note(kernel, plan->code->desc, &footprint);
	}
	if (err != CL_SUCCESS) {
		weft_event_abandon(event);
		return err;
	}
	return weft_event_submit(event, &footprint, false, application_event);
}

/* ---- native kernels -------------------------------------------------------------------------- */

/* A native function may do anything with it, on the host. */
static cl_int hold_native(cl_event event, cl_mem mem)
{
	const struct weft_use use = {mem, 0, mem->size, WEFT_USE_WRITE};
	cl_int err = weft_event_hold(event, &mem->base);

	return err == CL_SUCCESS ? weft_migration_use(event, 0, &use) : err;
}

static cl_int fill_native(cl_event event, const struct weft_native_request *request)
{
	cl_int err = CL_SUCCESS;

	char *args = NULL;

	if (request->size) {
		args = weft_event_block(event, request->size);
		if (!args)
			return CL_OUT_OF_HOST_MEMORY;
		memcpy(args, request->args, request->size);
	}
	for (cl_uint i = 0; i < request->num_mems && err == CL_SUCCESS; i++) {
		size_t place =
			(size_t)((const char *)request->locations[i] - (const char *)request->args);
		cl_mem mem = request->mems[i];
		void *address = mem ? mem->address : NULL;

		memcpy(args + place, &address, sizeof(address));
		if (mem)
			err = hold_native(event, mem);
	}
	event->command.op = WEFT_OP_NATIVE;
	event->command.native = (struct weft_native){request->function, args};
	return err;
}

cl_int weft_launch_native(const struct weft_enqueue *enqueue,
			  const struct weft_native_request *request, cl_event *application_event)
{
	cl_event event;

	cl_int err = weft_event_create(enqueue, &event);
	if (err != CL_SUCCESS)
		return err;
	err = fill_native(event, request);
	if (err != CL_SUCCESS) {
		weft_event_abandon(event);
		return err;
	}
	return weft_event_submit(event, NULL, false, application_event);
}
