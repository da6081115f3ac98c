/* SPDX-License-Identifier: MIT
 *
 * Loaded kernel binaries, for drivers that run kernels in this process.
 */
#ifndef WEFT_DEVICES_MODULE_H
#define WEFT_DEVICES_MODULE_H

#include "driver.h"

/* The program group of these drivers; it uses nothing of the device. */
extern const struct weft_driver_program_ops weft_module_ops;

#endif
