/* SPDX-License-Identifier: MIT
 *
 * Accelerators that share a memory run chains and pipelines of kernels by themselves: the host has something to do at the
 * ends, however long they are. Everything is enqueued behind a user event, so nothing depends on which thread is faster.
 */
#include "compiled_fixture.h"
#include "described_context.h"

#include "device/device.h"
#include "driver/stats.h"
#include "migration/migration.h"

enum { DEVICES = 3, LENGTH = 1000 };

struct domain {
	cl_device_id devices[DEVICES];
	cl_context context;
	cl_kernel step;  /* (buffer, value): buffer[i] = buffer[i] * 3 + value */
	cl_kernel stage; /* see below */
};

static const char source[] =
	"kernel void step(global uint *data, uint value) {\n"
	"  size_t i = get_global_id(0);\n"
	"  data[i] = data[i] * 3 + value;\n"
	"}\n"
	/* One work-item: says that it has begun, waits until another stage has done so, and adds one to the frame. */
	"kernel void stage(global const uint *in, global uint *out, uint count,\n"
	"                  volatile global atomic_uint *begun, uint own, uint other) {\n"
	"  atomic_store(begun + own, 1u);\n"
	"  while (atomic_load(begun + other) == 0u) ;\n"
	"  for (uint i = 0; i < count; i++) out[i] = in[i] + 1;\n"
	"}\n";

static int set_up(void **state)
{
	static struct domain d;
	cl_int err;

	compiled_options();
	d.context = described_context("accel", "memory=m;memory=m;memory=m", DEVICES, d.devices);
	cl_program program = compiled_program(d.context, source, "-cl-std=CL3.0");
	d.step = clCreateKernel(program, "step", &err);
	assert_int_equal(err, CL_SUCCESS);
	d.stage = clCreateKernel(program, "stage", &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	*state = &d;
	return 0;
}

static int tear_down(void **state)
{
	struct domain *d = *state;

	assert_int_equal(clReleaseKernel(d->step), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(d->stage), CL_SUCCESS);
	assert_int_equal(clReleaseContext(d->context), CL_SUCCESS);
	return 0;
}

static cl_command_queue new_queue(struct domain *d, int device,
				  cl_command_queue_properties properties)
{
	return fixture_queue(d->context, d->devices[device], properties);
}

static cl_mem new_buffer(struct domain *d, size_t words)
{
	cl_mem mem = clCreateBuffer(d->context, 0, words * sizeof(cl_uint), NULL, NULL);

	assert_non_null(mem);
	return mem;
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	assert_int_equal(clSetKernelArg(kernel, index, size, value), CL_SUCCESS);
}

static void launch(cl_command_queue queue, cl_kernel kernel, size_t items, cl_event wait,
		   cl_event *event)
{
	assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, wait != NULL,
						wait ? &wait : NULL, event),
			 CL_SUCCESS);
}

static struct accel_stats stats_of(struct domain *d, int device)
{
	return accel_stats_read(d->devices[device]->impl);
}

/* What all devices together have done since. */
static struct accel_stats since(struct domain *d, const struct accel_stats before[DEVICES])
{
	struct accel_stats sum = {0};

	for (int i = 0; i < DEVICES; i++) {
		struct accel_stats now = stats_of(d, i);

		sum.commands += now.commands - before[i].commands;
		sum.handovers += now.handovers - before[i].handovers;
		sum.interventions += now.interventions - before[i].interventions;
		sum.followed += now.followed - before[i].followed;
		sum.uploads += now.uploads - before[i].uploads;
	}
	return sum;
}

static void read_all(struct domain *d, struct accel_stats stats[DEVICES])
{
	for (int i = 0; i < DEVICES; i++)
		stats[i] = stats_of(d, i);
}

/* ---- a chain --------------------------------------------------------------------------------- */

enum { WORDS = 64 };

struct chain {
	cl_command_queue queues[2];
	cl_mem mem;
	cl_event gate;
	cl_event events[LENGTH];
};

