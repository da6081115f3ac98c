/* SPDX-License-Identifier: MIT
 *
 * The queries of clGetDeviceInfo about device-side enqueue.
 */
#ifndef WEFT_API_DEVICE_QUEUE_INFO_H
#define WEFT_API_DEVICE_QUEUE_INFO_H

#include "info/info.h"

/* Rows of a cl_device_id. */
extern const struct weft_info_table weft_device_queue_info;

#endif
