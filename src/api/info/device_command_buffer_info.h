/* SPDX-License-Identifier: MIT
 *
 * The queries of clGetDeviceInfo about command buffers.
 */
#ifndef WEFT_API_DEVICE_COMMAND_BUFFER_INFO_H
#define WEFT_API_DEVICE_COMMAND_BUFFER_INFO_H

#include "info/info.h"

/* Rows of a cl_device_id. */
extern const struct weft_info_table weft_device_command_buffer_info;

#endif
