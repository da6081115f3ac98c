/* SPDX-License-Identifier: MIT
 *
 * The types of shared virtual memory of cl_khr_unified_svm: what the memory of each can do on each device.
 */
#ifndef WEFT_API_SVM_TYPES_H
#define WEFT_API_SVM_TYPES_H

#include "device/context.h"
#include "info/info.h"
#include "object/unified_svm_khr.h"

/* Indices of types. First those that devices with memories of their own may have. */
enum weft_svm_type {
	WEFT_SVM_COARSE, /* of clSVMAlloc */
	WEFT_SVM_DEVICE,
	WEFT_SVM_FINE, /* of clSVMAlloc */
	WEFT_SVM_HOST,
	WEFT_SVM_SHARED,
	WEFT_SVM_SYSTEM,
	WEFT_NUM_SVM_TYPES,
};

/* 0: the device does not have the type. */
cl_svm_capabilities_khr weft_svm_capabilities(cl_device_id device, cl_uint type);
/* What those of the devices have in common that have the type; 0: none has it. */
cl_svm_capabilities_khr weft_svm_common_capabilities(const cl_device_id *devices, cl_uint count,
						     cl_uint type);

/* For CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, of a cl_device_id, and for CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR. */
cl_int weft_svm_get_device_types(const void *object, struct weft_info_answer *answer);
cl_int weft_svm_get_platform_types(const void *object, struct weft_info_answer *answer);

#endif
