/* SPDX-License-Identifier: MIT
 *
 * builtins_exhaustive [--every N] [NAME…]: the float functions of one argument on all 2^32 numbers, by hand, since each
 * takes a minute of one core. Every result is compared with the double function's, in a kernel; of each 2^16 neighbours
 * the worst is computed anew by MPFR, which judges. A double function's error is far below what is told apart here, and
 * where MPFR disagrees with it the program says so. --every N takes every N-th block of 2^20 numbers, for a test of it.
 *
 * Prints a line per function as accuracy_test does; accuracy_table.py makes a table of both.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "references.h"

#include <CL/cl.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BITS 20 /* what a launch takes */
#define ITEM_BITS 8   /* what a work-item takes */
#define ITEMS (1u << (BLOCK_BITS - ITEM_BITS))
#define NEIGHBOURS_BITS 16
#define ITEMS_OF_NEIGHBOURS (1u << (NEIGHBOURS_BITS - ITEM_BITS))

/* The error is in units of float's last place. Infinity counts as the power of two after the largest number, and a zero
 * has its sign. */
static const char source[] =
	"float of_float(float x) { float r, t; int n; %s; return r; }\n"
	"double of_double(double x) { double r, t; int n; %s; return r; }\n"
	"float error_of(float got, double want) {\n"
	"  int exponent = clamp((int)(as_ulong(want) >> 52 & 2047) - 1023, -126, 127);\n"
	"  double near = isinf(got) ? copysign(0x1p128, (double)got) : (double)got;\n"
	"  float error = (float)fabs((near - want) * as_double((ulong)(1046 - exponent) << 52));\n"
	"  bool beyond = isinf(got) & (fabs(want) >= 0x1p128) & (signbit(got) == (signbit(want) != "
	"0));\n"
	"  bool wrong_zero = (want == 0) & (got == 0) & (signbit(got) != (signbit(want) != 0));\n"
	"  error = beyond ? 0 : wrong_zero ? INFINITY : error;\n"
	"  error = isnan(got) | isnan(want) ? (isnan(got) & isnan(want) ? 0 : INFINITY) : error;\n"
	"  return error;\n"
	"}\n"
	"kernel void compare(uint first, global float *errors, global uint *where) {\n"
	"  uint item = get_global_id(0), bits = first + item * %u, at = bits;\n"
	"  float worst = -1;\n"
	"  for (uint i = 0; i < %u; i++) {\n"
	"    float x = as_float(bits + i), error = error_of(of_float(x), of_double(x));\n"
	"    at = error > worst ? bits + i : at;\n"
	"    worst = error > worst ? error : worst;\n"
	"  }\n"
	"  errors[item] = worst;\n"
	"  where[item] = at;\n"
	"}\n"
	"kernel void value(float x, global float *out) { *out = of_float(x); }\n";

struct device {
	cl_context context;
	cl_device_id id;
	cl_command_queue queue;
	cl_mem errors, where, value;
};

struct worst {
	double error, x, got;
	double disagreement; /* of the kernel and MPFR, at most */
};

static void need(cl_int err, const char *what)
{
	if (err != CL_SUCCESS) {
		fprintf(stderr, "builtins_exhaustive: %s: error %d\n", what, err);
		exit(1);
	}
}

static void open_device(struct device *device)
{
	cl_platform_id platform;
	cl_int err;

	setenv("OCL_ICD_VENDORS", WEFT_VENDORS, 0);
	need(clGetPlatformIDs(1, &platform, NULL), "no platform");
	need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device->id, NULL), "no device");
	device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &err);
	need(err, "clCreateContext");
	device->queue = clCreateCommandQueue(device->context, device->id, 0, &err);
	need(err, "clCreateCommandQueue");
	cl_mem *const memory[] = {&device->errors, &device->where, &device->value};
	for (int i = 0; i < 3; i++) {
		*memory[i] = clCreateBuffer(device->context, CL_MEM_READ_WRITE,
					    ITEMS * sizeof(cl_float), NULL, &err);
		need(err, "clCreateBuffer");
	}
}

static cl_program build(const struct device *device, const struct function *function)
{
	char call[64], reference[64], text[sizeof(source) + 512];
	const char *at = text;
	cl_int err;

	snprintf(call, sizeof(call), "r = %s(x)", function->name);
	snprintf(reference, sizeof(reference), "r = %s(x)", function->exact);
	snprintf(text, sizeof(text), source, function->statement ? function->statement : call,
		 function->statement ? function->statement : reference, 1u << ITEM_BITS,
		 1u << ITEM_BITS);
	cl_program program = clCreateProgramWithSource(device->context, 1, &at, NULL, &err);
	need(err, "clCreateProgramWithSource");
	need(clBuildProgram(program, 1, &device->id, "", NULL, NULL), text);
	return program;
}

