/* SPDX-License-Identifier: MIT
 *
 * Chains: each kernel adds one to a number and waits for the one before it, in an in-order queue, or by events from
 * one out-of-order queue to the other. All wait behind a user event; the time is from its end to theirs.
 */
#include "tasks.h"

#define RUNS 5 /* and one that isn't counted */

struct chain {
	const struct device *device;
	cl_kernel kernel;
	cl_mem counter;
	cl_event gate;
	unsigned length;
};

static double in_order(const struct chain *chain)
{
	cl_command_queue queue = device_queue(chain->device, 0);

	must(clEnqueueMarkerWithWaitList(queue, 1, &chain->gate, NULL), "the gate");
	for (unsigned i = 0; i < chain->length; i++)
		enqueue(queue, chain->kernel, 1, 1);
	double seconds = time_behind(chain->gate, &queue, 1);
	clReleaseCommandQueue(queue);
	return seconds;
}

static double out_of_order(const struct chain *chain)
{
	const size_t one = 1;
	cl_command_queue queues[2];
	cl_event before = chain->gate;
	cl_event event;

	for (unsigned i = 0; i < 2; i++)
		queues[i] = device_queue(chain->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	for (unsigned i = 0; i < chain->length; i++) {
		must(clEnqueueNDRangeKernel(queues[i % 2], chain->kernel, 1, NULL, &one, &one, 1,
					    &before, &event),
		     "clEnqueueNDRangeKernel");
		if (before != chain->gate)
			clReleaseEvent(before);
		before = event;
	}
	clReleaseEvent(before);
	double seconds = time_behind(chain->gate, queues, 2);
	clReleaseCommandQueue(queues[0]);
	clReleaseCommandQueue(queues[1]);
	return seconds;
}

/* One run: microseconds per kernel. */
static double run(struct chain *chain, double (*kind)(const struct chain *))
{
	cl_command_queue queue = device_queue(chain->device, 0);
	cl_int count;

	chain->gate = device_gate(chain->device);
	chain->counter = device_buffer(chain->device, CL_MEM_READ_WRITE, sizeof(count));
	must(clSetKernelArg(chain->kernel, 0, sizeof(chain->counter), &chain->counter),
	     "clSetKernelArg");
	double seconds = kind(chain);
	must(clEnqueueReadBuffer(queue, chain->counter, CL_TRUE, 0, sizeof(count), &count, 0, NULL,
				 NULL),
	     "clEnqueueReadBuffer");
	expect(count == (cl_int)chain->length, "chain");
	clReleaseMemObject(chain->counter);
	clReleaseEvent(chain->gate);
	clReleaseCommandQueue(queue);
	return seconds * 1e6 / chain->length;
}

static void measure(const struct device *device, double *numbers,
		    double (*kind)(const struct chain *))
{
	struct chain chain = {.device = device,
			      .kernel = device_kernel(device, "increment"),
			      .length = device->small ? 100 : 10000};
	double times[RUNS];

	(void)run(&chain, kind);
	for (unsigned i = 0; i < RUNS; i++)
		times[i] = run(&chain, kind);
	numbers[0] = median(times, RUNS);
	clReleaseKernel(chain.kernel);
}

static void measure_in_order(const struct device *device, double *numbers)
{
	measure(device, numbers, in_order);
}

static void measure_out_of_order(const struct device *device, double *numbers)
{
	measure(device, numbers, out_of_order);
}

const struct task_case chain_cases[] = {
	{"in-order chain", {{"a kernel", "us", 0.25}}, measure_in_order},
	{"out-of-order chain, two queues", {{"a kernel", "us", 0.25}}, measure_out_of_order},
	{0}};
