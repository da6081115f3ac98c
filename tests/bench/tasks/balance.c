/* SPDX-License-Identifier: MIT
 *
 * How well work that comes in unequal pieces, or as many commands, is spread over the compute units. Values are time
 * divided by that of an ideal schedule without any cost, for which the work itself is measured on a full machine:
 * work-groups that can't be split, taken in the order of the commands by whichever unit is free.
 */
#include "tasks.h"

#include <stdlib.h>

#define ITEMS 16 /* of a work-group */
#define SEED 1000
#define BATCHES 8
#define MAX_KERNELS 64
#define MAX_UNITS 1024
#define RUNS 5      /* and one that isn't counted */
#define FULL 100e-6 /* seconds that a full piece of work takes */

struct balance {
	const struct device *device;
	cl_kernel kernel;
	cl_mem seed;
	cl_mem results;
	cl_uint full;   /* steps of a full piece */
	double seconds; /* of a full piece, while every unit has one */
};

/* ---- the work -------------------------------------------------------------------------------- */

static void set_work(const struct balance *balance, cl_mem results, cl_uint steps, cl_int uneven)
{
	must(clSetKernelArg(balance->kernel, 1, sizeof(results), &results), "clSetKernelArg");
	must(clSetKernelArg(balance->kernel, 2, sizeof(steps), &steps), "clSetKernelArg");
	must(clSetKernelArg(balance->kernel, 3, sizeof(uneven), &uneven), "clSetKernelArg");
}

/* What the first work-item of a group leaves. */
static void check(cl_command_queue queue, cl_mem results, size_t group, cl_uint steps)
{
	cl_uint x = SEED;
	cl_uint got;

	for (cl_uint i = 0; i < steps; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
	}
	must(clEnqueueReadBuffer(queue, results, CL_TRUE, group * ITEMS * sizeof(got), sizeof(got),
				 &got, 0, NULL, NULL),
	     "clEnqueueReadBuffer");
	expect(got == x, "balance");
}

/* Seconds that a piece of so many steps takes on a full machine. */
static double time_piece(const struct balance *balance, cl_command_queue queue, cl_uint steps)
{
	const size_t groups = MAX_KERNELS;
	double times[RUNS];

	set_work(balance, balance->results, steps, 0);
	for (unsigned i = 0; i <= RUNS; i++) {
		double start = seconds_now();

		enqueue(queue, balance->kernel, groups * ITEMS, ITEMS);
		must(clFinish(queue), "clFinish");
		times[i > 0 ? i - 1 : 0] = seconds_now() - start;
	}
	check(queue, balance->results, groups - 1, steps);
	size_t rounds = (groups + balance->device->units - 1) / balance->device->units;
	return median(times, RUNS) / (double)rounds;
}

static void calibrate(struct balance *balance)
{
	cl_command_queue queue = device_queue(balance->device, 0);
	double seconds = time_piece(balance, queue, 1000);

	balance->full = balance->device->small ? 64 : (cl_uint)(1000 * FULL / seconds) + 1;
	balance->seconds = time_piece(balance, queue, balance->full);
	clReleaseCommandQueue(queue);
}

static void open_balance(struct balance *balance, const struct device *device)
{
	const cl_uint seed = SEED;
	cl_command_queue queue = device_queue(device, 0);

	*balance = (struct balance){.device = device, .kernel = device_kernel(device, "spin")};
	balance->seed = device_buffer(device, CL_MEM_READ_ONLY, sizeof(seed));
	balance->results =
		device_buffer(device, CL_MEM_READ_WRITE, MAX_KERNELS * ITEMS * sizeof(cl_uint));
	must(clEnqueueWriteBuffer(queue, balance->seed, CL_TRUE, 0, sizeof(seed), &seed, 0, NULL,
				  NULL),
	     "clEnqueueWriteBuffer");
	must(clSetKernelArg(balance->kernel, 0, sizeof(balance->seed), &balance->seed),
	     "clSetKernelArg");
	clReleaseCommandQueue(queue);
	calibrate(balance);
}

static void close_balance(struct balance *balance)
{
	clReleaseMemObject(balance->seed);
	clReleaseMemObject(balance->results);
	clReleaseKernel(balance->kernel);
}

