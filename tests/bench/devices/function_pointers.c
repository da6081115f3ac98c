/* SPDX-License-Identifier: MIT
 *
 * The experiments of Scandale's thesis with function pointers: a work-item calls 256 functions 1,000 times in random order, each with
 * some work; and walks a tree of objects with virtual functions that another device has built. Beside them the same work by
 * direct calls, between which a switch chooses by a small number. Times are the device's own: of an accelerator they are
 * simulated, and the same in each run.
 *
 *   function_pointers [--small]     prints tables in Markdown; fails when a result differs, or an accelerator's overhead is 10 %
 *                                   or more
 */
#define CL_TARGET_OPENCL_VERSION 300
#include "measure.h"

#include <CL/cl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CPU,
	ACCELERATOR,
	DEVICES,
	FUNCTIONS = 256,
	CALLS = 1000,
	OBJECTS = 1023,
	OBJECT_BYTES = 64
};
enum { BY_POINTER, BY_SWITCH, WAYS };

static const char *const function_kernels[WAYS] = {"by_pointer", "by_switch"};
static const char *const tree_kernels[WAYS] = {"virtually", "by_kind"};

struct world {
	cl_device_id devices[DEVICES];
	cl_context context;
	cl_command_queue queues[DEVICES];
	cl_mem calls[WAYS]; /* of functions: pointers, or numbers */
	cl_mem tree, result;
	bool failed;
};

static bool check(struct world *w, cl_int err, const char *what)
{
	if (err != CL_SUCCESS)
		fprintf(stderr, "function_pointers: %s: error %d\n", what, (int)err);
	w->failed = w->failed || err != CL_SUCCESS;
	return !w->failed;
}

/* ---- kernels ---------------------------------------------------------------------------------- */

static const char *const head = "#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n"
				"typedef int (*pointer)(int, int);\n";

/* Of functions that differ in their numbers. */
static char *functions_source(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs(head, out);
	for (int i = 0; i < FUNCTIONS; i++)
		fprintf(out,
			"int f%d(int x, int work) { for (int k = 0; k < work; k++) x = x * %d + "
			"%d; "
			"return x; }\n",
			i, 2 * i + 3, 7 * i + 1);
	fputs("kernel void make(global ulong *p, global const ulong *which) {\n"
	      "  int i = get_global_id(0); pointer all[] = {",
	      out);
	for (int i = 0; i < FUNCTIONS; i++)
		fprintf(out, "%sf%d", i ? ", " : "", i);
	fputs("};\n  p[i] = (ulong)all[which[i]]; }\n"
	      "kernel void by_pointer(global const ulong *p, global int *to, int n, int work) {\n"
	      "  int r = 1; for (int i = 0; i < n; i++) r = ((pointer)p[i])(r, work); *to = r; }\n"
	      "kernel void by_switch(global const ulong *p, global int *to, int n, int work) {\n"
	      "  int r = 1; for (int i = 0; i < n; i++) switch (p[i]) {\n",
	      out);
	for (int i = 0; i < FUNCTIONS; i++)
		fprintf(out, "  case %d: r = f%d(r, work); break;\n", i, i);
	fputs("  } *to = r; }\n", out);
	return fclose(out) == 0 ? text : NULL;
}

/* A node's children are at 2n+1 and 2n+2; depth first with a stack of its own. */
static const char *const tree_source =
	"struct Node { int kind, n, left, right;\n"
	"  virtual int work(int x, int rounds) const = 0; };\n"
	"struct Sum : Node { int work(int x, int rounds) const override {\n"
	"  for (int k = 0; k < rounds; k++) x = x * 5 + n; return x; } };\n"
	"struct Product : Node { int work(int x, int rounds) const override {\n"
	"  for (int k = 0; k < rounds; k++) x = (x + 3) * n; return x; } };\n"
	"struct Mix : Node { int work(int x, int rounds) const override {\n"
	"  for (int k = 0; k < rounds; k++) x = (x ^ n) + (x >> 3); return x; } };\n"
	"void *operator new(size_t, void *p) { return p; }\n"
	"kernel void build(global char *p) { int i = get_global_id(0), n = get_global_size(0);\n"
	"  global char *at = p + i * 64; Node *made; int kind = (i * 7 + i / 5) % 3;\n"
	"  if (kind == 0) made = new (at) Sum; else if (kind == 1) made = new (at) Product;\n"
	"  else made = new (at) Mix;\n"
	"  made->kind = kind; made->n = i | 1;\n"
	"  made->left = 2 * i + 1 < n ? 2 * i + 1 : -1; made->right = 2 * i + 2 < n ? 2 * i + 2 : "
	"-1; }\n"
	"#define WALK(CALL) int stack[32], top = 0, r = 1; stack[top++] = 0;\\\n"
	"  while (top > 0) { const Node *a = (const Node *)(p + stack[--top] * 64); CALL;\\\n"
	"    if (a->right >= 0) stack[top++] = a->right;\\\n"
	"    if (a->left >= 0) stack[top++] = a->left; } *to = r;\n"
	"kernel void virtually(global const char *p, global int *to, int n, int rounds) {\n"
	"  WALK(r = a->work(r, rounds)) }\n"
	"kernel void by_kind(global const char *p, global int *to, int n, int rounds) {\n"
	"  WALK(switch (a->kind) { case 0: r = ((const Sum *)a)->Sum::work(r, rounds); break;\n"
	"    case 1: r = ((const Product *)a)->Product::work(r, rounds); break;\n"
	"    default: r = ((const Mix *)a)->Mix::work(r, rounds); }) }\n";

