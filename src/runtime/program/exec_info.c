/* SPDX-License-Identifier: MIT
 *
 * The lists of pointers of a kernel object.
 */
#include "program/exec_info.h"

#include "alloc.h"

#include <string.h>

/* `bytes` of pointers; none: an empty list. */
static cl_int set_list(struct weft_exec_info *info, int list, size_t bytes, const void *pointers)
{
	const void **items = NULL;

	if (bytes) {
		items = weft_memdup(pointers, bytes);
		if (!items)
			return CL_OUT_OF_HOST_MEMORY;
	}
	weft_free(info->lists[list].items);
	info->lists[list] = (struct weft_pointer_list){items, bytes / sizeof(void *)};
	return CL_SUCCESS;
}

static cl_int set_system(struct weft_exec_info *info, cl_context context, size_t size,
			 const void *value)
{
	cl_bool allowed;

	if (size != sizeof(allowed) || !value)
		return CL_INVALID_VALUE;
	memcpy(&allowed, value, sizeof(allowed));
	/* "if … param_value is CL_TRUE and no devices in the context … support fine-grain system SVM" */
	if (allowed && !weft_context_shares_memory(context))
		return CL_INVALID_OPERATION;
	info->no_system = !allowed;
	return CL_SUCCESS;
}

cl_int weft_exec_info_set(struct weft_exec_info *info, cl_context context,
			  cl_kernel_exec_info param, size_t size, const void *value)
{
	switch (param) {
	case CL_KERNEL_EXEC_INFO_SVM_PTRS:
		if (!weft_context_shares_memory(context))
			return CL_INVALID_OPERATION;
		if (size % sizeof(void *) != 0 || (size && !value))
			return CL_INVALID_VALUE;
		return set_list(info, WEFT_EXEC_SVM_POINTERS, size, value);
	case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
		return set_system(info, context, size, value);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int weft_exec_info_copy(const struct weft_exec_info *from, struct weft_exec_info *info)
{
	cl_int err = CL_SUCCESS;

	info->no_system = from->no_system;
	for (int i = 0; i < WEFT_NUM_EXEC_LISTS && err == CL_SUCCESS; i++)
		err = set_list(info, i, from->lists[i].count * sizeof(void *),
			       from->lists[i].items);
	return err;
}

void weft_exec_info_destroy(struct weft_exec_info *info)
{
	for (int i = 0; i < WEFT_NUM_EXEC_LISTS; i++)
		weft_free(info->lists[i].items);
}