/* ---- batches: each kernel waits for every kernel of the batch before ------------------------- */

struct batch {
	unsigned kernels;
	unsigned groups;     /* of each kernel */
	bool uneven_kernels; /* the k-th of n has k / n of the work */
	bool uneven_groups;
	cl_mem results[MAX_KERNELS]; /* of each kernel */
};

static cl_uint kernel_steps(const struct balance *balance, const struct batch *batch, unsigned i)
{
	cl_uint steps = balance->full / batch->groups;

	return batch->uneven_kernels ? (cl_uint)((cl_ulong)steps * (i + 1) / batch->kernels)
				     : steps;
}

static cl_uint group_steps(cl_uint steps, const struct batch *batch, unsigned group)
{
	return batch->uneven_groups ? (cl_uint)((cl_ulong)steps * (group + 1) / batch->groups)
				    : steps;
}

/* Seconds of one batch, each group in turn on the unit that is free first. */
static double ideal(const struct balance *balance, const struct batch *batch)
{
	static double busy[MAX_UNITS];
	double end = 0;
	unsigned units = balance->device->units < MAX_UNITS ? balance->device->units : MAX_UNITS;

	for (unsigned i = 0; i < units; i++)
		busy[i] = 0;
	for (unsigned i = 0; i < batch->kernels * batch->groups; i++) {
		cl_uint steps = group_steps(kernel_steps(balance, batch, i / batch->groups), batch,
					    i % batch->groups);
		unsigned first = 0;

		for (unsigned unit = 1; unit < units; unit++) {
			if (busy[unit] < busy[first])
				first = unit;
		}
		busy[first] += balance->seconds * steps / balance->full;
		end = busy[first] > end ? busy[first] : end;
	}
	return end;
}

static void enqueue_batch(const struct balance *balance, const struct batch *batch,
			  cl_command_queue queue, unsigned num_before, cl_event *events)
{
	const size_t local = ITEMS;
	const size_t global = local * batch->groups;
	cl_event before[MAX_KERNELS];

	for (unsigned i = 0; i < num_before; i++)
		before[i] = events[i];
	for (unsigned i = 0; i < batch->kernels; i++) {
		set_work(balance, batch->results[i], kernel_steps(balance, batch, i),
			 batch->uneven_groups);
		must(clEnqueueNDRangeKernel(queue, balance->kernel, 1, NULL, &global, &local,
					    num_before, before, &events[i]),
		     "clEnqueueNDRangeKernel");
	}
	for (unsigned i = 0; i < num_before; i++)
		clReleaseEvent(before[i]);
}

