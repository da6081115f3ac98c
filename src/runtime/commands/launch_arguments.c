/* SPDX-License-Identifier: MIT
 *
 * Binding arguments: packing them, retaining their memory objects, and listing the launch's accesses.
 */
#include "commands/launch_arguments.h"

#include "kernel_reach.h"
#include "memory/allocation.h"
#include "memory/replica.h"
#include "overflow.h"

#include <assert.h>
#include <string.h>

/* Where a launch may access memory. */
struct reach {
	const struct weft_kernel_desc *desc;
	/* By other ways than its arguments, such as pointers that it finds in memory. */
	bool beyond_arguments;
	/* Memory that neither its arguments nor the execution information lead to. */
	bool anywhere;
};

/* A pointer in memory may lead to a program-scope variable, which no list names. */
static struct reach reach_of(const struct weft_kernel_code *code, cl_kernel kernel)
{
	const uint32_t flags = code->desc->flags;
	const bool touches_other = flags & WEFT_KERNEL_TOUCHES_OTHER_MEMORY;
	const bool by_variables = touches_other && !(flags & WEFT_KERNEL_ONLY_FOLLOWS_POINTERS);

	return (struct reach){
		.desc = code->desc,
		.beyond_arguments = touches_other,
		.anywhere = by_variables || code->has_variables ||
			    !weft_exec_info_names_all(&kernel->exec_info),
	};
}

/* What the kernel does to a memory object, by the compiler's analysis. The object's flags do not count: programs, and the
 * conformance tests, have kernels that write to buffers of CL_MEM_READ_ONLY, and expect the order of an in-order queue. Memory
 * behind a pointer that escapes may be accessed by other ways than the argument; and so may any memory by a kernel that finds
 * pointers elsewhere. */
static void add_access(struct weft_access_builder *accesses, const struct reach *reach,
		       const struct weft_arg_desc *arg, cl_mem mem)
{
	const bool written = (arg->access & WEFT_POINTER_WRITTEN) && arg->kind != WEFT_ARG_CONSTANT;
	const bool escapes = arg->access & WEFT_POINTER_ESCAPES;

	if (escapes && reach->anywhere)
		accesses->list.anything = true;
	if (written || escapes || reach->beyond_arguments)
		weft_accesses_add(accesses, mem, 0, mem->size, WEFT_ACCESS_READ_WRITE);
	else if (arg->access & WEFT_POINTER_READ)
		weft_accesses_add(accesses, mem, 0, mem->size, WEFT_ACCESS_READ);
}

static_assert(offsetof(struct weft_image, data) == 0, "an image begins with its address");

/* Fills in an address, which is the first field of an image, too. Another thread may be releasing the memory object: then the
 * argument is not set. */
static cl_int bind_mem(struct weft_launch_binding *binding, const struct weft_kernel_arg *arg,
		       void *place)
{
	const unsigned replica = binding->queue->locus.replica;

	if (!weft_object_get_live(&arg->mem->base, arg->serial))
		return CL_INVALID_KERNEL_ARGS;
	binding->objects[binding->num_objects++] = &arg->mem->base;
	cl_int err = weft_mem_allocate(arg->mem, replica);
	if (err != CL_SUCCESS)
		return err;
	const uint64_t address = (uintptr_t)weft_mem_address(arg->mem, replica);
	memcpy(place, &address, sizeof(address));
	return CL_SUCCESS;
}

/* The allocation that has the address, which the launch keeps alive. NULL: the address is in none. Then it leads to memory of
 * unknown size, of the application. */
static cl_mem hold_allocation(struct weft_launch_binding *binding, const void *address)
{
	cl_mem allocation = weft_allocation_get(address);

	if (allocation)
		binding->objects[binding->num_objects++] = &allocation->base;
	else if (address)
		binding->accesses->list.anything = true;
	return allocation;
}

/* Whether a list of accesses can have the allocation. The replicas of one of another context are none of this context's: a launch
 * that uses it is ordered with everything. */
static bool may_list(struct weft_launch_binding *binding, cl_mem allocation)
{
	if (!allocation->replicas || allocation->context == binding->queue->context)
		return true;
	binding->accesses->list.anything = true;
	return false;
}

