/* SPDX-License-Identifier: MIT
 *
 * Kernel objects and their arguments. Invariant: a kernel object is counted in program->num_kernels
 * from before it looks at the program's code until it is destroyed, so that the code stays.
 */
#include "program/kernel.h"

#include "alloc.h"
#include "device/device.h"
#include "list.h"
#include "memory/image.h"
#include "memory/mem.h"
#include "memory/sampler.h"
#include "object/shared_memory_ext.h"
#include "overflow.h"
#include "program/deferred_codegen.h"

#include <stdint.h>
#include <string.h>

/* What values kept across barriers may take for one group, in bytes. */
#define SPILL_LIMIT ((uint64_t)256 << 20)

static void destroy_kernel(struct weft_object *object)
{
	cl_kernel kernel = WEFT_CONTAINER_OF(object, struct _cl_kernel, base);
	cl_program program = kernel->program;

	weft_free(kernel->code);
	weft_free(kernel->args);
	weft_free(kernel->block);
	weft_exec_info_destroy(&kernel->exec_info);
	weft_object_free(&kernel->base);
	weft_mutex_lock(&program->lock);
	program->num_kernels--;
	weft_mutex_unlock(&program->lock);
	weft_object_put(&program->base);
}

/* A kernel object without code and arguments. */
static cl_int new_kernel(cl_program program, cl_kernel *kernel_ret)
{
	cl_kernel kernel = weft_object_alloc(sizeof(*kernel));

	if (!kernel)
		return CL_OUT_OF_HOST_MEMORY;
	weft_object_init(&kernel->base, WEFT_OBJECT_KERNEL, destroy_kernel);
	weft_object_get(&program->base);
	kernel->program = program;
	weft_mutex_lock(&program->lock);
	program->num_kernels++;
	weft_mutex_unlock(&program->lock);
	kernel->code = weft_calloc(program->num_devices, sizeof(*kernel->code));
	if (!kernel->code) {
		weft_object_put(&kernel->base);
		return CL_OUT_OF_HOST_MEMORY;
	}
	*kernel_ret = kernel;
	return CL_SUCCESS;
}

static bool is_memory_pointer(const struct weft_arg_desc *arg)
{
	return arg->kind == WEFT_ARG_GLOBAL || arg->kind == WEFT_ARG_CONSTANT;
}

