/* SPDX-License-Identifier: MIT
 *
 * The ICD dispatch table, made from entry_points.def, the look-up of entry points by name, and the
 * symbols that a loader finds in the library (cl_khr_icd 2.0).
 */
#include "dispatch.h"

#include "check.h"
#include "entry_points.h"

#include <CL/cl_icd.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* A cl_icd_dispatch of OpenCL 3.1, whether or not the headers know its last slot. */
#define SLOT(name) (offsetof(cl_icd_dispatch, name) / sizeof(void *))
static void (*const table[])(void) = {
#define WEFT_ENTRY(name) [SLOT(name)] = (void (*)(void))weft_##name,
#define WEFT_TAGGED_ENTRY(name) [SLOT(name)] = (void (*)(void))CL_ICD2_TAG_KHR,
#define WEFT_EXTENSION_ENTRY(name)
#define WEFT_3_1_ENTRY(name)                                                                       \
	[SLOT(clSetContextDestructorCallback) + 1] = (void (*)(void))weft_##name,
#include "entry_points.def"
#undef WEFT_ENTRY
#undef WEFT_EXTENSION_ENTRY
};

struct entry {
	const char *name;
	void (*function)(void);
};

static const struct entry entries[] = {
#define WEFT_ENTRY(name) {#name, (void (*)(void))weft_##name},
#define WEFT_EXTENSION_ENTRY(name) WEFT_ENTRY(name)
#include "entry_points.def"
#undef WEFT_ENTRY
#undef WEFT_EXTENSION_ENTRY
};

static void *find_entry(const char *name)
{
	for (size_t i = 0; name && i < sizeof(entries) / sizeof(entries[0]); i++) {
		if (strcmp(entries[i].name, name) == 0)
			return (void *)entries[i].function;
	}
	return NULL;
}

static void set_dispatch(void)
{
	weft_object_set_dispatch(table);
}

cl_platform_id weft_api_platform(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, set_dispatch);
	return weft_platform();
}

/* ---- cl_khr_icd ------------------------------------------------------------------------------ */

void *CL_API_CALL weft_clGetExtensionFunctionAddress(const char *name)
{
	return find_entry(name);
}

void *CL_API_CALL weft_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
								const char *name)
{
	return weft_check_platform(platform) == CL_SUCCESS ? find_entry(name) : NULL;
}

void *CL_API_CALL weft_clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform,
							     const char *name)
{
	return weft_clGetExtensionFunctionAddressForPlatform(platform, name);
}

cl_int CL_API_CALL weft_clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void *data)
{
	cl_int err = weft_check_platform(platform);

	if (err == CL_SUCCESS)
		weft_platform_set_dispatch_data(data);
	return err;
}

cl_int CL_API_CALL weft_clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
					       cl_uint *num_platforms)
{
	if (platforms ? num_entries == 0 : !num_platforms)
		return CL_INVALID_VALUE;
	if (platforms)
		platforms[0] = weft_api_platform();
	if (num_platforms)
		*num_platforms = 1;
	return CL_SUCCESS;
}

/* ---- what a loader looks up by symbol -------------------------------------------------------- */

EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
						 cl_uint *num_platforms)
{
	return weft_clIcdGetPlatformIDsKHR(num_entries, platforms, num_platforms);
}

EXPORT void *CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform,
							       const char *name)
{
	return weft_clIcdGetFunctionAddressForPlatformKHR(platform, name);
}

EXPORT cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void *data)
{
	return weft_clIcdSetPlatformDispatchDataKHR(platform, data);
}

EXPORT void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
	return weft_clGetExtensionFunctionAddress(name);
}

EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param,
					    size_t size, void *value, size_t *size_ret)
{
	return weft_clGetPlatformInfo(platform, param, size, value, size_ret);
}
