/* SPDX-License-Identifier: MIT
 *
 * The version of OpenCL that platform and devices report, and of OpenCL C: in one line. 3.1 asks for SPIR-V 1.0 to 1.4.
 */
#ifndef WEFT_OPENCL_VERSION_H
#define WEFT_OPENCL_VERSION_H

#define WEFT_OPENCL_MINOR 0 /* 3.0; 1: 3.1 */

#if WEFT_OPENCL_MINOR >= 1
#define WEFT_OPENCL_NAME "3.1"
#else
#define WEFT_OPENCL_NAME "3.0"
#endif

#endif
