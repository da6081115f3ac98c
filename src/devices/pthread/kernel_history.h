/* SPDX-License-Identifier: MIT
 *
 * What is remembered of kernels: whether one group takes long, and with how many groups it was over soon. Notes of two
 * kernels may mix, and one may replace another's: they only decide who is woken when.
 */
#ifndef WEFT_PTHREAD_NOTES_H
#define WEFT_PTHREAD_NOTES_H

#include "driver.h"

#define KERNEL_NOTES_BITS 6
#define KERNEL_NOTES                                                                               \
	(1 << KERNEL_NOTES_BITS) /* kernels of which something is remembered at a time */

struct kernel_notes {
	_Atomic uintptr_t long_kernels[KERNEL_NOTES]; /* descriptors, to compare with */
	struct {
		_Atomic uintptr_t kernel; /* likewise */
		_Atomic uint64_t groups;  /* with so many it was soon over */
	} short_kernels[KERNEL_NOTES];
};

/* Whether one group of the kernel took long the last time. */
bool notes_say_long(const struct kernel_notes *notes, const struct weft_launch *launch);
/* A group took so many nanoseconds. */
void notes_add_group(struct kernel_notes *notes, const struct weft_launch *launch, uint64_t time);

/* Whether the kernel was over before anybody could have been woken, with no fewer groups. */
bool notes_say_short(const struct kernel_notes *notes, const struct weft_launch *launch);
/* All of it took so many nanoseconds. */
void notes_add_launch(struct kernel_notes *notes, const struct weft_launch *launch, uint64_t time);

#endif