/* Kernels on two devices in turn, each behind the one before. */
static void begin_chain(struct domain *d, struct chain *chain,
			cl_command_queue_properties properties)
{
	const cl_uint zero = 0;

	for (int i = 0; i < 2; i++)
		chain->queues[i] = new_queue(d, i, properties);
	chain->mem = new_buffer(d, WORDS);
	assert_int_equal(clEnqueueFillBuffer(chain->queues[0], chain->mem, &zero, sizeof(zero), 0,
					     WORDS * sizeof(zero), 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(chain->queues[0]), CL_SUCCESS);
	chain->gate = clCreateUserEvent(d->context, NULL);
	set(d->step, 0, sizeof(cl_mem), &chain->mem);
	for (cl_uint i = 0; i < LENGTH; i++) {
		set(d->step, 1, sizeof(i), &i);
		launch(chain->queues[i % 2], d->step, WORDS, i ? chain->events[i - 1] : chain->gate,
		       &chain->events[i]);
	}
}

static void end_chain(struct chain *chain, cl_uint expected)
{
	cl_uint words[WORDS];

	for (int i = 0; i < 2; i++)
		assert_int_equal(clFinish(chain->queues[i]), CL_SUCCESS);
	assert_int_equal(clEnqueueReadBuffer(chain->queues[1], chain->mem, CL_TRUE, 0,
					     sizeof(words), words, 0, NULL, NULL),
			 CL_SUCCESS);
	for (int i = 0; i < WORDS; i++)
		assert_int_equal(words[i], expected);
	for (int i = 0; i < LENGTH; i++)
		assert_int_equal(clReleaseEvent(chain->events[i]), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(chain->gate), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(chain->mem), CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		assert_int_equal(clReleaseCommandQueue(chain->queues[i]), CL_SUCCESS);
}

static cl_int status_of(cl_event event)
{
	cl_int status;

	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
					&status, NULL),
			 CL_SUCCESS);
	return status;
}

/* Each begins, in simulated time, when the one before has ended, and takes as long; but for fractions of nanoseconds. */
static void check_times(const struct chain *chain)
{
	const cl_ulong first = fixture_time(chain->events[0], CL_PROFILING_COMMAND_START);
	const cl_ulong last = fixture_time(chain->events[LENGTH - 1], CL_PROFILING_COMMAND_END);
	const cl_ulong each = fixture_time(chain->events[0], CL_PROFILING_COMMAND_END) - first;

	for (int i = 1; i < LENGTH; i++)
		assert_int_equal(fixture_time(chain->events[i], CL_PROFILING_COMMAND_START),
				 fixture_time(chain->events[i - 1], CL_PROFILING_COMMAND_END));
	assert_true(last - first >= each * LENGTH && last - first <= (each + 1) * LENGTH);
}

static void chains_need_the_host_at_their_ends(void **state)
{
	struct domain *d = *state;
	static const cl_command_queue_properties kinds[] = {
		0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE};
	static struct chain chain;
	cl_uint expected = 0;

	for (cl_uint i = 0; i < LENGTH; i++)
		expected = expected * 3 + i;
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		struct accel_stats before[DEVICES];

		begin_chain(d, &chain, kinds[kind]);
		read_all(d, before);
		assert_int_equal(clSetUserEventStatus(chain.gate, CL_COMPLETE), CL_SUCCESS);
		assert_int_equal(clWaitForEvents(1, &chain.events[LENGTH - 1]), CL_SUCCESS);
		const struct accel_stats all = since(d, before);
		assert_int_equal(all.commands, LENGTH);
		assert_int_equal(all.interventions, 2); /* the devices, at once */
		assert_int_equal(all.handovers, 2);
		/* the kernel is new to both devices, once */
		assert_int_equal(all.uploads, kind == 0 ? 2 : 0);
		if (kinds[kind] & CL_QUEUE_PROFILING_ENABLE)
			check_times(&chain);
		for (int i = 0; i < LENGTH;
		     i++) /* no thread sees an end before that of what is before it */
			assert_int_equal(status_of(chain.events[i]), CL_COMPLETE);
		end_chain(&chain, expected);
	}
}

