/* SPDX-License-Identifier: MIT
 *
 * Command buffers (cl_khr_command_buffer, from revision 0.9.5 on): kernels that each add one to a number, enqueued one by
 * one, and recorded once and enqueued as one. The time is from the first enqueue to the end of clFinish.
 */
#include "tasks.h"

#include <CL/cl_ext.h>
#include <string.h>

#define RUNS 5 /* and one that isn't counted */

/* As they are from that revision on. */
typedef cl_command_buffer_khr(CL_API_CALL *create_function)(cl_uint, const cl_command_queue *,
							    const cl_properties *, cl_int *);
typedef cl_int(CL_API_CALL *buffer_function)(cl_command_buffer_khr);
typedef cl_int(CL_API_CALL *record_function)(cl_command_buffer_khr, cl_command_queue,
					     const cl_properties *, cl_kernel, cl_uint,
					     const size_t *, const size_t *, const size_t *,
					     cl_uint, const cl_sync_point_khr *,
					     cl_sync_point_khr *, cl_mutable_command_khr *);
typedef cl_int(CL_API_CALL *enqueue_function)(cl_uint, cl_command_queue *, cl_command_buffer_khr,
					      cl_uint, const cl_event *, cl_event *);

struct functions {
	create_function create;
	record_function record;
	buffer_function finalize;
	enqueue_function enqueue;
	buffer_function release;
};

struct replay {
	const struct functions *functions;
	cl_command_queue queue;
	cl_kernel *kernels; /* one after the other, over and over */
	unsigned num_kernels;
	unsigned count; /* kernels */
	unsigned turns; /* of all of them, in one run */
	cl_command_buffer_khr buffer;
};

/* ---- whether there are any ------------------------------------------------------------------- */

static bool is_offered(const struct device *device)
{
	cl_name_version_khr extensions[512];
	size_t size;

	if (clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR, sizeof(extensions),
			    extensions, &size) != CL_SUCCESS)
		return false;
	for (size_t i = 0; i < size / sizeof(extensions[0]); i++) {
		if (strcmp(extensions[i].name, "cl_khr_command_buffer") == 0)
			return extensions[i].version >= CL_MAKE_VERSION_KHR(0, 9, 5);
	}
	return false;
}

