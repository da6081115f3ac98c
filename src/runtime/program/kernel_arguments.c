/* SPDX-License-Identifier: MIT
 *
 * Setting the arguments of kernel objects (specification 5.9.2). Invariant: a call that fails has changed nothing.
 */
#include "program/kernel.h"

#include "memory/image.h"
#include "memory/mem.h"
#include "memory/sampler.h"
#include "object/shared_memory_ext.h"
#include "overflow.h"

#include <stdint.h>
#include <string.h>

static void set_mem(struct weft_kernel_arg *arg, cl_mem mem)
{
	arg->mem = mem;
	arg->by_address = false;
	arg->serial = mem ? atomic_load_explicit(&mem->base.serial, memory_order_relaxed) : 0;
	arg->set = true;
}

/* Of a pointer: what the kernel gets unless the argument is a memory object. */
static void set_place(cl_kernel kernel, cl_uint index, const void *address)
{
	memcpy(kernel->block + kernel->desc->args[index].offset, &address, sizeof(address));
}

static bool is_written(const struct weft_arg_desc *arg)
{
	return arg->kind == WEFT_ARG_GLOBAL && (arg->access & WEFT_POINTER_WRITTEN);
}

/* *mem is what `value` points to; NULL, where that is allowed, also without a value. */
static cl_int read_mem(cl_kernel kernel, size_t size, const void *value, bool may_be_null,
		       cl_mem *mem)
{
	*mem = NULL;
	if (size != sizeof(cl_mem))
		return CL_INVALID_ARG_SIZE;
	if (value)
		memcpy(mem, value, sizeof(*mem));
	if (!*mem && may_be_null)
		return CL_SUCCESS;
	if (!weft_mem_valid(*mem))
		return CL_INVALID_MEM_OBJECT;
	return (*mem)->context == kernel->program->context ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

/* Buffers may be NULL. */
static cl_int set_buffer_or_pipe(cl_kernel kernel, cl_uint index, size_t size, const void *value,
				 cl_mem_object_type type)
{
	cl_mem mem;

	cl_int err = read_mem(kernel, size, value, type == CL_MEM_OBJECT_BUFFER, &mem);
	if (err != CL_SUCCESS)
		return err;
	if (mem && mem->type != type)
		return CL_INVALID_MEM_OBJECT;
	if (mem && (mem->flags & CL_MEM_IMMUTABLE_EXT)) {
		err = weft_kernel_describe(kernel, NULL);
		if (err == CL_SUCCESS && is_written(&kernel->desc->args[index]))
			err = CL_INVALID_ARG_VALUE;
		if (err != CL_SUCCESS)
			return err;
	}
	set_mem(&kernel->args[index], mem);
	set_place(kernel, index, NULL);
	return CL_SUCCESS;
}

cl_int weft_kernel_set_address(cl_kernel kernel, cl_uint index, const void *address)
{
	if (index >= kernel->desc->num_args)
		return CL_INVALID_ARG_INDEX;
	if (!weft_arg_is_memory_pointer(&kernel->desc->args[index]))
		return CL_INVALID_ARG_VALUE;
	set_mem(&kernel->args[index], NULL);
	set_place(kernel, index, address);
	kernel->args[index].by_address = true;
	return CL_SUCCESS;
}

const void *weft_kernel_arg_address(cl_kernel kernel, cl_uint index)
{
	const void *address;

	memcpy(&address, kernel->block + kernel->desc->args[index].offset, sizeof(address));
	return address;
}

/* Whether the image has the type that the argument has (weft_arg_desc.image). One that is not of depth takes images of depth, too. */
static bool image_suits(uint32_t asked, cl_mem image)
{
	static const cl_mem_object_type types[] = {
		[WEFT_IMAGE_1D] = CL_MEM_OBJECT_IMAGE1D,
		[WEFT_IMAGE_1D_ARRAY] = CL_MEM_OBJECT_IMAGE1D_ARRAY,
		[WEFT_IMAGE_2D] = CL_MEM_OBJECT_IMAGE2D,
		[WEFT_IMAGE_2D_ARRAY] = CL_MEM_OBJECT_IMAGE2D_ARRAY,
		[WEFT_IMAGE_3D] = CL_MEM_OBJECT_IMAGE3D,
		[WEFT_IMAGE_SHAPE_MASK] = 0,
	};
	const cl_mem_object_type type = asked & WEFT_IMAGE_FROM_BUFFER
						? CL_MEM_OBJECT_IMAGE1D_BUFFER
						: types[asked & WEFT_IMAGE_SHAPE_MASK];

	return image->type == type && (!(asked & WEFT_IMAGE_OF_DEPTH) ||
				       image->image->format.image_channel_order == CL_DEPTH);
}

/* In the order of the table, but for the size: of another size, the value is no handle. Formats whose texels share bytes are for
 * reading only. */
static cl_int set_image(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	const struct weft_arg_desc *desc = &kernel->desc->args[index];
	cl_mem mem;

	cl_int err = read_mem(kernel, size, value, false, &mem);
	if (err != CL_SUCCESS)
		return err;
	if (!mem->image || !image_suits(desc->image, mem) ||
	    ((desc->qualifiers & WEFT_QUALIFIER_READ_WRITE) && mem->image->group > 1))
		return CL_INVALID_MEM_OBJECT;
	if (((desc->qualifiers & WEFT_QUALIFIER_READ_ONLY) && (mem->flags & CL_MEM_WRITE_ONLY)) ||
	    ((desc->qualifiers & WEFT_QUALIFIER_WRITE_ONLY) &&
	     (mem->flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT))))
		return CL_INVALID_ARG_VALUE;
	memcpy(kernel->block + desc->offset, &mem->image->view, sizeof(mem->image->view));
	set_mem(&kernel->args[index], mem);
	return CL_SUCCESS;
}

