/* SPDX-License-Identifier: MIT
 *
 * From what an application, or a kernel that enqueues one, gives for a launch to the range that a driver runs.
 */
#ifndef WEFT_RUNTIME_LAUNCH_RANGE_H
#define WEFT_RUNTIME_LAUNCH_RANGE_H

#include "kernel_abi.h"
#include "object/opencl_headers.h"

#include <stdbool.h>

struct weft_range_request {
	const struct weft_kernel_desc *desc;
	cl_device_id device;
	bool uniform; /* all work-groups must have the same size */
	cl_uint work_dim;
	const size_t *offset; /* work-items; NULL: zeros */
	const size_t *global; /* work-items; NULL: nothing runs */
	const size_t *local;  /* work-items; NULL: chosen here */
};

/* The checks of clEnqueueNDRangeKernel (5.10) from the dimensions to the work-items of a group, in the order of its table.
 * *empty: the range has no work-items. */
cl_int weft_range_plan(const struct weft_range_request *request, struct weft_ndrange *range,
		       bool *empty) __attribute__((warn_unused_result));

#endif
