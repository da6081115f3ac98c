/* SPDX-License-Identifier: MIT
 *
 * Prints the names of the platforms that the OpenCL loader finds, each in a line; then its arguments.
 */
#include "object/opencl_headers.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	cl_platform_id platforms[16];
	char name[256];
	cl_uint count = 0;

	if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS)
		count = 0;
	for (cl_uint i = 0; i < count && i < 16; i++) {
		if (clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name), name, NULL) ==
		    CL_SUCCESS)
			puts(name);
	}
	for (int i = 1; i < argc; i++)
		puts(argv[i]);
	return count > 0 ? 0 : 1;
}
