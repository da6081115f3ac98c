/* SPDX-License-Identifier: MIT
 *
 * The lists of pointers of a kernel object.
 */
#include "program/exec_info.h"

#include "alloc.h"

#include "memory/allocation.h"
#include "object/shared_memory_ext.h"
#include "object/unified_svm_khr.h"

#include <assert.h>
#include <string.h>

/* `bytes` of pointers; none: an empty list. */
static cl_int set_list(struct weft_exec_info *info, enum weft_exec_list list, size_t bytes,
		       const void *pointers)
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

static cl_int read_bool(size_t size, const void *value, cl_bool *read)
{
	if (size != sizeof(*read) || !value)
		return CL_INVALID_VALUE;
	memcpy(read, value, sizeof(*read));
	return CL_SUCCESS;
}

static cl_int set_system(struct weft_exec_info *info, cl_context context, size_t size,
			 const void *value)
{
	cl_bool allowed;

	cl_int err = read_bool(size, value, &allowed);
	if (err != CL_SUCCESS)
		return err;
	/* "if … param_value is CL_TRUE and no devices in the context … support fine-grain system SVM" */
	if (allowed && !weft_context_shares_memory(context))
		return CL_INVALID_OPERATION;
	info->no_system = !allowed;
	return CL_SUCCESS;
}

static cl_int set_indirect(struct weft_exec_info *info, enum weft_allocation_kind kind, size_t size,
			   const void *value)
{
	cl_bool allowed;

	cl_int err = read_bool(size, value, &allowed);
	if (err == CL_SUCCESS)
		info->indirect = allowed ? info->indirect | kind : info->indirect & ~kind;
	return err;
}

/* Device pointers are as large as the host's. */
static_assert(sizeof(cl_mem_device_address_ext) == sizeof(void *), "one list holds both");

static cl_int set_shared(struct weft_exec_info *info, cl_kernel_exec_info param, size_t size,
			 const void *value)
{
	static const struct {
		cl_kernel_exec_info param;
		enum weft_exec_list list;
	} lists[] = {
		{CL_KERNEL_EXEC_INFO_SVM_PTRS, WEFT_EXEC_SVM_POINTERS},
		{CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, WEFT_EXEC_USM_POINTERS},
		{CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, WEFT_EXEC_DEVICE_POINTERS},
	};
	static const struct {
		cl_kernel_exec_info param;
		enum weft_allocation_kind kind;
	} indirect[] = {
		{CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, WEFT_ALLOCATION_USM_HOST},
		{CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, WEFT_ALLOCATION_USM_DEVICE},
		{CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, WEFT_ALLOCATION_USM_SHARED},
		{CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, WEFT_ALLOCATION_SVM},
	};

	for (size_t i = 0; i < sizeof(indirect) / sizeof(indirect[0]); i++) {
		if (param == indirect[i].param)
			return set_indirect(info, indirect[i].kind, size, value);
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (param == lists[i].param)
			return size % sizeof(void *) != 0 || (size && !value)
				       ? CL_INVALID_VALUE
				       : set_list(info, lists[i].list, size, value);
	}
	return CL_INVALID_VALUE;
}

cl_int weft_exec_info_set(struct weft_exec_info *info, cl_context context,
			  cl_kernel_exec_info param, size_t size, const void *value)
{
	switch (param) {
	case CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT:
		return weft_context_shares_memory(context) ? set_shared(info, param, size, value)
							   : CL_INVALID_OPERATION;
	case CL_KERNEL_EXEC_INFO_SVM_PTRS:
	case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
	case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
	case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
	case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
	case CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR:
		return weft_context_offers_svm(context) ? set_shared(info, param, size, value)
							: CL_INVALID_OPERATION;
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
	info->indirect = from->indirect;
	for (int i = 0; i < WEFT_NUM_EXEC_LISTS && err == CL_SUCCESS; i++)
		err = set_list(info, (enum weft_exec_list)i, from->lists[i].count * sizeof(void *),
			       from->lists[i].items);
	return err;
}

void weft_exec_info_destroy(struct weft_exec_info *info)
{
	for (int i = 0; i < WEFT_NUM_EXEC_LISTS; i++)
		weft_free(info->lists[i].items);
}
