/* SPDX-License-Identifier: MIT
 *
 * The rounds. Invariant: between rounds every element of a worker's first buffer is worker->value, and none of its
 * commands is in flight that could change that.
 */
#include "soak.h"

#include <stdio.h>
#include <stdlib.h>

#define CHAIN 200
#define FAN 50
#define BYTES (SOAK_ITEMS * sizeof(cl_int))

const char soak_source[] =
	"kernel void add(global int *numbers, int n) { numbers[get_global_id(0)] += n; }\n";

static uint64_t next_random(struct worker *worker)
{
	worker->random = worker->random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return worker->random >> 33;
}

static bool is(const char *what, cl_int found, cl_int wanted)
{
	if (found != wanted)
		fprintf(stderr, "soak: %s: %d, not %d\n", what, found, wanted);
	return found == wanted;
}

static bool well(const char *what, cl_int err)
{
	return is(what, err, CL_SUCCESS);
}

static bool launch(struct worker *worker, cl_command_queue queue, cl_int n, cl_event after,
		   cl_event *event)
{
	const size_t global = SOAK_ITEMS;

	atomic_fetch_add(&worker->commands, 1);
	return well("clSetKernelArg", clSetKernelArg(worker->add, 1, sizeof(n), &n)) &&
	       well("clEnqueueNDRangeKernel",
		    clEnqueueNDRangeKernel(queue, worker->add, 1, NULL, &global, NULL,
					   after ? 1 : 0, after ? &after : NULL, event));
}