/* "if system pointers are passed as arguments to a kernel … and the device does not support fine grain system SVM" */
static cl_int bring_allocation(const struct weft_launch_binding *binding, cl_mem allocation)
{
	const unsigned replica = binding->queue->locus.replica;

	if (replica == 0)
		return CL_SUCCESS;
	return allocation && weft_allocation_moves_in(allocation, binding->queue->context)
		       ? weft_mem_allocate(allocation, replica)
		       : CL_INVALID_OPERATION;
}

static cl_int bind_address(struct weft_launch_binding *binding, const struct reach *reach,
			   uint32_t index)
{
	const struct weft_arg_desc *arg = &reach->desc->args[index];
	const void *address = weft_kernel_arg_address(binding->kernel, index);

	if (!address ||
	    (binding->queue->locus.replica == 0 && !arg->access && !reach->beyond_arguments))
		return CL_SUCCESS;
	cl_mem allocation = hold_allocation(binding, address);
	cl_int err = bring_allocation(binding, allocation);
	if (err == CL_SUCCESS && allocation && may_list(binding, allocation))
		add_access(binding->accesses, reach, arg, allocation);
	return err;
}

static cl_int bind_local(const struct weft_kernel_arg *arg, void *place, size_t *local_bytes)
{
	uint64_t offset;

	if (weft_align_overflows(*local_bytes, WEFT_KERNEL_ALIGNMENT, &offset) ||
	    weft_add_overflows(offset, arg->local_size, local_bytes))
		return CL_OUT_OF_RESOURCES;
	memcpy(place, &offset, sizeof(offset));
	return CL_SUCCESS;
}

/* Another thread may be releasing the queue: then the argument is not set. */
static cl_int bind_queue(struct weft_launch_binding *binding, const struct weft_kernel_arg *arg)
{
	if (!weft_object_get_live(&arg->queue->base, arg->serial))
		return CL_INVALID_KERNEL_ARGS;
	binding->objects[binding->num_objects++] = &arg->queue->base;
	return CL_SUCCESS;
}

/* What the kernel may find by a pointer in memory; nothing, if that leads to no allocation. */
static cl_int add_named(struct weft_launch_binding *binding, const void *pointer)
{
	cl_mem allocation = hold_allocation(binding, pointer);
	cl_int err = allocation ? bring_allocation(binding, allocation) : CL_SUCCESS;

	if (err == CL_SUCCESS && allocation && may_list(binding, allocation))
		weft_accesses_add(binding->accesses, allocation, 0, allocation->size,
				  WEFT_ACCESS_READ_WRITE);
	return err;
}

static cl_int add_named_memory(struct weft_launch_binding *binding)
{
	const struct weft_exec_info *info = &binding->kernel->exec_info;
	cl_int err = CL_SUCCESS;

	for (int list = 0; list < WEFT_NUM_EXEC_LISTS; list++) {
		for (size_t i = 0; i < info->lists[list].count && err == CL_SUCCESS; i++)
			err = add_named(binding, info->lists[list].items[i]);
	}
	return err;
}

cl_int weft_launch_bind_arguments(const struct weft_kernel_code *code,
				  struct weft_launch_binding *binding, size_t *local_bytes)
{
	const struct weft_kernel_desc *desc = code->desc;
	cl_kernel kernel = binding->kernel;
	const struct reach reach = reach_of(code, kernel);
	cl_int err = CL_SUCCESS;

	if (desc->flags & (WEFT_KERNEL_PRINTS | WEFT_KERNEL_ENQUEUES) ||
	    (reach.beyond_arguments && reach.anywhere))
		binding->accesses->list.anything = true;
	memcpy(binding->args, kernel->block, desc->args_size);
	for (uint32_t i = 0; i < desc->num_args && err == CL_SUCCESS; i++) {
		const struct weft_kernel_arg *arg = &kernel->args[i];
		unsigned char *place = binding->args + desc->args[i].offset;

		if (desc->args[i].kind == WEFT_ARG_LOCAL) {
			err = bind_local(arg, place, local_bytes);
		} else if (arg->by_address) {
			err = bind_address(binding, &reach, i);
		} else if (arg->queue) {
			err = bind_queue(binding, arg);
		} else if (arg->mem) {
			err = bind_mem(binding, arg, place);
			if (err == CL_SUCCESS)
				add_access(binding->accesses, &reach, &desc->args[i], arg->mem);
		}
	}
	if (err == CL_SUCCESS && reach.beyond_arguments)
		err = add_named_memory(binding);
	return err;
}
