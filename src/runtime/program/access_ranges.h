/* SPDX-License-Identifier: MIT
 *
 * Which bytes of its arguments a kernel accesses when it runs over an NDRange (cl_weft_access_ranges).
 */
#ifndef WEFT_RUNTIME_ACCESS_RANGES_H
#define WEFT_RUNTIME_ACCESS_RANGES_H

#include "object/access_ranges_weft.h"
#include "program/kernel.h"

/* Of each argument of the kernel in the device's code. CL_KERNEL_ARG_INFO_NOT_AVAILABLE: it was not built for that.
 * CL_INVALID_KERNEL_ARGS: an argument by value is not set. */
cl_int weft_access_ranges(cl_kernel kernel, const struct weft_kernel_desc *desc,
			  const struct weft_ndrange *range,
			  cl_kernel_access_ranges_weft *ranges) WEFT_MUST_CHECK;

/* Whether all arguments by value are set, which the footprint's formulas need. */
bool weft_access_ranges_has_values(cl_kernel kernel, const struct weft_kernel_desc *desc);

#endif
