/* SPDX-License-Identifier: MIT
 *
 * The program group (weft_driver_program_ops) of accelerators whose instruction set is RISC-V.
 */
#ifndef WEFT_RISCV_PROGRAM_H
#define WEFT_RISCV_PROGRAM_H

#include "device_memory/memory.h"
#include "driver.h"
#include "riscv/image.h"

/* `memory` is the device's. */
enum weft_status riscv_program_load(struct accel_memory *memory, const void *image, size_t size,
				    struct weft_module **module) WEFT_MUST_CHECK;
void riscv_program_unload(struct accel_memory *memory, struct weft_module *module);
const struct weft_program_desc *riscv_program_describe(const struct weft_module *module);

/* The image that has been loaded as this module. */
const struct riscv_image *riscv_program_image(const struct weft_module *module);

#endif
