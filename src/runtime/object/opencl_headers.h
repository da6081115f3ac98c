/* SPDX-License-Identifier: MIT
 *
 * The OpenCL headers with all of 3.0's entry points, the deprecated ones included, and the extensions that newer headers
 * keep behind a switch.
 */
#ifndef WEFT_RUNTIME_OPENCL_HEADERS_H
#define WEFT_RUNTIME_OPENCL_HEADERS_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#define CL_ENABLE_BETA_EXTENSIONS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#endif
