/* SPDX-License-Identifier: MIT
 *
 * What kernels need that may wait for other kernels, through pipes, or for other work-groups. A part of the ABI of kernels: see
 * kernel_abi.h, which few such kernels have to do with.
 */
#ifndef WEFT_KERNEL_WAITS_H
#define WEFT_KERNEL_WAITS_H

#include "kernel_abi.h"

enum {
	/* Beside enum weft_kernel_flag: the kernel has pipes, as arguments or in its block. */
	WEFT_KERNEL_MAY_BLOCK = 1 << 29,
	/* Its work-items may have to wait while they hold something: they run one after the other. */
	WEFT_KERNEL_ITEMS_ALONE = 1 << 28,
	/* It has loops in which a work-group may wait for others by atomics, perhaps for those before it. */
	WEFT_KERNEL_MAY_WAIT = 1 << 27,
};

/* The context of every kernel that has the flag is the first member of one of these. */
struct weft_waiting_context {
	struct weft_work_context base;
	/* A work-item, or one for its group, has not found what it looked for, and may look for it again and again. */
	void (*yield)(struct weft_work_context *context);
};

#endif
