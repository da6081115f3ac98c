/* SPDX-License-Identifier: MIT
 *
 * What single commands and single work-groups cost.
 */
#include "tasks.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS 5 /* and one that isn't counted */

/* ---- commands -------------------------------------------------------------------------------- */

struct commands {
	const struct device *device;
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem buffer;
	unsigned count;
};

static void enqueue_and_finish(const struct commands *commands)
{
	for (unsigned i = 0; i < commands->count; i++) {
		enqueue(commands->queue, commands->kernel, 1, 1);
		must(clFinish(commands->queue), "clFinish");
	}
}

static void write_64(const struct commands *commands)
{
	char bytes[64] = {0};

	for (unsigned i = 0; i < commands->count; i++)
		must(clEnqueueWriteBuffer(commands->queue, commands->buffer, CL_TRUE, 64,
					  sizeof(bytes), bytes, 0, NULL, NULL),
		     "clEnqueueWriteBuffer");
}

static void read_64(const struct commands *commands)
{
	char bytes[64];

	for (unsigned i = 0; i < commands->count; i++)
		must(clEnqueueReadBuffer(commands->queue, commands->buffer, CL_TRUE, 64,
					 sizeof(bytes), bytes, 0, NULL, NULL),
		     "clEnqueueReadBuffer");
}

static void map_and_unmap(const struct commands *commands)
{
	cl_int error;

	for (unsigned i = 0; i < commands->count; i++) {
		void *address = clEnqueueMapBuffer(commands->queue, commands->buffer, CL_TRUE,
						   CL_MAP_READ | CL_MAP_WRITE, 0, 4096, 0, NULL,
						   NULL, &error);

		must(error, "clEnqueueMapBuffer");
		must(clEnqueueUnmapMemObject(commands->queue, commands->buffer, address, 0, NULL,
					     NULL),
		     "clEnqueueUnmapMemObject");
	}
	must(clFinish(commands->queue), "clFinish");
}

/* Microseconds per command. */
static double time_commands(const struct commands *commands,
			    void (*run)(const struct commands *commands))
{
	double times[RUNS];

	for (unsigned i = 0; i <= RUNS; i++) {
		double start = seconds_now();

		run(commands);
		times[i > 0 ? i - 1 : 0] = (seconds_now() - start) * 1e6 / commands->count;
	}
	return median(times, RUNS);
}

/* Microseconds per call that enqueues a kernel while none can run. */
static double time_enqueue(const struct commands *commands)
{
	double times[RUNS];

	for (unsigned i = 0; i <= RUNS; i++) {
		cl_event gate = device_gate(commands->device);

		must(clEnqueueMarkerWithWaitList(commands->queue, 1, &gate, NULL), "the gate");
		double start = seconds_now();
		for (unsigned k = 0; k < commands->count; k++)
			enqueue(commands->queue, commands->kernel, 1, 1);
		times[i > 0 ? i - 1 : 0] = (seconds_now() - start) * 1e6 / commands->count;
		(void)time_behind(gate, &commands->queue, 1);
		clReleaseEvent(gate);
	}
	return median(times, RUNS);
}

static void commands(const struct device *device, double *numbers)
{
	struct commands commands = {.device = device,
				    .queue = device_queue(device, 0),
				    .kernel = device_kernel(device, "increment"),
				    .buffer = device_buffer(device, CL_MEM_READ_WRITE, 65536),
				    .count = device->small ? 10 : 4000};

	must(clSetKernelArg(commands.kernel, 0, sizeof(cl_mem), &commands.buffer),
	     "clSetKernelArg");
	numbers[0] = time_commands(&commands, enqueue_and_finish);
	numbers[1] = time_enqueue(&commands);
	numbers[2] = time_commands(&commands, write_64);
	numbers[3] = time_commands(&commands, read_64);
	numbers[4] = time_commands(&commands, map_and_unmap);
	clReleaseMemObject(commands.buffer);
	clReleaseKernel(commands.kernel);
	clReleaseCommandQueue(commands.queue);
}

/* ---- a large write beside memcpy ------------------------------------------------------------- */

/* Threads that wait, spinning, for a copy and do their parts of it; the caller is the first of them. */
struct copiers {
	unsigned count;
	pthread_t *threads;  /* count - 1 */
	atomic_uint started; /* copies begun; UINT_MAX: end */
	atomic_uint ended;   /* parts of this copy */
	atomic_uint next;    /* thread's number */
	const char *source;
	char *target;
	size_t size;
};

