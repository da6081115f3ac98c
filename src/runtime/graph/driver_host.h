/* SPDX-License-Identifier: MIT
 *
 * What drivers call of the task graph (struct weft_host, driver.h).
 */
#ifndef WEFT_RUNTIME_DRIVER_HOST_H
#define WEFT_RUNTIME_DRIVER_HOST_H

#include "driver.h"

/* For all devices of the process, with or without a trace. Lives as long as the process. */
const struct weft_host *weft_driver_host(void);

#endif
