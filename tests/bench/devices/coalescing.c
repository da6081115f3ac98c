/* SPDX-License-Identifier: MIT
 *
 * Two experiments in the manner of Scandale's thesis: an image difference and a matrix product in groups of 256 work-items,
 * with 1 to 16 groups on each cluster of an accelerator at a time, with and without automatic transfers. Simulated times, as
 * WEFT_ACCEL_STATS prints them, so the same in each run; printed as speed-ups over one group without transfers.
 *
 *   coalescing [--small]     prints tables in Markdown; fails when a result is wrong, or another promise of docs/accel.md is
 *                            not kept
 */
#define CL_TARGET_OPENCL_VERSION 300
#include "measure.h"

#include <CL/cl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAYS = 5, DEVICES = 2 * WAYS, GROUP = 256, TILE = 16 };

static const char *const source =
	"kernel void difference(global const uchar4 *a, global const uchar4 *b, global uchar4 *c,\n"
	"                       int n) {\n"
	"  size_t i = get_global_id(0);\n"
	"  c[i] = abs_diff(a[i], b[i]);\n"
	"}\n"
	"kernel void product(global const float *a, global const float *b, global float *c, int n) "
	"{\n"
	"  int x = get_global_id(0), y = get_global_id(1);\n"
	"  float sum = 0;\n"
	"  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];\n"
	"  c[y * n + x] = sum;\n"
	"}\n"
	"kernel void tiles(global const float *a, global const float *b, global float *c, int n) "
	"{\n"
	"  local float ta[16][16], tb[16][16];\n"
	"  int x = get_global_id(0), y = get_global_id(1);\n"
	"  int i = get_local_id(0), j = get_local_id(1);\n"
	"  float sum = 0;\n"
	"  for (int t = 0; t < n; t += 16) {\n"
	"    ta[j][i] = a[y * n + t + i];\n"
	"    tb[j][i] = b[(t + j) * n + x];\n"
	"    barrier(CLK_LOCAL_MEM_FENCE);\n"
	"    for (int k = 0; k < 16; k++) sum += ta[j][k] * tb[k][i];\n"
	"    barrier(CLK_LOCAL_MEM_FENCE);\n"
	"  }\n"
	"  c[y * n + x] = sum;\n"
	"}\n";

struct experiment {
	const char *title, *kernel;
	bool is_image;
	double least; /* speed-up that transfers must give */
	size_t sides[4];
};

static const struct experiment experiments[] = {
	{"Image difference", "difference", true, 20, {256, 512, 1024}},
	{"Matrix product", "product", false, 4, {256, 512}},
	{"Matrix product, tiles in local memory", "tiles", false, 1, {256, 512}},
};
enum { EXPERIMENTS = sizeof(experiments) / sizeof(experiments[0]) };

/* ---- a process for each size ----------------------------------------------------------------- */

/* A device for each way: first those without transfers. */
static void describe_devices(void)
{
	char text[DEVICES * 32] = "";
	size_t length = 0;

	for (int i = 0; i < DEVICES; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   "groups=%d,transfers=%d;", 1 << i % WAYS, i / WAYS);
	setenv("WEFT_ACCEL", text, 1);
	setenv("WEFT_DEVICES", "accel", 1);
	setenv("WEFT_ACCEL_STATS", "1", 1);
}

struct run {
	cl_context context;
	cl_device_id devices[DEVICES];
	cl_kernel kernel;
	cl_mem buffers[3];
	unsigned char *data[3];
	size_t side;
	bool failed;
};

static void check(struct run *run, cl_int err, const char *what)
{
	if (err != CL_SUCCESS && !run->failed)
		printf("coalescing: %s: error %d\n", what, (int)err);
	run->failed = run->failed || err != CL_SUCCESS;
}

static void begin(struct run *run, const struct experiment *experiment)
{
	const size_t bytes = run->side * run->side * 4;
	const char *text = source;
	cl_platform_id platform;
	cl_uint count = 0;
	cl_int err = clGetPlatformIDs(1, &platform, NULL);

	if (err == CL_SUCCESS)
		err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, DEVICES, run->devices,
				     &count);
	check(run, count == DEVICES ? err : CL_DEVICE_NOT_FOUND, "accelerators");
	if (run->failed)
		return;
	run->context = clCreateContext(NULL, DEVICES, run->devices, NULL, NULL, &err);
	check(run, err, "the context");
	cl_program program = clCreateProgramWithSource(run->context, 1, &text, NULL, &err);
	check(run, err, "the program");
	check(run, clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "building");
	run->kernel = clCreateKernel(program, experiment->kernel, &err);
	check(run, err, "the kernel");
	for (cl_uint i = 0; i < 3 && !run->failed; i++) {
		run->data[i] = malloc(bytes);
		check(run, run->data[i] ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "memory");
		run->buffers[i] = clCreateBuffer(run->context, 0, bytes, NULL, &err);
		check(run, err, "a buffer");
		check(run, clSetKernelArg(run->kernel, i, sizeof(cl_mem), &run->buffers[i]),
		      "an argument");
	}
	const cl_int n = (cl_int)run->side;
	check(run, clSetKernelArg(run->kernel, 3, sizeof(n), &n), "the size");
}

static void fill(const struct run *run, const struct experiment *experiment)
{
	for (size_t i = 0; i < run->side * run->side; i++) {
		for (size_t k = 0; k < 2; k++) {
			unsigned char *place = run->data[k] + i * 4;
			const unsigned word = (unsigned)(i + 7 * k) * 2654435761u;
			const float small = (float)(word >> 28);

			if (experiment->is_image)
				memcpy(place, &word, 4);
			else
				memcpy(place, &small, 4);
		}
	}
}

