/* SPDX-License-Identifier: MIT
 *
 * What a built-in math function costs per element on one core, widened, beside the vector libraries of this machine:
 *     builtins [--markdown] [-n TURNS] [NAME…]
 * Each function runs over the same numbers, which fit in the second-level cache. All take turns; the least time counts.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "vector_libraries.h"

#include <CL/cl.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ELEMENTS 16384
#define ROWS                                                                                       \
	16 /* that many times over the elements in one launch, which itself takes a microsecond or two */
#define MAX_TURNS 1000

struct function {
	const char *name;
	unsigned arguments;
	double low, high;
	const char *rival;
	bool has_native, second_is_whole;
};

#define FUNCTION(name, arguments, low, high, rival)                                                \
	{#name, arguments, low, high, #rival, false, false},
#define NATIVE(name, arguments, low, high, rival)                                                  \
	{#name, arguments, low, high, #rival, true, false},
#define WHOLE(name, arguments, low, high, rival) {#name, arguments, low, high, #rival, false, true},
static const struct function functions[] = {
#include "functions.def"
};
#define NUM_FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

/* What is measured: three forms of the built-in function, and the libraries'. */
enum form { PLAIN, RELAXED, NATIVE_FORM, FIRST_LIBRARY, NUM_FORMS = FIRST_LIBRARY + NUM_LIBRARIES };

static const char *const titles[NUM_FORMS] = {"Weft",    "relaxed", "native",
					      "libmvec", "SLEEF",   "SLEEF u35"};

struct bench {
	cl_context context;
	cl_device_id device;
	cl_command_queue queue;
	cl_mem memory[3]; /* two arguments and the result */
	void *data[3];    /* the same for the libraries */
	size_t turns;
	bool markdown;
};

static void check(cl_int err, const char *what)
{
	if (err != CL_SUCCESS) {
		fprintf(stderr, "builtins: %s: error %d\n", what, err);
		exit(1);
	}
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void open_bench(struct bench *bench)
{
	cl_platform_id platform;
	cl_int err;

	setenv("WEFT_THREADS", "1", 1);
	setenv("WEFT_TIER", "full", 0); /* from the first turn on */
	setenv("OCL_ICD_VENDORS", BENCH_VENDORS, 0);
	check(clGetPlatformIDs(1, &platform, NULL), "no platform");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &bench->device, NULL), "no device");
	bench->context = clCreateContext(NULL, 1, &bench->device, NULL, NULL, &err);
	check(err, "clCreateContext");
	bench->queue = clCreateCommandQueue(bench->context, bench->device, 0, &err);
	check(err, "clCreateCommandQueue");
	for (int i = 0; i < 3; i++) {
		bench->data[i] = aligned_alloc(64, ELEMENTS * sizeof(double));
		if (!bench->data[i])
			exit(1);
		bench->memory[i] =
			clCreateBuffer(bench->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
				       ELEMENTS * sizeof(double), bench->data[i], &err);
		check(err, "clCreateBuffer");
	}
}

/* Evenly from low to high, in no order. */
static void fill(const struct bench *bench, const struct function *function, bool is_double)
{
	unsigned state = 1;

	for (size_t i = 0; i < 2 * (size_t)ELEMENTS; i++) {
		state = state * 1664525u + 1013904223u;
		double value = function->low + (function->high - function->low) * state * 0x1p-32;
		if (is_double)
			((double *)bench->data[i / ELEMENTS])[i % ELEMENTS] = value;
		else
			((float *)bench->data[i / ELEMENTS])[i % ELEMENTS] = (float)value;
	}
}

/* NULL: the function has no such form. */
static cl_kernel build(const struct bench *bench, const struct function *function, bool is_double,
		       enum form form)
{
	const char *type = is_double ? "double" : "float";
	const char *options = form == RELAXED ? "-cl-fast-relaxed-math" : "";
	const char *second = function->arguments == 1    ? ""
			     : function->second_is_whole ? ", (int)b[i]"
							 : ", b[i]";
	char source[512];
	cl_int err;

	if (form == NATIVE_FORM && (is_double || !function->has_native))
		return NULL;
	snprintf(source, sizeof(source),
		 "kernel void run(global const %s *a, global const %s *b, global %s *out) {\n"
		 "  size_t i = get_global_id(0); out[i] = %s%s(a[i]%s);\n}\n",
		 type, type, type, form == NATIVE_FORM ? "native_" : "", function->name, second);
	const char *text = source;
	cl_program program = clCreateProgramWithSource(bench->context, 1, &text, NULL, &err);
	check(err, "clCreateProgramWithSource");
	check(clBuildProgram(program, 1, &bench->device, options, NULL, NULL), source);
	cl_kernel kernel = clCreateKernel(program, "run", &err);
	check(err, "clCreateKernel");
	clReleaseProgram(program);
	for (cl_uint i = 0; i < 3; i++)
		check(clSetKernelArg(kernel, i, sizeof(cl_mem), &bench->memory[i]), "argument");
	return kernel;
}

/* Nanoseconds per element. */
static double time_kernel(const struct bench *bench, cl_kernel kernel)
{
	const size_t global[2] = {ELEMENTS, ROWS}, local[2] = {1024, 1};
	double start = now();

	check(clEnqueueNDRangeKernel(bench->queue, kernel, 2, NULL, global, local, 0, NULL, NULL),
	      "clEnqueueNDRangeKernel");
	check(clFinish(bench->queue), "clFinish");
	return (now() - start) / (ELEMENTS * ROWS);
}

static double time_library(const struct bench *bench, const struct vector_function *function)
{
	double start = now();

	for (int row = 0; row < ROWS; row++)
		vector_function_apply(function, bench->data[0], bench->data[1], bench->data[2],
				      ELEMENTS);
	return (now() - start) / (ELEMENTS * ROWS);
}

/* NAN: no such form. */
static void measure(const struct bench *bench, const struct function *function, bool is_double,
		    double times[NUM_FORMS])
{
	cl_kernel kernels[FIRST_LIBRARY];
	struct vector_function libraries[NUM_LIBRARIES];

	fill(bench, function, is_double);
	for (int form = 0; form < NUM_FORMS; form++)
		times[form] = NAN;
	for (int form = 0; form < FIRST_LIBRARY; form++)
		kernels[form] = build(bench, function, is_double, (enum form)form);
	for (int l = 0; l < NUM_LIBRARIES; l++)
		libraries[l] = vector_function_find((enum library)l, function->rival,
						    function->arguments, is_double);
	for (size_t turn = 0; turn <= bench->turns; turn++) {
		for (int form = 0; form < NUM_FORMS; form++) {
			int library = form - FIRST_LIBRARY;
			if (library < 0 ? !kernels[form] : !libraries[library].address)
				continue;
			double time = library < 0 ? time_kernel(bench, kernels[form])
						  : time_library(bench, &libraries[library]);
			if (turn > 0) /* the first warms up */
				times[form] = fmin(times[form], time);
		}
	}
	for (int form = 0; form < FIRST_LIBRARY; form++) {
		if (kernels[form])
			clReleaseKernel(kernels[form]);
	}
}

static void print_row(const struct bench *bench, const struct function *function, bool is_double,
		      const double times[NUM_FORMS])
{
	const char *separator = bench->markdown ? " | " : "  ";
	double best = NAN;

	for (int form = FIRST_LIBRARY; form < NUM_FORMS; form++)
		best = fmin(best, times[form]);
	printf("%s%-6s%s%-6s", bench->markdown ? "| " : "", function->name, separator,
	       is_double ? "double" : "float");
	for (int form = 0; form < NUM_FORMS; form++) {
		if (isnan(times[form]))
			printf("%s%9s", separator, "");
		else
			printf("%s%9.2f", separator, times[form]);
	}
	if (isnan(best))
		printf("%s%9s%s\n", separator, "", bench->markdown ? " |" : "");
	else
		printf("%s%9.2f%s\n", separator, times[PLAIN] / best, bench->markdown ? " |" : "");
}

static void print_head(const struct bench *bench)
{
	const char *separator = bench->markdown ? " | " : "  ";

	printf("%s%-6s%s%-6s", bench->markdown ? "| " : "", "", separator, "");
	for (int form = 0; form < NUM_FORMS; form++)
		printf("%s%9s", separator, titles[form]);
	printf("%s%9s%s\n", separator, "ratio", bench->markdown ? " |" : "");
	if (bench->markdown)
		printf("|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
}

static bool is_wanted(const char *name, char **names)
{
	for (char **wanted = names; *wanted; wanted++) {
		if (strcmp(*wanted, name) == 0)
			return true;
	}
	return !*names;
}

int main(int argc, char **argv)
{
	static struct bench bench = {.turns = 15};
	int first = 1;

	for (; first < argc && argv[first][0] == '-'; first++) {
		if (strcmp(argv[first], "--markdown") == 0) {
			bench.markdown = true;
		} else if (strcmp(argv[first], "-n") == 0 && first + 1 < argc) {
			bench.turns = strtoul(argv[++first], NULL, 10);
		} else {
			fprintf(stderr, "usage: builtins [--markdown] [-n TURNS] [NAME…]\n");
			return 2;
		}
	}
	if (argc < 1 || bench.turns < 1 || bench.turns > MAX_TURNS)
		return 2;
	open_bench(&bench);
	print_head(&bench);
	for (size_t i = 0; i < 2 * NUM_FUNCTIONS; i++) {
		const struct function *function = &functions[i / 2];
		double times[NUM_FORMS];
		if (!is_wanted(function->name, argv + first))
			continue;
		measure(&bench, function, i % 2 != 0, times);
		print_row(&bench, function, i % 2 != 0, times);
		fflush(stdout);
	}
	return 0;
}
