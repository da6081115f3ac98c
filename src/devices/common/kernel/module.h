/* SPDX-License-Identifier: MIT
 *
 * Loaded kernel binaries, for drivers that run kernels in this process.
 */
#ifndef WEFT_DEVICES_MODULE_H
#define WEFT_DEVICES_MODULE_H

#include "driver.h"

#include <stdbool.h>

/* The program group of these drivers; it uses nothing of the device. */
extern const struct weft_driver_program_ops weft_module_ops;

/* A launch of a program's hook, for one work-item; false: the program has none. `args` are zeros, WEFT_KERNEL_ALIGNMENT bytes, borrowed
 * as those of the launch. */
bool weft_module_hook(const struct weft_program_desc *program, enum weft_program_hook hook,
		      const void *args, struct weft_launch *launch);

#endif