static void copy_part(struct copiers *copiers, unsigned part)
{
	size_t begin = copiers->size * part / copiers->count;
	size_t end = copiers->size * (part + 1) / copiers->count;

	memcpy(copiers->target + begin, copiers->source + begin, end - begin);
	atomic_fetch_add(&copiers->ended, 1);
}

static void *copier(void *data)
{
	struct copiers *copiers = data;
	unsigned part = atomic_fetch_add(&copiers->next, 1) + 1;
	unsigned seen = 0;

	for (;;) {
		unsigned now = atomic_load(&copiers->started);

		if (now == UINT_MAX)
			return NULL;
		if (now != seen)
			copy_part(copiers, part);
		seen = now;
	}
}

static double time_memcpy(struct copiers *copiers)
{
	double times[RUNS];

	copiers->threads = calloc(copiers->count, sizeof(pthread_t));
	expect(copiers->threads, "memory");
	for (unsigned i = 0; i + 1 < copiers->count; i++)
		expect(pthread_create(&copiers->threads[i], NULL, copier, copiers) == 0, "thread");
	for (unsigned i = 0; i <= RUNS; i++) {
		double start = seconds_now();

		atomic_store(&copiers->ended, 0);
		atomic_fetch_add(&copiers->started, 1);
		copy_part(copiers, 0);
		while (atomic_load(&copiers->ended) < copiers->count)
			;
		times[i > 0 ? i - 1 : 0] = seconds_now() - start;
	}
	atomic_store(&copiers->started, UINT_MAX);
	for (unsigned i = 0; i + 1 < copiers->count; i++)
		pthread_join(copiers->threads[i], NULL);
	free(copiers->threads);
	return median(times, RUNS);
}

static void large_write(const struct device *device, double *numbers)
{
	size_t size = device->small ? 65536 : 16 << 20;
	cl_command_queue queue = device_queue(device, 0);
	cl_mem buffer = device_buffer(device, CL_MEM_READ_WRITE, size);
	char *source = malloc(size);
	char *target = calloc(size, 1);
	double times[RUNS];

	expect(source && target, "memory");
	memset(source, 1, size);
	memset(target, 2, size);
	for (unsigned i = 0; i <= RUNS; i++) {
		double start = seconds_now();

		must(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, source, 0, NULL, NULL),
		     "clEnqueueWriteBuffer");
		times[i > 0 ? i - 1 : 0] = seconds_now() - start;
	}
	struct copiers copiers = {
		.count = device->units, .source = source, .target = target, .size = size};
	numbers[0] = (double)size * 1e-9 / median(times, RUNS);
	numbers[1] = median(times, RUNS) / time_memcpy(&copiers);
	free(source);
	free(target);
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(queue);
}

/* ---- work-groups ----------------------------------------------------------------------------- */

/* Nanoseconds per group that stores its number. */
static double time_groups(const struct device *device, const char *name, size_t local)
{
	size_t groups = device->small ? 1000 : 1000000;
	cl_command_queue queue = device_queue(device, 0);
	cl_kernel kernel = device_kernel(device, name);
	cl_mem buffer = device_buffer(device, CL_MEM_READ_WRITE, groups * sizeof(cl_uint));
	cl_uint *got = calloc(groups, sizeof(cl_uint));
	double times[RUNS];

	expect(got, "memory");
	must(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "clSetKernelArg");
	for (unsigned i = 0; i <= RUNS; i++) {
		double start = seconds_now();

		enqueue(queue, kernel, groups * local, local);
		must(clFinish(queue), "clFinish");
		times[i > 0 ? i - 1 : 0] = (seconds_now() - start) * 1e9 / (double)groups;
	}
	must(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, groups * sizeof(cl_uint), got, 0, NULL,
				 NULL),
	     "clEnqueueReadBuffer");
	for (size_t i = 0; i < groups; i++)
		expect(got[i] == i, name);
	free(got);
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseCommandQueue(queue);
	return median(times, RUNS);
}

static void groups(const struct device *device, double *numbers)
{
	numbers[0] = time_groups(device, "store_group", 1);
	numbers[1] = time_groups(device, "store_group", 64);
	numbers[2] = time_groups(device, "store_group_barrier", 64);
}

/* ---- beside others --------------------------------------------------------------------------- */

/* A thread that launches and waits, again and again, until it is told to end: eight work-groups of each unit. */
struct neighbour {
	const struct device *device;
	cl_uint steps; /* of a work-group */
	atomic_bool ends;
	atomic_uint launches;
};

