/* SPDX-License-Identifier: MIT
 *
 * Shared virtual memory (specification 5.6, and 5.9.2 of kernels). CPU devices offer it at every level; accelerators, whose
 * memory the host cannot reach, coarse-grained buffers or nothing, as their driver says.
 */
#include "svm.h"
#include "check.h"
#include "entry_points.h"
#include "memory/allocation.h"
#include "svm_types.h"

/* ---- allocations ----------------------------------------------------------------------------- */

/* The SVM memory flags table of 5.6.1. Only devices that share the host's memory have fine-grained buffers: NULL, if these "are not
 * supported by at least one device in context". */
static bool flags_suit(cl_context context, cl_svm_mem_flags flags)
{
	const cl_svm_mem_flags access =
		flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY);
	const cl_svm_mem_flags fine = flags & (CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS);

	if ((flags & ~(access | fine)) || (access & (access - 1)) || fine == CL_MEM_SVM_ATOMICS)
		return false;
	return !fine || weft_context_shares_memory(context);
}

/* "size is 0 or > CL_DEVICE_MAX_MEM_ALLOC_SIZE value for any device in context" */
static bool size_suits(cl_context context, size_t size)
{
	for (cl_uint i = 0; i < context->num_devices; i++) {
		if (size > context->devices[i]->max_allocation)
			return false;
	}
	return size > 0;
}

/* "a power of two up to the largest data type"; all allocations are aligned to that. */
static bool alignment_suits(cl_uint alignment)
{
	return (alignment & (alignment - 1)) == 0 && alignment <= sizeof(cl_long16);
}

void *CL_API_CALL weft_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
				  cl_uint alignment)
{
	const cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
	const struct weft_allocation_desc desc = {
		.context = context,
		.allocation = {.kind = WEFT_ALLOCATION_SVM,
			       .svm_type = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER ? WEFT_SVM_FINE
										: WEFT_SVM_COARSE},
		.flags = flags & access,
		.fine_grained = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER,
		.size = size,
	};
	void *address = NULL;

	if (weft_check_context(context) != CL_SUCCESS || !weft_context_offers_svm(context) ||
	    !flags_suit(context, flags) || !size_suits(context, size) ||
	    !alignment_suits(alignment))
		return NULL;
	return weft_allocation_create(&desc, &address) == CL_SUCCESS ? address : NULL;
}

void CL_API_CALL weft_clSVMFree(cl_context context, void *pointer)
{
	if (pointer && weft_check_context_handle(context) == CL_SUCCESS)
		(void)weft_allocation_free(context, WEFT_ALLOCATION_SVM, pointer);
}

cl_int CL_API_CALL
weft_clEnqueueSVMFree(cl_command_queue queue, cl_uint num_pointers, void *pointers[],
		      void(CL_CALLBACK *free_function)(cl_command_queue, cl_uint, void *[], void *),
		      void *user_data, cl_uint num_waits, const cl_event *waits, cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_SVM_FREE, num_waits, waits};
	const struct weft_svm_free call = {num_pointers, pointers, free_function, user_data};

	cl_int err = weft_svm_check_queue(queue);
	if (err == CL_SUCCESS && (num_pointers == 0) != (pointers == NULL))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(&enqueue);
	if (err == CL_SUCCESS)
		err = weft_svm_enqueue_free(&enqueue, &call, event);
	return err;
}

/* ---- commands -------------------------------------------------------------------------------- */

cl_int weft_api_svm_copy(const struct weft_enqueue *enqueue, const struct weft_svm_copy_call *call,
			 cl_event *event)
{
	struct weft_mem_copy copy;

	cl_int err = weft_svm_check_queue(enqueue->queue);
	if (err == CL_SUCCESS)
		err = weft_svm_place_copy(call->destination, call->source, call->size, &copy);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(enqueue);
	if (err == CL_SUCCESS)
		err = weft_svm_check_overlap(&copy);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_copy(enqueue, &copy, call->blocking, event);
	return err;
}

cl_int weft_api_svm_fill(const struct weft_enqueue *enqueue, void *destination, size_t size,
			 struct weft_mem_fill *fill, cl_event *event)
{
	cl_int err = weft_svm_check_queue(enqueue->queue);

