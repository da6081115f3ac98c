/* SPDX-License-Identifier: MIT
 *
 * cl_weft_access_ranges (<weft/access_ranges.h>).
 */
#include "program/access_ranges.h"

#include "check.h"
#include "entry_points.h"
#include "program/kernel_features.h"
#include "program/launch_range.h"

/* The device's code of the kernel, and the range as it would be launched. `request` has the caller's range. */
static cl_int plan(cl_kernel kernel, cl_device_id device, struct weft_range_request *request,
		   const struct weft_kernel_code **code, struct weft_ndrange *range)
{
	bool is_empty = false;

	cl_int err = weft_check_kernel_device(kernel, &device);
	if (err != CL_SUCCESS)
		return err;
	*code = weft_kernel_code(kernel, device);
	if (!*code)
		return CL_INVALID_DEVICE;
	request->desc = (*code)->desc;
	request->device = device;
	request->uniform = (*code)->uniform;
	err = weft_range_plan(request, range, &is_empty);
	return err == CL_SUCCESS && is_empty ? CL_INVALID_GLOBAL_WORK_SIZE : err;
}

cl_int CL_API_CALL weft_clGetKernelAccessRangesWEFT(cl_kernel kernel, cl_device_id device,
						    cl_uint work_dim, const size_t *offset,
						    const size_t *global, const size_t *local,
						    cl_uint num_ranges,
						    cl_kernel_access_ranges_weft *ranges)
{
	struct weft_range_request request = {
		.work_dim = work_dim, .offset = offset, .global = global, .local = local};
	const struct weft_kernel_code *code = NULL;
	struct weft_ndrange range;

	const cl_int err = plan(kernel, device, &request, &code, &range);
	if (err != CL_SUCCESS)
		return err;
	if (!ranges || num_ranges != code->desc->num_args)
		return CL_INVALID_VALUE;
	return weft_access_ranges(kernel, code->desc, &range, ranges);
}

cl_int CL_API_CALL weft_clGetKernelFeaturesWEFT(cl_kernel kernel, cl_device_id device,
						cl_uint work_dim, const size_t *offset,
						const size_t *global, const size_t *local,
						cl_uint num_features, cl_double *features)
{
	struct weft_range_request request = {
		.work_dim = work_dim, .offset = offset, .global = global, .local = local};
	const struct weft_kernel_code *code = NULL;
	struct weft_ndrange range;

	const cl_int err = plan(kernel, device, &request, &code, &range);
	if (err != CL_SUCCESS)
		return err;
	if (!features || num_features != CL_KERNEL_NUM_FEATURES_WEFT)
		return CL_INVALID_VALUE;
	return weft_kernel_features(kernel, code->desc, &range, features);
}
