/* SPDX-License-Identifier: MIT
 *
 * cl_weft_access_ranges (<weft/access_ranges.h>).
 */
#include "program/access_ranges.h"

#include "check.h"
#include "entry_points.h"
#include "program/launch_range.h"

cl_int CL_API_CALL weft_clGetKernelAccessRangesWEFT(cl_kernel kernel, cl_device_id device,
						    cl_uint work_dim, const size_t *offset,
						    const size_t *global, const size_t *local,
						    cl_uint num_ranges,
						    cl_kernel_access_ranges_weft *ranges)
{
	struct weft_ndrange range;
	bool is_empty = false;

	cl_int err = weft_check_kernel_device(kernel, &device);
	if (err != CL_SUCCESS)
		return err;
	const struct weft_kernel_code *code = weft_kernel_code(kernel, device);
	if (!code)
		return CL_INVALID_DEVICE;
	const struct weft_range_request request = {code->desc, device, code->uniform, work_dim,
						   offset,     global, local};
	err = weft_range_plan(&request, &range, &is_empty);
	if (err == CL_SUCCESS && is_empty)
		err = CL_INVALID_GLOBAL_WORK_SIZE;
	if (err == CL_SUCCESS && (!ranges || num_ranges != code->desc->num_args))
		err = CL_INVALID_VALUE;
	return err == CL_SUCCESS ? weft_access_ranges(kernel, code->desc, &range, ranges) : err;
}
