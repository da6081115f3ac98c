/* SPDX-License-Identifier: MIT
 *
 * Finds Weft's compiler: by a device that kernels run on, so that programs are built once; else by any platform of the loader.
 */
#include "devices/devices.h"

#define MOST_PLATFORMS 32

static clGetKernelAccessRangesWEFT_fn ask_of(const struct weft_opencl *cl, cl_platform_id platform)
{
	return (clGetKernelAccessRangesWEFT_fn)(uintptr_t)
		cl->GetExtensionFunctionAddressForPlatform(platform, "clGetKernelAccessRangesWEFT");
}

static clGetKernelFeaturesWEFT_fn ask_features_of(const struct weft_opencl *cl,
						  cl_platform_id platform)
{
	return (clGetKernelFeaturesWEFT_fn)(uintptr_t)cl->GetExtensionFunctionAddressForPlatform(
		platform, "clGetKernelFeaturesWEFT");
}

static bool find_among_devices(const struct weft_opencl *cl, struct weft_devices *devices)
{
	for (size_t i = 0; i < devices->count; i++) {
		const struct weft_device *device = &devices->items[i];
		cl_platform_id platform = NULL;

		if (cl->GetDeviceInfo(device->id, CL_DEVICE_PLATFORM, sizeof(platform), &platform,
				      NULL) != CL_SUCCESS)
			continue;
		devices->analyser =
			(struct weft_analyser){.ask = ask_of(cl, platform),
					       .ask_features = ask_features_of(cl, platform),
					       .device = device->id,
					       .domain = devices->domains[device->domain].first};
		if (devices->analyser.ask)
			return true;
	}
	return false;
}

void weft_analyser_find(const struct weft_opencl *cl, struct weft_devices *devices)
{
	struct weft_analyser *analyser = &devices->analyser;
	cl_platform_id platforms[MOST_PLATFORMS];
	cl_uint count = 0;

	if (find_among_devices(cl, devices))
		return;
	*analyser = (struct weft_analyser){.domain = WEFT_NO_DOMAIN};
	if (cl->GetPlatformIDs(MOST_PLATFORMS, platforms, &count) != CL_SUCCESS)
		return;
	for (cl_uint i = 0; i < count && i < MOST_PLATFORMS && !analyser->ask; i++) {
		const clGetKernelAccessRangesWEFT_fn ask = ask_of(cl, platforms[i]);
		cl_int code = CL_SUCCESS;

		if (!ask || cl->GetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &analyser->device,
					     NULL) != CL_SUCCESS)
			continue;
		analyser->context =
			cl->CreateContext(NULL, 1, &analyser->device, NULL, NULL, &code);
		analyser->ask = code == CL_SUCCESS ? ask : NULL;
		analyser->ask_features = ask_features_of(cl, platforms[i]);
	}
}
