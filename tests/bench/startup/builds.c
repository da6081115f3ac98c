/* SPDX-License-Identifier: MIT
 *
 * What a program costs when nothing is cached: until its build returns, until the first result of one of its kernels, until the
 * results of all, and until the process has ended; and the processor time of it all.
 *
 *   builds [-n RUNS] [-c CASE] [-k KERNELS] [-f] NAME=VENDORS[,VARIABLE=VALUE]...
 *
 * The case is many (the program has several larger kernels), or a program of one kernel: line, sine, reduction, product. -f: the program
 * is the process's first; else it has built and run another one before.
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
#define GROUP 64 /* numbers of local memory */

/* In the order of the report; the last two are the process's. */
enum figure { BUILD, ONE, ALL, ENDED, PROCESSOR, NUM_FIGURES };

static const char *const titles[NUM_FIGURES] = {"build", "one result", "all results",
						"process ended", "processor"};

#define HEAD "kernel void k%d(global float *d, local float *t, int n)\n{\n"

/* A kernel's name has its number. */
static const struct program_case {
	const char *name;
	const char *text;
	cl_uint dimensions;
	size_t items[2], group[2];
} program_cases[] = {
	/* Barriers in a loop, sines, and a sum over the group: some 950 instructions before LLVM's passes, at 16 lanes. */
	{"many",
	 HEAD "	size_t l = get_local_id(0), g = get_global_id(0), s = get_local_size(0);\n"
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
	      "}\n",
	 1,
	 {1024, 1},
	 {64, 1}},
	{"line",
	 HEAD "	d[get_global_id(0)] = d[get_global_id(0)] * %d.0f + %d.0f + %d.0f;\n}\n",
	 1,
	 {1024, 1},
	 {64, 1}},
	{"sine",
	 HEAD "	float x = d[get_global_id(0)];\n"
	      "	for (int i = 0; i < n * 4; i++)\n"
	      "		x += sin(x * %d.0f + i * %d.0f);\n"
	      "	d[get_global_id(0)] = x + %d.0f;\n"
	      "}\n",
	 1,
	 {1024, 1},
	 {64, 1}},
	{"reduction",
	 HEAD "	size_t l = get_local_id(0), g = get_global_id(0);\n"
	      "	t[l] = d[g] * %d.0f + %d.0f;\n"
	      "	barrier(CLK_LOCAL_MEM_FENCE);\n"
	      "	for (size_t s = get_local_size(0) / 2; s > 0; s /= 2) {\n"
	      "		if (l < s)\n"
	      "			t[l] += t[l + s];\n"
	      "		barrier(CLK_LOCAL_MEM_FENCE);\n"
	      "	}\n"
	      "	if (l == 0)\n"
	      "		d[get_group_id(0)] = t[0] + %d.0f;\n"
	      "}\n",
	 1,
	 {1024, 1},
	 {64, 1}},
	/* Of matrices of 32 x 32 numbers. */
	{"product",
	 HEAD "	local float a[16][16], b[16][16];\n"
	      "	int x = get_local_id(0), y = get_local_id(1), size = get_global_size(0);\n"
	      "	int column = get_global_id(0), row = get_global_id(1);\n"
	      "	float sum = %d.0f;\n"
	      "	for (int tile = 0; tile < size / 16; tile++) {\n"
	      "		a[y][x] = d[row * size + tile * 16 + x];\n"
	      "		b[y][x] = d[(tile * 16 + y) * size + column] + %d.0f;\n"
	      "		barrier(CLK_LOCAL_MEM_FENCE);\n"
	      "		for (int i = 0; i < 16; i++)\n"
	      "			sum += a[y][i] * b[i][x];\n"
	      "		barrier(CLK_LOCAL_MEM_FENCE);\n"
	      "	}\n"
	      "	d[size * size + row * size + column] = sum + %d.0f;\n"
	      "}\n",
	 2,
	 {32, 32},
	 {16, 16}},
};
#define NUM_CASES ((int)(sizeof(program_cases) / sizeof(program_cases[0])))
#define MOST_ITEMS 2048 /* numbers in the buffer */

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
	env->mem = clCreateBuffer(env->context, 0, MOST_ITEMS * sizeof(cl_float), NULL, NULL);
	return env->mem != NULL;
}

