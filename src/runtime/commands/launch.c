/* SPDX-License-Identifier: MIT
 *
 * Launches: the checks of arguments, and the command with its packed arguments.
 */
#include "commands/launch.h"

#include "alloc.h"
#include "commands/new_command.h"
#include "device/context.h"
#include "device/device.h"
#include "device_enqueue/parent.h"
#include "device_enqueue/requests.h"
#include "graph/event.h"
#include "log.h"
#include "memory/allocation.h"
#include "overflow.h"
#include "program/deferred_codegen.h"
#include "program/launch_range.h"

#include <stdio.h>
#include <string.h>

/* Of the arguments that are set. */
struct found_arguments {
	bool misaligned; /* a sub-buffer for another device */
	bool addresses;
};

/* Whether all arguments are set, unless they may be later. */
static cl_int check_args(const struct weft_launch_request *request, struct found_arguments *found)
{
	*found = (struct found_arguments){false, false};
	for (uint32_t i = 0; i < request->kernel->desc->num_args; i++) {
		const struct weft_kernel_arg *arg = &request->kernel->args[i];
		bool valid = weft_kernel_arg_valid(arg);

		if (!valid && !request->args_later)
			return CL_INVALID_KERNEL_ARGS;
		if (valid && arg->mem && !weft_mem_aligned_for(arg->mem, request->queue->device))
			found->misaligned = true;
		found->addresses = found->addresses || (valid && arg->by_address);
	}
	return CL_SUCCESS;
}

static cl_int plan_range(const struct weft_launch_request *request, struct weft_launch_plan *plan)
{
	const struct weft_range_request asked = {
		.desc = plan->code->desc,
		.device = request->queue->device,
		.uniform = plan->code->uniform,
		.work_dim = request->work_dim,
		.offset = request->offset,
		.global = request->global,
		.local = request->local,
	};

	return weft_range_plan(&asked, &plan->range, &plan->empty);
}

/* Whether the application has registered what the kernel may call. */
static cl_int check_host_functions(const struct weft_launch_request *request,
				   const struct weft_kernel_desc *desc)
{
	cl_context context = request->queue->context;
	bool other_sizes = false;
	char message[160];

	if (!(desc->flags & WEFT_KERNEL_CALLS_HOST))
		return CL_SUCCESS;
	const struct weft_host_function_desc *missing =
		weft_host_functions_missing(&context->host_functions, desc, &other_sizes);
	if (!missing)
		return CL_SUCCESS;
	snprintf(message, sizeof(message), "host function '%.80s' is %s", missing->name,
		 other_sizes ? "registered with other sizes" : "not registered");
	weft_log(WEFT_LOG_WARN, "runtime", "%s", message);
	weft_context_report(context, message);
	return CL_INVALID_KERNEL;
}

cl_int weft_launch_plan(const struct weft_launch_request *request,
			struct weft_launch_plan *plan_ret)
{
	struct weft_launch_plan plan; /* not zeroed: GCC has a slow loop for that */
	struct found_arguments found;