	if (err == CL_SUCCESS)
		err = weft_svm_place_fill(destination, size, fill);
	if (err == CL_SUCCESS)
		err = weft_svm_check_range(enqueue->queue, destination, size);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(enqueue);
	if (err == CL_SUCCESS)
		err = weft_mem_enqueue_fill(enqueue, fill, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking,
					   void *destination, const void *source, size_t size,
					   cl_uint num_waits, const cl_event *waits,
					   cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_SVM_MEMCPY, num_waits, waits};
	const struct weft_svm_copy_call call = {destination, source, size, blocking != CL_FALSE};

	return weft_api_svm_copy(&enqueue, &call, event);
}

cl_int CL_API_CALL weft_clEnqueueSVMMemFill(cl_command_queue queue, void *pointer,
					    const void *pattern, size_t pattern_size, size_t size,
					    cl_uint num_waits, const cl_event *waits,
					    cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_SVM_MEMFILL, num_waits, waits};
	struct weft_mem_fill fill = {.pattern = pattern, .pattern_size = pattern_size};

	return weft_api_svm_fill(&enqueue, pointer, size, &fill, event);
}

cl_int CL_API_CALL weft_clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking,
					cl_map_flags flags, void *pointer, size_t size,
					cl_uint num_waits, const cl_event *waits, cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_SVM_MAP, num_waits, waits};
	const struct weft_svm_range range = {pointer, size};

	cl_int err = weft_svm_check_queue(queue);
	if (err == CL_SUCCESS && (!pointer || size == 0))
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_svm_check_range(queue, pointer, size);
	if (err == CL_SUCCESS)
		err = weft_mem_check_map_flags(flags);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(&enqueue);
	if (err == CL_SUCCESS)
		err = weft_svm_enqueue_map(&enqueue, &range, flags, blocking != CL_FALSE, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueSVMUnmap(cl_command_queue queue, void *pointer, cl_uint num_waits,
					  const cl_event *waits, cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_SVM_UNMAP, num_waits, waits};

	cl_int err = weft_svm_check_queue(queue);
	if (err == CL_SUCCESS && !pointer)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS)
		err = weft_svm_check_range(queue, pointer, 1);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(&enqueue);
	if (err == CL_SUCCESS)
		err = weft_svm_enqueue_unmap(&enqueue, pointer, event);
	return err;
}

cl_int CL_API_CALL weft_clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint num_pointers,
					       const void **pointers, const size_t *sizes,
					       cl_mem_migration_flags flags, cl_uint num_waits,
					       const cl_event *waits, cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_SVM_MIGRATE_MEM, num_waits, waits};
	const struct weft_svm_migration migration = {num_pointers, pointers, sizes, flags};

	cl_int err = weft_svm_check_queue(queue);
	if (err == CL_SUCCESS)
		err = weft_svm_check_migration(queue, &migration);
	if (err == CL_SUCCESS)
		err = weft_check_wait_list(&enqueue);
	if (err == CL_SUCCESS)
		err = weft_svm_enqueue_migration(&enqueue, &migration, event);
	return err;
}

/* ---- kernels --------------------------------------------------------------------------------- */

cl_int CL_API_CALL weft_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *value)
{
	cl_int err = weft_check_kernel(kernel);

	if (err == CL_SUCCESS && !weft_context_offers_svm(kernel->program->context))
		err = CL_INVALID_OPERATION;
	return err == CL_SUCCESS ? weft_kernel_set_address(kernel, index, value) : err;
}

/* "any value": what it leads to is the kernel's business (cl_ext_buffer_device_address). */
cl_int CL_API_CALL weft_clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint index,
						       cl_mem_device_address_ext value)
{
	cl_int err = weft_check_kernel(kernel);

	if (err == CL_SUCCESS && !weft_context_shares_memory(kernel->program->context))
		err = CL_INVALID_OPERATION;
	if (err == CL_SUCCESS &&
	    (index >= kernel->desc->num_args || kernel->desc->args[index].kind != WEFT_ARG_GLOBAL))
		err = CL_INVALID_ARG_INDEX;
	return err == CL_SUCCESS
		       ? weft_kernel_set_address(kernel, index, (const void *)(uintptr_t)value)
		       : err;
}

cl_int CL_API_CALL weft_clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param,
					    size_t size, const void *value)
{
	cl_int err = weft_check_kernel(kernel);

	if (err == CL_SUCCESS)
		err = weft_exec_info_set(&kernel->exec_info, kernel->program->context, param, size,
					 value);
	return err;
}