/* Reads the first buffer, behind an event or none, and compares. */
static bool check(struct worker *worker, cl_command_queue queue, cl_event after)
{
	atomic_fetch_add(&worker->commands, 1);
	if (!well("clEnqueueReadBuffer",
		  clEnqueueReadBuffer(queue, worker->mems[0], CL_TRUE, 0, BYTES, worker->numbers,
				      after ? 1 : 0, after ? &after : NULL, NULL)))
		return false;
	return is("the first number", worker->numbers[0], worker->value) &&
	       is("the last number", worker->numbers[SOAK_ITEMS - 1], worker->value);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Kernels of several workers in one in-order queue. */
static bool in_order_round(struct worker *worker)
{
	for (int i = 0; i < CHAIN; i++) {
		if (!launch(worker, worker->soak->in_order, i, NULL, NULL))
			return false;
		worker->value += i;
	}
	return check(worker, worker->soak->in_order, NULL);
}

/* A chain by events, behind a user event that this thread sets when all is enqueued. */
static bool out_of_order_round(struct worker *worker)
{
	cl_command_queue queue = worker->soak->out_of_order;
	cl_event start = clCreateUserEvent(worker->soak->context, NULL);
	cl_event last = start;
	bool right = start != NULL;

	for (int i = 0; i < FAN && right; i++) {
		cl_event next = NULL;

		right = launch(worker, queue, 1, last, &next);
		if (last != start)
			clReleaseEvent(last);
		last = next;
		worker->value++;
	}
	right = right && well("clSetUserEventStatus", clSetUserEventStatus(start, CL_COMPLETE)) &&
		check(worker, queue, last);
	if (last && last != start)
		clReleaseEvent(last);
	if (start)
		clReleaseEvent(start);
	return right;
}

/* What waits for an event that ends with an error does not run. */
static bool failing_round(struct worker *worker)
{
	cl_event start = clCreateUserEvent(worker->soak->context, NULL);
	cl_event event = NULL;
	bool right = start && launch(worker, worker->soak->out_of_order, 1, start, &event) &&
		     well("clSetUserEventStatus", clSetUserEventStatus(start, -1)) &&
		     is("clWaitForEvents", clWaitForEvents(1, &event),
			CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);

	if (event)
		clReleaseEvent(event);
	if (start)
		clReleaseEvent(start);
	return right;
}

/* Writes, copies, fills, maps; some wait for their end, some do not. */
static bool transfer_round(struct worker *worker)
{
	cl_command_queue queue = worker->soak->in_order;
	cl_int value = (cl_int)next_random(worker);
	cl_int err = CL_SUCCESS;

	atomic_fetch_add(&worker->commands, 5);
	if (!well("clEnqueueFillBuffer",
		  clEnqueueFillBuffer(queue, worker->mems[1], &value, sizeof(value), 0, BYTES, 0,
				      NULL, NULL)) ||
	    !well("clEnqueueCopyBuffer",
		  clEnqueueCopyBuffer(queue, worker->mems[1], worker->mems[0], 0, 0, BYTES, 0, NULL,
				      NULL)))
		return false;
	cl_int *mapped =
		clEnqueueMapBuffer(queue, worker->mems[0], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
				   BYTES, 0, NULL, NULL, &err);
	if (!well("clEnqueueMapBuffer", err) || !is("what is mapped", mapped[0], value))
		return false;
	for (int i = 0; i < SOAK_ITEMS; i++)
		mapped[i]++;
	worker->value = value + 1;
	return well("clEnqueueUnmapMemObject",
		    clEnqueueUnmapMemObject(queue, worker->mems[0], mapped, 0, NULL, NULL)) &&
	       check(worker, queue, NULL);
}

static void CL_CALLBACK note_end(cl_event event, cl_int status, void *user_data)
{
	struct soak *soak = user_data;

	(void)status;
	clReleaseEvent(event); /* the reference that the round has left it */
	atomic_fetch_add(&soak->callbacks, 1);
}

static bool callback_round(struct worker *worker)
{
	for (int i = 0; i < FAN; i++) {
		cl_event event = NULL;

		if (!launch(worker, worker->soak->in_order, 1, NULL, &event) ||
		    !well("clSetEventCallback",
			  clSetEventCallback(event, CL_COMPLETE, note_end, worker->soak)))
			return false;
		worker->value++;
	}
	return check(worker, worker->soak->in_order, NULL);
}

/* A queue, and sub-buffers, that are released while they are in use. */
static bool releasing_round(struct worker *worker)
{
	struct soak *soak = worker->soak;
	const cl_buffer_region region = {0, BYTES};
	const cl_queue_properties properties[] = {
		CL_QUEUE_PROPERTIES,
		next_random(worker) & 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
	cl_int err = CL_SUCCESS;
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(soak->context, soak->device, properties, &err);
	cl_event last = NULL;
	bool right = well("clCreateCommandQueueWithProperties", err);

	for (int i = 0; i < 10 && right; i++) {
		cl_mem part = clCreateSubBuffer(worker->mems[0], CL_MEM_READ_WRITE,
						CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
		cl_event next = NULL;

		right = well("clCreateSubBuffer", err) &&
			well("clSetKernelArg",
			     clSetKernelArg(worker->add, 0, sizeof(part), &part)) &&
			launch(worker, queue, 1, last, &next);
		if (part)
			clReleaseMemObject(part);
		if (last)
			clReleaseEvent(last);
		last = next;
		worker->value++;
	}
	if (queue)
		clReleaseCommandQueue(queue);
	right = well("clSetKernelArg",
		     clSetKernelArg(worker->add, 0, sizeof(cl_mem), &worker->mems[0])) &&
		right && check(worker, soak->out_of_order, last);
	if (last)
		clReleaseEvent(last);
	return right;
}

/* A program that was not built before, used once. */
static bool building_round(struct worker *worker)
{
	struct soak *soak = worker->soak;
	char source[256];
	const char *text = source;
	cl_kernel common = worker->add;
	cl_int err = CL_SUCCESS;

	cl_int factor = (cl_int)(next_random(worker) & 0xffffff);

	snprintf(source, sizeof(source),
		 "kernel void add(global int *numbers, int n) { numbers[get_global_id(0)] += n * "
		 "%d; }\n",
		 factor);
	cl_program program = clCreateProgramWithSource(soak->context, 1, &text, NULL, &err);
	if (!well("clCreateProgramWithSource", err) ||
	    !well("clBuildProgram", clBuildProgram(program, 0, NULL, "", NULL, NULL)))
		return false;
	worker->add = clCreateKernel(program, "add", &err);
	clReleaseProgram(program);
	atomic_fetch_add(&worker->builds, 1);
	bool right = well("clCreateKernel", err) &&
		     well("clSetKernelArg",
			  clSetKernelArg(worker->add, 0, sizeof(cl_mem), &worker->mems[0])) &&
		     launch(worker, soak->in_order, 1, NULL, NULL);
	worker->value += factor;
	if (worker->add)
		clReleaseKernel(worker->add);
	worker->add = common;
	return right && check(worker, soak->in_order, NULL);
}

/* ---- workers --------------------------------------------------------------------------------- */

bool worker_round(struct worker *worker)
{
	static bool (*const cheap[])(struct worker *) = {in_order_round, out_of_order_round,
							 failing_round,  transfer_round,
							 callback_round, releasing_round};
	uint64_t choice = next_random(worker) % 2000;

	/* all workers at once in the beginning, which takes the most memory */
	if (choice == 0 || atomic_load(&worker->builds) == 0)
		return building_round(worker);
	return cheap[choice % (sizeof(cheap) / sizeof(cheap[0]))](worker);
}

bool worker_open(struct worker *worker, struct soak *soak, uint64_t seed)
{
	cl_int err = CL_SUCCESS;

	*worker = (struct worker){.soak = soak, .random = seed};
	worker->numbers = calloc(SOAK_ITEMS, sizeof(cl_int));
	worker->add = clCreateKernel(soak->program, "add", &err);
	if (!worker->numbers || !well("clCreateKernel", err))
		return false;
	for (int i = 0; i < 2; i++) {
		worker->mems[i] = clCreateBuffer(soak->context, CL_MEM_COPY_HOST_PTR, BYTES,
						 worker->numbers, &err);
		if (!well("clCreateBuffer", err))
			return false;
	}
	return well("clSetKernelArg",
		    clSetKernelArg(worker->add, 0, sizeof(cl_mem), &worker->mems[0]));
}

void worker_close(struct worker *worker)
{
	for (int i = 0; i < 2; i++) {
		if (worker->mems[i])
			clReleaseMemObject(worker->mems[i]);
	}
	if (worker->add)
		clReleaseKernel(worker->add);
	free(worker->numbers);
}
