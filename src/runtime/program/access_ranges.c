/* SPDX-License-Identifier: MIT
 *
 * From the accesses of a footprint to one range for each argument.
 */
#include "program/access_ranges.h"

#include "program/footprint_values.h"

#include <string.h>

static cl_uint anywhere_flags(uint32_t flags)
{
	cl_uint result = 0;

	if (flags & WEFT_FOOTPRINT_READS)
		result |= CL_KERNEL_ACCESS_READS_WEFT | CL_KERNEL_ACCESS_READS_ANYWHERE_WEFT;
	if (flags & WEFT_FOOTPRINT_WRITES)
		result |= CL_KERNEL_ACCESS_WRITES_WEFT | CL_KERNEL_ACCESS_WRITES_ANYWHERE_WEFT;
	return result;
}

static void widen(bool is_first, uint64_t begin, uint64_t end, cl_ulong *from, cl_ulong *to)
{
	if (is_first || begin < *from)
		*from = begin;
	if (is_first || end > *to)
		*to = end;
}

/* Bytes in front of the argument's are none of its own. */
static void add_range(cl_kernel_access_ranges_weft *row, uint32_t flags, int64_t low, int64_t end)
{
	const uint64_t first = low > 0 ? (uint64_t)low : 0;

	if (end <= 0)
		return;
	if (flags & WEFT_FOOTPRINT_READS)
		widen(!(row->flags & CL_KERNEL_ACCESS_READS_WEFT), first, (uint64_t)end,
		      &row->read_begin, &row->read_end);
	if (flags & WEFT_FOOTPRINT_WRITES)
		widen(!(row->flags & CL_KERNEL_ACCESS_WRITES_WEFT), first, (uint64_t)end,
		      &row->write_begin, &row->write_end);
	row->flags |= flags & WEFT_FOOTPRINT_READS ? CL_KERNEL_ACCESS_READS_WEFT : 0U;
	row->flags |= flags & WEFT_FOOTPRINT_WRITES ? CL_KERNEL_ACCESS_WRITES_WEFT : 0U;
}

/* The conditions of the outermost branches come last. */
static void assume_conditions(struct weft_footprint_values *values,
			      const struct weft_footprint_access *access)
{
	const struct weft_footprint_condition *conditions =
		weft_footprint_conditions(values->footprint) + access->first_condition;

	weft_footprint_values_reset(values);
	for (uint32_t i = access->num_conditions; i > 0; i--)
		weft_footprint_values_assume(values, &conditions[i - 1]);
}

static void add_access(struct weft_footprint_values *values,
		       const struct weft_footprint_access *access,
		       cl_kernel_access_ranges_weft *row)
{
	int64_t low;
	int64_t high;
	int64_t end;

	if (access->distance == WEFT_FOOTPRINT_NO_NODE) {
		row->flags |= anywhere_flags(access->flags);
		return;
	}
	assume_conditions(values, access);
	const bool is_known = weft_footprint_values_bounds(values, access->distance, &low, &high) &&
			      !__builtin_add_overflow(high, (int64_t)access->bytes, &end);
	if (values->space.is_empty)
		return;
	if (is_known)
		add_range(row, access->flags, low, end);
	else
		row->flags |= anywhere_flags(access->flags);
}

/* What the compiler's analysis of arguments says, without places. */
static void add_unknown(const struct weft_kernel_desc *desc, cl_kernel_access_ranges_weft *ranges,
			bool all)
{
	for (uint32_t i = 0; i < desc->num_args; i++) {
		const bool is_pointer = weft_arg_is_memory_pointer(&desc->args[i]);
		const bool is_other =
			desc->args[i].kind == WEFT_ARG_IMAGE || desc->args[i].kind == WEFT_ARG_PIPE;

		if (is_other || (is_pointer && all))
			ranges[i].flags =
				anywhere_flags(WEFT_FOOTPRINT_READS | WEFT_FOOTPRINT_WRITES);
	}
}

bool weft_access_ranges_has_values(cl_kernel kernel, const struct weft_kernel_desc *desc)
{
	for (uint32_t i = 0; i < desc->num_args; i++) {
		if (desc->args[i].kind == WEFT_ARG_VALUE && !kernel->args[i].set)
			return false;
	}
	return true;
}

cl_int weft_access_ranges(cl_kernel kernel, const struct weft_kernel_desc *desc,
			  const struct weft_ndrange *range, cl_kernel_access_ranges_weft *ranges)
{
	const struct weft_footprint *footprint = desc->footprint;

	if (!footprint)
		return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
	if (!weft_access_ranges_has_values(kernel, desc))
		return CL_INVALID_KERNEL_ARGS;
	struct weft_footprint_values *values =
		weft_footprint_values_create(footprint, range, kernel->block);
	if (!values)
		return CL_OUT_OF_HOST_MEMORY;
	memset(ranges, 0, desc->num_args * sizeof(*ranges));
	add_unknown(desc, ranges, footprint->reaches_all);
	const struct weft_footprint_access *accesses = weft_footprint_accesses(footprint);
	for (uint32_t i = 0; i < footprint->num_accesses; i++)
		add_access(values, &accesses[i], &ranges[accesses[i].argument]);
	weft_footprint_values_destroy(values);
	return CL_SUCCESS;
}
