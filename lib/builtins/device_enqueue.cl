/* SPDX-License-Identifier: MIT
 *
 * Kernels that enqueue kernels: specification 6.15.17. Clang makes calls of __enqueue_kernel_… of enqueue_kernel, and of
 * __get_kernel_…_impl of the queries of blocks. `kernel` is the number of the block's kernel, as a pointer.
 */
#include "enqueue_types.h"

typedef struct weft_enqueue_request request;

HELPER request block_request(__generic void *kernel_number, __generic void *block)
{
	request r = {0};

	r.block_kernel = (ulong)kernel_number;
	r.block = block;
	return r;
}

HELPER request launch_request(queue_t queue, uint flags, __private ndrange_t *range,
			      __generic void *kernel_number, __generic void *block)
{
	request r = block_request(kernel_number, block);

	r.queue = __weft_queue_number(queue);
	r.flags = flags;
	r.range = range;
	return r;
}

HELPER void add_events(request *r, uint count, __generic void *waits, __generic void *event)
{
	r->num_waits = count;
	r->waits = waits;
	r->result = event;
}

HELPER void add_sizes(request *r, uint count, __private ulong *sizes)
{
	r->num_sizes = count;
	r->sizes = sizes;
}

int __enqueue_kernel_basic(queue_t queue, uint flags, __private ndrange_t *range,
			   __generic void *kernel_number, __generic void *block)
{
	request r = launch_request(queue, flags, range, kernel_number, block);

	return __weft_enqueue(WEFT_ENQUEUE_KERNEL, &r);
}

int __enqueue_kernel_basic_events(queue_t queue, uint flags, __private ndrange_t *range, uint count,
				  __generic void *waits, __generic void *event,
				  __generic void *kernel_number, __generic void *block)
{
	request r = launch_request(queue, flags, range, kernel_number, block);

	add_events(&r, count, waits, event);
	return __weft_enqueue(WEFT_ENQUEUE_KERNEL, &r);
}

int __enqueue_kernel_varargs(queue_t queue, uint flags, __private ndrange_t *range,
			     __generic void *kernel_number, __generic void *block, uint num_sizes,
			     __private ulong *sizes)
{
	request r = launch_request(queue, flags, range, kernel_number, block);

	add_sizes(&r, num_sizes, sizes);
	return __weft_enqueue(WEFT_ENQUEUE_KERNEL, &r);
}

int __enqueue_kernel_events_varargs(queue_t queue, uint flags, __private ndrange_t *range,
				    uint count, __generic void *waits, __generic void *event,
				    __generic void *kernel_number, __generic void *block,
				    uint num_sizes, __private ulong *sizes)
{
	request r = launch_request(queue, flags, range, kernel_number, block);

	add_events(&r, count, waits, event);
	add_sizes(&r, num_sizes, sizes);
	return __weft_enqueue(WEFT_ENQUEUE_KERNEL, &r);
}

WEFT int enqueue_marker(queue_t queue, uint count, const __generic clk_event_t *waits,
			__generic clk_event_t *event)
{
	request r = {0};

	r.queue = __weft_queue_number(queue);
	add_events(&r, count, (__generic void *)waits, event);
	return __weft_enqueue(WEFT_ENQUEUE_MARKER, &r);
}

/* ---- queries ---------------------------------------------------------------------------------- */

#define BLOCK_QUERY(name, operation)                                                               \
	uint __get_kernel_##name##_impl(__generic void *kernel_number, __generic void *block)      \
	{                                                                                          \
		request r = block_request(kernel_number, block);                                   \
                                                                                                   \
		return __weft_enqueue(operation, &r);                                              \
	}
#define RANGE_QUERY(name, operation)                                                               \
	uint __get_kernel_##name##_for_ndrange_impl(                                               \
		__private ndrange_t *range, __generic void *kernel_number, __generic void *block)  \
	{                                                                                          \
		request r = block_request(kernel_number, block);                                   \
                                                                                                   \
		r.range = range;                                                                   \
		return __weft_enqueue(operation, &r);                                              \
	}

BLOCK_QUERY(work_group_size, WEFT_ENQUEUE_GROUP_SIZE)
BLOCK_QUERY(preferred_work_group_size_multiple, WEFT_ENQUEUE_GROUP_MULTIPLE)
RANGE_QUERY(sub_group_count, WEFT_ENQUEUE_SUB_GROUP_COUNT)
RANGE_QUERY(max_sub_group_size, WEFT_ENQUEUE_SUB_GROUP_SIZE)

