/* SPDX-License-Identifier: MIT
 *
 * What earlier launches of kernels took: what one work-group took, and with how many work-groups a launch was over
 * soon. Entries of two kernels may get mixed up, and one may replace another: they only decide when threads are woken.
 */
#ifndef WEFT_PTHREAD_KERNEL_HISTORY_H
#define WEFT_PTHREAD_KERNEL_HISTORY_H

#include "driver.h"

#define KERNEL_HISTORY_BITS 6
#define KERNEL_HISTORY_SIZE (1 << KERNEL_HISTORY_BITS) /* entries */

struct kernel_history {
	_Atomic uintptr_t long_kernels[KERNEL_HISTORY_SIZE]; /* addresses of descriptors */
	struct {
		_Atomic uintptr_t kernel; /* address of a descriptor */
		_Atomic uint64_t groups;  /* work-groups with which a launch was over soon */
	} short_kernels[KERNEL_HISTORY_SIZE];
	struct {
		_Atomic uintptr_t kernel;
		_Atomic uint64_t time; /* ns of a work-group */
	} group_times[KERNEL_HISTORY_SIZE];
};

/* Whether one work-group of the kernel took long the last time. */
bool kernel_history_is_long(const struct kernel_history *history, const struct weft_launch *launch);
/* About what a work-group of the kernel took the last time, in ns; 0: not known. */
uint64_t kernel_history_group_time(const struct kernel_history *history,
				   const struct weft_launch *launch);
/* A work-group took `time` ns. */
void kernel_history_add_group(struct kernel_history *history, const struct weft_launch *launch,
			      uint64_t time);

/* Whether a launch of the kernel with no fewer work-groups was over before a thread could have been woken. */
bool kernel_history_is_short(const struct kernel_history *history,
			     const struct weft_launch *launch);
/* The launch took `time` ns. */
void kernel_history_add_launch(struct kernel_history *history, const struct weft_launch *launch,
			       uint64_t time);

#endif
