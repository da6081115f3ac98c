/* SPDX-License-Identifier: MIT
 *
 * builtins_exhaustive [--every N] [--relaxed] [NAME…]: the float functions of one argument on all 2^32 numbers, by hand,
 * since each takes a minute of one core. Every result is compared with the double function's, in a kernel; of each 2^16
 * neighbours the worst is computed anew by MPFR, which judges. A double function's error is far below what is told apart
 * here, and where MPFR disagrees with it the program says so. --every N takes every N-th block of 2^20 numbers, for a
 * test of it. --relaxed asks for what -cl-fast-relaxed-math makes of the functions, within the bounds that those have
 * (specification 7.4); only the kernel that calls them is compiled with the option.
 *
 * Prints a line per function as accuracy_test does; accuracy_table.py makes a table of both. With --relaxed an error is
 * printed as the part of what it may be.
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
#define BLOCK (1u << BLOCK_BITS)
#define ITEMS (1u << (BLOCK_BITS - ITEM_BITS))
#define NEIGHBOURS_BITS 16
#define ITEMS_OF_NEIGHBOURS (1u << (NEIGHBOURS_BITS - ITEM_BITS))

static const char called[] = "kernel void called(uint first, global float *out) {\n"
			     "  float x = as_float(first + (uint)get_global_id(0)), r, t;\n"
			     "  int n;\n"
			     "  %s;\n"
			     "  out[get_global_id(0)] = r;\n"
			     "}\n";

/* An error is a part of what it may be; -1 is that of a number that is not asked for. Infinity counts as the power of
 * two after the largest number, and a zero has its sign. Relaxed math has neither infinity nor NaN, no sign of zero, and
 * may have 0 in place of subnormal results. Of numbers that are not asked for, the double function is not called, as huge
 * angles take it long. */
static const char compared[] =
	"double of_double(double x) { double r, t; int n; %s; return r; }\n"
	"float error_of(float x, float got, double want) {\n"
	"  int exponent = clamp((int)(as_ulong(want) >> 52 & 2047) - 1023, -126, 127);\n"
	"  double unit = as_double((ulong)(1000 + exponent) << 52);\n"
	"  double may_be = ABSOLUTE + unit * (UNITS + floor(fabs((double)x) * PER_ARGUMENT));\n"
	"  double near = isinf(got) ? copysign(0x1p128, (double)got) : (double)got;\n"
	"  float error = (float)(fabs(near - want) / may_be);\n"
	"  bool beyond = isinf(got) & (fabs(want) >= 0x1p128) & (signbit(got) == (signbit(want) != "
	"0));\n"
	"  bool wrong_zero = !RELAXED & (want == 0) & (got == 0) & (signbit(got) != (signbit(want) "
	"!= "
	"0));\n"
	"  bool lost = RELAXED & (got == 0) & (fabs(want) < 0x1p-126);\n"
	"  error = beyond | lost ? 0 : wrong_zero ? INFINITY : error;\n"
	"  error = isnan(got) | isnan(want) ? (isnan(got) & isnan(want) ? 0 : INFINITY) : error;\n"
	"  bool meant = !RELAXED | (isfinite(x) & (fabs(want) <= FLT_MAX));\n"
	"  return meant ? error : -1;\n"
	"}\n"
	"kernel void compare(uint first, global const float *got, global float *errors,\n"
	"                    global uint *where) {\n"
	"  uint item = get_global_id(0), from = item * ITEM, at = from;\n"
	"  float worst = -1;\n"
	"  for (uint i = from; i < from + ITEM; i++) {\n"
	"    float x = as_float(first + i);\n"
	"    bool asked = %s;\n"
	"    float error = error_of(x, got[i], of_double(asked ? x : 1));\n"
	"    error = asked ? error : -1;\n"
	"    at = error > worst ? i : at;\n"
	"    worst = error > worst ? error : worst;\n"
	"  }\n"
	"  errors[item] = worst;\n"
	"  where[item] = at;\n"
	"}\n";

/* What an error may be: so much, and so many units in the last place, and more by the argument's size. */
struct bound {
	const char *name, *where; /* `where` is a condition on x in OpenCL C */
	double absolute, units, per_argument;
};

/* Errors of the full functions are in units in the last place. */
static const struct bound full = {NULL, "true", 0, 1, 0};

/* Specification 7.4, fast relaxed math, of what relaxed_math.cpp replaces. It has no bound for sin and cos elsewhere, and
 * none for tan and exp10 where these are derived; theirs is that of those which are not. Roots have the same as ever. */
