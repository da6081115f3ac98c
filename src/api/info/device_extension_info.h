/* SPDX-License-Identifier: MIT
 *
 * The queries of clGetDeviceInfo of cl_intel_device_attribute_query, cl_khr_unified_svm and cl_khr_terminate_context.
 */
#ifndef WEFT_API_DEVICE_EXTENSION_INFO_H
#define WEFT_API_DEVICE_EXTENSION_INFO_H

#include "info/info.h"

/* Rows of a cl_device_id. */
extern const struct weft_info_table weft_device_extension_info;

#endif
