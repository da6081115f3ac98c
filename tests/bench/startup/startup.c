/* SPDX-License-Identifier: MIT
 *
 * How long a fresh process waits for OpenCL: from the first call to a queue, to the result of its first program,
 * uncached and cached, and for each further program. Plain OpenCL through the loader; the figures of each
 * vendors folder (OCL_ICD_VENDORS) on the command line stand side by side.
 *
 *   startup [-n RUNS] VENDORS...
 *
 * Each run is two processes with a cache folder of their own: the first finds it empty, the second finds what
 * the first left. What is printed are medians, in milliseconds.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include "drivers.h"
#include "first_device.h"
#include "measure.h"
#include "processes.h"

#include <CL/cl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_RUNS 101
#define FURTHER 5 /* programs after the first */
#define ITEMS 1024

/* What is measured, in the order of the report. */
enum figure { QUEUE, FIRST, NEXT, CACHED, NUM_FIGURES };

static const char *const titles[NUM_FIGURES] = {"platform to queue", "first program, uncached",
						"further program, uncached",
						"first program, cached"};

static double now_ms(void)
{
	return seconds_now() * 1e3;
}

/* ---- in the measured process ----------------------------------------------------------------- */

struct environment {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
};

/* Runs the kernel over ITEMS numbers; true when the result is right. */
static bool run_kernel(const struct environment *env, cl_program program, cl_int factor)
{
	static cl_int numbers[ITEMS];
	const size_t global = ITEMS;
	bool right = false;

	for (cl_int i = 0; i < ITEMS; i++)
		numbers[i] = i;
	cl_kernel kernel = clCreateKernel(program, "scale", NULL);
	cl_mem mem =
		clCreateBuffer(env->context, CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers, NULL);
	if (kernel && mem && clSetKernelArg(kernel, 0, sizeof(mem), &mem) == CL_SUCCESS &&
	    clEnqueueNDRangeKernel(env->queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL) ==
		    CL_SUCCESS &&
	    clEnqueueReadBuffer(env->queue, mem, CL_TRUE, 0, sizeof(numbers), numbers, 0, NULL,
				NULL) == CL_SUCCESS) {
		right = true;
		for (cl_int i = 0; i < ITEMS; i++)
			right = right && numbers[i] == factor * i + 1;
	}
	if (mem)
		clReleaseMemObject(mem);
	if (kernel)
		clReleaseKernel(kernel);
	return right;
}

/* From source to result. Each factor is a separate program to a cache. */
static bool run_program(const struct environment *env, cl_int factor)
{
	char text[256];
	const char *source = text;

	snprintf(text, sizeof(text),
		 "kernel void scale(global int *numbers)\n"
		 "{\n"
		 "\tsize_t i = get_global_id(0);\n"
		 "\tnumbers[i] = %d * numbers[i] + 1;\n"
		 "}\n",
		 factor);
	cl_program program = clCreateProgramWithSource(env->context, 1, &source, NULL, NULL);
	bool right = program &&
		     clBuildProgram(program, 1, &env->device, "", NULL, NULL) == CL_SUCCESS &&
		     run_kernel(env, program, factor);
	if (program)
		clReleaseProgram(program);
	return right;
}

/* Prints: platform to queue, first program, then the further ones. */
static int measured_process(int further)
{
	struct environment env = {0};
	double start = now_ms();

	if (!first_device_open(&env.device, &env.context, &env.queue))
		return 1;
	printf("%.3f\n", now_ms() - start);
	if (!run_program(&env, 3))
		return 1;
	printf("%.3f\n", now_ms() - start);
	for (int i = 0; i < further; i++) {
		start = now_ms();
		if (!run_program(&env, 5 + i))
			return 1;
		printf("%.3f\n", now_ms() - start);
	}
	return 0;
}

/* ---- in the measuring process ---------------------------------------------------------------- */

struct sample {
	double values[MAX_RUNS * FURTHER];
	int count;
};

static void add(struct sample *sample, double value)
{
	sample->values[sample->count++] = value;
}

/* One run: an empty cache, then a filled one. */
static bool run_once(const char *vendors, struct sample *samples)
{
	char folder[] = "/tmp/startup-XXXXXX";
	double values[2 + FURTHER];
	bool good = false;

	if (!mkdtemp(folder))
		return false;
	const struct driver driver = {.vendors = vendors};
	const struct measured_process first = {&driver, folder, FURTHER};
	const struct measured_process second = {&driver, folder, 0};
	if (process_measure(&first, values, 2 + FURTHER, NULL) == 2 + FURTHER) {
		add(&samples[QUEUE], values[0]);
		add(&samples[FIRST], values[1]);
		for (int i = 0; i < FURTHER; i++)
			add(&samples[NEXT], values[2 + i]);
		good = process_measure(&second, values, 2, NULL) == 2;
		if (good)
			add(&samples[CACHED], values[1]);
	}
	return remove_folder(folder) && good;
}

static bool report(const char *vendors, int runs)
{
	static struct sample samples[NUM_FIGURES];

	memset(samples, 0, sizeof(samples));
	/* Once for nothing: the files come into memory. */
	if (!run_once(vendors, samples)) {
		printf("%s: failed\n", vendors);
		return false;
	}
	memset(samples, 0, sizeof(samples));
	for (int i = 0; i < runs; i++) {
		if (!run_once(vendors, samples)) {
			printf("%s: failed\n", vendors);
			return false;
		}
	}
	printf("%s\n", vendors);
	for (int i = 0; i < NUM_FIGURES; i++) {
		double middle = median(samples[i].values, (size_t)samples[i].count);

		printf("  %-28s %8.2f ms  (least %.2f)\n", titles[i], middle, samples[i].values[0]);
	}
	return true;
}

int main(int argc, char **argv)
{
	bool good = true;
	int runs = 9;
	int first = 1;

	if (argc == 3 && strcmp(argv[1], "--measured") == 0)
		return measured_process((int)strtol(argv[2], NULL, 10));
	if (argc > 2 && strcmp(argv[1], "-n") == 0) {
		runs = (int)strtol(argv[2], NULL, 10);
		first = 3;
	}
	if (first >= argc || runs < 1 || runs > MAX_RUNS) {
		fprintf(stderr, "usage: %s [-n RUNS] VENDORS...\n", argv[0]);
		return 2;
	}
	for (int i = first; i < argc; i++)
		good = report(argv[i], runs) && good;
	return good ? 0 : 1;
}
