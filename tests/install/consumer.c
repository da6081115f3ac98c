/* SPDX-License-Identifier: MIT
 *
 * A program as an application would write it: builds a kernel on the one platform, which must be
 * Weft, and checks what it computes.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdio.h>
#include <string.h>

#define ITEMS 1000

static const char *const source = "kernel void square(global int *x)\n"
				  "{\n"
				  "	size_t i = get_global_id(0);\n"
				  "	x[i] = x[i] * x[i] + get_local_size(0);\n"
				  "}\n";

/* Returns whether the error is none; says what failed otherwise. */
static int worked(cl_int error, const char *what)
{
	if (error != CL_SUCCESS)
		fprintf(stderr, "%s: error %d\n", what, error);
	return error == CL_SUCCESS;
}

static int run(cl_context context, cl_command_queue queue, cl_kernel kernel)
{
	const size_t size = ITEMS, local = 10;
	int numbers[ITEMS];
	cl_int error;

	for (int i = 0; i < ITEMS; i++)
		numbers[i] = i;
	cl_mem buffer =
		clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers, &error);
	if (!worked(error, "clCreateBuffer") ||
	    !worked(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), "clSetKernelArg") ||
	    !worked(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &local, 0, NULL, NULL),
		    "clEnqueueNDRangeKernel") ||
	    !worked(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(numbers), numbers, 0,
					NULL, NULL),
		    "clEnqueueReadBuffer"))
		return 0;
	for (int i = 0; i < ITEMS; i++) {
		if (numbers[i] != i * i + 10) {
			fprintf(stderr, "item %d is %d, not %d\n", i, numbers[i], i * i + 10);
			return 0;
		}
	}
	return worked(clReleaseMemObject(buffer), "clReleaseMemObject");
}

static int build_and_run(cl_device_id device, cl_context context)
{
	cl_int error;
	const char *text = source;
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);

	if (!worked(error, "clCreateCommandQueueWithProperties"))
		return 0;
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
	if (!worked(error, "clCreateProgramWithSource") ||
	    !worked(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram"))
		return 0;
	cl_kernel kernel = clCreateKernel(program, "square", &error);
	return worked(error, "clCreateKernel") && run(context, queue, kernel) &&
	       worked(clReleaseKernel(kernel), "clReleaseKernel") &&
	       worked(clReleaseProgram(program), "clReleaseProgram") &&
	       worked(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

int main(void)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_uint count;
	char name[64];
	cl_int error;

	if (!worked(clGetPlatformIDs(1, &platform, &count), "clGetPlatformIDs") ||
	    !worked(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name), name, NULL),
		    "clGetPlatformInfo") ||
	    !worked(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
		    "clGetDeviceIDs"))
		return 1;
	if (count != 1 || strcmp(name, "Weft") != 0) {
		fprintf(stderr, "%u platforms, the first is %s\n", count, name);
		return 1;
	}
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	if (!worked(error, "clCreateContext") || !build_and_run(device, context) ||
	    !worked(clReleaseContext(context), "clReleaseContext"))
		return 1;
	puts("right");
	return 0;
}
