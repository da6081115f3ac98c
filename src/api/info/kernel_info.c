/* SPDX-License-Identifier: MIT
 *
 * What clGetKernelInfo, clGetKernelArgInfo, clGetKernelWorkGroupInfo and
 * clGetKernelSuggestedLocalWorkSize answer (specification 5.9.4), from the kernel's descriptor.
 */
#include "check.h"
#include "commands/launch.h"
#include "entry_points.h"
#include "info/info.h"

/* ---- clGetKernelInfo ------------------------------------------------------------------------- */

static cl_int get_name(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_kernel *kernel = object;

	return weft_info_answer_string(answer, kernel->desc->name);
}

static cl_int get_num_args(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_kernel *kernel = object;

	return weft_info_answer_u32(answer, kernel->desc->num_args);
}

static cl_int get_context(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_kernel *kernel = object;

	return weft_info_answer_pointer(answer, kernel->program->context);
}

/* "For kernels not created from OpenCL C source and the clCreateProgramWithSource API call the
 * string returned from this query will be empty." */
static cl_int get_attributes(const void *object, struct weft_info_answer *answer)
{
	const struct _cl_kernel *kernel = object;
	bool from_source = kernel->program->origin != WEFT_PROGRAM_BINARY;

	return weft_info_answer_string(answer, from_source ? kernel->desc->attributes : "");
}

static const struct weft_info_row kernel_rows[] = {
	WEFT_INFO_GETTER(CL_KERNEL_FUNCTION_NAME, get_name),
	WEFT_INFO_GETTER(CL_KERNEL_NUM_ARGS, get_num_args),
	WEFT_INFO_GETTER(CL_KERNEL_REFERENCE_COUNT, weft_info_get_reference_count),
	WEFT_INFO_GETTER(CL_KERNEL_CONTEXT, get_context),
	WEFT_INFO_FIELD(CL_KERNEL_PROGRAM, struct _cl_kernel, program),
	WEFT_INFO_GETTER(CL_KERNEL_ATTRIBUTES, get_attributes),
};

static const struct weft_info_table kernel_table =
	WEFT_INFO_OBJECT_TABLE(kernel_rows, WEFT_OBJECT_KERNEL);

cl_int CL_API_CALL weft_clGetKernelInfo(cl_kernel kernel, cl_kernel_info param, size_t size,
					void *value, size_t *size_ret)
{
	return weft_info_query_object(&kernel_table, kernel, param, size, value, size_ret);
}

/* ---- clGetKernelArgInfo ---------------------------------------------------------------------- */

static cl_int get_arg_address(const void *object, struct weft_info_answer *answer)
{
	const struct weft_arg_desc *arg = object;

	switch ((enum weft_arg_kind)arg->kind) {
	case WEFT_ARG_GLOBAL:
	case WEFT_ARG_IMAGE:
	case WEFT_ARG_PIPE:
		return weft_info_answer_u32(answer, CL_KERNEL_ARG_ADDRESS_GLOBAL);
	case WEFT_ARG_CONSTANT:
		return weft_info_answer_u32(answer, CL_KERNEL_ARG_ADDRESS_CONSTANT);
	case WEFT_ARG_LOCAL:
		return weft_info_answer_u32(answer, CL_KERNEL_ARG_ADDRESS_LOCAL);
	case WEFT_ARG_VALUE:
	case WEFT_ARG_SAMPLER:
	case WEFT_ARG_QUEUE:
		break;
	}
	return weft_info_answer_u32(answer, CL_KERNEL_ARG_ADDRESS_PRIVATE);
}

static cl_int get_arg_access(const void *object, struct weft_info_answer *answer)
{
	const struct weft_arg_desc *arg = object;
	cl_uint access = CL_KERNEL_ARG_ACCESS_NONE;

	if (arg->qualifiers & WEFT_QUALIFIER_READ_ONLY)
		access = CL_KERNEL_ARG_ACCESS_READ_ONLY;
	else if (arg->qualifiers & WEFT_QUALIFIER_WRITE_ONLY)
		access = CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
	else if (arg->qualifiers & WEFT_QUALIFIER_READ_WRITE)
		access = CL_KERNEL_ARG_ACCESS_READ_WRITE;
	return weft_info_answer_u32(answer, access);
}

static cl_int get_arg_qualifiers(const void *object, struct weft_info_answer *answer)
{
	const struct weft_arg_desc *arg = object;
	cl_kernel_arg_type_qualifier bits = CL_KERNEL_ARG_TYPE_NONE;

	if (arg->qualifiers & WEFT_QUALIFIER_CONST)
		bits |= CL_KERNEL_ARG_TYPE_CONST;
	if (arg->qualifiers & WEFT_QUALIFIER_RESTRICT)
		bits |= CL_KERNEL_ARG_TYPE_RESTRICT;
	if (arg->qualifiers & WEFT_QUALIFIER_VOLATILE)
		bits |= CL_KERNEL_ARG_TYPE_VOLATILE;
	if (arg->qualifiers & WEFT_QUALIFIER_PIPE)
		bits |= CL_KERNEL_ARG_TYPE_PIPE;
	return weft_info_answer_u64(answer, bits);
}

static const struct weft_info_row arg_rows[] = {
	WEFT_INFO_GETTER(CL_KERNEL_ARG_ADDRESS_QUALIFIER, get_arg_address),
	WEFT_INFO_GETTER(CL_KERNEL_ARG_ACCESS_QUALIFIER, get_arg_access),
	WEFT_INFO_STRING(CL_KERNEL_ARG_TYPE_NAME, struct weft_arg_desc, type_name),
	WEFT_INFO_GETTER(CL_KERNEL_ARG_TYPE_QUALIFIER, get_arg_qualifiers),
	WEFT_INFO_STRING(CL_KERNEL_ARG_NAME, struct weft_arg_desc, name),
};