static bool run_kernel(const struct environment *env, const struct program_case *which,
		       cl_program program, int number)
{
	const cl_int rounds = 3;
	char name[16];

	snprintf(name, sizeof(name), "k%d", number);
	cl_kernel kernel = clCreateKernel(program, name, NULL);
	bool right =
		kernel && clSetKernelArg(kernel, 0, sizeof(env->mem), &env->mem) == 0 &&
		clSetKernelArg(kernel, 1, GROUP * sizeof(cl_float), NULL) == 0 &&
		clSetKernelArg(kernel, 2, sizeof(rounds), &rounds) == 0 &&
		clEnqueueNDRangeKernel(env->queue, kernel, which->dimensions, NULL, which->items,
				       which->group, 0, NULL, NULL) == CL_SUCCESS &&
		clFinish(env->queue) == CL_SUCCESS;
	if (kernel)
		clReleaseKernel(kernel);
	return right;
}

/* NULL when it cannot be built. Kernels are numbered from `first` on. */
static cl_program build_kernels(const struct environment *env, const struct program_case *which,
				int first, int kernels)
{
	char *text = malloc((size_t)kernels * (strlen(which->text) + 64)), *next = text;
	const char *source = text;

	if (!text)
		return NULL;
	for (int i = first; i < first + kernels; i++)
		next += sprintf(next, which->text, i, i + 1, i, i);
	cl_program program = clCreateProgramWithSource(env->context, 1, &source, NULL, NULL);
	free(text);
	if (program && clBuildProgram(program, 1, &env->device, "", NULL, NULL) != CL_SUCCESS)
		return NULL;
	return program;
}

/* Prints the first three figures. */
static int measured_process(const struct program_case *which, int kernels, bool isFirst)
{
	struct environment env = {0};

	if (!open_device(&env))
		return 1;
	if (!isFirst) {
		cl_program other = build_kernels(&env, which, MAX_KERNELS, 1);
		if (!other || !run_kernel(&env, which, other, MAX_KERNELS))
			return 1;
	}
	double start = seconds_now();
	cl_program program = build_kernels(&env, which, 0, kernels);
	if (!program)
		return 1;
	printf("%f\n", seconds_now() - start);
	for (int i = kernels - 1; i >= 0; i--) {
		if (!run_kernel(&env, which, program, i))
			return 1;
		if (i == kernels - 1)
			printf("%f\n", seconds_now() - start);
	}
	printf("%f\n", seconds_now() - start);
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

/* In the environment of measured processes: the case's name; whether the program is the first one. */
#define CASE_VARIABLE "BUILDS_CASE"
#define FIRST_VARIABLE "BUILDS_FIRST"

static const struct program_case *find_case(const char *name)
{
	for (int i = 0; name && i < NUM_CASES; i++) {
		if (strcmp(program_cases[i].name, name) == 0)
			return &program_cases[i];
	}
	return NULL;
}

static int usage(const char *program)
{
	fprintf(stderr,
		"usage: %s [-n RUNS] [-c CASE] [-k KERNELS] [-f] "
		"NAME=VENDORS[,VARIABLE=VALUE]...\n",
		program);
	return 2;
}

int main(int argc, char **argv)
{
	static struct driver drivers[MAX_DRIVERS];
	int num_drivers = 0, runs = 9, kernels = 0, option;
	const struct program_case *which = &program_cases[0];

	if (argc == 3 && strcmp(argv[1], "--measured") == 0)
		return measured_process(find_case(getenv(CASE_VARIABLE)),
					(int)strtol(argv[2], NULL, 10),
					getenv(FIRST_VARIABLE) != NULL);
	while ((option = getopt(argc, argv, "n:k:c:f")) != -1) {
		if (option == 'n')
			runs = (int)strtol(optarg, NULL, 10);
		else if (option == 'k')
			kernels = (int)strtol(optarg, NULL, 10);
		else if (option == 'c')
			which = find_case(optarg);
		else if (option == 'f')
			setenv(FIRST_VARIABLE, "1", 1);
		else
			return usage(argv[0]);
	}
	if (kernels == 0)
		kernels = which == &program_cases[0] ? 20 : 1;
	for (; optind < argc && num_drivers < MAX_DRIVERS; optind++)
		num_drivers += driver_parse(argv[optind], &drivers[num_drivers]);
	if (!which || num_drivers == 0 || runs < 1 || runs > MAX_RUNS || kernels < 1 ||
	    kernels > MAX_KERNELS)
		return usage(argv[0]);
	setenv(CASE_VARIABLE, which->name, 1);
	setenv("WEFT_CACHE", "0", 1);
	return measure(drivers, num_drivers, runs, kernels) ? 0 : 1;
}