/* Time of all batches, divided by the ideal one. */
static double run_batches(const struct balance *balance, const struct batch *batch)
{
	cl_command_queue queue =
		device_queue(balance->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_event gate = device_gate(balance->device);
	cl_event events[MAX_KERNELS] = {gate};
	unsigned num_before = 1;

	clRetainEvent(gate);
	for (unsigned i = 0; i < BATCHES; i++) {
		enqueue_batch(balance, batch, queue, num_before, events);
		num_before = batch->kernels;
	}
	double seconds = time_behind(gate, &queue, 1);
	for (unsigned i = 0; i < num_before; i++) {
		cl_uint steps = kernel_steps(balance, batch, i);

		check(queue, batch->results[i], batch->groups - 1,
		      group_steps(steps, batch, batch->groups - 1));
		clReleaseEvent(events[i]);
	}
	clReleaseEvent(gate);
	clReleaseCommandQueue(queue);
	return seconds / (ideal(balance, batch) * BATCHES);
}

static double measure_batches(const struct balance *balance, struct batch *batch)
{
	double times[RUNS];

	for (unsigned i = 0; i < batch->kernels; i++)
		batch->results[i] = device_buffer(balance->device, CL_MEM_READ_WRITE,
						  batch->groups * ITEMS * sizeof(cl_uint));
	(void)run_batches(balance, batch);
	for (unsigned i = 0; i < RUNS; i++)
		times[i] = run_batches(balance, batch);
	for (unsigned i = 0; i < batch->kernels; i++)
		clReleaseMemObject(batch->results[i]);
	return median(times, RUNS);
}

static void measure_imbalance(const struct device *device, double *numbers, bool uneven_kernels,
			      bool uneven_groups)
{
	static const unsigned sizes[] = {8, MAX_KERNELS};
	struct balance balance;

	open_balance(&balance, device);
	for (unsigned i = 0; i < 2; i++) {
		struct batch batch = {.kernels = sizes[i],
				      .groups = uneven_groups ? 8 : 1,
				      .uneven_kernels = uneven_kernels,
				      .uneven_groups = uneven_groups};

		numbers[i] = measure_batches(&balance, &batch);
	}
	close_balance(&balance);
}

static void kernel_imbalance(const struct device *device, double *numbers)
{
	measure_imbalance(device, numbers, true, false);
}

static void group_imbalance(const struct device *device, double *numbers)
{
	measure_imbalance(device, numbers, false, true);
}

static void both_imbalances(const struct device *device, double *numbers)
{
	measure_imbalance(device, numbers, true, true);
}

/* ---- independent kernels of one in-order queue ----------------------------------------------- */

/* A write, then kernels that read what it wrote and write a buffer each. */
static double run_independent(const struct balance *balance, const cl_mem *results, unsigned count,
			      cl_uint steps)
{
	const cl_uint seed = SEED;
	cl_command_queue queue = device_queue(balance->device, 0);
	cl_event gate = device_gate(balance->device);

	must(clEnqueueWriteBuffer(queue, balance->seed, CL_FALSE, 0, sizeof(seed), &seed, 1, &gate,
				  NULL),
	     "clEnqueueWriteBuffer");
	for (unsigned i = 0; i < count; i++) {
		set_work(balance, results[i], steps, 0);
		enqueue(queue, balance->kernel, ITEMS, ITEMS);
	}
	double seconds = time_behind(gate, &queue, 1);
	check(queue, results[count - 1], 0, steps);
	clReleaseEvent(gate);
	clReleaseCommandQueue(queue);
	unsigned rounds = (count + balance->device->units - 1) / balance->device->units;
	return seconds / (balance->seconds * rounds * steps / balance->full);
}

static double measure_flags(struct balance *balance, cl_mem *results, unsigned count,
			    cl_mem_flags seed, cl_mem_flags result)
{
	double times[RUNS];

	clReleaseMemObject(balance->seed);
	balance->seed = device_buffer(balance->device, seed, sizeof(cl_uint));
	must(clSetKernelArg(balance->kernel, 0, sizeof(balance->seed), &balance->seed),
	     "clSetKernelArg");
	for (unsigned i = 0; i < count; i++)
		results[i] = device_buffer(balance->device, result, ITEMS * sizeof(cl_uint));
	(void)run_independent(balance, results, count, balance->full / 4);
	for (unsigned i = 0; i < RUNS; i++)
		times[i] = run_independent(balance, results, count, balance->full / 4);
	for (unsigned i = 0; i < count; i++)
		clReleaseMemObject(results[i]);
	return median(times, RUNS);
}

static void independent(const struct device *device, double *numbers)
{
	unsigned count = device->small ? 100 : 10000;
	cl_mem *results = calloc(count, sizeof(cl_mem));
	struct balance balance;

	expect(results, "memory");
	open_balance(&balance, device);
	numbers[0] = measure_flags(&balance, results, count, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY);
	numbers[1] = measure_flags(&balance, results, count, CL_MEM_READ_WRITE, CL_MEM_READ_WRITE);
	close_balance(&balance);
	free(results);
}

#define IMBALANCE {{"batches of 8 / ideal", "", 1.05}, {"batches of 64 / ideal", "", 1.05}}

const struct task_case balance_cases[] = {
	{"kernel imbalance", IMBALANCE, kernel_imbalance},
	{"work-group imbalance", IMBALANCE, group_imbalance},
	{"kernel and work-group imbalance", IMBALANCE, both_imbalances},
	{"independent kernels, in-order queue",
	 {{"buffers by use / ideal", "", 1.03}, {"read-write buffers / ideal", "", 1.03}},
	 independent},
	{0}};
