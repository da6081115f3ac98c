/* SPDX-License-Identifier: MIT
 *
 * Runs kernels of loaded binaries of RISC-V in the calling thread.
 */
#ifndef WEFT_RISCV_EXECUTOR_H
#define WEFT_RISCV_EXECUTOR_H

#include "device_memory/memory.h"
#include "kernel/work.h"
#include "riscv/hart.h"
#include "riscv/image.h"

/* Cycles of an access. */
struct riscv_memory_times {
	uint32_t local, global; /* 0: time does not matter */
	bool asks_for_global;   /* weft_work_context.access says it */
};

/* All zeros is one that has run nothing. One thread at a time uses it. */
struct riscv_executor {
	struct weft_executor base;
	struct riscv_hart hart;
	const struct riscv_image *image;  /* of the launch */
	const struct weft_launch *launch; /* borrowed until it has ended */
	const struct weft_arena *arena;   /* from which it has its local memory */
	struct accel_memory *memory;      /* the device's */
	struct riscv_memory_times times;  /* the device's */
};

/* Prepares to run a launch of a kernel of `image`. The launch's outcome is in hart.status when it has run. WEFT_OUT_OF_RESOURCES:
 * no memory for a stack. */
enum weft_status riscv_executor_begin(struct riscv_executor *executor,
				      const struct riscv_image *image,
				      const struct weft_launch *launch,
				      const struct weft_arena *arena) WEFT_MUST_CHECK;

void riscv_executor_destroy(struct riscv_executor *executor);

#endif