static void *launch_and_wait(void *data)
{
	struct neighbour *neighbour = data;
	const struct device *device = neighbour->device;
	const size_t groups = 8 * device->units;
	const cl_int even = 0;
	cl_command_queue queue = device_queue(device, 0);
	cl_kernel kernel = device_kernel(device, "spin");
	cl_mem seed = device_buffer(device, CL_MEM_READ_ONLY, sizeof(cl_uint));
	cl_mem results = device_buffer(device, CL_MEM_READ_WRITE, groups * sizeof(cl_uint));

	must(clSetKernelArg(kernel, 0, sizeof(seed), &seed), "clSetKernelArg");
	must(clSetKernelArg(kernel, 1, sizeof(results), &results), "clSetKernelArg");
	must(clSetKernelArg(kernel, 2, sizeof(neighbour->steps), &neighbour->steps),
	     "clSetKernelArg");
	must(clSetKernelArg(kernel, 3, sizeof(even), &even), "clSetKernelArg");
	while (!atomic_load(&neighbour->ends)) {
		enqueue(queue, kernel, groups, 1);
		must(clFinish(queue), "clFinish");
		atomic_fetch_add(&neighbour->launches, 1);
	}
	clReleaseMemObject(results);
	clReleaseMemObject(seed);
	clReleaseKernel(kernel);
	clReleaseCommandQueue(queue);
	return NULL;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a;
	const double y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Microseconds from the enqueue of a short kernel to the end of clFinish, the middle and the 95th of a hundred; and how many launches of the
 * neighbour end in a second. */
static void time_beside(const struct device *device, cl_uint steps, double numbers[3])
{
	const struct timespec pause = {0,
				       500000}; /* so that they lie anywhere in the neighbour's */
	struct neighbour neighbour = {.device = device, .steps = steps};
	const unsigned count = device->small ? 10 : 1000;
	cl_command_queue queue = device_queue(device, 0);
	cl_kernel kernel = device_kernel(device, "increment");
	cl_mem buffer = device_buffer(device, CL_MEM_READ_WRITE, sizeof(cl_int));
	double *times = calloc(count, sizeof(double));
	pthread_t thread;

	expect(times, "memory");
	must(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "clSetKernelArg");
	expect(pthread_create(&thread, NULL, launch_and_wait, &neighbour) == 0, "thread");
	while (atomic_load(&neighbour.launches) < (device->small ? 1 : 20))
		;
	const unsigned before = atomic_load(&neighbour.launches);
	const double begin = seconds_now();
	for (unsigned i = 0; i < count; i++) {
		(void)nanosleep(&pause, NULL);
		const double start = seconds_now();
		enqueue(queue, kernel, 1, 1);
		must(clFinish(queue), "clFinish");
		times[i] = (seconds_now() - start) * 1e6;
	}
	numbers[2] = (atomic_load(&neighbour.launches) - before) / (seconds_now() - begin);
	atomic_store(&neighbour.ends, true);
	pthread_join(thread, NULL);
	qsort(times, count, sizeof(double), compare);
	numbers[0] = times[count / 2];
	numbers[1] = times[count * 95 / 100];
	free(times);
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseCommandQueue(queue);
}

static void beside_others(const struct device *device, double *numbers)
{
	const unsigned per_step = device->small ? 10 : 1;

	time_beside(device, 6000 / per_step, numbers);
	time_beside(device, 600000 / per_step, numbers + 3);
}

const struct task_case latency_cases[] = {
	{"commands",
	 {{"enqueue and finish", "us", 2},
	  {"enqueue alone", "us", 0.3},
	  {"blocking write, 64 bytes", "us", 0.5},
	  {"blocking read, 64 bytes", "us", 0.5},
	  {"map and unmap", "us", 0.5}},
	 commands},
	{"write of 16 MB",
	 {{"rate", "GB/s", 0}, {"time / memcpy on all units", "", 1}},
	 large_write},
	{"a million work-groups",
	 {{"1 item", "ns", 0.1}, {"64 items", "ns", 3}, {"64 items, barrier", "ns", 5}},
	 groups},
	{"short launches beside others",
	 {{"short work-groups: half of the launches", "us", 0},
	  {"95 % of them", "us", 0},
	  {"the others, a second", "", 0},
	  {"long work-groups: half of the launches", "us", 0},
	  {"95 % of them", "us", 0},
	  {"the others, a second", "", 0}},
	 beside_others},
	{0}};