static cl_int allocate_args(cl_kernel kernel)
{
	kernel->args = weft_calloc(kernel->desc->num_args, sizeof(*kernel->args));
	kernel->block = weft_zalloc(kernel->desc->args_size);
	for (uint32_t i = 0; i < kernel->desc->num_args; i++) {
		const struct weft_arg_desc *arg = &kernel->desc->args[i];

		kernel->num_mems += is_memory_pointer(arg) || arg->kind == WEFT_ARG_IMAGE ||
				    arg->kind == WEFT_ARG_PIPE || arg->kind == WEFT_ARG_QUEUE;
	}
	return kernel->args && kernel->block ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* The same arguments, laid out alike: one packed block serves both. */
static bool same_definition(const struct weft_kernel_desc *a, const struct weft_kernel_desc *b)
{
	if (a == b)
		return true;
	if (a->num_args != b->num_args || a->args_size != b->args_size)
		return false;
	for (uint32_t i = 0; i < a->num_args; i++) {
		if (a->args[i].kind != b->args[i].kind || a->args[i].size != b->args[i].size ||
		    a->args[i].offset != b->args[i].offset || a->args[i].image != b->args[i].image)
			return false;
	}
	return true;
}

bool weft_kernel_creatable(cl_program program, const struct weft_kernel_desc *desc)
{
	for (cl_uint i = 0; i < program->num_devices; i++) {
		const struct weft_program_build *build = &program->builds[i];
		const struct weft_kernel_desc *other = weft_program_find_kernel(build, desc->name);

		if (build->status == CL_BUILD_SUCCESS && build->desc &&
		    (!other || !same_definition(desc, other)))
			return false;
	}
	return true;
}

/* Specification 5.10: groups may differ in size only where all that was linked allows it. */
static bool is_uniform(const struct weft_program_desc *desc)
{
	bool uniform = false;

	for (uint32_t i = 0; i < desc->num_kernels; i++)
		uniform = uniform || (desc->kernels[i].flags & WEFT_KERNEL_UNIFORM_SIZE);
	return uniform;
}

/* Fills in the kernel's code for each device that has some. */
static cl_int find_code(cl_program program, cl_kernel kernel, const char *name)
	WEFT_REQUIRES(&program->lock)
{
	bool built = false;

	for (cl_uint i = 0; i < program->num_devices; i++) {
		const struct weft_program_build *build = &program->builds[i];

		built = built || (build->desc && build->status == CL_BUILD_SUCCESS);
		kernel->code[i].desc = weft_program_find_kernel(build, name);
		if (!kernel->code[i].desc)
			continue;
		kernel->code[i].module = build->module;
		kernel->code[i].specialisations = build->specialisations;
		kernel->code[i].uniform = is_uniform(build->desc);
		kernel->code[i].has_variables = build->desc->global_variable_size > 0;
		if (build->codegen)
			kernel->code[i].unit = weft_deferred_codegen_unit(
				build->codegen,
				(uint32_t)(kernel->code[i].desc - build->desc->kernels));
		if (!kernel->desc)
			kernel->desc = kernel->code[i].desc;
	}
	if (!built)
		return CL_INVALID_PROGRAM_EXECUTABLE;
	if (!kernel->desc)
		return CL_INVALID_KERNEL_NAME;
	return weft_kernel_creatable(program, kernel->desc) ? CL_SUCCESS
							    : CL_INVALID_KERNEL_DEFINITION;
}

cl_int weft_kernel_create(cl_program program, const char *name, cl_kernel *kernel_ret)
{
	cl_kernel kernel;

	cl_int err = new_kernel(program, &kernel);
	if (err != CL_SUCCESS)
		return err;
	weft_mutex_lock(&program->lock);
	err = find_code(program, kernel, name);
	weft_mutex_unlock(&program->lock);
	if (err == CL_SUCCESS)
		err = allocate_args(kernel);
	if (err != CL_SUCCESS) {
		weft_object_put(&kernel->base);
		return err;
	}
	*kernel_ret = kernel;
	return CL_SUCCESS;
}

/* The program's first executable; what its kernels are, clCreateKernelsInProgram makes. The caller
 * keeps the program from being built again. */
static const struct weft_program_desc *first_executable(cl_program program)
{
	const struct weft_program_desc *desc = NULL;

	weft_mutex_lock(&program->lock);
	for (cl_uint i = 0; i < program->num_devices && !desc; i++) {
		if (program->builds[i].status == CL_BUILD_SUCCESS)
			desc = program->builds[i].desc;
	}
	weft_mutex_unlock(&program->lock);
	return desc;
}

static cl_uint count_creatable(cl_program program, const struct weft_program_desc *desc)
{
	cl_uint count = 0;

	weft_mutex_lock(&program->lock);
	for (uint32_t i = 0; i < desc->num_kernels; i++)
		count += weft_kernel_creatable(program, &desc->kernels[i]);
	weft_mutex_unlock(&program->lock);
	return count;
}

/* Makes up to `capacity` kernels; *count is how many were made. Kernels that differ between devices
 * are left out. */
static cl_int create_each(cl_program program, const struct weft_program_desc *desc,
			  cl_uint capacity, cl_kernel *kernels, cl_uint *count)
{
	for (uint32_t i = 0; i < desc->num_kernels && *count < capacity; i++) {
		cl_int err = weft_kernel_create(program, desc->kernels[i].name, &kernels[*count]);

		if (err == CL_SUCCESS)
			(*count)++;
		else if (err != CL_INVALID_KERNEL_DEFINITION && err != CL_INVALID_KERNEL_NAME)
			return err;
	}
	return CL_SUCCESS;
}

/* A kernel object without a name keeps the code in place until the others are made. */
cl_int weft_kernel_create_all(cl_program program, cl_uint capacity, cl_kernel *kernels,
			      cl_uint *count_ret)
{
	cl_kernel keeper;
	cl_kernel *made = NULL;
	cl_uint num_made = 0;
	cl_uint count = 0;

	cl_int err = new_kernel(program, &keeper);
	if (err != CL_SUCCESS)
		return err;
	const struct weft_program_desc *desc = first_executable(program);
	if (!desc)
		err = CL_INVALID_PROGRAM_EXECUTABLE;
	else
		count = count_creatable(program, desc);
	if (err == CL_SUCCESS && kernels && capacity < count)
		err = CL_INVALID_VALUE;
	if (err == CL_SUCCESS && kernels) {
		made = weft_calloc(count, sizeof(cl_kernel));
		err = made ? create_each(program, desc, count, made, &num_made)
			   : CL_OUT_OF_HOST_MEMORY;
	}
	if (err == CL_SUCCESS) {
		if (num_made)
			memcpy(kernels, made, num_made * sizeof(cl_kernel));
		*count_ret = count;
	}
	for (cl_uint i = 0; i < num_made && err != CL_SUCCESS; i++)
		weft_object_put(&made[i]->base);
	weft_free(made);
	weft_object_put(&keeper->base);
	return err;
}

cl_int weft_kernel_clone(cl_kernel source, cl_kernel *kernel_ret)
{
	cl_program program = source->program;
	cl_kernel kernel;

	cl_int err = new_kernel(program, &kernel);
	if (err != CL_SUCCESS)
		return err;
	kernel->desc = source->desc;
	memcpy(kernel->code, source->code, program->num_devices * sizeof(*kernel->code));
	err = allocate_args(kernel);
	if (err == CL_SUCCESS)
		err = weft_exec_info_copy(&source->exec_info, &kernel->exec_info);
	if (err != CL_SUCCESS) {
		weft_object_put(&kernel->base);
		return err;
	}
	if (kernel->desc->num_args)
		memcpy(kernel->args, source->args, kernel->desc->num_args * sizeof(*kernel->args));
	if (kernel->desc->args_size)
		memcpy(kernel->block, source->block, kernel->desc->args_size);
	*kernel_ret = kernel;
	return CL_SUCCESS;
}

/* ---- arguments ------------------------------------------------------------------------------- */

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
	if (mem && (mem->flags & CL_MEM_IMMUTABLE_EXT) && is_written(&kernel->desc->args[index]))
		return CL_INVALID_ARG_VALUE;
	set_mem(&kernel->args[index], mem);
	set_place(kernel, index, NULL);
	return CL_SUCCESS;
}

