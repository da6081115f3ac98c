/* SPDX-License-Identifier: MIT
 *
 * The checks of an NDRange, and the size of its groups.
 */
#include "program/launch_range.h"

#include "device/device.h"
#include "overflow.h"
#include "program/group_size.h"
#include "program/kernel.h"

/* Fills in the global part. Without a global size, or with a zero in it, nothing runs (5.10). */
static cl_int plan_global(const struct weft_range_request *request, struct weft_ndrange *range,
			  bool *empty)
{
	uint64_t end;

	range->work_dim = request->work_dim;
	range->apart = 0;
	*empty = request->global == NULL;
	for (cl_uint i = 0; i < 3; i++) {
		bool given = i < request->work_dim;

		range->global_offset[i] = given && request->offset ? request->offset[i] : 0;
		range->global_size[i] = given && request->global ? request->global[i] : 1;
		*empty = *empty || range->global_size[i] == 0;
		if (__builtin_add_overflow(range->global_offset[i], range->global_size[i], &end))
			return CL_INVALID_GLOBAL_OFFSET;
	}
	return CL_SUCCESS;
}

/* The work-items of a group of one row that has as many sub-groups as the kernel requires. Where groups must be uniform, that divides
 * the global size, if there is one. */
static uint64_t row_of_sub_groups(const struct weft_range_request *request, uint64_t global)
{
	const struct weft_kernel_desc *desc = request->desc;
	const uint64_t lanes = weft_kernel_lanes(desc);
	const uint64_t most = weft_kernel_group_limit(desc, request->device);
	const uint64_t too_few = most > lanes ? most - lanes : 0;

	for (uint64_t items = most; request->uniform && items > too_few; items--) {
		if (global % items == 0)
			return items;
	}
	return most;
}

static void choose_local(const struct weft_range_request *request, struct weft_ndrange *range)
{
	const struct weft_kernel_desc *desc = request->desc;
	const struct weft_device_properties *properties = weft_device_properties(request->device);
	const struct weft_group_size_request choice = {
		.work_dim = request->work_dim,
		.global = range->global_size,
		.item_max = properties->max_item_sizes,
		.limit = weft_kernel_group_limit(desc, request->device),
		.compute_units = properties->compute_units,
		.lanes = desc->vector_width,
		.first_dimension = desc->first_dimension,
		.second_dimension = desc->second_dimension,
		.few_layers = desc->flags & WEFT_KERNEL_FEW_LAYERS,
		.uniform = request->uniform,
	};

	if (desc->reqd_local_size[0]) {
		for (int i = 0; i < 3; i++)
			range->local_size[i] = desc->reqd_local_size[i];
	} else if (desc->reqd_num_subgroups) {
		range->local_size[0] = row_of_sub_groups(request, range->global_size[0]);
	} else {
		weft_group_size_choose(&choice, range->local_size);
	}
}

/* In the order of the table: the whole group before its dimensions. */
static cl_int check_local(const struct weft_range_request *request,
			  const struct weft_ndrange *range)
{
	const struct weft_device_properties *properties = weft_device_properties(request->device);
	const struct weft_kernel_desc *desc = request->desc;
	const uint64_t *local = range->local_size;
	size_t items = 1;

	for (int i = 0; i < 3; i++) {
		if (local[i] == 0 || weft_mul_overflows(items, local[i], &items) ||
		    (request->uniform && range->global_size[i] % local[i] != 0) ||
		    (desc->reqd_local_size[0] && local[i] != desc->reqd_local_size[i]))
			return CL_INVALID_WORK_GROUP_SIZE;
	}
	if (items > weft_kernel_group_limit(desc, request->device) ||
	    (desc->reqd_num_subgroups &&
	     weft_kernel_sub_groups(desc, items) != desc->reqd_num_subgroups))
		return CL_INVALID_WORK_GROUP_SIZE;
	for (int i = 0; i < 3; i++) {
		if (local[i] > properties->max_item_sizes[i])
			return CL_INVALID_WORK_ITEM_SIZE;
	}
	return CL_SUCCESS;
}

static cl_int plan_local(const struct weft_range_request *request, struct weft_ndrange *range,
			 bool empty)
{
	size_t groups = 1;

	for (cl_uint i = 0; i < 3; i++) {
		range->local_size[i] =
			request->local && i < request->work_dim ? request->local[i] : 1;
		range->num_groups[i] = 0;
	}
	if (empty)
		return CL_SUCCESS;
	if (!request->local)
		choose_local(request, range);
	cl_int err = check_local(request, range);
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

cl_int weft_range_plan(const struct weft_range_request *request, struct weft_ndrange *range,
		       bool *empty)
{
	if (request->work_dim < 1 || request->work_dim > 3)
		return CL_INVALID_WORK_DIMENSION;
	cl_int err = plan_global(request, range, empty);
	return err == CL_SUCCESS ? plan_local(request, range, *empty) : err;
}
