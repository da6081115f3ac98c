/* SPDX-License-Identifier: MIT
 *
 * Kernels that enqueue kernels: what a child costs, and what it is worth where the work itself says how much of it there is. The
 * host does the same level by level, and reads after each how much is left.
 */
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

#define RUNS 5 /* and one that isn't counted */

struct bench {
	const struct device *device;
	cl_program program;
	cl_command_queue queue, device_queue;
	cl_mem data, work[2], counter;
	cl_int count; /* children; elements; pixels of a side */
	size_t items; /* of a work-group */
	cl_uint *elements;
};

static bool is_offered(const struct device *device)
{
	cl_bitfield capabilities = 0;

	return clGetDeviceInfo(device->id, 0x1070 /* CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES */,
			       sizeof(capabilities), &capabilities, NULL) == CL_SUCCESS &&
	       (capabilities & 1);
}

static void open_bench(struct bench *bench, const struct device *device, cl_int count, size_t bytes)
{
	char *source = read_text(TASKS_SOURCES "/device_enqueue.cl");
	cl_int error;

	*bench = (struct bench){.device = device, .count = count, .items = 1};
	bench->program =
		clCreateProgramWithSource(device->context, 1, (const char **)&source, NULL, &error);
	must(error, "clCreateProgramWithSource");
	must(clBuildProgram(bench->program, 1, &device->id, "-cl-std=CL3.0", NULL, NULL),
	     "clBuildProgram");
	free(source);
	bench->queue = device_queue(device, 0);
	bench->device_queue =
		device_queue(device, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	bench->data = device_buffer(device, CL_MEM_READ_WRITE, bytes);
	bench->work[0] = device_buffer(device, CL_MEM_READ_WRITE, bytes);
	bench->work[1] = device_buffer(device, CL_MEM_READ_WRITE, bytes);
	bench->counter = device_buffer(device, CL_MEM_READ_WRITE, sizeof(cl_int));
	bench->elements = malloc(bytes);
	expect(bench->elements != NULL, "memory");
}

static void close_bench(struct bench *bench)
{
	free(bench->elements);
	clReleaseMemObject(bench->data);
	clReleaseMemObject(bench->work[0]);
	clReleaseMemObject(bench->work[1]);
	clReleaseMemObject(bench->counter);
	clReleaseCommandQueue(bench->device_queue);
	clReleaseCommandQueue(bench->queue);
	clReleaseProgram(bench->program);
}

static cl_kernel kernel_of(const struct bench *bench, const char *name)
{
	cl_int error;
	cl_kernel kernel = clCreateKernel(bench->program, name, &error);

	must(error, name);
	return kernel;
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	must(clSetKernelArg(kernel, index, size, value), "clSetKernelArg");
}

static void read_from(const struct bench *bench, cl_mem mem, size_t bytes, void *to)
{
	must(clEnqueueReadBuffer(bench->queue, mem, CL_TRUE, 0, bytes, to, 0, NULL, NULL),
	     "clEnqueueReadBuffer");
}

static void write_to(const struct bench *bench, cl_mem mem, size_t bytes, const void *from)
{
	must(clEnqueueWriteBuffer(bench->queue, mem, CL_TRUE, 0, bytes, from, 0, NULL, NULL),
	     "clEnqueueWriteBuffer");
}

/* Seconds of a kernel that gets the data, the queue on the device and the count. */
static double by_device(const struct bench *bench, const char *name)
{
	cl_kernel kernel = kernel_of(bench, name);

	set(kernel, 0, sizeof(bench->data), &bench->data);
	set(kernel, 1, sizeof(bench->device_queue), &bench->device_queue);
	set(kernel, 2, sizeof(bench->count), &bench->count);
	double start = seconds_now();
	enqueue(bench->queue, kernel, bench->items, bench->items);
	must(clFinish(bench->queue), "clFinish");
	double seconds = seconds_now() - start;
	clReleaseKernel(kernel);
	return seconds;
}

/* Seconds of a kernel that is enqueued for each level, until none of the parts is left. */
static double by_host(const struct bench *bench, const char *name, const void *first, size_t bytes,
		      bool with_count)
{
	cl_kernel kernel = kernel_of(bench, name);
	cl_int parts = 1;

	write_to(bench, bench->work[0], bytes, first);
	set(kernel, 0, sizeof(bench->data), &bench->data);
	set(kernel, 3, sizeof(bench->counter), &bench->counter);
	if (with_count)
		set(kernel, 4, sizeof(bench->count), &bench->count);
	double start = seconds_now();
	for (int level = 0; parts > 0; level++) {
		const cl_int none = 0;

		write_to(bench, bench->counter, sizeof(none), &none);
		set(kernel, 1, sizeof(cl_mem), &bench->work[level % 2]);
		set(kernel, 2, sizeof(cl_mem), &bench->work[(level + 1) % 2]);
		enqueue(bench->queue, kernel, (size_t)parts * bench->items, bench->items);
		read_from(bench, bench->counter, sizeof(parts), &parts);
	}
	double seconds = seconds_now() - start;
	clReleaseKernel(kernel);
	return seconds;
}

/* ---- what a child costs ------------------------------------------------------------------------ */

/* Microseconds per child. */
static double cost(const struct bench *bench, const char *name)
{
	double times[RUNS + 1];

	for (unsigned i = 0; i <= RUNS; i++) {
		const cl_int zero = 0;
		cl_int count;

		write_to(bench, bench->data, sizeof(zero), &zero);
		times[i] = by_device(bench, name) * 1e6 / bench->count;
		read_from(bench, bench->data, sizeof(count), &count);
		expect(count == bench->count, name);
	}
	return median(times + 1, RUNS);
}

static void measure_children(const struct device *device, double *numbers)
{
	struct bench bench;

	numbers[0] = numbers[1] = NOT_OFFERED;
	if (!is_offered(device))
		return;
	open_bench(&bench, device, device->small ? 100 : 10000, sizeof(cl_int));
	numbers[0] = cost(&bench, "enqueue_wide");
	numbers[1] = cost(&bench, "enqueue_deep");
	close_bench(&bench);
}

/* ---- quicksort --------------------------------------------------------------------------------- */

static void shuffle(const struct bench *bench)
{
	cl_uint x = 2463534242u;

	for (cl_int i = 0; i < bench->count; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		bench->elements[i] = x;
	}
	write_to(bench, bench->data, (size_t)bench->count * sizeof(x), bench->elements);
}

static void expect_sorted(const struct bench *bench)
{
	read_from(bench, bench->data, (size_t)bench->count * sizeof(cl_uint), bench->elements);
	for (cl_int i = 1; i < bench->count; i++)
		expect(bench->elements[i - 1] <= bench->elements[i], "sort");
}

static void measure_sort(const struct device *device, double *numbers)
{
	struct bench bench;
	double device_times[RUNS + 1], host_times[RUNS + 1];

	numbers[0] = numbers[1] = NOT_OFFERED;
	if (!is_offered(device))
		return;
	const cl_int count = device->small ? 4096 : 1 << 20;
	open_bench(&bench, device, count, (size_t)count * sizeof(cl_uint));
	for (unsigned i = 0; i <= RUNS; i++) {
		const cl_int whole[2] = {0, count};

		shuffle(&bench);
		device_times[i] = by_device(&bench, "sort_by_device");
		expect_sorted(&bench);
		shuffle(&bench);
		host_times[i] = by_host(&bench, "sort_by_host", whole, sizeof(whole), false);
		expect_sorted(&bench);
	}
	numbers[0] = median(device_times + 1, RUNS) * 1e3;
	numbers[1] = numbers[0] / (median(host_times + 1, RUNS) * 1e3);
	close_bench(&bench);
}

/* ---- Mandelbrot's set -------------------------------------------------------------------------- */

static void measure_regions(const struct device *device, double *numbers)
{
	struct bench bench;
	double device_times[RUNS + 1], host_times[RUNS + 1];

	numbers[0] = numbers[1] = NOT_OFFERED;
	if (!is_offered(device))
		return;
	const cl_int side = device->small ? 64 : 1024;
	const size_t bytes = (size_t)side * (size_t)side * sizeof(cl_int);
	open_bench(&bench, device, side, bytes);
	bench.items = 64;
	cl_uint *image = malloc(bytes);
	expect(image != NULL, "memory");
	for (unsigned i = 0; i <= RUNS; i++) {
		const cl_int whole[4] = {0, 0, side, 0};

		device_times[i] = by_device(&bench, "draw_by_device");
		read_from(&bench, bench.data, bytes, image);
		host_times[i] = by_host(&bench, "draw_by_host", whole, sizeof(whole), true);
		read_from(&bench, bench.data, bytes, bench.elements);
		expect(memcmp(image, bench.elements, bytes) == 0, "draw");
	}
	numbers[0] = median(device_times + 1, RUNS) * 1e3;
	numbers[1] = numbers[0] / (median(host_times + 1, RUNS) * 1e3);
	free(image);
	close_bench(&bench);
}

const struct task_case device_enqueue_cases[] = {
	{"kernels that enqueue kernels",
	 {{"10,000 of one kernel: a child", "us", 1.0}, {"10,000 nested: a child", "us", 1.0}},
	 measure_children},
	{"quicksort by kernels",
	 {{"a million numbers", "ms", 0}, {"time / by the host", "", 1.0}},
	 measure_sort},
	{"Mandelbrot's set by regions",
	 {{"1,024 x 1,024", "ms", 0}, {"time / by the host", "", 1.0}},
	 measure_regions},
	{0}};
