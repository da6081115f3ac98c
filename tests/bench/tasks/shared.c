/* SPDX-License-Identifier: MIT
 *
 * What shared pointers cost: a chain of kernels, and independent kernels, of one in-order queue, with pointers in the place of
 * buffers, while 1, 1,000 and 100,000 allocations are live; and maps of shared virtual memory.
 */
#include "tasks.h"

#include <stdlib.h>

#define RUNS 5 /* and one that isn't counted */
#define POINTERS 64

struct shared {
	const struct device *device;
	cl_kernel kernel;
	void **allocations;
	unsigned count;  /* of allocations */
	unsigned length; /* kernels */
};

static bool is_offered(const struct device *device)
{
	cl_device_svm_capabilities capabilities = 0;

	return clGetDeviceInfo(device->id, CL_DEVICE_SVM_CAPABILITIES, sizeof(capabilities),
			       &capabilities, NULL) == CL_SUCCESS &&
	       (capabilities & CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
}

static void allocate(struct shared *shared)
{
	shared->allocations = calloc(shared->count, sizeof(void *));
	expect(shared->allocations, "memory");
	for (unsigned i = 0; i < shared->count; i++) {
		shared->allocations[i] =
			clSVMAlloc(shared->device->context,
				   CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 256, 0);
		expect(shared->allocations[i], "clSVMAlloc");
		*(cl_int *)shared->allocations[i] = 0;
	}
}

static void release(struct shared *shared)
{
	for (unsigned i = 0; i < shared->count; i++)
		clSVMFree(shared->device->context, shared->allocations[i]);
	free(shared->allocations);
}

/* Microseconds per kernel. */
struct times {
	double enqueue; /* to set its argument and to enqueue it */
	double run;     /* from the end of the gate to the end of all */
};

/* Kernels that add one to the numbers of so many allocations in turn. */
static struct times run(const struct shared *shared, unsigned pointers)
{
	cl_event gate = device_gate(shared->device);
	cl_command_queue queue = device_queue(shared->device, 0);
	const unsigned step = shared->count / pointers ? shared->count / pointers : 1;

	for (unsigned i = 0; i < pointers && i < shared->count; i++)
		*(cl_int *)shared->allocations[i * step] = 0;
	must(clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL), "the gate");
	double start = seconds_now();
	for (unsigned i = 0; i < shared->length; i++) {
		const unsigned index = i % pointers * step % shared->count;

		must(clSetKernelArgSVMPointer(shared->kernel, 0, shared->allocations[index]),
		     "clSetKernelArgSVMPointer");
		enqueue(queue, shared->kernel, 1, 1);
	}
	double enqueued = seconds_now() - start;
	double ran = time_behind(gate, &queue, 1);
	cl_int sum = 0;
	for (unsigned i = 0; i < pointers && i < shared->count; i++)
		sum += *(const cl_int *)shared->allocations[i * step];
	expect(sum == (cl_int)shared->length, "shared pointers");
	clReleaseCommandQueue(queue);
	clReleaseEvent(gate);
	return (struct times){enqueued * 1e6 / shared->length, ran * 1e6 / shared->length};
}

/* The enqueue of the same kernels with a buffer. */
static double enqueue_with_buffer(const struct shared *shared)
{
	cl_mem buffer = device_buffer(shared->device, CL_MEM_READ_WRITE, sizeof(cl_int));
	cl_event gate = device_gate(shared->device);
	cl_command_queue queue = device_queue(shared->device, 0);

	must(clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL), "the gate");
	double start = seconds_now();
	for (unsigned i = 0; i < shared->length; i++) {
		must(clSetKernelArg(shared->kernel, 0, sizeof(buffer), &buffer), "clSetKernelArg");
		enqueue(queue, shared->kernel, 1, 1);
	}
	double enqueued = seconds_now() - start;
	(void)time_behind(gate, &queue, 1);
	clReleaseCommandQueue(queue);
	clReleaseEvent(gate);
	clReleaseMemObject(buffer);
	return enqueued * 1e6 / shared->length;
}

static const unsigned counts[] = {1, 1000, 100000};

static struct shared open_shared(const struct device *device)
{
	return (struct shared){.device = device,
			       .kernel = device_kernel(device, "increment"),
			       .length = device->small ? 100 : 10000};
}

static void measure(const struct device *device, double *numbers, unsigned pointers, bool enqueues)
{
	struct shared shared = open_shared(device);

	for (unsigned i = 0; i < 3; i++) {
		double times[RUNS];

		numbers[i] = NOT_OFFERED;
		if (!is_offered(device))
			continue;
		shared.count = device->small ? counts[i] / 10 + 1 : counts[i];
		allocate(&shared);
		(void)run(&shared, pointers);
		for (unsigned k = 0; k < RUNS; k++) {
			const struct times taken = run(&shared, pointers);
			times[k] = enqueues ? taken.enqueue : taken.run;
		}
		numbers[i] = median(times, RUNS);
		release(&shared);
	}
	clReleaseKernel(shared.kernel);
}

static void measure_chain(const struct device *device, double *numbers)
{
	measure(device, numbers, 1, false);
}

static void measure_independent(const struct device *device, double *numbers)
{
	measure(device, numbers, POINTERS, false);
}

static void measure_enqueue(const struct device *device, double *numbers)
{
	struct shared shared = open_shared(device);
	double times[RUNS];

	(void)enqueue_with_buffer(&shared);
	for (unsigned i = 0; i < RUNS; i++)
		times[i] = enqueue_with_buffer(&shared);
	numbers[3] = median(times, RUNS);
	clReleaseKernel(shared.kernel);
	measure(device, numbers, POINTERS, true);
}

/* ---- maps ------------------------------------------------------------------------------------ */

static double map_and_unmap(cl_command_queue queue, void *memory, unsigned count)
{
	double start = seconds_now();

	for (unsigned i = 0; i < count; i++) {
		must(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, memory, 4096, 0,
				     NULL, NULL),
		     "clEnqueueSVMMap");
		must(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL), "clEnqueueSVMUnmap");
	}
	must(clFinish(queue), "clFinish");
	return (seconds_now() - start) * 1e6 / count;
}

static void measure_map(const struct device *device, double *numbers)
{
	const unsigned count = device->small ? 100 : 20000;
	double times[RUNS];

	numbers[0] = NOT_OFFERED;
	if (!is_offered(device))
		return;
	cl_command_queue queue = device_queue(device, 0);
	void *memory = clSVMAlloc(device->context, CL_MEM_READ_WRITE, 4096, 0);
	expect(memory, "clSVMAlloc");
	(void)map_and_unmap(queue, memory, count);
	for (unsigned i = 0; i < RUNS; i++)
		times[i] = map_and_unmap(queue, memory, count);
	numbers[0] = median(times, RUNS);
	clSVMFree(device->context, memory);
	clReleaseCommandQueue(queue);
}

#define WITH_ALLOCATIONS                                                                           \
	{"1 allocation", "us", 0.25}, {"1,000 allocations", "us", 0.25},                           \
		{"100,000 allocations", "us", 0.25}

const struct task_case shared_cases[] = {
	{"shared pointers, in-order chain", {WITH_ALLOCATIONS}, measure_chain},
	{"shared pointers, independent kernels", {WITH_ALLOCATIONS}, measure_independent},
	{"shared pointers, enqueue", {WITH_ALLOCATIONS, {"a buffer", "us", 0.25}}, measure_enqueue},
	{"shared memory, map and unmap", {{"4 KiB", "us", 0.2}}, measure_map},
	{0}};
