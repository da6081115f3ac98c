/* SPDX-License-Identifier: MIT
 *
 * The platform's entry points (specification 4.1).
 */
#include "check.h"
#include "clock.h"
#include "dispatch.h"
#include "entry_points.h"
#include "info/info.h"
#include "info/versions.h"
#include "memory/external_memory.h"
#include "object/command_buffer_khr.h"
#include "semaphore_properties.h"
#include "svm_types.h"

/* As for a NULL platform, which the specification leaves undefined: there is only one platform. */
static cl_int check_platform(cl_platform_id platform)
{
	return platform ? weft_check_platform(platform) : CL_SUCCESS;
}

cl_int CL_API_CALL weft_clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms,
					 cl_uint *num_platforms)
{
	return weft_clIcdGetPlatformIDsKHR(num_entries, platforms, num_platforms);
}

static cl_int get_timer_resolution(const void *object, struct weft_info_answer *answer)
{
	(void)object;
	return weft_info_answer_u64(answer, weft_clock_resolution());
}

static const struct weft_info_row rows[] = {
	WEFT_INFO_ARRAY(CL_PLATFORM_PROFILE, "FULL_PROFILE"),
	WEFT_INFO_ARRAY(CL_PLATFORM_VERSION, WEFT_OPENCL_VERSION_NAME),
	WEFT_INFO_VALUE(CL_PLATFORM_NUMERIC_VERSION, cl_version, WEFT_OPENCL_VERSION),
	WEFT_INFO_ARRAY(CL_PLATFORM_NAME, "Weft"),
	WEFT_INFO_ARRAY(CL_PLATFORM_VENDOR, "Weft"),
	WEFT_INFO_GETTER(CL_PLATFORM_EXTENSIONS, weft_info_get_extensions),
	WEFT_INFO_GETTER(CL_PLATFORM_EXTENSIONS_WITH_VERSION,
			 weft_info_get_extensions_with_version),
	WEFT_INFO_GETTER(CL_PLATFORM_HOST_TIMER_RESOLUTION, get_timer_resolution),
	WEFT_INFO_ARRAY(CL_PLATFORM_ICD_SUFFIX_KHR, "WEFT"),
	WEFT_INFO_VALUE(CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR,
			cl_platform_command_buffer_capabilities_khr,
			CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR |
				CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
				CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR),
	WEFT_INFO_GETTER(CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR, weft_svm_get_platform_types),
	WEFT_INFO_ARRAY(CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
			WEFT_EXTERNAL_MEMORY_TYPES),
	WEFT_INFO_ARRAY(CL_PLATFORM_SEMAPHORE_TYPES_KHR, WEFT_SEMAPHORE_TYPES),
	WEFT_INFO_ARRAY(CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, WEFT_SEMAPHORE_HANDLE_TYPES),
	WEFT_INFO_ARRAY(CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, WEFT_SEMAPHORE_HANDLE_TYPES),
};
static const struct weft_info_table table = WEFT_INFO_TABLE(rows);

cl_int CL_API_CALL weft_clGetPlatformInfo(cl_platform_id platform, cl_platform_info param,
					  size_t size, void *value, size_t *size_ret)
{
	cl_int err = check_platform(platform);

	if (err == CL_SUCCESS)
		err = weft_info_query(&table, weft_api_platform(), param, size, value, size_ret);
	return err;
}

/* ---- devices of the platform ----------------------------------------------------------------- */

static bool device_matches(cl_device_id device, cl_uint index, cl_device_type type)
{
	cl_device_type own = weft_device_properties(device)->type;

	if (type == CL_DEVICE_TYPE_ALL)
		return own != CL_DEVICE_TYPE_CUSTOM;
	return (type & own) || ((type & CL_DEVICE_TYPE_DEFAULT) && index == 0);
}

static bool type_valid(cl_device_type type)
{
	const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU |
				     CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
				     CL_DEVICE_TYPE_CUSTOM;

	return type == CL_DEVICE_TYPE_ALL || (type && !(type & ~known));
}

cl_int CL_API_CALL weft_clGetDeviceIDs(cl_platform_id platform, cl_device_type type,
				       cl_uint num_entries, cl_device_id *devices,
				       cl_uint *num_devices)
{
	cl_uint count;
	cl_uint found = 0;

	cl_int err = check_platform(platform);
	if (err == CL_SUCCESS && !type_valid(type))
		err = CL_INVALID_DEVICE_TYPE;
	if (err == CL_SUCCESS && (devices ? num_entries == 0 : !num_devices))
		err = CL_INVALID_VALUE;
	if (err != CL_SUCCESS)
		return err;
	weft_api_platform();
	const cl_device_id *list = weft_platform_devices(&count);
	if (!list)
		return CL_OUT_OF_HOST_MEMORY;
	for (cl_uint i = 0; i < count; i++) {
		if (!device_matches(list[i], i, type))
			continue;
		if (devices && found < num_entries)
			devices[found] = list[i];
		found++;
	}
	if (found == 0)
		return CL_DEVICE_NOT_FOUND;
	if (num_devices)
		*num_devices = found;
	return CL_SUCCESS;
}