static const struct bound relaxed[] = {
	{"sin", "fabs(x) <= M_PI_F", 0x1p-11, 0, 0},
	{"cos", "fabs(x) <= M_PI_F", 0x1p-11, 0, 0},
	{"tan", "fabs(x) <= M_PI_F", 0, 8192, 0},
	{"exp", "true", 0, 3, 2},
	{"exp2", "true", 0, 3, 2},
	{"exp10", "true", 0, 8192, 0},
	{"log", "x >= 0.5f & x <= 2", 0x1p-21, 0, 0},
	{"log", "x > 0 & (x < 0.5f | x > 2)", 0, 3, 0},
	{"log2", "x >= 0.5f & x <= 2", 0x1p-21, 0, 0},
	{"log2", "x > 0 & (x < 0.5f | x > 2)", 0, 3, 0},
	{"log10", "x >= 0.5f & x <= 2", 0x1p-21, 0, 0},
	{"log10", "x > 0 & (x < 0.5f | x > 2)", 0, 3, 0},
	{"sqrt", "x >= 0x1p-126f", 0, 3, 0},
	{"rsqrt", "x >= 0x1p-126f", 0, 2, 0},
	{"recip", "fabs(x) >= 0x1p-126f & fabs(x) <= 0x1p126f", 0, 2.5, 0},
};
#define NUM_RELAXED (sizeof(relaxed) / sizeof(relaxed[0]))

struct device {
	cl_context context;
	cl_device_id id;
	cl_command_queue queue;
	cl_mem results, errors, where;
};

/* A function within a bound, and the kernels that call it and compare. */
struct run {
	const struct function *function;
	const struct bound *bound;
	cl_kernel called, compare;
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
	cl_mem *const memory[] = {&device->results, &device->errors, &device->where};
	for (int i = 0; i < 3; i++) {
		*memory[i] = clCreateBuffer(device->context, CL_MEM_READ_WRITE,
					    (i ? ITEMS : BLOCK) * sizeof(cl_float), NULL, &err);
		need(err, "clCreateBuffer");
	}
}

static cl_kernel build(const struct device *device, const char *text, const char *options,
		       const char *name)
{
	cl_int err;
	cl_program program = clCreateProgramWithSource(device->context, 1, &text, NULL, &err);

	need(err, "clCreateProgramWithSource");
	need(clBuildProgram(program, 1, &device->id, options, NULL, NULL), text);
	cl_kernel kernel = clCreateKernel(program, name, &err);
	need(err, "clCreateKernel");
	need(clReleaseProgram(program), "clReleaseProgram");
	return kernel;
}

/* Of the two kernels, the one that compares keeps to IEEE 754 in any case. */
static void build_both(const struct device *device, struct run *run)
{
	const struct function *function = run->function;
	const struct bound *bound = run->bound;
	bool is_relaxed = bound != &full;
	char call[64], text[sizeof(compared) + 512], options[256];

	snprintf(call, sizeof(call), "r = %s(x)", function->name);
	snprintf(text, sizeof(text), called, function->statement ? function->statement : call);
	run->called = build(device, text, is_relaxed ? "-cl-fast-relaxed-math" : "", "called");

	snprintf(call, sizeof(call), "r = %s(x)", function->exact);
	snprintf(text, sizeof(text), compared, function->statement ? function->statement : call,
		 bound->where);
	snprintf(options, sizeof(options),
		 "-DITEM=%uu -DRELAXED=%d -DABSOLUTE=%a -DUNITS=%a -DPER_ARGUMENT=%a",
		 1u << ITEM_BITS, is_relaxed, bound->absolute, bound->units, bound->per_argument);
	run->compare = build(device, text, options, "compare");
}

static void read_some(const struct device *device, cl_mem memory, size_t at, size_t count,
		      void *data)
{
	need(clEnqueueReadBuffer(device->queue, memory, CL_TRUE, at * sizeof(cl_float),
				 count * sizeof(cl_float), data, 0, NULL, NULL),
	     "clEnqueueReadBuffer");
}

/* The error of a relaxed function as compare has it. Beside it, that of a double is nothing. */
static double part_of(const struct run *run, double x, double got)
{
	const struct bound *bound = run->bound;
	double exact = exact_result(run->function, (const double[3]){x, 0, 0});
	double unit = ldexp(1, ilogb(fmax(fabs(exact), 0x1p-126)) - 23);
	double near = isinf(got) ? copysign(0x1p128, got) : got;
	double part =
		fabs(near - exact) /
		(bound->absolute + unit * (bound->units + floor(fabs(x) * bound->per_argument)));

	if (got == 0 && fabs(exact) < 0x1p-126)
		return 0;
	return isnan(part) ? (double)INFINITY : part;
}

