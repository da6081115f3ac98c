/* SPDX-License-Identifier: MIT
 *
 * What a kernel's work-items do when it runs over an NDRange (cl_weft_access_ranges 1.1).
 */
#ifndef WEFT_RUNTIME_KERNEL_FEATURES_H
#define WEFT_RUNTIME_KERNEL_FEATURES_H

#include "object/access_ranges_weft.h"
#include "program/kernel.h"

/* Fills CL_KERNEL_NUM_FEATURES_WEFT numbers. CL_KERNEL_ARG_INFO_NOT_AVAILABLE: it was not built for that, or nothing is known.
 * CL_INVALID_KERNEL_ARGS: an argument by value is not set. */
cl_int weft_kernel_features(cl_kernel kernel, const struct weft_kernel_desc *desc,
			    const struct weft_ndrange *range, cl_double *features) WEFT_MUST_CHECK;

#endif
