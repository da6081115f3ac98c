/* SPDX-License-Identifier: MIT
 *
 * cl_weft_access_ranges (<weft/access_ranges.h>).
 */
#include "program/access_ranges.h"

#include "check.h"
#include "entry_points.h"
#include "program/kernel_features.h"
#include "program/launch_range.h"

/* What is asked for: one of the two. */
struct answer {
	cl_kernel_access_ranges_weft *ranges;
	cl_double *features;
};

/* `given`: the caller's range. */
static cl_int ask(cl_kernel kernel, cl_device_id device, const struct weft_range_request *given,
		  cl_uint count, const struct answer *answer)
{
	struct weft_range_request request = *given;
	struct weft_ndrange range;
	bool is_empty = false;

	cl_int err = weft_check_kernel_device(kernel, &device);
	if (err != CL_SUCCESS)
		return err;
	const struct weft_kernel_code *code = weft_kernel_code(kernel, device);
	if (!code)
		return CL_INVALID_DEVICE;
	request.desc = code->desc;
	request.device = device;
	request.uniform = code->uniform;
	err = weft_range_plan(&request, &range, &is_empty);
	if (err != CL_SUCCESS || is_empty)
		return err != CL_SUCCESS ? err : CL_INVALID_GLOBAL_WORK_SIZE;
	if (answer->ranges && count == code->desc->num_args)
		return weft_access_ranges(kernel, code->desc, &range, answer->ranges);
	if (answer->features && count == CL_KERNEL_NUM_FEATURES_WEFT)
		return weft_kernel_features(kernel, code->desc, &range, answer->features);
	return CL_INVALID_VALUE;
}

cl_int CL_API_CALL weft_clGetKernelAccessRangesWEFT(cl_kernel kernel, cl_device_id device,
						    cl_uint work_dim, const size_t *offset,
						    const size_t *global, const size_t *local,
						    cl_uint num_ranges,
						    cl_kernel_access_ranges_weft *ranges)
{
	return ask(
		kernel, device,
		&(struct weft_range_request){
			.work_dim = work_dim, .offset = offset, .global = global, .local = local},
		num_ranges, &(struct answer){.ranges = ranges});
}

cl_int CL_API_CALL weft_clGetKernelFeaturesWEFT(cl_kernel kernel, cl_device_id device,
						cl_uint work_dim, const size_t *offset,
						const size_t *global, const size_t *local,
						cl_uint num_features, cl_double *features)
{
	return ask(
		kernel, device,
		&(struct weft_range_request){
			.work_dim = work_dim, .offset = offset, .global = global, .local = local},
		num_features, &(struct answer){.features = features});
}