/* The worst of some neighbours once more. */
static void judge(const struct run *run, float x, float got, float error, struct worst *worst)
{
	const double in[3] = {(double)x, 0, 0};
	double exact = run->bound == &full ? error_of(run->function, FLOAT_KIND, in, (double)got)
					   : part_of(run, (double)x, (double)got);
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

static void enqueue(const struct device *device, cl_kernel kernel, cl_uint first, size_t items)
{
	const cl_mem memory[] = {device->results, device->errors, device->where};
	cl_uint arguments;

	need(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(arguments), &arguments, NULL),
	     "clGetKernelInfo");
	need(clSetKernelArg(kernel, 0, sizeof(first), &first), "argument");
	for (cl_uint i = 1; i < arguments; i++)
		need(clSetKernelArg(kernel, i, sizeof(cl_mem), &memory[i - 1]), "argument");
	need(clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
	     "clEnqueueNDRangeKernel");
}

static void run_block(const struct device *device, const struct run *run, cl_uint first,
		      struct worst *worst)
{
	static cl_float errors[ITEMS];
	static cl_uint where[ITEMS];

	enqueue(device, run->called, first, BLOCK);
	enqueue(device, run->compare, first, ITEMS);
	read_some(device, device->errors, 0, ITEMS, errors);
	read_some(device, device->where, 0, ITEMS, where);
	for (size_t group = 0; group < ITEMS; group += ITEMS_OF_NEIGHBOURS) {
		size_t most = group;
		float x, got;

		for (size_t i = group; i < group + ITEMS_OF_NEIGHBOURS; i++)
			most = errors[i] > errors[most] ? i : most;
		if (errors[most] < 0)
			continue;
		cl_uint bits = first + where[most];
		memcpy(&x, &bits, sizeof(x));
		read_some(device, device->results, where[most], 1, &got);
		judge(run, x, got, errors[most], worst);
	}
}

static void print(const struct run *run, cl_uint every, const struct worst *worst, bool good)
{
	const struct bound *bound = run->bound;
	double allowed = run->function->bounds[FLOAT_KIND];

	if (bound == &full)
		printf("%-16s every%u %10.4g of %-6.4g%s", run->function->name, every, worst->error,
		       allowed, good ? "" : " FAILED");
	else
		printf("%-5s relaxed every%u %9.4g of (%g, %g + %g|x| ulp) where %s%s", bound->name,
		       every, worst->error, bound->absolute, bound->units, bound->per_argument,
		       bound->where, good ? "" : " FAILED");
	printf("  at %a, 0, 0: %a, not %a", worst->x, worst->got,
	       exact_result(run->function, (const double[3]){worst->x, 0, 0}));
	printf("; double and MPFR differ by %.2g%s\n", worst->disagreement,
	       worst->disagreement < 0.01 ? "" : " FAILED");
	fflush(stdout);
}

static bool check(const struct device *device, const struct function *function,
		  const struct bound *bound, cl_uint every)
{
	struct worst worst = {0};
	struct run run = {function, bound, NULL, NULL};

	build_both(device, &run);
	for (uint64_t first = 0; first <= UINT32_MAX; first += (uint64_t)every << BLOCK_BITS)
		run_block(device, &run, (cl_uint)first, &worst);
	bool good = worst.error <= (bound == &full ? function->bounds[FLOAT_KIND] : 1);
	print(&run, every, &worst, good);
	need(clReleaseKernel(run.called) | clReleaseKernel(run.compare), "clReleaseKernel");
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

/* How many of a function's bounds do not hold. */
static int check_bounds(const struct device *device, const struct function *function,
			bool is_relaxed, cl_uint every)
{
	int bad = 0;

	if (!is_relaxed)
		return !check(device, function, &full, every);
	for (const struct bound *bound = relaxed; bound < relaxed + NUM_RELAXED; bound++) {
		if (strcmp(bound->name, function->name) == 0)
			bad += !check(device, function, bound, every);
	}
	return bad;
}

int main(int argc, char **argv)
{
	struct device device;
	cl_uint every = 1;
	bool is_relaxed = false;
	int first = 1, bad = 0;

	if (first + 1 < argc && strcmp(argv[first], "--every") == 0) {
		every = (cl_uint)strtoul(argv[first + 1], NULL, 10);
		first += 2;
	}
	if (first < argc && strcmp(argv[first], "--relaxed") == 0) {
		is_relaxed = true;
		first++;
	}
	if (argc < 1 || every < 1) {
		fprintf(stderr, "usage: builtins_exhaustive [--every N] [--relaxed] [NAME…]\n");
		return 2;
	}
	open_device(&device);
	for (size_t i = 0; i < num_functions; i++) {
		if (functions[i].arguments == 1 && is_wanted(functions[i].name, argv + first))
			bad += check_bounds(&device, &functions[i], is_relaxed, every);
	}
	return bad != 0;
}
