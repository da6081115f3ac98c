/* SPDX-License-Identifier: MIT
 *
 * Measures one driver. It is called as a loader would call it, by its dispatch table, so that no loader is needed and all drivers pay
 * the same. Each measure is warmed up for as long as it is measured; the median of its runs counts.
 */
#include "alloc.h"
#include "bench.h"
#include "child.h"
#include "clock.h"

#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RUNS 20000
#define LEAST_RUNS 3
#define QUEUED 1000
#define SAMPLES 16
#define TOLERANCE 1e-3

/* What begins every object of a driver. */
struct object {
	const cl_icd_dispatch *call;
};

struct run {
	FILE *words; /* for weft_bench_driver, line by line, as the driver may crash at any time */
	const cl_icd_dispatch *call;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_mem buffers[3];
	cl_kernel empty;
	cl_kernel kernels[WEFT_NUM_MEASURES];
	float *inputs[2]; /* owned: what the first two buffers have */
	double *times;    /* owned: MOST_RUNS of them, s */
	double seconds;   /* for each measure */
};

/* ---- one device ------------------------------------------------------------------------------- */

/* Says what failed. */
static bool worked(const struct run *run, cl_int error, const char *what)
{
	if (error != CL_SUCCESS)
		fprintf(run->words, "problem\t%s: error %d\n", what, error);
	return error == CL_SUCCESS;
}

/* Two inputs of numbers from 0 to 1 that repeat with different periods. */
static bool make_inputs(struct run *run)
{
	for (int i = 0; i < 2; i++) {
		const size_t period = i ? 89 : 97;

		run->inputs[i] = weft_calloc(WEFT_BENCH_FLOATS, sizeof(float));
		for (size_t k = 0; run->inputs[i] && k < WEFT_BENCH_FLOATS; k++)
			run->inputs[i][k] = (float)(k % period) / (float)period;
	}
	run->times = weft_calloc(MOST_RUNS, sizeof(double));
	return run->inputs[0] && run->inputs[1] && run->times;
}

static bool make_buffers(struct run *run)
{
	const size_t size = WEFT_BENCH_FLOATS * sizeof(float);
	cl_int error = CL_SUCCESS;

	for (int i = 0; i < 3 && error == CL_SUCCESS; i++)
		run->buffers[i] = run->call->clCreateBuffer(run->context, CL_MEM_READ_WRITE, size,
							    NULL, &error);
	for (int i = 0; i < 2 && error == CL_SUCCESS; i++)
		error = run->call->clEnqueueWriteBuffer(run->queue, run->buffers[i], CL_TRUE, 0,
							size, run->inputs[i], 0, NULL, NULL);
	return worked(run, error, "buffers");
}

static cl_kernel make_kernel(struct run *run, const char *name, cl_int number)
{
	cl_int error;

	cl_kernel kernel = run->call->clCreateKernel(run->program, name, &error);
	for (cl_uint i = 0; i < 3 && error == CL_SUCCESS; i++)
		error = run->call->clSetKernelArg(kernel, i, sizeof(cl_mem), &run->buffers[i]);
	if (error == CL_SUCCESS)
		error = run->call->clSetKernelArg(kernel, 3, sizeof(number), &number);
	return worked(run, error, name) ? kernel : NULL;
}

static cl_int launch(struct run *run, size_t measure)
{
	const struct weft_measure *row = &weft_measures[measure];

	return run->call->clEnqueueNDRangeKernel(run->queue, run->kernels[measure],
						 (cl_uint)row->dimensions, NULL, row->global,
						 row->local[0] ? row->local : NULL, 0, NULL, NULL);
}