static cl_program build(struct world *w, const char *first, const char *second, const char *options)
{
	const char *texts[] = {first, second};
	cl_int err;
	cl_program program = clCreateProgramWithSource(w->context, 2, texts, NULL, &err);

	if (check(w, err, "a program"))
		check(w, clBuildProgram(program, 0, NULL, options, NULL, NULL), "building");
	return program;
}

/* ---- running ---------------------------------------------------------------------------------- */

/* Two buffers, or a buffer, its number of elements, and the work. Returns the device's time in nanoseconds. */
static double run(struct world *w, int device, cl_kernel kernel, size_t count)
{
	cl_event event;
	cl_ulong start = 0, end = 0;

	if (!check(w,
		   clEnqueueNDRangeKernel(w->queues[device], kernel, 1, NULL, &count, NULL, 0, NULL,
					  &event),
		   "a launch"))
		return 0;
	check(w, clWaitForEvents(1, &event), "a kernel");
	check(w,
	      clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start), &start,
				      NULL),
	      "a time");
	check(w, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL),
	      "a time");
	clReleaseEvent(event);
	return (double)(end - start);
}

/* Makes the contents of a buffer. `second` may be NULL. */
static void make(struct world *w, int device, cl_program program, const char *name,
		 const cl_mem memory[2], size_t count)
{
	cl_int err;
	cl_kernel kernel = clCreateKernel(program, name, &err);

	if (!check(w, err, name))
		return;
	for (cl_uint i = 0; i < 2 && memory[i]; i++)
		check(w, clSetKernelArg(kernel, i, sizeof(cl_mem), &memory[i]), "an argument");
	run(w, device, kernel, count);
	clReleaseKernel(kernel);
}

struct case_of {
	int device;
	cl_kernel kernels[WAYS];
	cl_mem from[WAYS];
	cl_int count, work;
	int rounds;
};

/* The median ratio of the two ways, by turns; `least`: nanoseconds of the direct calls. */
static double overhead(struct world *w, const struct case_of *c, double *least)
{
	double *ratios = malloc((size_t)c->rounds * sizeof(*ratios));
	cl_int results[WAYS] = {0};

	for (int i = 0; ratios && i < c->rounds && !w->failed; i++) {
		double times[WAYS];

		for (int way = 0; way < WAYS; way++) {
			cl_kernel kernel = c->kernels[way];
			clSetKernelArg(kernel, 0, sizeof(cl_mem), &c->from[way]);
			clSetKernelArg(kernel, 1, sizeof(cl_mem), &w->result);
			clSetKernelArg(kernel, 2, sizeof(cl_int), &c->count);
			clSetKernelArg(kernel, 3, sizeof(cl_int), &c->work);
			times[way] = run(w, c->device, kernel, 1);
			check(w,
			      clEnqueueReadBuffer(w->queues[c->device], w->result, CL_TRUE, 0,
						  sizeof(cl_int), &results[way], 0, NULL, NULL),
			      "reading");
		}
		ratios[i] = times[BY_POINTER] / times[BY_SWITCH];
		*least = i == 0 || times[BY_SWITCH] < *least ? times[BY_SWITCH] : *least;
		if (results[BY_POINTER] != results[BY_SWITCH])
			check(w, CL_INVALID_VALUE, "comparing results");
	}
	const double ratio = ratios && !w->failed ? median(ratios, (size_t)c->rounds) : 2;
	free(ratios);
	return 100 * (ratio - 1);
}

