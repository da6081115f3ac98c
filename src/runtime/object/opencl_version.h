/* SPDX-License-Identifier: MIT
 *
 * The version of OpenCL that platform and devices report, which is that of the newest OpenCL C as well, and what it has that
 * Debian's headers have not.
 */
#ifndef WEFT_OPENCL_VERSION_H
#define WEFT_OPENCL_VERSION_H

#include "object/opencl_headers.h"

#define WEFT_OPENCL_MINOR 1
#define WEFT_OPENCL_NAME "3.1"

cl_int CL_API_CALL weft_clGetKernelSuggestedLocalWorkSize(cl_command_queue queue, cl_kernel kernel,
							  cl_uint work_dim, const size_t *offset,
							  const size_t *global, size_t *local);

#endif
