/* SPDX-License-Identifier: MIT
 *
 * What types of shared virtual memory there are. All memory of CPU devices is the host's: the types differ in what the extension
 * promises of them.
 */
#include "svm_types.h"

#include "device/device.h"
#include "platform/platform.h"

#include <string.h>

#define ATOMIC                                                                                     \
	(CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR | CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR |    \
	 CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR)
#define ANY_DEVICE                                                                                 \
	(CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR)

static const cl_svm_capabilities_khr of_cpu[WEFT_NUM_SVM_TYPES] = {
	[WEFT_SVM_COARSE] =
		CL_SVM_TYPE_MACRO_COARSE_GRAIN_BUFFER_KHR | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR,
	[WEFT_SVM_DEVICE] = CL_SVM_TYPE_MACRO_DEVICE_KHR,
	[WEFT_SVM_FINE] = CL_SVM_TYPE_MACRO_FINE_GRAIN_BUFFER_KHR | ATOMIC |
			  CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR,
	[WEFT_SVM_HOST] = CL_SVM_TYPE_MACRO_HOST_KHR | ATOMIC,
	[WEFT_SVM_SHARED] = CL_SVM_TYPE_MACRO_SINGLE_DEVICE_SHARED_KHR | ATOMIC | ANY_DEVICE,
	[WEFT_SVM_SYSTEM] = CL_SVM_TYPE_MACRO_SYSTEM_KHR,
};

/* A kernel finds no coarse-grained memory there that it has not been told of. */
static const cl_svm_capabilities_khr of_ranges[WEFT_NUM_SVM_TYPES] = {
	[WEFT_SVM_COARSE] = CL_SVM_TYPE_MACRO_COARSE_GRAIN_BUFFER_KHR,
	[WEFT_SVM_DEVICE] = CL_SVM_TYPE_MACRO_DEVICE_KHR,
};

cl_svm_capabilities_khr weft_svm_capabilities(cl_device_id device, cl_uint type)
{
	if (type >= WEFT_NUM_SVM_TYPES || !weft_device_offers_svm(device))
		return 0;
	return weft_device_shares_memory(device) ? of_cpu[type] : of_ranges[type];
}

cl_svm_capabilities_khr weft_svm_common_capabilities(const cl_device_id *devices, cl_uint count,
						     cl_uint type)
{
	cl_svm_capabilities_khr common = 0;

	for (cl_uint i = 0; i < count; i++) {
		const cl_svm_capabilities_khr own = weft_svm_capabilities(devices[i], type);

		if (own)
			common = common ? common & own : own;
	}
	return common;
}

/* "Each SVM type must be supported by at least one device in the platform": in the end there are types that none has. */
static cl_uint count_types(const cl_device_id *devices, cl_uint count)
{
	cl_uint types = WEFT_NUM_SVM_TYPES;

	while (types > 0 && !weft_svm_common_capabilities(devices, count, types - 1))
		types--;
	return types;
}

/* As many as the platform has types. */
static cl_int answer_types(const cl_device_id *devices, cl_uint count,
			   struct weft_info_answer *answer)
{
	cl_uint num_all;
	const cl_device_id *all = weft_platform_devices(&num_all);
	const cl_uint num_types = all ? count_types(all, num_all) : 0;
	cl_svm_capabilities_khr types[WEFT_NUM_SVM_TYPES];

	_Static_assert(sizeof(types) <= sizeof(answer->scratch.bytes), "they fit");
	for (cl_uint i = 0; i < num_types; i++)
		types[i] = weft_svm_common_capabilities(devices, count, i);
	memcpy(answer->scratch.bytes, types, num_types * sizeof(types[0]));
	return weft_info_answer_data(answer, answer->scratch.bytes, num_types * sizeof(types[0]));
}

cl_int weft_svm_get_device_types(const void *object, struct weft_info_answer *answer)
{
	const cl_device_id device = (cl_device_id)(uintptr_t)object;

	return answer_types(&device, 1, answer);
}

cl_int weft_svm_get_platform_types(const void *object, struct weft_info_answer *answer)
{
	cl_uint count;
	const cl_device_id *devices = weft_platform_devices(&count);

	(void)object;
	return answer_types(devices, devices ? count : 0, answer);
}