/* A row for each amount of work. */
static void table(struct world *w, cl_program program, const char *const names[WAYS],
		  const struct case_of *base, bool small)
{
	struct case_of c = *base;

	for (int way = 0; way < WAYS; way++) {
		cl_int err;
		c.kernels[way] = clCreateKernel(program, names[way], &err);
		check(w, err, names[way]);
	}
	printf("\n%s, %s\n\n| work | ns of a direct call | overhead |\n|--:|--:|--:|\n",
	       names[BY_POINTER], c.device == CPU ? "CPU" : "accelerator");
	const int most = c.device == CPU ? (small ? 64 : 65536) : small ? 2 : 1024;
	for (c.work = 2; c.work <= most && !w->failed; c.work *= 8) {
		double least = 0;
		c.rounds = c.device == CPU ? (c.work < 1000 ? 101 : 11) : 1;
		const double percent = overhead(w, &c, &least);
		printf("| %d | %.1f | %.1f %% |\n", (int)c.work, least / c.count, percent);
		if (c.device == ACCELERATOR && percent >= 10)
			check(w, CL_OUT_OF_RESOURCES, "the overhead");
	}
	for (int way = 0; way < WAYS; way++)
		clReleaseKernel(c.kernels[way]);
}

/* ---- set-up ----------------------------------------------------------------------------------- */

static bool open_world(struct world *w)
{
	const cl_queue_properties timed[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
	cl_platform_id platform;
	cl_uint count = 0;
	cl_int err;

	setenv("WEFT_DEVICES", "pthread,accel", 1);
	setenv("WEFT_TIER", "full", 1);
	check(w, clGetPlatformIDs(1, &platform, NULL), "a platform");
	if (w->failed)
		return false;
	err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, w->devices, &count);
	if (!check(w, count == DEVICES ? err : CL_DEVICE_NOT_FOUND, "devices"))
		return false;
	w->context = clCreateContext(NULL, DEVICES, w->devices, NULL, NULL, &err);
	if (!check(w, err, "a context"))
		return false;
	for (int i = 0; i < DEVICES; i++) {
		w->queues[i] =
			clCreateCommandQueueWithProperties(w->context, w->devices[i], timed, &err);
		check(w, err, "a queue");
	}
	cl_ulong which[CALLS];
	uint32_t random = 1; /* of a linear congruential generator */
	for (int i = 0; i < CALLS; i++) {
		random = random * 1664525 + 1013904223;
		which[i] = (random >> 16) % FUNCTIONS;
	}
	w->calls[BY_SWITCH] =
		clCreateBuffer(w->context, CL_MEM_COPY_HOST_PTR, sizeof(which), which, &err);
	w->calls[BY_POINTER] = clCreateBuffer(w->context, 0, sizeof(which), NULL, &err);
	w->tree = clCreateBuffer(w->context, 0, (size_t)OBJECTS * OBJECT_BYTES, NULL, &err);
	w->result = clCreateBuffer(w->context, 0, sizeof(cl_int), NULL, &err);
	return check(w, err, "buffers");
}

int main(int argc, char **argv)
{
	const bool small = argc > 1 && strcmp(argv[1], "--small") == 0;
	struct world w = {.failed = false};
	char *source = functions_source();

	if (!source || !open_world(&w))
		return EXIT_FAILURE;
	cl_program functions = build(&w, "", source, "-cl-std=CL3.0");
	cl_program objects = build(&w, head, tree_source, "-cl-std=CLC++2021");
	free(source);
	/* What one device makes, the other one calls. */
	for (int device = 0; device < DEVICES && !w.failed; device++) {
		const int maker = 1 - device;
		const struct case_of calls = {.device = device,
					      .from = {w.calls[BY_POINTER], w.calls[BY_SWITCH]},
					      .count = CALLS};
		const struct case_of walk = {
			.device = device, .from = {w.tree, w.tree}, .count = OBJECTS};

		make(&w, maker, functions, "make", w.calls, CALLS);
		make(&w, maker, objects, "build", (const cl_mem[2]){w.tree, NULL}, OBJECTS);
		table(&w, functions, function_kernels, &calls, small);
		table(&w, objects, tree_kernels, &walk, small);
	}
	return w.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
