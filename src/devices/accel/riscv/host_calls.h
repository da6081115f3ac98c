/* SPDX-License-Identifier: MIT
 *
 * What code of RISC-V calls of the host.
 */
#ifndef WEFT_RISCV_HOST_CALLS_H
#define WEFT_RISCV_HOST_CALLS_H

#include "riscv/hart.h"

/* The code leads to an address that has none of it: a function of the host's, or the end. The next instruction; NULL at the end,
 * and after a fault. */
const struct riscv_instruction *riscv_leave(struct riscv_hart *hart,
					    const struct riscv_instruction *at, uint64_t target);

#endif