/* Compiles, and runs each kernel once: a driver may put off a part of its work. */
static bool build(struct run *run)
{
	const char *source = weft_bench_source;
	cl_int error;

	run->program = run->call->clCreateProgramWithSource(run->context, 1, &source, NULL, &error);
	if (error == CL_SUCCESS)
		error = run->call->clBuildProgram(run->program, 1, &run->device, "", NULL, NULL);
	if (!worked(run, error, "clBuildProgram"))
		return false;
	run->empty = make_kernel(run, "empty", 0);
	for (size_t i = 0; i < WEFT_NUM_MEASURES; i++) {
		if (!weft_measures[i].kernel)
			continue;
		run->kernels[i] =
			make_kernel(run, weft_measures[i].kernel, weft_measures[i].number);
		if (!run->kernels[i] || !worked(run, launch(run, i), weft_measures[i].kernel))
			return false;
	}
	return run->empty && worked(run, run->call->clFinish(run->queue), "clFinish");
}

/* ---- measures --------------------------------------------------------------------------------- */

static double seconds_since(uint64_t start)
{
	return (double)(weft_clock_now() - start) * 1e-9;
}

/* One run of a measure. */
static cl_int run_once(struct run *run, size_t measure)
{
	const size_t one = 1;
	const int count = weft_measures[measure].kind == WEFT_MEASURE_QUEUE ? QUEUED : 1;
	cl_int error = CL_SUCCESS;

	if (weft_measures[measure].kind == WEFT_MEASURE_KERNEL)
		error = launch(run, measure);
	else
		for (int i = 0; i < count && error == CL_SUCCESS; i++)
			error = run->call->clEnqueueNDRangeKernel(run->queue, run->empty, 1, NULL,
								  &one, NULL, 0, NULL, NULL);
	return error == CL_SUCCESS ? run->call->clFinish(run->queue) : error;
}

static int by_time(const void *a, const void *b)
{
	const double first = *(const double *)a, second = *(const double *)b;

	return first < second ? -1 : first > second;
}

/* Runs for as long as the measure takes, at least LEAST_RUNS times. How many runs; 0: it failed. */
static size_t repeat(struct run *run, size_t measure)
{
	const uint64_t start = weft_clock_now();
	size_t count = 0;

	while (count < MOST_RUNS && (count < LEAST_RUNS || seconds_since(start) < run->seconds)) {
		const uint64_t begin = weft_clock_now();

		if (!worked(run, run_once(run, measure), weft_measures[measure].name))
			return 0;
		run->times[count++] = seconds_since(begin);
	}
	return count;
}

/* The kernel's results, some of them, from one run on a buffer of zeros. */
static bool check(struct run *run, size_t measure)
{
	const struct weft_measure *row = &weft_measures[measure];
	const size_t size = row->results * sizeof(float);
	float *results = weft_calloc(row->results, sizeof(float));
	bool right = results != NULL;

	cl_int error = right ? run->call->clEnqueueWriteBuffer(run->queue, run->buffers[2], CL_TRUE,
							       0, size, results, 0, NULL, NULL)
			     : CL_OUT_OF_HOST_MEMORY;
	if (error == CL_SUCCESS)
		error = launch(run, measure);
	if (error == CL_SUCCESS)
		error = run->call->clEnqueueReadBuffer(run->queue, run->buffers[2], CL_TRUE, 0,
						       size, results, 0, NULL, NULL);
	right = worked(run, error, row->name);
	for (size_t i = 0; i < SAMPLES && right; i++) {
		const size_t index = i * (row->results / SAMPLES) + i;
		const double expected =
			row->expected(run->inputs[0], run->inputs[1], index, row->number);
		int count;

		memcpy(&count, &results[index], sizeof(count));
		const double result = row->counts ? count : (double)results[index];
		right = fabs(result - expected) <= TOLERANCE * (1 + fabs(expected));
		if (!right)
			fprintf(run->words, "problem\t%s: the result %zu is %g, not %g\n",
				row->name, index, result, expected);
	}
	weft_free(results);
	return right;
}