	plan.code = weft_kernel_code(request->kernel, request->queue->device);
	if (!plan.code)
		return CL_INVALID_PROGRAM_EXECUTABLE;
	if (request->kernel->program->context != request->queue->context)
		return CL_INVALID_CONTEXT;
	cl_int err = check_args(request, &found);
	if (err == CL_SUCCESS)
		err = weft_kernel_describe(request->kernel, plan.code);
	if (err == CL_SUCCESS)
		err = check_host_functions(request, plan.code->desc);
	if (err == CL_SUCCESS)
		err = plan_range(request, &plan);
	if (err == CL_SUCCESS && found.misaligned)
		err = CL_MISALIGNED_SUB_BUFFER_OFFSET;
	/* "if SVM pointers are passed as arguments to a kernel and the device does not support SVM, or if system pointers …" */
	if (err == CL_SUCCESS && found.addresses && !weft_device_offers_svm(request->queue->device))
		err = CL_INVALID_OPERATION;
	if (err == CL_SUCCESS)
		*plan_ret = plan;
	return err;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The bytes to which a bound argument leads: none where `begin` is `end`. */
struct reach {
	uint64_t begin, end; /* addresses */
};

static struct reach reach_of(const struct weft_launch_binding *binding,
			     const struct weft_kernel_desc *desc, uint32_t i)
{
	const struct weft_arg_desc *arg = &desc->args[i];
	const cl_mem mem = binding->kernel->args[i].mem;
	uint64_t address = 0;

	if (weft_arg_is_memory_pointer(arg) || arg->kind == WEFT_ARG_IMAGE ||
	    arg->kind == WEFT_ARG_PIPE)
		memcpy(&address, binding->args + arg->offset, sizeof(address));
	if (!address)
		return (struct reach){0, 0};
	if (mem)
		return (struct reach){address, address + mem->size};
	/* A pointer of the application's own leads anywhere in its allocation, also to what lies before it. */
	const cl_mem allocation = weft_allocation_find((const void *)(uintptr_t)address);
	if (!allocation)
		return (struct reach){0, UINT64_MAX};
	address = (uintptr_t)allocation->address;
	return (struct reach){address, address + allocation->size};
}

/* Whether what the kernel writes through an argument is in no memory to which another argument leads. */
static bool are_apart(const struct weft_launch_binding *binding,
		      const struct weft_kernel_desc *desc)
{
	const uint32_t writes = WEFT_POINTER_WRITTEN | WEFT_POINTER_ESCAPES;

	for (uint32_t i = 0; i < desc->num_args; i++) {
		const struct reach one = reach_of(binding, desc, i);

		for (uint32_t j = 0; j < i && one.begin < one.end; j++) {
			const struct reach other = reach_of(binding, desc, j);
			const bool written = (desc->args[i].access | desc->args[j].access) & writes;

			if (written && one.begin < other.end && other.begin < one.end)
				return false;
		}
	}
	return true;
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

/* Room for the launch's objects. The references of the choice become the event's. NULL: no memory. */
static struct weft_held *hold_choice(cl_event event, size_t most,
				     const struct weft_specialisation_choice *choice)
{
	const uint32_t chosen = (choice->code ? 1u : 0u) + (choice->better ? 1u : 0u);
	struct weft_held *held = weft_event_hold_more(event, (uint32_t)most + chosen);

	if (!held) {
		weft_specialisation_put(choice->code);
		weft_specialisation_put(choice->better);
		return NULL;
	}
	if (choice->code)
		held->objects[held->count++] = &choice->code->base;
	if (choice->better)
		held->objects[held->count++] = &choice->better->base;
	return held;
}

/* What the launch runs: a specialisation, if there is one; else the kernel's own code, which may have yet to be made. */
static struct weft_specialisation_code choose_code(cl_event event,
						   const struct weft_launch_plan *plan,
						   const struct weft_specialisation_choice *choice)
{
	const struct weft_kernel_code *code = plan->code;

	if (choice->code)
		return *choice->part.code;
	if (code->unit) {
		weft_codegen_unit_want(code->unit);
		event->code = weft_codegen_unit_code(code->unit);
	}
	return (struct weft_specialisation_code){code->module, code->desc};
}

cl_int weft_launch_bind(const struct weft_launch_plan *plan,
			const struct weft_specialisation_code *code,
			struct weft_launch_binding *binding, struct weft_launch *launch)
{
	const struct weft_device_properties *properties =
		weft_device_properties(binding->queue->device);
	size_t local_bytes = code->desc->local_size;

	weft_object_get(&binding->kernel->base);
	binding->objects[0] = &binding->kernel->base;
	binding->num_objects = 1;
	cl_int err = weft_launch_bind_arguments(plan->code, binding, &local_bytes);
	if (err != CL_SUCCESS)
		return err;
	if (!plan->empty && (local_bytes > properties->local_memory ||
			     takes_too_much(plan, code->desc, local_bytes, properties)))
		return CL_OUT_OF_RESOURCES;
	/* Field by field, as in weft_launch_plan. */
	launch->module = code->module;
	launch->kernel = code->desc;
	launch->range = plan->range;
	launch->args = binding->args;
	launch->local_bytes = local_bytes;
	launch->zero_local = local_bytes > 0 && binding->queue->context->initialize &
							CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR;
	launch->replacement = NULL;
	launch->timed = false;
	launch->enqueuer = NULL;
	launch->context = &binding->queue->context->host_functions.launches;
	if (code->desc->flags & WEFT_KERNEL_ASKS_APART)
		launch->range.apart = are_apart(binding, plan->code->desc);
	return CL_SUCCESS;
}

/* Of a kernel that enqueues kernels. */
static cl_int begin_family(cl_event event, const struct weft_kernel_desc *desc, bool uniform)
{
	return desc->flags & WEFT_KERNEL_ENQUEUES
		       ? weft_parent_begin_family(event, &weft_enqueue_requests, uniform)
		       : CL_SUCCESS;
}

static cl_int fill_command(struct weft_new_command *command, cl_kernel kernel,
			   const struct weft_launch_plan *plan)
{
	cl_event event = command->event;
	const struct weft_specialised_launch launch = {plan->code->desc, &plan->range,
						       kernel->block};
	const struct weft_specialisation_choice choice =
		weft_specialisations_choose(plan->code->specialisations, &launch);
	struct weft_held *held = hold_choice(event, weft_kernel_most_mems(kernel) + 1, &choice);
	unsigned char *args = weft_event_block(event, plan->code->desc->args_size);

	if (!held || !args)
		return CL_OUT_OF_HOST_MEMORY;
	struct weft_launch_binding binding = {
		.kernel = kernel,
		.queue = event->queue,
		.args = args,
		.objects = held->objects + held->count,
		.accesses = &command->accesses,
	};
	const struct weft_specialisation_code code = choose_code(event, plan, &choice);
	cl_int err = weft_launch_bind(plan, &code, &binding, &event->command.launch);
	held->count += binding.num_objects;
	if (err != CL_SUCCESS)
		return err;
	weft_specialisation_choice_replace(&choice, &event->command.launch);
	event->command.op = WEFT_OP_NDRANGE;
	return begin_family(event, plan->code->desc, plan->code->uniform);
}

cl_int weft_launch_enqueue(const struct weft_enqueue *enqueue, cl_kernel kernel,
			   const struct weft_launch_plan *plan, cl_event *application_event)
{
	struct weft_new_command command;

	cl_int err = weft_new_command_begin(enqueue, enqueue->queue->locus.replica, &command);
	if (err != CL_SUCCESS)
		return err;
	if (!plan->empty)
		err = fill_command(&command, kernel, plan);
	return weft_new_command_submit(&command, err, false, application_event);
}

cl_int weft_launch_begin_recorded(cl_event event, struct weft_codegen_unit *unit,
				  const struct weft_specialisation_pair *pair, bool uniform)
{
	struct weft_launch *launch = &event->command.launch;
	struct weft_specialisation_choice choice = {0};

	if (pair->any_size || pair->sized)
		choice = weft_specialisation_pair_choose(pair, weft_ndrange_items(&launch->range));
	if (!weft_specialisation_choice_apply(&choice, launch->kernel, launch) && unit) {
		weft_codegen_unit_want(unit);
		event->code = weft_codegen_unit_code(unit);
	}
	weft_specialisation_choice_replace(&choice, launch);
	return begin_family(event, launch->kernel, uniform);
}

/* ---- native kernels -------------------------------------------------------------------------- */

/* A native function may do anything with its memory objects, on the host, and with other memory. */
static cl_int fill_native(struct weft_new_command *command,
			  const struct weft_native_request *request)
{
	cl_int err = CL_SUCCESS;
	char *args = NULL;

	if (request->size) {
		args = weft_event_block(command->event, request->size);
		if (!args)
			return CL_OUT_OF_HOST_MEMORY;
		memcpy(args, request->args, request->size);
	}
	command->accesses.list.anything = true;
	for (cl_uint i = 0; i < request->num_mems && err == CL_SUCCESS; i++) {
		size_t place =
			(size_t)((const char *)request->locations[i] - (const char *)request->args);
		cl_mem mem = request->mems[i];
		void *address = mem ? mem->address : NULL;

		memcpy(args + place, &address, sizeof(address));
		if (!mem)
			continue;
		err = weft_new_command_use(command, mem);
		weft_accesses_add(&command->accesses, mem, 0, mem->size, WEFT_ACCESS_READ_WRITE);
	}
	command->event->command.op = WEFT_OP_NATIVE;
	command->event->command.native = (struct weft_native){request->function, args};
	return err;
}

cl_int weft_launch_native(const struct weft_enqueue *enqueue,
			  const struct weft_native_request *request, cl_event *application_event)
{
	struct weft_new_command command;

	cl_int err = weft_new_command_begin(enqueue, 0, &command);
	if (err != CL_SUCCESS)
		return err;
	err = fill_native(&command, request);
	return weft_new_command_submit(&command, err, false, application_event);
}
