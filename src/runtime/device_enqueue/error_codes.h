/* SPDX-License-Identifier: MIT
 *
 * OpenCL C's error codes of device-side enqueue (6.15.17).
 */
#ifndef WEFT_RUNTIME_ERROR_CODES_H
#define WEFT_RUNTIME_ERROR_CODES_H

#define CLK_SUCCESS 0
#define CLK_OUT_OF_RESOURCES (-5)
#define CLK_INVALID_ARG_SIZE (-51)
#define CLK_INVALID_EVENT_WAIT_LIST (-57)
#define CLK_EVENT_ALLOCATION_FAILURE (-100)
#define CLK_ENQUEUE_FAILURE (-101)
#define CLK_INVALID_QUEUE (-102)
#define CLK_INVALID_NDRANGE (-160)
#define CLK_DEVICE_QUEUE_FULL (-161)

#endif
