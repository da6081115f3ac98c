/* SPDX-License-Identifier: MIT
 *
 * Kernel objects. Invariant: a kernel object is counted in program->num_kernels
 * from before it looks at the program's code until it is destroyed, so that the code stays.
 */
#include "program/kernel.h"

#include "alloc.h"
#include "device/device.h"
#include "list.h"
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

static cl_int allocate_args(cl_kernel kernel)
{
	kernel->args = weft_calloc(kernel->desc->num_args, sizeof(*kernel->args));
	kernel->block = weft_zalloc(kernel->desc->args_size);
	for (uint32_t i = 0; i < kernel->desc->num_args; i++) {
		const struct weft_arg_desc *arg = &kernel->desc->args[i];

		kernel->num_mems += weft_arg_is_memory_pointer(arg) ||
				    arg->kind == WEFT_ARG_IMAGE || arg->kind == WEFT_ARG_PIPE ||
				    arg->kind == WEFT_ARG_QUEUE;
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
		kernel->code[i].uniform = build->uniform;
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

static cl_int create(cl_program program, const char *name, cl_kernel *kernel_ret)
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

/* A kernel that is created by its name is most likely launched. Where there are several devices, it is not known on which. */
cl_int weft_kernel_create(cl_program program, const char *name, cl_kernel *kernel_ret)
{
	cl_int err = create(program, name, kernel_ret);

	if (err == CL_SUCCESS && program->num_devices == 1 && (*kernel_ret)->code->unit)
		weft_codegen_unit_expect((*kernel_ret)->code->unit);
	return err;
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
		cl_int err = create(program, desc->kernels[i].name, &kernels[*count]);

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

cl_int weft_kernel_describe(cl_kernel kernel, const struct weft_kernel_code *code)
{
	enum weft_status status = WEFT_OK;

	if (!code)
		code = kernel->code;
	while (!code->desc)
		code++; /* one device has code */
	if (code->unit)
		status = weft_codegen_unit_describe(code->unit);
	if (status == WEFT_OK)
		return CL_SUCCESS;
	return status == WEFT_OUT_OF_MEMORY ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES;
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
	if (desc->reqd_num_subgroups &&
	    !weft_mul_overflows(desc->reqd_num_subgroups, weft_kernel_lanes(desc), &items) &&
	    items < limit)
		return items;
	return limit;
}

size_t weft_kernel_group_multiple(const struct weft_kernel_desc *desc, cl_device_id device)
{
	size_t lanes = desc->vector_width;

	if (lanes <= 1)
		lanes = weft_device_properties(device)->native_vector_bytes / sizeof(cl_float);
	return lanes ? lanes : 1;
}
