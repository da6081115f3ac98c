/* SPDX-License-Identifier: MIT
 *
 * The descriptions of a program's kernels while some of them are yet to be compiled (WEFT_ARCHIVE_UNPREPARED): a copy of what the build says
 * of them, which is completed when a unit is made. A thread reads what is completed behind the end of the unit's node.
 */
#ifndef WEFT_RUNTIME_KERNEL_DESCRIPTION_H
#define WEFT_RUNTIME_KERNEL_DESCRIPTION_H

#include "kernel_abi.h"

#include <stdbool.h>
#include <stddef.h>

/* One block of memory, the caller's. Texts are borrowed from `signatures`, and `object` is: completing it does not look at them. NULL: no
 * memory. */
struct weft_program_desc *
weft_kernel_descriptions_create(const struct weft_program_desc *signatures, const void *object,
				size_t object_size) __attribute__((warn_unused_result));

/* Completes the kernels from `first` on by those of a unit. False: it is not for these kernels. */
bool weft_kernel_descriptions_complete(struct weft_program_desc *program, uint32_t first,
				       const struct weft_program_desc *unit)
	__attribute__((warn_unused_result));

#endif