/* Small whole numbers: sums are exact. */
static bool is_right(const struct run *run, const struct experiment *experiment)
{
	const size_t n = run->side;

	for (size_t i = 0; i < n * n; i += experiment->is_image ? 1 : 97) {
		if (experiment->is_image) {
			for (size_t k = 4 * i; k < 4 * i + 4; k++) {
				if (run->data[2][k] != abs(run->data[0][k] - run->data[1][k]))
					return false;
			}
			continue;
		}
		const float *a = (const float *)(const void *)run->data[0];
		const float *b = (const float *)(const void *)run->data[1];
		float sum = 0, got;
		for (size_t k = 0; k < n; k++)
			sum += a[i / n * n + k] * b[k * n + i % n];
		memcpy(&got, run->data[2] + 4 * i, 4);
		if (sum < got || sum > got)
			return false;
	}
	return true;
}

static void run_on(struct run *run, const struct experiment *experiment, cl_device_id device)
{
	const size_t n = run->side, bytes = n * n * 4;
	const size_t line[] = {n * n}, plane[] = {n, n}, group[] = {GROUP}, tile[] = {TILE, TILE};
	const bool is_image = experiment->is_image;
	cl_int err;
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(run->context, device, NULL, &err);

	check(run, err, "a queue");
	for (int i = 0; i < 3 && !run->failed; i++) {
		memset(run->data[2], 0, bytes);
		check(run,
		      clEnqueueWriteBuffer(queue, run->buffers[i], CL_TRUE, 0, bytes, run->data[i],
					   0, NULL, NULL),
		      "a write");
	}
	if (run->failed)
		return;
	check(run,
	      clEnqueueNDRangeKernel(queue, run->kernel, is_image ? 1 : 2, NULL,
				     is_image ? line : plane, is_image ? group : tile, 0, NULL,
				     NULL),
	      "the kernel");
	check(run,
	      clEnqueueReadBuffer(queue, run->buffers[2], CL_TRUE, 0, bytes, run->data[2], 0, NULL,
				  NULL),
	      "a read");
	clReleaseCommandQueue(queue);
	if (!run->failed && !is_right(run, experiment)) {
		printf("coalescing: wrong results\n");
		run->failed = true;
	}
}

/* What the devices say of themselves when it exits goes to `output`. */
static void play(const struct experiment *experiment, size_t side, int output)
{
	static struct run run;

	dup2(output, STDERR_FILENO);
	describe_devices();
	run.side = side;
	begin(&run, experiment);
	if (!run.failed)
		fill(&run, experiment);
	for (int i = 0; i < DEVICES && !run.failed; i++)
		run_on(&run, experiment, run.devices[i]);
	fflush(stdout);
	exit(run.failed ? 1 : 0);
}

static bool read_cycles(int input, unsigned long long cycles[DEVICES])
{
	FILE *file = fdopen(input, "r");
	char line[4096];
	int found = 0;

	while (file && fgets(line, sizeof(line), file)) {
		static const char start[] = "weft: accel ", key[] = "kernel cycles ";
		const char *text = strstr(line, key);

		if (!text || strncmp(line, start, strlen(start)) != 0)
			continue;
		const unsigned long device = strtoul(line + strlen(start), NULL, 10);
		if (device >= DEVICES)
			continue;
		cycles[device] = strtoull(text + strlen(key), NULL, 10);
		found++;
	}
	if (file)
		fclose(file);
	return found == DEVICES;
}

static bool measure(const struct experiment *experiment, size_t side,
		    unsigned long long cycles[DEVICES])
{
	int ends[2], status = -1;

	if (pipe(ends) != 0)
		return false;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0)
		play(experiment, side, ends[1]);
	close(ends[1]);
	bool all = read_cycles(ends[0], cycles);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	return all && status == 0;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static bool print_size(const struct experiment *experiment, size_t side)
{
	unsigned long long cycles[DEVICES];
	bool kept = true;

	if (!measure(experiment, side, cycles))
		return false;
	for (int t = 0; t < 2; t++) {
		printf("| %zu | %s |", side, t ? "with" : "without");
		for (int g = 0; g < WAYS; g++) {
			const unsigned long long now = cycles[t * WAYS + g];

			printf(" %.2f |", (double)cycles[0] / (double)now);
			kept = kept && (g == 0 || now <= cycles[t * WAYS + g - 1]);
		}
		printf(" %llu |\n", cycles[t * WAYS + WAYS - 1]);
	}
	const double gain = (double)cycles[0] / (double)cycles[DEVICES - 1];
	if (!kept)
		fprintf(stderr, "coalescing: more groups at a time are slower\n");
	if (gain < experiment->least)
		fprintf(stderr, "coalescing: transfers gain %.2f times, not %.0f\n", gain,
			experiment->least);
	return kept && gain >= experiment->least;
}

int main(int argc, char **argv)
{
	const bool is_small = argc > 1 && strcmp(argv[1], "--small") == 0;
	bool kept = true;

	for (int e = 0; e < EXPERIMENTS && kept; e++) {
		printf("%s%s\n\n| side | transfers | 1 | 2 | 4 | 8 | 16 | cycles of 16 |\n",
		       e ? "\n" : "", experiments[e].title);
		printf("|---|---|---|---|---|---|---|---|\n");
		for (const size_t *side = experiments[e].sides; *side && kept; side++) {
			if (!is_small || side == experiments[e].sides)
				kept = print_size(&experiments[e], *side);
		}
	}
	return kept ? 0 : 1;
}