/* The first one's failure is passed on by way of the slots. */
static void failures_pass_along(void **state)
{
	struct domain *d = *state;
	static struct chain chain;
	struct accel_stats before[DEVICES];

	begin_chain(d, &chain, 0);
	read_all(d, before);
	assert_int_equal(clSetUserEventStatus(chain.gate, -5), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &chain.events[LENGTH - 1]),
			 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_true(since(d, before).interventions <= 4);
	for (int i = 0; i < LENGTH; i++)
		assert_int_equal(status_of(chain.events[i]),
				 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	end_chain(&chain, 0);
}

/* What a command that is not run would have overwritten stays, though it has been handed over before. */
static void what_is_not_run_overwrites_nothing(void **state)
{
	struct domain *d = *state;
	cl_command_queue queues[2] = {new_queue(d, 0, 0), new_queue(d, 1, 0)};
	cl_mem other = new_buffer(d, WORDS);
	cl_mem mem = new_buffer(d, WORDS);
	cl_event gate = clCreateUserEvent(d->context, NULL);
	const cl_uint zero = 0;
	cl_uint got[2] = {0, 0};
	cl_event first;
	cl_event second;
	cl_int err;

	cl_uint *words = clEnqueueMapBuffer(queues[1], mem, CL_TRUE, CL_MAP_WRITE, 0,
					    WORDS * sizeof(cl_uint), 0, NULL, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	for (cl_uint i = 0; i < WORDS; i++) /* on the host, and nowhere else */
		words[i] = i + 1;
	assert_int_equal(clEnqueueUnmapMemObject(queues[1], mem, words, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clFinish(queues[1]), CL_SUCCESS);
	set(d->step, 0, sizeof(cl_mem), &other);
	set(d->step, 1, sizeof(zero), &zero);
	launch(queues[0], d->step, WORDS, gate, &first);
	assert_int_equal(clEnqueueFillBuffer(queues[1], mem, &zero, sizeof(zero), 0,
					     WORDS * sizeof(zero), 1, &first, &second),
			 CL_SUCCESS);
	assert_int_equal(clSetUserEventStatus(gate, -5), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(
		clEnqueueReadBuffer(queues[1], mem, CL_TRUE, 4, sizeof(got), got, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(got[0], 2);
	assert_int_equal(got[1], 3);
	assert_int_equal(clReleaseEvent(first), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(second), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(other), CL_SUCCESS);
	for (int i = 0; i < 2; i++)
		assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
}

/* ---- a pipeline ------------------------------------------------------------------------------ */

enum { FRAMES = 40, FRAME = 100 };

struct pipeline {
	cl_command_queue queues[DEVICES];
	cl_mem buffers[DEVICES + 1][2]; /* between the stages, in turn */
	cl_mem begun;                   /* a word for each stage of each frame */
	cl_event events[FRAMES][DEVICES];
	cl_uint in[FRAMES][FRAME];
	cl_uint out[FRAMES][FRAME];
};

static cl_uint place_of(int frame, int stage)
{
	return (cl_uint)(frame * DEVICES + stage);
}

/* It goes on when the stage before it has begun with the next frame: so the stages have to overlap. */
static void enqueue_stage(struct domain *d, struct pipeline *p, int frame, int stage)
{
	const cl_uint own = place_of(frame, stage);
	const bool waits = stage > 0 && frame + 1 < FRAMES;
	const cl_uint other = waits ? place_of(frame + 1, stage - 1) : own;
	const cl_uint count = FRAME;
	const size_t one = 1;
	cl_event list[2];
	cl_uint length = 0;

	if (stage > 0)
		list[length++] = p->events[frame][stage - 1];
	if (stage + 1 < DEVICES && frame >= 2) /* the command that reads what is overwritten */
		list[length++] = p->events[frame - 2][stage + 1];
	set(d->stage, 0, sizeof(cl_mem), &p->buffers[stage][frame % 2]);
	set(d->stage, 1, sizeof(cl_mem), &p->buffers[stage + 1][frame % 2]);
	set(d->stage, 2, sizeof(count), &count);
	set(d->stage, 3, sizeof(cl_mem), &p->begun);
	set(d->stage, 4, sizeof(own), &own);
	set(d->stage, 5, sizeof(other), &other);
	assert_int_equal(clEnqueueNDRangeKernel(p->queues[stage], d->stage, 1, NULL, &one, NULL,
						length, length ? list : NULL,
						&p->events[frame][stage]),
			 CL_SUCCESS);
}

static void enqueue_frame(struct domain *d, struct pipeline *p, int frame, cl_event gate)
{
	assert_int_equal(clEnqueueWriteBuffer(p->queues[0], p->buffers[0][frame % 2], CL_FALSE, 0,
					      sizeof(p->in[frame]), p->in[frame], frame == 0,
					      frame == 0 ? &gate : NULL, NULL),
			 CL_SUCCESS);
	for (int stage = 0; stage < DEVICES; stage++)
		enqueue_stage(d, p, frame, stage);
	assert_int_equal(clEnqueueReadBuffer(p->queues[DEVICES - 1], p->buffers[DEVICES][frame % 2],
					     CL_FALSE, 0, sizeof(p->out[frame]), p->out[frame], 0,
					     NULL, NULL),
			 CL_SUCCESS);
}

static void begin_pipeline(struct domain *d, struct pipeline *p)
{
	const cl_uint zero = 0;

	for (int i = 0; i < DEVICES; i++)
		p->queues[i] = new_queue(d, i, 0);
	for (int i = 0; i <= DEVICES; i++)
		for (int k = 0; k < 2; k++)
			p->buffers[i][k] = new_buffer(d, FRAME);
	p->begun = new_buffer(d, (size_t)FRAMES * DEVICES);
	assert_int_equal(clEnqueueFillBuffer(p->queues[0], p->begun, &zero, sizeof(zero), 0,
					     sizeof(cl_uint) * FRAMES * DEVICES, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(p->queues[0]), CL_SUCCESS);
	for (cl_uint i = 0; i < FRAMES; i++)
		for (cl_uint k = 0; k < FRAME; k++)
			p->in[i][k] = i * 1000 + k;
}

static void end_pipeline(struct pipeline *p)
{
	for (int i = 0; i < FRAMES * DEVICES; i++)
		assert_int_equal(clReleaseEvent(p->events[i / DEVICES][i % DEVICES]), CL_SUCCESS);
	for (int i = 0; i <= DEVICES; i++)
		for (int k = 0; k < 2; k++)
			assert_int_equal(clReleaseMemObject(p->buffers[i][k]), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(p->begun), CL_SUCCESS);
	for (int i = 0; i < DEVICES; i++)
		assert_int_equal(clReleaseCommandQueue(p->queues[i]), CL_SUCCESS);
}

static void pipelines_overlap_without_the_host(void **state)
{
	struct domain *d = *state;
	static struct pipeline p;
	struct accel_stats before[DEVICES];
	cl_event gate = clCreateUserEvent(d->context, NULL);

	begin_pipeline(d, &p);
	for (int frame = 0; frame < FRAMES; frame++)
		enqueue_frame(d, &p, frame, gate);
	read_all(d, before);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clFinish(p.queues[DEVICES - 1]), CL_SUCCESS);
	const struct accel_stats all = since(d, before);
	assert_int_equal(all.commands, FRAMES * (DEVICES + 2));
	assert_true(all.interventions <= 6);
	for (int i = 0; i < FRAMES; i++)
		for (int k = 0; k < FRAME; k++)
			assert_int_equal(p.out[i][k], p.in[i][k] + DEVICES);
	end_pipeline(&p);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
}

/* ---- the host's memory ----------------------------------------------------------------------- */

static void enqueue_meeting(struct domain *d, cl_command_queue queue, cl_mem in, cl_mem out,
			    cl_mem begun, cl_uint own)
{
	const cl_uint other = 1 - own;
	const cl_uint count = FRAME;

	set(d->stage, 0, sizeof(in), &in);
	set(d->stage, 1, sizeof(out), &out);
	set(d->stage, 2, sizeof(count), &count);
	set(d->stage, 3, sizeof(begun), &begun);
	set(d->stage, 4, sizeof(own), &own);
	set(d->stage, 5, sizeof(other), &other);
	launch(queue, d->stage, 1, NULL, NULL);
	assert_int_equal(clFlush(queue), CL_SUCCESS);
}

static cl_mem filled_buffer(struct domain *d, cl_command_queue queue, cl_uint value)
{
	cl_mem mem = new_buffer(d, FRAME);

	assert_int_equal(clEnqueueFillBuffer(queue, mem, &value, sizeof(value), 0,
					     FRAME * sizeof(value), 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(queue), CL_SUCCESS);
	return mem;
}

/* What a device reads to where a buffer is mapped is the buffer's contents only when it has done so: nothing brings them
 * to a device before. */
static void mapped_memory_is_read_to(void **state)
{
	struct domain *d = *state;
	cl_command_queue queues[] = {new_queue(d, 0, 0), new_queue(d, 1, 0)};
	cl_mem begun = filled_buffer(d, queues[0], 0);
	cl_mem in = filled_buffer(d, queues[0], 6);
	cl_mem out[] = {new_buffer(d, FRAME), new_buffer(d, FRAME)};
	cl_mem mapped = new_buffer(d, FRAME);
	const size_t size = FRAME * sizeof(cl_uint);
	const cl_uint value = 5;
	cl_uint got[FRAME];

	cl_uint *words = clEnqueueMapBuffer(queues[0], mapped, CL_TRUE, CL_MAP_WRITE, 0, size, 0,
					    NULL, NULL, NULL);
	assert_non_null(words);
	memset(words, 0, size);
	const uint64_t before = weft_migration_num_transfers();
	enqueue_meeting(d, queues[0], in, out[0], begun, 0);
	assert_int_equal(
		clEnqueueReadBuffer(queues[0], out[0], CL_FALSE, 0, size, words, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clEnqueueUnmapMemObject(queues[0], mapped, words, 0, NULL, NULL),
			 CL_SUCCESS);
	set(d->step, 0, sizeof(mapped), &mapped);
	set(d->step, 1, sizeof(value), &value);
	launch(queues[0], d->step, FRAME, NULL, NULL);
	assert_int_equal(clFlush(queues[0]), CL_SUCCESS);
	assert_int_equal(weft_migration_num_transfers(), before);
	enqueue_meeting(d, queues[1], in, out[1], begun, 1);
	assert_int_equal(
		clEnqueueReadBuffer(queues[0], mapped, CL_TRUE, 0, size, got, 0, NULL, NULL),
		CL_SUCCESS);
	for (int i = 0; i < FRAME; i++)
		assert_int_equal(got[i], 7 * 3 + 5);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(clReleaseMemObject(out[i]), CL_SUCCESS);
		assert_int_equal(clFinish(queues[i]), CL_SUCCESS);
		assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
	}
	assert_int_equal(clReleaseMemObject(begun), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(in), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mapped), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_need_the_host_at_their_ends),
		cmocka_unit_test(failures_pass_along),
		cmocka_unit_test(what_is_not_run_overwrites_nothing),
		cmocka_unit_test(pipelines_overlap_without_the_host),
		cmocka_unit_test(mapped_memory_is_read_to),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