/* Of a group along the first dimension, which has as many work-items as the kernel allows: OpGetKernelMaxNumSubgroups and
 * OpGetKernelLocalSizeForSubgroupCount of SPIR-V, for which OpenCL C has no functions. */
HELPER uint query_largest_group(uint operation, __private request *r, uint largest)
{
	ndrange_t range = ndrange_1D(largest, largest);

	r->range = &range;
	return __weft_enqueue(operation, r);
}

uint __get_kernel_max_num_sub_groups_impl(__generic void *kernel_number, __generic void *block)
{
	request r = block_request(kernel_number, block);
	const uint largest = __weft_enqueue(WEFT_ENQUEUE_GROUP_SIZE, &r);

	return query_largest_group(WEFT_ENQUEUE_SUB_GROUP_COUNT, &r, largest);
}

uint __get_kernel_local_size_for_sub_group_count_impl(uint count, __generic void *kernel_number,
						      __generic void *block)
{
	request r = block_request(kernel_number, block);
	const uint largest = __weft_enqueue(WEFT_ENQUEUE_GROUP_SIZE, &r);
	const uint items = query_largest_group(WEFT_ENQUEUE_SUB_GROUP_SIZE, &r, largest);

	return items == 0 || count > largest / items ? 0 : count * items;
}

WEFT queue_t get_default_queue(void)
{
	request r = {0};

	return __weft_number_queue(__weft_enqueue(WEFT_ENQUEUE_DEFAULT_QUEUE, &r));
}

/* ---- events ----------------------------------------------------------------------------------- */

HELPER long event_request(uint operation, clk_event_t event, int status, __global void *result)
{
	request r = {0};

	r.event = __weft_event_number(event);
	r.status = status;
	r.result = result;
	return __weft_enqueue(operation, &r);
}

WEFT void retain_event(clk_event_t event)
{
	event_request(WEFT_ENQUEUE_RETAIN, event, 0, 0);
}

WEFT void release_event(clk_event_t event)
{
	event_request(WEFT_ENQUEUE_RELEASE, event, 0, 0);
}

WEFT clk_event_t create_user_event(void)
{
	request r = {0};

	return __weft_number_event(__weft_enqueue(WEFT_ENQUEUE_CREATE_USER_EVENT, &r));
}

WEFT clk_event_t __weft_null_event(void)
{
	return __weft_number_event(0);
}

WEFT bool is_valid_event(clk_event_t event)
{
	return event_request(WEFT_ENQUEUE_IS_VALID, event, 0, 0) != 0;
}

WEFT void set_user_event_status(clk_event_t event, int status)
{
	event_request(WEFT_ENQUEUE_SET_STATUS, event, status, 0);
}

WEFT void capture_event_profiling_info(clk_event_t event, clk_profiling_info name,
				       __global void *value)
{
	if (name == CLK_PROFILING_COMMAND_EXEC_TIME)
		event_request(WEFT_ENQUEUE_CAPTURE_TIMES, event, 0, value);
}

/* ---- ranges ------------------------------------------------------------------------------------ */

HELPER ndrange_t range_of(uint dimensions, const size_t *offset, const size_t *items,
			  const size_t *group)
{
	ndrange_t range = {0};

	range.workDimension = dimensions;
	for (uint i = 0; i < dimensions; i++) {
		range.globalWorkOffset[i] = offset ? offset[i] : 0;
		range.globalWorkSize[i] = items[i];
		range.localWorkSize[i] = group ? group[i] : 0;
	}
	return range;
}

WEFT ndrange_t ndrange_1D(size_t items)
{
	return range_of(1, 0, &items, 0);
}

WEFT ndrange_t ndrange_1D(size_t items, size_t group)
{
	return range_of(1, 0, &items, &group);
}

WEFT ndrange_t ndrange_1D(size_t offset, size_t items, size_t group)
{
	return range_of(1, &offset, &items, &group);
}

#define RANGES(n)                                                                                  \
	WEFT ndrange_t ndrange_##n##D(const size_t items[n])                                      \
	{                                                                                          \
		return range_of(n, 0, items, 0);                                                  \
	}                                                                                          \
	WEFT ndrange_t ndrange_##n##D(const size_t items[n], const size_t group[n])               \
	{                                                                                          \
		return range_of(n, 0, items, group);                                              \
	}                                                                                          \
	WEFT ndrange_t ndrange_##n##D(const size_t offset[n], const size_t items[n],              \
				      const size_t group[n])                                       \
	{                                                                                          \
		return range_of(n, offset, items, group);                                         \
	}

RANGES(2)
RANGES(3)