cl_int weft_kernel_set_address(cl_kernel kernel, cl_uint index, const void *address)
{
	if (index >= kernel->desc->num_args)
		return CL_INVALID_ARG_INDEX;
	if (!is_memory_pointer(&kernel->desc->args[index]))
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
	if (size == 0)
		return CL_INVALID_ARG_SIZE;
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

/* ---- what a device makes of it --------------------------------------------------------------- */

const struct weft_kernel_code *weft_kernel_code(cl_kernel kernel, cl_device_id device)
{
	for (; device; device = device->parent) {
		cl_uint i = weft_program_device_index(kernel->program, device);

		if (i < kernel->program->num_devices && kernel->code[i].desc)
			return &kernel->code[i];
	}
	return NULL;
}

size_t weft_kernel_group_limit(const struct weft_kernel_desc *desc, cl_device_id device)
{
	const uint32_t *required = desc->reqd_local_size;
	uint64_t limit = weft_device_properties(device)->max_group_size;
	size_t items;

	if (required[0] && !weft_mul_overflows(required[0], required[1], &items) &&
	    !weft_mul_overflows(items, required[2], &items) && items <= limit)
		return items;
	while (limit > 1 && desc->spill_per_item > SPILL_LIMIT / limit)
		limit /= 2;
	return limit;
}

size_t weft_kernel_group_multiple(const struct weft_kernel_desc *desc, cl_device_id device)
{
	size_t lanes = desc->vector_width;

	if (lanes <= 1)
		lanes = weft_device_properties(device)->native_vector_bytes / sizeof(cl_float);
	return lanes ? lanes : 1;
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
