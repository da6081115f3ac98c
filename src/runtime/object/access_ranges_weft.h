/* SPDX-License-Identifier: MIT
 *
 * cl_weft_access_ranges: the entry points that its header gives types.
 */
#ifndef WEFT_RUNTIME_ACCESS_RANGES_WEFT_H
#define WEFT_RUNTIME_ACCESS_RANGES_WEFT_H

#include "object/opencl_headers.h"

#include <weft/access_ranges.h>

cl_int CL_API_CALL weft_clGetKernelAccessRangesWEFT(cl_kernel kernel, cl_device_id device,
						    cl_uint work_dim, const size_t *offset,
						    const size_t *global, const size_t *local,
						    cl_uint num_ranges,
						    cl_kernel_access_ranges_weft *ranges);
cl_int CL_API_CALL weft_clGetKernelFeaturesWEFT(cl_kernel kernel, cl_device_id device,
						cl_uint work_dim, const size_t *offset,
						const size_t *global, const size_t *local,
						cl_uint num_features, cl_double *features);

#endif
