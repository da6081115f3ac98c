/* SPDX-License-Identifier: MIT
 *
 * Loaded kernel binaries, for drivers whose kernels run in this process.
 */
#ifndef WEFT_DEVICES_MODULE_H
#define WEFT_DEVICES_MODULE_H

#include "driver.h"

/* Their weft_driver_program_ops: they need nothing of the device. */
extern const struct weft_driver_program_ops weft_module_ops;

#endif
