/* SPDX-License-Identifier: MIT
 *
 * What a device says of itself.
 */
#ifndef WEFT_TOOLS_INFO_DEVICE_H
#define WEFT_TOOLS_INFO_DEVICE_H

#include "object/opencl_headers.h"
#include "report.h"

#include <stdbool.h>

/* The device's rows. False: out of memory. */
bool weft_info_device(struct weft_report *report, cl_device_id device);

#endif