static bool find_functions(const struct device *device, struct functions *functions)
{
	cl_platform_id platform;

	must(clGetDeviceInfo(device->id, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL),
	     "CL_DEVICE_PLATFORM");
#define FIND(name) clGetExtensionFunctionAddressForPlatform(platform, "cl" name "KHR")
	*functions = (struct functions){
		.create = (create_function)FIND("CreateCommandBuffer"),
		.record = (record_function)FIND("CommandNDRangeKernel"),
		.finalize = (buffer_function)FIND("FinalizeCommandBuffer"),
		.enqueue = (enqueue_function)FIND("EnqueueCommandBuffer"),
		.release = (buffer_function)FIND("ReleaseCommandBuffer"),
	};
#undef FIND
	return functions->create && functions->record && functions->finalize &&
	       functions->enqueue && functions->release;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void enqueue_each(const struct replay *replay)
{
	for (unsigned i = 0; i < replay->count; i++)
		enqueue(replay->queue, replay->kernels[i % replay->num_kernels], 1, 1);
}

static void enqueue_recorded(const struct replay *replay)
{
	must(replay->functions->enqueue(0, NULL, replay->buffer, 0, NULL, NULL),
	     "clEnqueueCommandBufferKHR");
}

static void record(struct replay *replay)
{
	const size_t one = 1;
	cl_int error;

	replay->buffer = replay->functions->create(1, &replay->queue, NULL, &error);
	must(error, "clCreateCommandBufferKHR");
	for (unsigned i = 0; i < replay->count; i++)
		must(replay->functions->record(replay->buffer, NULL, NULL,
					       replay->kernels[i % replay->num_kernels], 1, NULL,
					       &one, &one, 0, NULL, NULL, NULL),
		     "clCommandNDRangeKernelKHR");
	must(replay->functions->finalize(replay->buffer), "clFinalizeCommandBufferKHR");
}

/* Microseconds per kernel. */
static double time_kernels(const struct replay *replay, void (*run)(const struct replay *replay))
{
	double times[RUNS];

	for (unsigned i = 0; i <= RUNS; i++) {
		double start = seconds_now();

		for (unsigned turn = 0; turn < replay->turns; turn++) {
			run(replay);
			must(clFinish(replay->queue), "clFinish");
		}
		times[i > 0 ? i - 1 : 0] =
			(seconds_now() - start) * 1e6 / replay->count / replay->turns;
	}
	return median(times, RUNS);
}

/* What is enqueued one by one, and recorded: numbers[0] and [1]. */
static void compare(struct replay *replay, double *numbers)
{
	numbers[0] = time_kernels(replay, enqueue_each);
	numbers[1] = NOT_OFFERED;
	if (!replay->functions)
		return;
	record(replay);
	numbers[1] = time_kernels(replay, enqueue_recorded);
	must(replay->functions->release(replay->buffer), "clReleaseCommandBufferKHR");
}

/* Each number was added to equally often. */
static void check(const struct replay *replay, const cl_mem *counters)
{
	unsigned kinds = replay->functions ? 2 : 1;
	cl_int wanted =
		(cl_int)(kinds * (RUNS + 1) * replay->turns * replay->count / replay->num_kernels);
	cl_int count;

	for (unsigned i = 0; i < replay->num_kernels; i++) {
		must(clEnqueueReadBuffer(replay->queue, counters[i], CL_TRUE, 0, sizeof(count),
					 &count, 0, NULL, NULL),
		     "clEnqueueReadBuffer");
		expect(count == wanted, "command buffer");
	}
}

#define MOST_KERNELS 16

static void measure(const struct device *device, struct replay *replay, double *numbers)
{
	cl_kernel kernels[MOST_KERNELS];
	cl_mem counters[MOST_KERNELS];

	replay->queue = device_queue(device, 0);
	replay->kernels = kernels;
	for (unsigned i = 0; i < replay->num_kernels; i++) {
		kernels[i] = device_kernel(device, "increment");
		counters[i] = device_buffer(device, CL_MEM_READ_WRITE, sizeof(cl_int));
		must(clSetKernelArg(kernels[i], 0, sizeof(cl_mem), &counters[i]), "clSetKernelArg");
	}
	compare(replay, numbers);
	check(replay, counters);
	for (unsigned i = 0; i < replay->num_kernels; i++) {
		clReleaseKernel(kernels[i]);
		clReleaseMemObject(counters[i]);
	}
	clReleaseCommandQueue(replay->queue);
}

static void replays(const struct device *device, double *numbers)
{
	struct functions functions;
	const struct functions *found =
		is_offered(device) && find_functions(device, &functions) ? &functions : NULL;
	struct replay chain = {.functions = found,
			       .num_kernels = 1,
			       .count = 1000,
			       .turns = device->small ? 1 : 10};
	struct replay strands = {.functions = found,
				 .num_kernels = MOST_KERNELS,
				 .count = 1008,
				 .turns = device->small ? 1 : 10};
	struct replay short_one = {.functions = found,
				   .num_kernels = 1,
				   .count = 1,
				   .turns = device->small ? 10 : 2000};

	measure(device, &chain, numbers);
	measure(device, &strands, numbers + 2);
	measure(device, &short_one, numbers + 4);
}

const struct task_case replay_cases[] = {{"command buffer",
					  {{"chain of 1,000: enqueued, a kernel", "us", 0},
					   {"chain of 1,000: recorded, a kernel", "us", 0.1},
					   {"16 chains of 63: enqueued, a kernel", "us", 0},
					   {"16 chains of 63: recorded, a kernel", "us", 0.1},
					   {"one kernel: enqueued, finished", "us", 2},
					   {"one kernel: recorded, finished", "us", 2}},
					  replays},
					 {0}};
