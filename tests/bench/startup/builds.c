/* SPDX-License-Identifier: MIT
 *
 * What a program of several larger kernels costs when nothing is cached: until its build returns, until the first result
 * of one of its kernels, until the results of all, and until the process has ended; and the processor time of it all.
 *
 *   builds [-n RUNS] [-k KERNELS] NAME=VENDORS[,VARIABLE=VALUE]...
 *
 * The drivers take turns, each run is a process. What is printed are medians, in milliseconds.
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
#define MAX_KERNELS 1000
#define ITEMS 1024
#define GROUP 64

/* In the order of the report; the last two are the process's. */
enum figure { BUILD, ONE, ALL, ENDED, PROCESSOR, NUM_FIGURES };

static const char *const titles[NUM_FIGURES] = {"build", "one result", "all results",
						"process ended", "processor"};

/* Barriers in a loop, sines, and a sum over the group: some 950 instructions before LLVM's passes, at 16 lanes. */
static const char kernel_text[] =
	"kernel void k%d(global float *d, local float *t, int n)\n"
	"{\n"
	"	size_t l = get_local_id(0), g = get_global_id(0), s = get_local_size(0);\n"
	"	float x = d[g];\n"
	"	t[l] = sin(x * %d.0f);\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	for (int i = 0; i < n; i++) {\n"
	"		float y = t[(l + i) %% s];\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"		t[l] = y + cos(x + %d.0f) * 0.5f;\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"		x += sin(t[(l * 7 + i) %% s]);\n"
	"	}\n"
	"	for (size_t k = s / 2; k > 0; k /= 2) {\n"
	"		if (l < k)\n"
	"			t[l] += t[l + k];\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	}\n"
	"	d[g] = x + t[0] + %d.0f;\n"
	"}\n";

/* ---- in the measured process ----------------------------------------------------------------- */

struct environment {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_mem mem;
};

static bool open_device(struct environment *env)
{
	if (!first_device_open(&env->device, &env->context, &env->queue))
		return false;
	env->mem = clCreateBuffer(env->context, 0, ITEMS * sizeof(cl_float), NULL, NULL);
	return env->mem != NULL;
}

static bool run_kernel(const struct environment *env, cl_program program, int number)
{
	const size_t items = ITEMS, group = GROUP;
	const cl_int rounds = 3;
	char name[16];

	snprintf(name, sizeof(name), "k%d", number);
	cl_kernel kernel = clCreateKernel(program, name, NULL);
	bool right = kernel && clSetKernelArg(kernel, 0, sizeof(env->mem), &env->mem) == 0 &&
		     clSetKernelArg(kernel, 1, GROUP * sizeof(cl_float), NULL) == 0 &&
		     clSetKernelArg(kernel, 2, sizeof(rounds), &rounds) == 0 &&
		     clEnqueueNDRangeKernel(env->queue, kernel, 1, NULL, &items, &group, 0, NULL,
					    NULL) == CL_SUCCESS &&
		     clFinish(env->queue) == CL_SUCCESS;
	if (kernel)
		clReleaseKernel(kernel);
	return right;
}

/* Prints the first three figures. */
static int measured_process(int kernels)
{
	struct environment env = {0};
	char *text = malloc((size_t)kernels * (sizeof(kernel_text) + 64));
	const char *source = text;

	if (!text || !open_device(&env))
		return 1;
	char *next = text;
	for (int i = 0; i < kernels; i++)
		next += sprintf(next, kernel_text, i, i + 1, i, i);
	double start = seconds_now();
	cl_program program = clCreateProgramWithSource(env.context, 1, &source, NULL, NULL);
	if (!program || clBuildProgram(program, 1, &env.device, "", NULL, NULL) != CL_SUCCESS)
		return 1;
	printf("%f\n", seconds_now() - start);
	if (!run_kernel(&env, program, kernels - 1))
		return 1;
	printf("%f\n", seconds_now() - start);
	for (int i = 0; i < kernels - 1; i++) {
		if (!run_kernel(&env, program, i))
			return 1;
	}
	printf("%f\n", seconds_now() - start);
	free(text);
	return 0;
}

/* ---- in the measuring process ---------------------------------------------------------------- */

/* One run; false when it has failed. */
static bool run_once(const struct driver *driver, int kernels, double values[NUM_FIGURES])
{
	char folder[] = "/tmp/builds-XXXXXX";
	struct rusage usage;

	if (!mkdtemp(folder))
		return false;
	const struct measured_process process = {driver, folder, kernels};
	double start = seconds_now();
	bool good = process_measure(&process, values, ENDED, &usage) == ENDED;
	values[ENDED] = seconds_now() - start;
	if (good)
		values[PROCESSOR] =
			(double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
			(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
	return remove_folder(folder) && good;
}

static bool measure(const struct driver *drivers, int num_drivers, int runs, int kernels)
{
	static double samples[MAX_DRIVERS][NUM_FIGURES][MAX_RUNS];
	double values[NUM_FIGURES];

	for (int run = 0; run < runs * num_drivers; run++) {
		int driver = run % num_drivers;

		if (!run_once(&drivers[driver], kernels, values)) {
			fprintf(stderr, "%s: failed\n", drivers[driver].name);
			return false;
		}
		for (int i = 0; i < NUM_FIGURES; i++)
			samples[driver][i][run / num_drivers] = values[i];
	}
	printf("%-14s", "");
	for (int d = 0; d < num_drivers; d++)
		printf(" %12s", drivers[d].name);
	for (int i = 0; i < NUM_FIGURES; i++) {
		printf("\n%-14s", titles[i]);
		for (int d = 0; d < num_drivers; d++)
			printf(" %12.1f", 1e3 * median(samples[d][i], (size_t)runs));
	}
	printf("\n");
	return true;
}

int main(int argc, char **argv)
{
	static struct driver drivers[MAX_DRIVERS];
	int num_drivers = 0, runs = 9, kernels = 20, option;

	if (argc == 3 && strcmp(argv[1], "--measured") == 0)
		return measured_process((int)strtol(argv[2], NULL, 10));
	while ((option = getopt(argc, argv, "n:k:")) != -1) {
		int number = option == '?' ? 0 : (int)strtol(optarg, NULL, 10);

		if (option == 'n')
			runs = number;
		else
			kernels = number;
	}
	for (; optind < argc && num_drivers < MAX_DRIVERS; optind++)
		num_drivers += driver_parse(argv[optind], &drivers[num_drivers]);
	if (num_drivers == 0 || runs < 1 || runs > MAX_RUNS || kernels < 1 ||
	    kernels > MAX_KERNELS) {
		fprintf(stderr,
			"usage: %s [-n RUNS] [-k KERNELS] NAME=VENDORS[,VARIABLE=VALUE]...\n",
			argv[0]);
		return 2;
	}
	setenv("WEFT_CACHE", "0", 1);
	return measure(drivers, num_drivers, runs, kernels) ? 0 : 1;
}