static cl_int set_sampler(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	cl_sampler sampler = NULL;

	if (size != sizeof(cl_sampler))
		return CL_INVALID_ARG_SIZE;
	if (value)
		memcpy(&sampler, value, sizeof(sampler));
	if (!weft_sampler_valid(sampler))
		return CL_INVALID_SAMPLER;
	if (sampler->context != kernel->program->context)
		return CL_INVALID_CONTEXT;
	memcpy(kernel->block + kernel->desc->args[index].offset, &sampler->number,
	       sizeof(sampler->number));
	kernel->args[index].set = true;
	return CL_SUCCESS;
}

static cl_int set_queue(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	struct weft_kernel_arg *arg = &kernel->args[index];
	cl_command_queue queue = NULL;

	if (size != sizeof(cl_command_queue))
		return CL_INVALID_ARG_SIZE;
	if (value)
		memcpy(&queue, value, sizeof(queue));
	if (!weft_queue_valid(queue) || !weft_queue_is_on_device(queue))
		return CL_INVALID_DEVICE_QUEUE;
	if (queue->context != kernel->program->context)
		return CL_INVALID_CONTEXT;
	memcpy(kernel->block + kernel->desc->args[index].offset, &queue, sizeof(queue));
	arg->queue = queue;
	arg->serial = atomic_load_explicit(&queue->base.serial, memory_order_relaxed);
	arg->set = true;
	return CL_SUCCESS;
}

static cl_int set_local(struct weft_kernel_arg *arg, size_t size, const void *value)
{
	if (value)
		return CL_INVALID_ARG_VALUE;
	arg->local_size = size;
	arg->set = true;
	return CL_SUCCESS;
}

static cl_int set_value(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	const struct weft_arg_desc *desc = &kernel->desc->args[index];

	if (size != desc->size)
		return CL_INVALID_ARG_SIZE;
	if (!value)
		return CL_INVALID_ARG_VALUE;
	memcpy(kernel->block + desc->offset, value, size);
	kernel->args[index].set = true;
	return CL_SUCCESS;
}

cl_int weft_kernel_set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	if (index >= kernel->desc->num_args)
		return CL_INVALID_ARG_INDEX;
	switch ((enum weft_arg_kind)kernel->desc->args[index].kind) {
	case WEFT_ARG_VALUE:
		return set_value(kernel, index, size, value);
	case WEFT_ARG_GLOBAL:
	case WEFT_ARG_CONSTANT:
		return set_buffer_or_pipe(kernel, index, size, value, CL_MEM_OBJECT_BUFFER);
	case WEFT_ARG_LOCAL:
		return set_local(&kernel->args[index], size, value);
	case WEFT_ARG_IMAGE:
		return set_image(kernel, index, size, value);
	case WEFT_ARG_SAMPLER:
		return set_sampler(kernel, index, size, value);
	case WEFT_ARG_PIPE:
		return set_buffer_or_pipe(kernel, index, size, value, CL_MEM_OBJECT_PIPE);
	case WEFT_ARG_QUEUE:
		return set_queue(kernel, index, size, value);
	}
	return CL_INVALID_ARG_VALUE;
}

bool weft_kernel_has_all_args(cl_kernel kernel)
{
	for (uint32_t i = 0; i < kernel->desc->num_args; i++) {
		if (!weft_kernel_arg_valid(&kernel->args[i]))
			return false;
	}
	return true;
}

size_t weft_kernel_local_bytes(cl_kernel kernel, const struct weft_kernel_desc *desc)
{
	size_t total = desc->local_size;

	for (uint32_t i = 0; i < desc->num_args; i++) {
		if (desc->args[i].kind == WEFT_ARG_LOCAL &&
		    (weft_align_overflows(total, WEFT_KERNEL_ALIGNMENT, &total) ||
		     weft_add_overflows(total, kernel->args[i].local_size, &total)))
			return SIZE_MAX;
	}
	return total;
}
