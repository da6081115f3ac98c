/* SPDX-License-Identifier: MIT
 *
 * What kernels ask the host for while they run: device-side enqueue (OpenCL C 6.15.17).
 */
#ifndef WEFT_RUNTIME_REQUESTS_H
#define WEFT_RUNTIME_REQUESTS_H

#include "driver.h"

/* Of the first struct weft_parent of a family. */
extern const struct weft_enqueuer weft_enqueue_requests;

#endif