/* 0: it failed. */
static double measure(struct run *run, size_t i)
{
	const struct weft_measure *row = &weft_measures[i];

	if (row->kind == WEFT_MEASURE_KERNEL && !check(run, i))
		return 0;
	size_t count = repeat(run, i);
	count = count ? repeat(run, i) : 0;
	if (count == 0)
		return 0;
	qsort(run->times, count, sizeof(*run->times), by_time);
	const double median = run->times[count / 2];
	if (row->kind == WEFT_MEASURE_KERNEL)
		return row->work / median;
	return median * 1e6 / (row->kind == WEFT_MEASURE_QUEUE ? QUEUED : 1);
}

static void print_value(const struct run *run, size_t i, double value)
{
	fprintf(run->words, "value\t%zu\t%.9g\n", i, value);
}

static bool start(struct run *run)
{
	cl_int error;

	run->context = run->call->clCreateContext(NULL, 1, &run->device, NULL, NULL, &error);
	if (error == CL_SUCCESS)
		run->queue = run->call->clCreateCommandQueue(run->context, run->device, 0, &error);
	return worked(run, error, "context and queue") && make_buffers(run);
}

static void measure_device(struct run *run)
{
	if (!start(run))
		return;
	const uint64_t source = weft_clock_now();
	if (!build(run))
		return;
	print_value(run, 0, seconds_since(source) * 1e3);
	for (size_t i = 1; i < WEFT_NUM_MEASURES; i++)
		print_value(run, i, measure(run, i));
}

/* ---- the driver ------------------------------------------------------------------------------- */

static void bench_platform(struct run *run, cl_platform_id platform)
{
	cl_device_id devices[WEFT_BENCH_MOST_DEVICES];
	cl_uint count = 0;
	char names[3][96] = {"", "", ""};

	run->call = ((const struct object *)platform)->call;
	run->call->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(names[0]), names[0], NULL);
	run->call->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, WEFT_BENCH_MOST_DEVICES, devices,
				  &count);
	for (cl_uint i = 0; i < count && i < WEFT_BENCH_MOST_DEVICES; i++) {
		run->device = devices[i];
		run->call->clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof(names[1]), names[1],
					   NULL);
		run->call->clGetDeviceInfo(devices[i], CL_DRIVER_VERSION, sizeof(names[2]),
					   names[2], NULL);
		fprintf(run->words, "device\t%s\t%s\t%s\n", names[0], names[1], names[2]);
		measure_device(run);
	}
}

/* Objects are left to the end of the process. */
int weft_bench_child(const struct weft_bench_task *task)
{
	struct run run = {.seconds = task->seconds, .words = weft_child_words()};
	cl_platform_id platforms[WEFT_BENCH_MOST_PLATFORMS];
	cl_uint count = 0;

	if (!run.words)
		return 1;
	setvbuf(run.words, NULL, _IOLBF, BUFSIZ);
	/* Each driver is to compile: Weft, PoCL. */
	setenv("WEFT_CACHE", "0", 1);
	setenv("POCL_KERNEL_CACHE", "0", 1);
	void *handle = dlopen(task->library, RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		fprintf(run.words, "problem\t%s\n", dlerror());
		return 1;
	}
	__typeof__(clGetExtensionFunctionAddress) *get_function =
		(__typeof__(clGetExtensionFunctionAddress) *)dlsym(handle,
								   "clGetExtensionFunctionAddress");
	clIcdGetPlatformIDsKHR_fn get_platforms =
		get_function ? (clIcdGetPlatformIDsKHR_fn)get_function("clIcdGetPlatformIDsKHR")
			     : NULL;
	if (!get_platforms ||
	    get_platforms(WEFT_BENCH_MOST_PLATFORMS, platforms, &count) != CL_SUCCESS) {
		fprintf(run.words, "problem\tit has no platform\n");
		return 1;
	}
	if (!make_inputs(&run)) {
		fprintf(run.words, "problem\tout of memory\n");
		return 1;
	}
	for (cl_uint i = 0; i < count && i < WEFT_BENCH_MOST_PLATFORMS; i++)
		bench_platform(&run, platforms[i]);
	return 0;
}
