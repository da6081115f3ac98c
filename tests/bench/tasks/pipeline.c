/* SPDX-License-Identifier: MIT
 *
 * An image pipeline of five kernels over many frames (pipeline.cl), enqueued in four ways. Each frame has buffers of
 * its own, so that all of them leave a device the same freedom; values are a way's time divided by the best one's,
 * each as its share of a round of all four.
 */
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FRAMES 30
#define SIDE 128 /* as in pipeline.cl */
#define BLOCK 8
#define STACK 8
#define STEP 4
#define GRID ((SIDE - BLOCK) / STEP + 1)
#define REACH 8
#define THRESHOLD 1200
#define WEIGHT 1024

#define PIXELS (SIDE * SIDE)
#define STACKS (GRID * GRID)
#define CUBE (STACK * BLOCK * BLOCK)
#define MAX_ROUNDS 40 /* and one that isn't counted */

enum kernel { MATCH, GATHER, FILTER, AGGREGATE, DIVIDE, NUM_KERNELS };

static const char *const kernel_names[NUM_KERNELS] = {
	"match_blocks", "gather_blocks", "filter_stacks", "aggregate_blocks", "divide_sums"};

enum memory { INPUT, PLACES, CUBES, WEIGHTS, SUMS, NORMS, OUTPUT, NUM_MEMORIES };

static const size_t memory_sizes[NUM_MEMORIES] = {
	[INPUT] = PIXELS,
	[PLACES] = STACKS * STACK * sizeof(cl_int),
	[CUBES] = STACKS * CUBE * sizeof(cl_int),
	[WEIGHTS] = STACKS * sizeof(cl_int),
	[SUMS] = PIXELS * sizeof(cl_int),
	[NORMS] = PIXELS * sizeof(cl_int),
	[OUTPUT] = PIXELS,
};

struct frame {
	cl_mem memories[NUM_MEMORIES];
	cl_uchar input[PIXELS];
	cl_uchar output[PIXELS];
	cl_uchar expected[PIXELS];
};

struct pipeline {
	const struct device *device;
	cl_kernel kernels[NUM_KERNELS];
	struct frame *frames;
	unsigned num_frames;
};

/* ---- the same in C --------------------------------------------------------------------------- */

