/* SPDX-License-Identifier: MIT
 *
 * load_binary FILE: makes a program of the binary, runs its kernel "k" with one buffer, and prints the number that the kernel stores
 * there. Fails with a line that says what is wrong.
 */
#include "object/opencl_headers.h"

#include <stdio.h>
#include <stdlib.h>

static void check(cl_int err, const char *what)
{
	if (err == CL_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, err);
	exit(1);
}

static size_t read_whole(const char *path, unsigned char *bytes, size_t most)
{
	FILE *file = fopen(path, "re");
	size_t size = file ? fread(bytes, 1, most, file) : 0;

	if (file)
		fclose(file);
	return size;
}

int main(int argc, char **argv)
{
	static unsigned char bytes[1 << 20];
	const unsigned char *binary = bytes;
	cl_platform_id platform;
	cl_device_id device;
	cl_int err, number = 0;
	const size_t one = 1;

	if (argc != 2)
		return 2;
	const size_t size = read_whole(argv[1], bytes, sizeof(bytes));
	check(clGetPlatformIDs(1, &platform, NULL), "platform");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
	check(err, "context");
	cl_program program =
		clCreateProgramWithBinary(context, 1, &device, &size, &binary, NULL, &err);
	check(err, "binary");
	check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
	cl_kernel kernel = clCreateKernel(program, "k", &err);
	check(err, "kernel");
	cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
	check(err, "queue");
	cl_mem buffer =
		clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(number), &number, &err);
	check(err, "buffer");
	check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "argument");
	check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL), "launch");
	check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(number), &number, 0, NULL,
				  NULL),
	      "result");
	printf("%d\n", number);
	check(clReleaseMemObject(buffer), "buffer");
	check(clReleaseCommandQueue(queue), "queue");
	check(clReleaseKernel(kernel), "kernel");
	check(clReleaseProgram(program), "program");
	check(clReleaseContext(context), "context");
	return 0;
}