static void read_all(const struct device *device, cl_mem memory, void *data, size_t size)
{
	need(clEnqueueReadBuffer(device->queue, memory, CL_TRUE, 0, size, data, 0, NULL, NULL),
	     "clEnqueueReadBuffer");
}

static float value_of(const struct device *device, cl_kernel kernel, float x)
{
	const size_t one = 1;
	float value;

	need(clSetKernelArg(kernel, 0, sizeof(x), &x), "argument");
	need(clSetKernelArg(kernel, 1, sizeof(cl_mem), &device->value), "argument");
	need(clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
	     "clEnqueueNDRangeKernel");
	read_all(device, device->value, &value, sizeof(value));
	return value;
}

/* The worst of some neighbours once more. */
static void judge(const struct function *function, float x, float got, float error,
		  struct worst *worst)
{
	const double in[3] = {(double)x, 0, 0};
	double exact = error_of(function, FLOAT_KIND, in, (double)got);
	double ratio = exact / (double)error;

	/* On either side of a power of two the unit differs. */
	bool same = exact == (double)error || fabs(ratio - 2) < 1e-3 || fabs(ratio - 0.5) < 1e-3;
	if (!same)
		worst->disagreement = fmax(worst->disagreement, fabs(exact - (double)error));
	if (exact > worst->error) {
		worst->error = exact;
		worst->x = (double)x;
		worst->got = (double)got;
	}
}

static void run_block(const struct device *device, const struct function *function,
		      cl_kernel kernels[2], cl_uint first, struct worst *worst)
{
	static cl_float errors[ITEMS];
	static cl_uint where[ITEMS];
	const size_t items = ITEMS;

	need(clSetKernelArg(kernels[0], 0, sizeof(first), &first), "argument");
	need(clSetKernelArg(kernels[0], 1, sizeof(cl_mem), &device->errors), "argument");
	need(clSetKernelArg(kernels[0], 2, sizeof(cl_mem), &device->where), "argument");
	need(clEnqueueNDRangeKernel(device->queue, kernels[0], 1, NULL, &items, NULL, 0, NULL,
				    NULL),
	     "clEnqueueNDRangeKernel");
	read_all(device, device->errors, errors, sizeof(errors));
	read_all(device, device->where, where, sizeof(where));
	for (size_t group = 0; group < ITEMS; group += ITEMS_OF_NEIGHBOURS) {
		size_t most = group;
		float x;

		for (size_t i = group; i < group + ITEMS_OF_NEIGHBOURS; i++)
			most = errors[i] > errors[most] ? i : most;
		memcpy(&x, &where[most], sizeof(x));
		judge(function, x, value_of(device, kernels[1], x), errors[most], worst);
	}
}

static bool check(const struct device *device, const struct function *function, cl_uint every)
{
	struct worst worst = {0};
	cl_program program = build(device, function);
	cl_int err[2];
	cl_kernel kernels[2] = {clCreateKernel(program, "compare", &err[0]),
				clCreateKernel(program, "value", &err[1])};

	need(err[0] | err[1], "clCreateKernel");
	for (uint64_t first = 0; first <= UINT32_MAX; first += (uint64_t)every << BLOCK_BITS)
		run_block(device, function, kernels, (cl_uint)first, &worst);
	bool good = worst.error <= function->bounds[FLOAT_KIND];
	printf("%-16s every%u %10.4g of %-6.4g%s  at %a, 0, 0: %a, not %a", function->name, every,
	       worst.error, function->bounds[FLOAT_KIND], good ? "" : " FAILED", worst.x, worst.got,
	       exact_result(function, (const double[3]){worst.x, 0, 0}));
	printf("; double and MPFR differ by %.2g%s\n", worst.disagreement,
	       worst.disagreement < 0.01 ? "" : " FAILED");
	fflush(stdout);
	need(clReleaseKernel(kernels[0]) | clReleaseKernel(kernels[1]), "clReleaseKernel");
	need(clReleaseProgram(program), "clReleaseProgram");
	return good && worst.disagreement < 0.01;
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
	struct device device;
	cl_uint every = 1;
	int first = 1, bad = 0;

	if (argc > 2 && strcmp(argv[1], "--every") == 0) {
		every = (cl_uint)strtoul(argv[2], NULL, 10);
		first = 3;
	}
	if (argc < 1 || every < 1) {
		fprintf(stderr, "usage: builtins_exhaustive [--every N] [NAME…]\n");
		return 2;
	}
	open_device(&device);
	for (size_t i = 0; i < num_functions; i++) {
		if (functions[i].arguments == 1 && is_wanted(functions[i].name, argv + first))
			bad += !check(&device, &functions[i], every);
	}
	return bad != 0;
}
