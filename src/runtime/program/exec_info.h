/* SPDX-License-Identifier: MIT
 *
 * What clSetKernelExecInfo says about the memory that a kernel reaches by pointers which it finds in memory (specification
 * 5.9.2). A kernel without such pointers needs none of it.
 */
#ifndef WEFT_RUNTIME_EXEC_INFO_H
#define WEFT_RUNTIME_EXEC_INFO_H

#include "device/context.h"

/* Each call for one list replaces that list alone. */
enum weft_exec_list {
	WEFT_EXEC_SVM_POINTERS,
	WEFT_EXEC_USM_POINTERS,
	WEFT_EXEC_DEVICE_POINTERS,
	WEFT_NUM_EXEC_LISTS,
};

/* Pointers into memory that the kernel may access beside that of its arguments. */
struct weft_pointer_list {
	const void **items; /* owned; NULL: none */
	size_t count;
};

/* All zeros is what a new kernel object has. */
struct weft_exec_info {
	struct weft_pointer_list lists[WEFT_NUM_EXEC_LISTS];
	/* The kernel accesses no system memory that is not in a list (CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM was set to
	 * CL_FALSE). */
	bool no_system;
	/* Kinds of allocations (enum weft_allocation_kind) any of which it may access, be they in a list or not. */
	unsigned indirect;
};

/* Whether the lists are complete. */
static inline bool weft_exec_info_names_all(const struct weft_exec_info *info)
{
	return info->no_system && !info->indirect;
}

/* What clSetKernelExecInfo gets, of a kernel of the context: checks it (5.9.2), and changes what it names. A list is copied. */
cl_int weft_exec_info_set(struct weft_exec_info *info, cl_context context,
			  cl_kernel_exec_info param, size_t size,
			  const void *value) WEFT_MUST_CHECK;
/* CL_OUT_OF_HOST_MEMORY: then some lists are as they were. */
cl_int weft_exec_info_copy(const struct weft_exec_info *from,
			   struct weft_exec_info *info) WEFT_MUST_CHECK;
void weft_exec_info_destroy(struct weft_exec_info *info);

/* Pointers in all lists. */
static inline size_t weft_exec_info_count(const struct weft_exec_info *info)
{
	size_t count = 0;

	for (int i = 0; i < WEFT_NUM_EXEC_LISTS; i++)
		count += info->lists[i].count;
	return count;
}

#endif
