/* SPDX-License-Identifier: MIT
 *
 * clGetKernelSubGroupInfo (specification 5.9.4): what a kernel's sub-groups are in groups of a given size. A
 * sub-group is as many neighbours as the kernel's code has lanes; only the last of a group may be smaller.
 */
#include "check.h"
#include "commands/launch.h"
#include "entry_points.h"
#include "info/info.h"

/* One query about a kernel on one device. */
struct sub_group_query {
	const struct weft_kernel_desc *desc;
	size_t limit;      /* work-items of the largest group */
	const void *input; /* NULL: none */
	size_t input_size; /* bytes */
	size_t size;       /* bytes that the answer may have; 0: as many as it may ever have */
};

/* The work-items of a group; 0 when the input is no local size. A number that does not fit is the largest. */
static size_t read_local_size(const struct sub_group_query *query)
{
	const size_t *local = query->input;
	size_t dimensions = query->input_size / sizeof(*local), items = 1;

	if (!local || query->input_size % sizeof(*local) != 0 || dimensions < 1 || dimensions > 3)
		return 0;
	for (size_t i = 0; i < dimensions; i++) {
		if (local[i] == 0)
			return 0;
		if (__builtin_mul_overflow(items, local[i], &items))
			items = SIZE_MAX;
	}
	return items;
}

static cl_int get_max_size(const void *object, struct weft_info_answer *answer)
{
	const struct sub_group_query *query = object;

	if (read_local_size(query) == 0)
		return CL_INVALID_VALUE;
	return weft_info_answer_size(answer, weft_kernel_lanes(query->desc));
}

static cl_int get_count(const void *object, struct weft_info_answer *answer)
{
	const struct sub_group_query *query = object;
	size_t items = read_local_size(query);

	if (items == 0)
		return CL_INVALID_VALUE;
	return weft_info_answer_size(answer, weft_kernel_sub_groups(query->desc, items));
}

/* Whether there can be a group of one row of so many work-items. */
static bool has_row(const struct sub_group_query *query, size_t items)
{
	const uint32_t *required = query->desc->reqd_local_size;

	if (required[0])
		return items == required[0] && required[1] == 1 && required[2] == 1;
	if (query->desc->reqd_num_subgroups &&
	    weft_kernel_sub_groups(query->desc, items) != query->desc->reqd_num_subgroups)
		return false;
	return items > 0 && items <= query->limit;
}

/* "Any returned work-group will have one dimension. … If no work-group size can accommodate the requested
 * number of sub-groups, 0 will be returned in each element" */
static cl_int get_local_size(const void *object, struct weft_info_answer *answer)
{
	const struct sub_group_query *query = object;
	size_t *local = answer->scratch.sizes;
	size_t dimensions = query->size ? query->size / sizeof(*local) : 3, items;

	if (!query->input || query->input_size != sizeof(size_t) || dimensions < 1)
		return CL_INVALID_VALUE;
	if (dimensions > 3)
		dimensions = 3;
	if (__builtin_mul_overflow(*(const size_t *)query->input, weft_kernel_lanes(query->desc),
				   &items) ||
	    !has_row(query, items))
		items = 0;
	local[0] = items;
	local[1] = local[2] = items ? 1 : 0;
	return weft_info_answer_data(answer, local, dimensions * sizeof(*local));
}

static cl_int get_max_count(const void *object, struct weft_info_answer *answer)
{
	const struct sub_group_query *query = object;

	return weft_info_answer_size(answer, weft_kernel_sub_groups(query->desc, query->limit));
}

static cl_int get_required_size(const void *object, struct weft_info_answer *answer)
{
	const struct sub_group_query *query = object;

	return weft_info_answer_size(answer, query->desc->reqd_subgroup_size);
}

static cl_int get_required_count(const void *object, struct weft_info_answer *answer)
{
	const struct sub_group_query *query = object;

	return weft_info_answer_size(answer, query->desc->reqd_num_subgroups);
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_GETTER(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, get_max_size),
	WEFT_INFO_GETTER(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, get_count),
	WEFT_INFO_GETTER(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, get_local_size),
	WEFT_INFO_GETTER(CL_KERNEL_MAX_NUM_SUB_GROUPS, get_max_count),
	/* Of SPIR-V; OpenCL C has no way to say it. */
	WEFT_INFO_GETTER(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, get_required_count),
	WEFT_INFO_GETTER(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, get_required_size),
};

static const struct weft_info_table table = WEFT_INFO_TABLE(rows);

cl_int CL_API_CALL weft_clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
						cl_kernel_sub_group_info param, size_t input_size,
						const void *input, size_t size, void *value,
						size_t *size_ret)
{
	cl_int err = weft_check_kernel_device(kernel, &device);

	if (err != CL_SUCCESS)
		return err;
	const struct weft_kernel_code *code = weft_kernel_code(kernel, device);
	const struct weft_kernel_desc *desc = code ? code->desc : kernel->desc;
	err = weft_kernel_describe(kernel, code);
	if (err != CL_SUCCESS)
		return err;
	const struct sub_group_query query = {desc, weft_kernel_group_limit(desc, device), input,
					      input_size, value ? size : 0};
	return weft_info_query(&table, &query, param, size, value, size_ret);
}

/* cl_intel_subgroups */
cl_int CL_API_CALL weft_clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
						   cl_kernel_sub_group_info param,
						   size_t input_size, const void *input,
						   size_t size, void *value, size_t *size_ret)
{
	return weft_clGetKernelSubGroupInfo(kernel, device, param, input_size, input, size, value,
					    size_ret);
}
