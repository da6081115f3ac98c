/* SPDX-License-Identifier: MIT
 *
 * The least that a loader takes for a driver: a platform named "Other" without devices. With OTHER_FORKS set, loading it starts a
 * process that does not end.
 */
#include "object/opencl_headers.h"

#include <CL/cl_icd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

struct _cl_platform_id {
	const cl_icd_dispatch *dispatch;
};

__attribute__((constructor)) static void leave_process(void)
{
	if (getenv("OTHER_FORKS") && fork() == 0) {
		for (;;)
			pause();
	}
}

static cl_int CL_API_CALL get_info(cl_platform_id platform, cl_platform_info name, size_t size,
				   void *value, size_t *size_ret)
{
	const char *text = name == CL_PLATFORM_NAME             ? "Other"
			   : name == CL_PLATFORM_VERSION        ? "OpenCL 1.2 other"
			   : name == CL_PLATFORM_EXTENSIONS     ? "cl_khr_icd"
			   : name == CL_PLATFORM_ICD_SUFFIX_KHR ? "OTHER"
								: "";

	(void)platform;
	if (value && size < strlen(text) + 1)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, text, strlen(text) + 1);
	if (size_ret)
		*size_ret = strlen(text) + 1;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL get_devices(cl_platform_id platform, cl_device_type type, cl_uint most,
				      cl_device_id *devices, cl_uint *count)
{
	(void)platform;
	(void)type;
	(void)most;
	(void)devices;
	if (count)
		*count = 0;
	return CL_DEVICE_NOT_FOUND;
}

static const cl_icd_dispatch dispatch = {.clGetPlatformInfo = get_info,
					 .clGetDeviceIDs = get_devices};
static struct _cl_platform_id other = {&dispatch};

static cl_int CL_API_CALL get_platforms(cl_uint most, cl_platform_id *platforms, cl_uint *count)
{
	if (platforms && most > 0)
		platforms[0] = &other;
	if (count)
		*count = 1;
	return CL_SUCCESS;
}

EXPORT void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
	return strcmp(name, "clIcdGetPlatformIDsKHR") == 0 ? (void *)get_platforms : NULL;
}

EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name,
					    size_t size, void *value, size_t *size_ret)
{
	return get_info(platform, name, size, value, size_ret);
}