static const struct weft_info_table arg_table = WEFT_INFO_TABLE(arg_rows);

/* The compiler always keeps this information; only a descriptor without types has none. */
cl_int CL_API_CALL weft_clGetKernelArgInfo(cl_kernel kernel, cl_uint index,
					   cl_kernel_arg_info param, size_t size, void *value,
					   size_t *size_ret)
{
	cl_int err = weft_check_kernel(kernel);

	if (err != CL_SUCCESS)
		return err;
	if (index >= kernel->desc->num_args)
		return CL_INVALID_ARG_INDEX;
	const struct weft_arg_desc *arg = &kernel->desc->args[index];
	if (!arg->type_name || !*arg->type_name)
		return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
	return weft_info_query(&arg_table, arg, param, size, value, size_ret);
}

/* ---- clGetKernelWorkGroupInfo ---------------------------------------------------------------- */

struct group_view {
	cl_kernel kernel;
	cl_device_id device;
	const struct weft_kernel_desc *desc;
};

static cl_int get_group_size(const void *object, struct weft_info_answer *answer)
{
	const struct group_view *view = object;

	return weft_info_answer_size(answer, weft_kernel_group_limit(view->desc, view->device));
}

static cl_int get_required_size(const void *object, struct weft_info_answer *answer)
{
	const struct group_view *view = object;
	size_t *sizes = answer->scratch.sizes;

	for (int i = 0; i < 3; i++)
		sizes[i] = view->desc->reqd_local_size[i];
	return weft_info_answer_data(answer, sizes, 3 * sizeof(*sizes));
}

static cl_int get_local_memory(const void *object, struct weft_info_answer *answer)
{
	const struct group_view *view = object;

	return weft_info_answer_u64(answer, weft_kernel_local_bytes(view->kernel, view->desc));
}

static cl_int get_multiple(const void *object, struct weft_info_answer *answer)
{
	const struct group_view *view = object;

	return weft_info_answer_size(answer, weft_kernel_group_multiple(view->desc, view->device));
}

static cl_int get_private_memory(const void *object, struct weft_info_answer *answer)
{
	const struct group_view *view = object;

	return weft_info_answer_u64(answer, view->desc->private_size);
}

/* cl_intel_required_subgroup_size: "a return value of 0 will always indicate that compiler was able to compile the
 * kernel to fit into the device's register file", which cannot be promised. */
static cl_int get_spill_memory(const void *object, struct weft_info_answer *answer)
{
	const struct group_view *view = object;
	uint64_t bytes = view->desc->spill_per_item;

	return weft_info_answer_u64(answer, bytes ? bytes : 1);
}

/* CL_KERNEL_GLOBAL_WORK_SIZE is for built-in kernels, of which there are none: CL_INVALID_VALUE. */
static const struct weft_info_row group_rows[] = {
	WEFT_INFO_GETTER(CL_KERNEL_WORK_GROUP_SIZE, get_group_size),
	WEFT_INFO_GETTER(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, get_required_size),
	WEFT_INFO_GETTER(CL_KERNEL_LOCAL_MEM_SIZE, get_local_memory),
	WEFT_INFO_GETTER(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, get_multiple),
	WEFT_INFO_GETTER(CL_KERNEL_PRIVATE_MEM_SIZE, get_private_memory),
	WEFT_INFO_GETTER(CL_KERNEL_SPILL_MEM_SIZE_INTEL, get_spill_memory),
};

static const struct weft_info_table group_table = WEFT_INFO_TABLE(group_rows);

cl_int CL_API_CALL weft_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
						 cl_kernel_work_group_info param, size_t size,
						 void *value, size_t *size_ret)
{
	cl_int err = weft_check_kernel_device(kernel, &device);

	if (err != CL_SUCCESS)
		return err;
	const struct weft_kernel_code *code = weft_kernel_code(kernel, device);
	const struct group_view view = {kernel, device, code ? code->desc : kernel->desc};
	if (param != CL_KERNEL_COMPILE_WORK_GROUP_SIZE)
		err = weft_kernel_describe(kernel, code);
	if (err != CL_SUCCESS)
		return err;
	return weft_info_query(&group_table, &view, param, size, value, size_ret);
}

/* ---- the suggested local size ---------------------------------------------------------------- */

/* The local size that clEnqueueNDRangeKernel would choose, after its checks. Here the global size is required. */
cl_int CL_API_CALL weft_clGetKernelSuggestedLocalWorkSize(cl_command_queue queue, cl_kernel kernel,
							  cl_uint work_dim, const size_t *offset,
							  const size_t *global, size_t *local)
{
	const struct weft_launch_request request = {queue,  kernel, work_dim, offset,
						    global, NULL,   false};
	struct weft_launch_plan plan;

	cl_int err = weft_check_queue(queue);
	if (err == CL_SUCCESS)
		err = weft_check_kernel(kernel);
	if (err == CL_SUCCESS)
		err = weft_launch_plan(&request, &plan);
	if (err == CL_SUCCESS && plan.empty)
		err = CL_INVALID_GLOBAL_WORK_SIZE;
	if (err == CL_SUCCESS && !local)
		err = CL_INVALID_VALUE;
	for (cl_uint i = 0; i < work_dim && err == CL_SUCCESS; i++)
		local[i] = plan.range.local_size[i];
	return err;
}

/* The same function before it was in the core (cl_khr_suggested_local_work_size). */
cl_int CL_API_CALL weft_clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue queue,
							     cl_kernel kernel, cl_uint work_dim,
							     const size_t *offset,
							     const size_t *global, size_t *local)
{
	return weft_clGetKernelSuggestedLocalWorkSize(queue, kernel, work_dim, offset, global,
						      local);
}
