/* SPDX-License-Identifier: MIT
 *
 * The bodies of the entry points of entry_points.def, with the types that the OpenCL headers give them.
 * The library calls these and never a cl* function.
 */
#ifndef WEFT_API_ENTRY_POINTS_H
#define WEFT_API_ENTRY_POINTS_H

#include "object/access_ranges_weft.h"
#include "object/command_buffer_khr.h"
#include "object/external_khr.h"
#include "object/host_function_weft.h"
#include "object/object.h"
#include "object/opencl_version.h"
#include "object/shared_memory_ext.h"
#include "object/unified_svm_khr.h"

/* cl_khr_icd 2.0 (specification of cl_khr_icd, "New Commands"): newer than Debian's headers. */
#ifndef CL_ICD2_TAG_KHR
#define CL_ICD2_TAG_KHR ((intptr_t)0x4F50454E434C3331)
#endif
void *CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char *name);
cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void *dispatch_data);

#define WEFT_ENTRY(name) extern __typeof__(name) weft_##name;
#define WEFT_EXTENSION_ENTRY(name) WEFT_ENTRY(name)
#define WEFT_NEWER_ENTRY(name)
#include "entry_points.def"
#undef WEFT_ENTRY
#undef WEFT_EXTENSION_ENTRY

/* The only writer of errcode_ret, which may be NULL. */
static inline void weft_api_set_error(cl_int *errcode_ret, cl_int error)
{
	if (errcode_ret)
		*errcode_ret = error;
}

#endif
