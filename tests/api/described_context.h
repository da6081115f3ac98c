/* SPDX-License-Identifier: MIT
 *
 * A context of the devices that WEFT_DEVICES and WEFT_ACCEL describe.
 */
#ifndef WEFT_TESTS_API_DESCRIBED_CONTEXT_H
#define WEFT_TESTS_API_DESCRIBED_CONTEXT_H

#include "fixture.h"

/* Before the library looks at its options. `accelerators` may be NULL; there must be `count` devices in all. */
static inline cl_context described_context(const char *drivers, const char *accelerators,
					   cl_uint count, cl_device_id *devices)
{
	cl_platform_id platform;
	cl_uint found;

	setenv("WEFT_DEVICES", drivers, 1);
	if (accelerators)
		setenv("WEFT_ACCEL", accelerators, 1);
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices, &found),
			 CL_SUCCESS);
	assert_int_equal(found, count);
	cl_context context = clCreateContext(NULL, count, devices, NULL, NULL, NULL);
	assert_non_null(context);
	return context;
}

#endif
