/* SPDX-License-Identifier: MIT
 *
 * The measured device, and what every case needs of OpenCL.
 */
#include "tasks.h"

#include <stdio.h>
#include <stdlib.h>

void must(cl_int error, const char *what)
{
	if (error == CL_SUCCESS)
		return;
	fprintf(stderr, "%s: error %d\n", what, error);
	exit(1);
}

void expect(bool right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "%s: wrong result\n", what);
	exit(1);
}

static void build(struct device *device)
{
	char *sources[2] = {read_text(TASKS_SOURCES "/tasks.cl"),
			    read_text(TASKS_SOURCES "/pipeline.cl")};
	char log[4096] = "";
	cl_int error;

	device->program =
		clCreateProgramWithSource(device->context, 2, (const char **)sources, NULL, &error);
	must(error, "clCreateProgramWithSource");
	error = clBuildProgram(device->program, 1, &device->id, "", NULL, NULL);
	if (error != CL_SUCCESS) {
		clGetProgramBuildInfo(device->program, device->id, CL_PROGRAM_BUILD_LOG,
				      sizeof(log) - 1, log, NULL);
		fprintf(stderr, "%s\n", log);
	}
	must(error, "clBuildProgram");
	free(sources[0]);
	free(sources[1]);
}

void device_open(struct device *device, bool small)
{
	cl_platform_id platform;
	cl_uint units;
	cl_int error;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device->id, NULL), "clGetDeviceIDs");
	must(clGetDeviceInfo(device->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL),
	     "clGetDeviceInfo");
	device->units = units;
	device->small = small;
	device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &error);
	must(error, "clCreateContext");
	build(device);
}

void device_close(struct device *device)
{
	clReleaseProgram(device->program);
	clReleaseContext(device->context);
}

cl_command_queue device_queue(const struct device *device, cl_command_queue_properties properties)
{
	const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
	cl_int error;
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(device->context, device->id, list, &error);

	must(error, "clCreateCommandQueueWithProperties");
	return queue;
}

cl_kernel device_kernel(const struct device *device, const char *name)
{
	cl_int error;
	cl_kernel kernel = clCreateKernel(device->program, name, &error);

	must(error, name);
	return kernel;
}

cl_mem device_buffer(const struct device *device, cl_mem_flags flags, size_t size)
{
	void *zeros = calloc(size, 1);
	cl_int error;
	cl_mem mem =
		clCreateBuffer(device->context, flags | CL_MEM_COPY_HOST_PTR, size, zeros, &error);

	must(error, "clCreateBuffer");
	free(zeros);
	return mem;
}

cl_event device_gate(const struct device *device)
{
	cl_int error;
	cl_event gate = clCreateUserEvent(device->context, &error);

	must(error, "clCreateUserEvent");
	return gate;
}

void enqueue(cl_command_queue queue, cl_kernel kernel, size_t global, size_t local)
{
	must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
	     "clEnqueueNDRangeKernel");
}

double time_behind(cl_event gate, const cl_command_queue *queues, unsigned num_queues)
{
	for (unsigned i = 0; i < num_queues; i++)
		must(clFlush(queues[i]), "clFlush");
	double start = seconds_now();
	must(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	for (unsigned i = 0; i < num_queues; i++)
		must(clFinish(queues[i]), "clFinish");
	return seconds_now() - start;
}
