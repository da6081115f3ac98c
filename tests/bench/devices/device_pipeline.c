/* SPDX-License-Identifier: MIT
 *
 * A stream of frames through three accelerators that share a memory, a stage on each, two buffers between stages. All
 * frames are enqueued behind a user event: what happens after that, the devices do among themselves.
 *
 *   device_pipeline [FRAMES]        prints the time from the user event to the last frame
 */
#define CL_TARGET_OPENCL_VERSION 300
#include "measure.h"

#include <CL/cl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { STAGES = 3, SIDE = 256, ROUNDS = 200, MOST_FRAMES = 100, WORDS = SIDE * SIDE };

static const char *const source =
	"kernel void stage(global const uint *in, global uint *out, uint rounds) {\n"
	"  size_t i = get_global_id(0);\n"
	"  uint value = in[i];\n"
	"  for (uint k = 0; k < rounds; k++) value = value * 1664525u + 1013904223u;\n"
	"  out[i] = value;\n"
	"}\n";

struct pipeline {
	cl_context context;
	cl_command_queue queues[STAGES];
	cl_mem buffers[STAGES + 1][2]; /* between the stages, in turn */
	cl_kernel kernel;
	cl_event events[MOST_FRAMES][STAGES];
	cl_uint *frames; /* MOST_FRAMES, of WORDS */
	bool failed;
};

static void check(struct pipeline *p, cl_int err, const char *what)
{
	if (err != CL_SUCCESS && !p->failed)
		fprintf(stderr, "device_pipeline: %s: error %d\n", what, (int)err);
	p->failed = p->failed || err != CL_SUCCESS;
}

static void open_devices(struct pipeline *p)
{
	cl_device_id devices[STAGES] = {NULL};
	const char *text = source;
	cl_platform_id platform;
	cl_uint count = 0;
	cl_int err = clGetPlatformIDs(1, &platform, NULL);

	if (err == CL_SUCCESS)
		err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, STAGES, devices, &count);
	check(p, count == STAGES ? err : CL_DEVICE_NOT_FOUND, "three accelerators");
	if (p->failed)
		return;
	p->context = clCreateContext(NULL, STAGES, devices, NULL, NULL, &err);
	check(p, err, "the context");
	for (int i = 0; i < STAGES; i++) {
		p->queues[i] =
			clCreateCommandQueueWithProperties(p->context, devices[i], NULL, &err);
		check(p, err, "a queue");
	}
	cl_program program = clCreateProgramWithSource(p->context, 1, &text, NULL, &err);
	check(p, err, "the program");
	check(p, clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "building");
	p->kernel = clCreateKernel(program, "stage", &err);
	check(p, err, "the kernel");
	clReleaseProgram(program);
	for (int i = 0; i <= STAGES; i++)
		for (int k = 0; k < 2; k++) {
			p->buffers[i][k] =
				clCreateBuffer(p->context, 0, WORDS * sizeof(cl_uint), NULL, &err);
			check(p, err, "a buffer");
		}
}

static void enqueue_stage(struct pipeline *p, int frame, int stage)
{
	const cl_uint rounds = ROUNDS;
	const size_t items = WORDS;
	cl_event waits[2];
	cl_uint num_waits = 0;

	if (stage > 0)
		waits[num_waits++] = p->events[frame][stage - 1];
	if (stage + 1 < STAGES && frame >= 2) /* the command that reads what is overwritten */
		waits[num_waits++] = p->events[frame - 2][stage + 1];
	clSetKernelArg(p->kernel, 0, sizeof(cl_mem), &p->buffers[stage][frame % 2]);
	clSetKernelArg(p->kernel, 1, sizeof(cl_mem), &p->buffers[stage + 1][frame % 2]);
	clSetKernelArg(p->kernel, 2, sizeof(rounds), &rounds);
	check(p,
	      clEnqueueNDRangeKernel(p->queues[stage], p->kernel, 1, NULL, &items, NULL, num_waits,
				     num_waits ? waits : NULL, &p->events[frame][stage]),
	      "a kernel");
}

static void enqueue_frame(struct pipeline *p, int frame, cl_event gate)
{
	cl_uint *words = p->frames + (size_t)frame * WORDS;
	const size_t size = WORDS * sizeof(*words);

	check(p,
	      clEnqueueWriteBuffer(p->queues[0], p->buffers[0][frame % 2], CL_FALSE, 0, size, words,
				   frame == 0, frame == 0 ? &gate : NULL, NULL),
	      "a write");
	for (int stage = 0; stage < STAGES && !p->failed; stage++)
		enqueue_stage(p, frame, stage);
	check(p,
	      clEnqueueReadBuffer(p->queues[STAGES - 1], p->buffers[STAGES][frame % 2], CL_FALSE, 0,
				  size, words, 0, NULL, NULL),
	      "a read");
}

static bool is_right(const struct pipeline *p, int frames)
{
	for (size_t i = 0; i < (size_t)frames * WORDS; i += 997) {
		cl_uint value = (cl_uint)i;

		for (int k = 0; k < STAGES * ROUNDS; k++)
			value = value * 1664525u + 1013904223u;
		if (p->frames[i] != value)
			return false;
	}
	return true;
}

/* Seconds. */
static double run(struct pipeline *p, int frames)
{
	cl_int err;
	cl_event gate = clCreateUserEvent(p->context, &err);

	check(p, err, "the user event");
	for (size_t i = 0; i < (size_t)frames * WORDS; i++)
		p->frames[i] = (cl_uint)i;
	for (int frame = 0; frame < frames && !p->failed; frame++)
		enqueue_frame(p, frame, gate);
	double start = seconds_now();
	check(p, clSetUserEventStatus(gate, p->failed ? CL_INVALID_EVENT : CL_COMPLETE),
	      "the start");
	for (int i = STAGES; i-- > 0;)
		check(p, clFinish(p->queues[i]), "the end");
	double end = seconds_now();
	for (int i = 0; i < frames * STAGES; i++)
		if (p->events[i / STAGES][i % STAGES])
			clReleaseEvent(p->events[i / STAGES][i % STAGES]);
	clReleaseEvent(gate);
	return end - start;
}

int main(int argc, char **argv)
{
	static struct pipeline p;
	const long asked = argc > 1 ? strtol(argv[1], NULL, 10) : 8;
	const int frames = asked < 1 ? 1 : asked > MOST_FRAMES ? MOST_FRAMES : (int)asked;

	setenv("WEFT_DEVICES", "accel", 0);
	setenv("WEFT_ACCEL", "memory=m;memory=m;memory=m", 0);
	p.frames = malloc((size_t)MOST_FRAMES * WORDS * sizeof(*p.frames));
	if (!p.frames)
		return 1;
	open_devices(&p);
	if (p.failed)
		return 1;
	double seconds = run(&p, frames);
	bool right = !p.failed && is_right(&p, frames);
	if (right)
		printf("%d frames, %d stages: %.3f ms a frame\n", frames, STAGES,
		       seconds * 1e3 / frames);
	else
		fprintf(stderr, "device_pipeline: wrong results\n");
	free(p.frames);
	return right ? 0 : 1;
}