static cl_uint distance_of(const cl_uchar *a, const cl_uchar *b)
{
	cl_uint sum = 0;

	for (int y = 0; y < BLOCK; y++) {
		for (int x = 0; x < BLOCK; x++) {
			int difference = a[y * SIDE + x] - b[y * SIDE + x];

			sum += (cl_uint)(difference * difference);
		}
	}
	return sum;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int most(int a, int b)
{
	return a > b ? a : b;
}

/* Puts the place behind those that are as near. */
static void insert(cl_uint *distances, int *places, cl_uint distance, int place)
{
	int at = STACK;

	while (at > 0 && distance < distances[at - 1])
		at--;
	if (at == STACK)
		return;
	memmove(&distances[at + 1], &distances[at], (STACK - 1 - (size_t)at) * sizeof(*distances));
	memmove(&places[at + 1], &places[at], (STACK - 1 - (size_t)at) * sizeof(*places));
	distances[at] = distance;
	places[at] = place;
}

static void match(const cl_uchar *frame, int x, int y, int *places)
{
	cl_uint distances[STACK];

	for (int i = 0; i < STACK; i++)
		distances[i] = CL_UINT_MAX;
	for (int dy = most(y - REACH, 0); dy <= least(y + REACH, SIDE - BLOCK); dy += 2) {
		for (int dx = most(x - REACH, 0); dx <= least(x + REACH, SIDE - BLOCK); dx += 2) {
			int place = dy * SIDE + dx;

			insert(distances, places, distance_of(&frame[y * SIDE + x], &frame[place]),
			       place);
		}
	}
}

static void transform(int *values, int stride)
{
	for (int half = 1; half < 8; half *= 2) {
		for (int i = 0; i < 8; i++) {
			int a = values[i * stride];

			if (i & half)
				continue;
			values[i * stride] += values[(i + half) * stride];
			values[(i + half) * stride] = a - values[(i + half) * stride];
		}
	}
}

static void transform_cube(int *cube)
{
	for (int i = 0; i < BLOCK * STACK; i++)
		transform(cube + i * BLOCK, 1);
	for (int i = 0; i < BLOCK * STACK; i++)
		transform(cube + i / BLOCK * BLOCK * BLOCK + i % BLOCK, BLOCK);
	for (int i = 0; i < BLOCK * BLOCK; i++)
		transform(cube + i, BLOCK * BLOCK);
}

/* Returns the stack's weight. */
static int filter(int *cube)
{
	int kept = 0;

	transform_cube(cube);
	for (int i = 0; i < CUBE; i++) {
		if (abs(cube[i]) < THRESHOLD)
			cube[i] = 0;
		else
			kept++;
	}
	transform_cube(cube);
	return WEIGHT / most(kept, 1);
}

static void remove_noise(const cl_uchar *input, cl_uchar *output)
{
	static int sums[PIXELS];
	static int norms[PIXELS];
	int places[STACK];
	int cube[CUBE];

	memset(sums, 0, sizeof(sums));
	memset(norms, 0, sizeof(norms));
	for (int stack = 0; stack < STACKS; stack++) {
		match(input, stack % GRID * STEP, stack / GRID * STEP, places);
		for (int i = 0; i < CUBE; i++)
			cube[i] = input[places[i / 64] + i % 64 / BLOCK * SIDE + i % BLOCK];
		int weight = filter(cube);
		for (int i = 0; i < CUBE; i++) {
			int place = places[i / 64] + i % 64 / BLOCK * SIDE + i % BLOCK;

			sums[place] += weight * (cube[i] / CUBE);
			norms[place] += weight;
		}
	}
	for (int i = 0; i < PIXELS; i++)
		output[i] = (cl_uchar)least(most((sums[i] + norms[i] / 2) / norms[i], 0), 255);
}

/* ---- four ways to enqueue it ----------------------------------------------------------------- */

/* A frame's commands come after `wait`, if that is given, and leave an event in its place. */
struct order {
	cl_command_queue queue;
	bool events;
	cl_event fills[2]; /* of sums and norms */
	cl_event last;
};

static void fill(struct order *order, cl_mem mem, unsigned index)
{
	const cl_int zero = 0;

	must(clEnqueueFillBuffer(order->queue, mem, &zero, sizeof(zero), 0, PIXELS * sizeof(zero),
				 0, NULL, order->events ? &order->fills[index] : NULL),
	     "clEnqueueFillBuffer");
}

static void launch(const struct pipeline *pipeline, struct order *order, enum kernel kernel,
		   cl_uint dimensions, const size_t *global, const size_t *local)
{
	cl_event wait[3] = {order->last};
	cl_uint count = order->events ? 1 : 0;

	for (unsigned i = 0; i < 2 && order->events && kernel == AGGREGATE; i++)
		wait[count++] = order->fills[i];
	must(clEnqueueNDRangeKernel(order->queue, pipeline->kernels[kernel], dimensions, NULL,
				    global, local, count, count > 0 ? wait : NULL,
				    order->events ? &order->last : NULL),
	     kernel_names[kernel]);
	for (cl_uint i = 0; i < count; i++)
		clReleaseEvent(wait[i]);
}

static void set_arguments(cl_kernel kernel, const struct frame *frame, const enum memory *memories,
			  unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		must(clSetKernelArg(kernel, i, sizeof(cl_mem), &frame->memories[memories[i]]),
		     "clSetKernelArg");
}

static void enqueue_frame(const struct pipeline *pipeline, struct frame *frame, struct order *order)
{
	static const enum memory arguments[NUM_KERNELS][5] = {
		[MATCH] = {INPUT, PLACES},
		[GATHER] = {INPUT, PLACES, CUBES},
		[FILTER] = {CUBES, WEIGHTS},
		[AGGREGATE] = {CUBES, PLACES, WEIGHTS, SUMS, NORMS},
		[DIVIDE] = {SUMS, NORMS, OUTPUT},
	};
	static const unsigned counts[NUM_KERNELS] = {2, 3, 2, 5, 3};
	static const size_t grid[2] = {GRID, GRID};
	static const size_t blocks[2] = {BLOCK * BLOCK, STACKS * STACK};
	static const size_t stacks = STACKS * 64;
	static const size_t local = 64;
	static const size_t pixels = PIXELS;

	for (unsigned i = 0; i < NUM_KERNELS; i++)
		set_arguments(pipeline->kernels[i], frame, arguments[i], counts[i]);
	must(clEnqueueWriteBuffer(order->queue, frame->memories[INPUT], CL_FALSE, 0, PIXELS,
				  frame->input, 0, NULL, order->events ? &order->last : NULL),
	     "clEnqueueWriteBuffer");
	fill(order, frame->memories[SUMS], 0);
	fill(order, frame->memories[NORMS], 1);
	launch(pipeline, order, MATCH, 2, grid, NULL);
	launch(pipeline, order, GATHER, 2, blocks, NULL);
	launch(pipeline, order, FILTER, 1, &stacks, &local);
	launch(pipeline, order, AGGREGATE, 2, blocks, NULL);
	launch(pipeline, order, DIVIDE, 1, &pixels, NULL);
	must(clEnqueueReadBuffer(order->queue, frame->memories[OUTPUT], CL_FALSE, 0, PIXELS,
				 frame->output, order->events ? 1 : 0,
				 order->events ? &order->last : NULL, NULL),
	     "clEnqueueReadBuffer");
	if (order->events)
		clReleaseEvent(order->last);
}

/* Seconds for all frames. */
static double run(const struct pipeline *pipeline, bool out_of_order, bool queue_per_frame)
{
	cl_command_queue queues[MAX_FRAMES];
	unsigned num_queues = queue_per_frame ? pipeline->num_frames : 1;

	for (unsigned i = 0; i < num_queues; i++)
		queues[i] = device_queue(pipeline->device,
					 out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
	double start = seconds_now();
	for (unsigned i = 0; i < pipeline->num_frames; i++) {
		struct order order = {.queue = queues[i % num_queues], .events = out_of_order};

		enqueue_frame(pipeline, &pipeline->frames[i], &order);
	}
	for (unsigned i = 0; i < num_queues; i++)
		must(clFlush(queues[i]), "clFlush");
	for (unsigned i = 0; i < num_queues; i++)
		must(clFinish(queues[i]), "clFinish");
	double seconds = seconds_now() - start;
	for (unsigned i = 0; i < num_queues; i++)
		clReleaseCommandQueue(queues[i]);
	for (unsigned i = 0; i < pipeline->num_frames; i++) {
		struct frame *frame = &pipeline->frames[i];

		expect(memcmp(frame->output, frame->expected, PIXELS) == 0, "pipeline");
		memset(frame->output, 0, PIXELS);
	}
	return seconds;
}

/* ---- the case -------------------------------------------------------------------------------- */

/* Edges, slopes, and noise. */
static void draw(struct frame *frame, cl_uint seed)
{
	for (int i = 0; i < PIXELS; i++) {
		int x = i % SIDE;
		int y = i / SIDE;
		int value = ((x / 24 + y / 40) % 2 ? 170 : 60) + x / 4;

		seed = seed * 1664525 + 1013904223;
		frame->input[i] = (cl_uchar)(value + (int)(seed >> 26) - 32);
	}
	remove_noise(frame->input, frame->expected);
}

static void open_pipeline(struct pipeline *pipeline, const struct device *device)
{
	*pipeline =
		(struct pipeline){.device = device, .num_frames = device->small ? 2 : MAX_FRAMES};
	pipeline->frames = calloc(pipeline->num_frames, sizeof(struct frame));
	expect(pipeline->frames, "memory");
	for (unsigned i = 0; i < NUM_KERNELS; i++)
		pipeline->kernels[i] = device_kernel(device, kernel_names[i]);
	for (unsigned i = 0; i < pipeline->num_frames; i++) {
		for (unsigned k = 0; k < NUM_MEMORIES; k++)
			pipeline->frames[i].memories[k] =
				device_buffer(device, CL_MEM_READ_WRITE, memory_sizes[k]);
		draw(&pipeline->frames[i], i);
	}
}

static void close_pipeline(struct pipeline *pipeline)
{
	for (unsigned i = 0; i < pipeline->num_frames; i++) {
		for (unsigned k = 0; k < NUM_MEMORIES; k++)
			clReleaseMemObject(pipeline->frames[i].memories[k]);
	}
	for (unsigned i = 0; i < NUM_KERNELS; i++)
		clReleaseKernel(pipeline->kernels[i]);
	free(pipeline->frames);
}

/* The machine's speed changes from one round of the four ways to the next: each is compared with its round. */
static void measure(const struct device *device, double *numbers)
{
	struct pipeline pipeline;
	double shares[4][MAX_ROUNDS];
	double rounds[MAX_ROUNDS];
	unsigned num_rounds = device->small ? 3 : MAX_ROUNDS;
	double best = 0;

	open_pipeline(&pipeline, device);
	for (unsigned i = 0; i <= num_rounds; i++) {
		double times[4];
		double sum = 0;

		for (unsigned turn = 0; turn < 4; turn++) {
			unsigned way = (i + turn) % 4; /* none is always the first */

			times[way] = run(&pipeline, way >= 2, way % 2 == 1);
			sum += times[way];
		}
		unsigned round = i > 0 ? i - 1 : 0;
		rounds[round] = sum;
		for (unsigned way = 0; way < 4; way++)
			shares[way][round] = times[way] / sum;
	}
	for (unsigned way = 0; way < 4; way++) {
		numbers[way + 1] = median(shares[way], num_rounds);
		best = way == 0 || numbers[way + 1] < best ? numbers[way + 1] : best;
	}
	for (unsigned way = 0; way < 4; way++)
		numbers[way + 1] /= best;
	numbers[0] = best * median(rounds, num_rounds) * 1e3 / pipeline.num_frames;
	close_pipeline(&pipeline);
}

const struct task_case pipeline_cases[] = {{"image pipeline",
					    {{"a frame, the best way", "ms", 0},
					     {"in-order queue / best", "", 1.03},
					     {"in-order queue a frame / best", "", 1.03},
					     {"out-of-order queue / best", "", 1.03},
					     {"out-of-order queue a frame / best", "", 1.03}},
					    measure},
					   {0}};
