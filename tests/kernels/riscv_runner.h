/* SPDX-License-Identifier: MIT
 *
 * The runner's part of RISC-V: with WEFT_ACCEL=isa=riscv64 in the environment, tests of kernels compile for it, and what they would
 * run in this thread the simulator runs there.
 */
#ifndef WEFT_TESTS_RISCV_RUNNER_H
#define WEFT_TESTS_RISCV_RUNNER_H

#include "kernel/work.h"

/* Cycles of accesses. */
enum { RISCV_RUNNER_LOCAL = 2, RISCV_RUNNER_GLOBAL = 1000 };

/* weft_target.isa; NULL: this machine's. `device`: an accelerator; NULL: there is none. */
const char *riscv_runner_isa(const struct weft_device *device);

/* What runs the launch's groups, in memory of the host, too; the caller gives it to riscv_runner_end, which fails the test if there
 * was a fault. */
struct weft_executor *riscv_runner_begin(const struct weft_launch *launch,
					 const struct weft_arena *arena);
void riscv_runner_end(struct weft_executor *executor);

#endif
