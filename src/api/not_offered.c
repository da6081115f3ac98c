/* SPDX-License-Identifier: MIT
 *
 * The entry points of optional features that no device offers: built-in kernels. After the handles, which come first in the specification's tables, each
 * returns the code that the specification names for this case (its appendix "OpenCL 3.0 Backwards Compatibility").
 */
#include "check.h"
#include "entry_points.h"

/* No device has built-in kernels, so every name is one "that is not supported by any of the
 * devices". */
cl_program CL_API_CALL weft_clCreateProgramWithBuiltInKernels(cl_context context,
							      cl_uint num_devices,
							      const cl_device_id *devices,
							      const char *names,
							      cl_int *errcode_ret)
{
	cl_int err = weft_check_context(context);

	if (err == CL_SUCCESS && (!devices || num_devices == 0 || !names))
		err = CL_INVALID_VALUE;
	for (cl_uint i = 0; err == CL_SUCCESS && i < num_devices; i++) {
		if (!weft_context_has_device(context, devices[i]))
			err = CL_INVALID_DEVICE;
	}
	weft_api_set_error(errcode_ret, err == CL_SUCCESS ? CL_INVALID_VALUE : err);
	return NULL;
}
