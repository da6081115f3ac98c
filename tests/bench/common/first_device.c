/* SPDX-License-Identifier: MIT
 *
 * Opening a device.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "first_device.h"

bool first_device_open(cl_device_id *device, cl_context *context, cl_command_queue *queue)
{
	cl_platform_id platform;

	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, device, NULL) != CL_SUCCESS)
		return false;
	*context = clCreateContext(NULL, 1, device, NULL, NULL, NULL);
	if (!*context)
		return false;
	*queue = clCreateCommandQueue(*context, *device, 0, NULL);
	return *queue != NULL;
}
