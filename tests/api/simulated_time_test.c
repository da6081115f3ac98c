/* SPDX-License-Identifier: MIT
 *
 * Profiling of accelerators: copies and fills, also recorded ones, of which it is known how long they take, on two
 * devices that share a memory. A cycle takes a nanosecond, a request 300 and one for 8 bytes. What is enqueued waits for
 * a user event, so all of it is handed over at once, and nothing depends on which thread is faster.
 */
#include "command_buffers.h"
#include "described_context.h"

enum { DEVICES = 2, BYTES = 8000, REQUEST = 300 + BYTES / 8, MOST = 8, ROUNDS = 5, PITCH = 4096 };

struct machine {
	cl_device_id devices[DEVICES];
	cl_context context;
	cl_command_queue queues[DEVICES]; /* out of order */
	cl_command_queue in_order;        /* of the first device */
	cl_mem mems[MOST];
	cl_event gate;
	cl_event events[MOST];
	cl_uint count;
};

static cl_command_queue new_queue(const struct machine *m, int device,
				  cl_command_queue_properties properties)
{
	return fixture_queue(m->context, m->devices[device],
			     CL_QUEUE_PROFILING_ENABLE | properties);
}

static int set_up(void **state)
{
	static struct machine m;

	m.context = described_context("accel", "memory=m,clock=1000;memory=m,clock=1000", DEVICES,
				      m.devices);
	command_buffers_find();
	for (int i = 0; i < DEVICES; i++)
		m.queues[i] = new_queue(&m, i, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	m.in_order = new_queue(&m, 0, 0);
	for (int i = 0; i < MOST; i++) {
		m.mems[i] = clCreateBuffer(m.context, 0, BYTES, NULL, NULL);
		assert_non_null(m.mems[i]);
	}
	*state = &m;
	return 0;
}

static int tear_down(void **state)
{
	const struct machine *m = *state;

	for (int i = 0; i < MOST; i++)
		assert_int_equal(clReleaseMemObject(m->mems[i]), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(m->in_order), CL_SUCCESS);
	for (int i = 0; i < DEVICES; i++)
		assert_int_equal(clReleaseCommandQueue(m->queues[i]), CL_SUCCESS);
	assert_int_equal(clReleaseContext(m->context), CL_SUCCESS);
	return 0;
}

static void begin(struct machine *m)
{
	m->gate = clCreateUserEvent(m->context, NULL);
	m->count = 0;
}

/* The newest command fills its own buffer, after one of the others or, with -1, the gate. */
static void fill_after(struct machine *m, cl_command_queue queue, int other)
{
	const cl_uint pattern = 7;
	const cl_event *wait = other < 0 ? &m->gate : &m->events[other];

	assert_int_equal(clEnqueueFillBuffer(queue, m->mems[m->count], &pattern, sizeof(pattern), 0,
					     BYTES, 1, wait, &m->events[m->count]),
			 CL_SUCCESS);
	m->count++;
}

/* The same for the device, not for this machine: bytes far from each other. */
static void copy_slowly(struct machine *m, cl_mem source)
{
	const size_t origin[3] = {0, 0, 0};
	const size_t region[3] = {1, BYTES, 1};

	assert_int_equal(clEnqueueCopyBufferRect(m->queues[0], source, m->mems[m->count], origin,
						 origin, region, PITCH, 0, 1, 0, 1, &m->gate,
						 &m->events[m->count]),
			 CL_SUCCESS);
	m->count++;
}

static void end(struct machine *m)
{
	assert_int_equal(clSetUserEventStatus(m->gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(m->count, m->events), CL_SUCCESS);
}

static void release(struct machine *m)
{
	for (cl_uint i = 0; i < m->count; i++)
		assert_int_equal(clReleaseEvent(m->events[i]), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(m->gate), CL_SUCCESS);
}

/* Starts are counted from the first command's. */
static void check(struct machine *m, const cl_ulong *starts)
{
	const cl_ulong first = fixture_time(m->events[0], CL_PROFILING_COMMAND_START);

	for (cl_uint i = 0; i < m->count; i++) {
		cl_ulong start = fixture_time(m->events[i], CL_PROFILING_COMMAND_START);
		cl_ulong submit = fixture_time(m->events[i], CL_PROFILING_COMMAND_SUBMIT);

		assert_int_equal(start - first, starts[i]);
		assert_int_equal(fixture_time(m->events[i], CL_PROFILING_COMMAND_END) - start,
				 REQUEST);
		assert_true(submit <= start);
		assert_true(fixture_time(m->events[i], CL_PROFILING_COMMAND_QUEUED) <= submit);
	}
	release(m);
}

/* What two channels cannot do at the same time waits for the first of them. */
static void channels_share_requests(void **state)
{
	struct machine *m = *state;

	for (int round = 0; round < ROUNDS; round++) {
		begin(m);
		for (int i = 0; i < 5; i++)
			fill_after(m, m->queues[0], -1);
		end(m);
		check(m, (const cl_ulong[]){0, 0, REQUEST, REQUEST, REQUEST * 2});
	}
}

static void followers_begin_when_others_have_ended(void **state)
{
	struct machine *m = *state;

	for (int round = 0; round < ROUNDS; round++) {
		begin(m);
		fill_after(m, m->queues[0], -1);
		fill_after(m, m->queues[1], 0);
		fill_after(m, m->queues[0], 1);
		fill_after(m, m->queues[1], 0);
		fill_after(m, m->queues[1], 3);
		end(m);
		check(m, (const cl_ulong[]){0, REQUEST, REQUEST * 2, REQUEST, REQUEST * 2});
	}
}

/* Two requests end at the same simulated time, here one long after the other. Three follow them, for two channels: it is the
 * same one that waits, whichever request is slow. */
static void order_does_not_depend_on_who_is_faster(void **state)
{
	enum { FIRST = 2, COUNT = 5 };
	struct machine *m = *state;
	cl_mem source = clCreateBuffer(m->context, 0, (size_t)PITCH * BYTES, NULL, NULL);
	cl_ulong starts[2][COUNT];

	assert_non_null(source);
	for (int slow = 0; slow < 2; slow++) {
		begin(m);
		for (int i = 0; i < FIRST; i++) {
			if (i == slow)
				copy_slowly(m, source);
			else
				fill_after(m, m->queues[0], -1);
		}
		fill_after(m, m->queues[0], 0);
		fill_after(m, m->queues[0], 1);
		fill_after(m, m->queues[0], 1);
		end(m);
		for (int i = FIRST; i < COUNT; i++)
			starts[slow][i] = fixture_time(m->events[i], CL_PROFILING_COMMAND_START) -
					  fixture_time(m->events[0], CL_PROFILING_COMMAND_START);
		release(m);
	}
	for (int i = FIRST; i < COUNT; i++)
		assert_int_equal(starts[0][i], starts[1][i]);
	assert_int_equal(clReleaseMemObject(source), CL_SUCCESS);
}

/* A queue in order that is profiled runs one command after the other. */
static void queue_in_order_is_serial(void **state)
{
	struct machine *m = *state;

	for (int round = 0; round < ROUNDS; round++) {
		begin(m);
		for (int i = 0; i < 3; i++)
			fill_after(m, m->in_order, -1);
		end(m);
		check(m, (const cl_ulong[]){0, REQUEST, REQUEST * 2});
	}
}

static cl_ulong timer_of(cl_device_id device)
{
	cl_ulong device_time = 0;
	cl_ulong host_time = 0;

	assert_int_equal(clGetDeviceAndHostTimer(device, &device_time, &host_time), CL_SUCCESS);
	return device_time;
}

/* A marker takes no time, and what is not run neither. */
static void timer_is_that_of_profiling(void **state)
{
	struct machine *m = *state;
	cl_event marker;

	begin(m);
	cl_ulong before = timer_of(m->devices[0]);
	fill_after(m, m->queues[0], -1);
	cl_ulong enqueued = timer_of(m->devices[0]);
	assert_int_equal(clEnqueueMarkerWithWaitList(m->queues[1], 1, &m->events[0], &marker),
			 CL_SUCCESS);
	end(m);
	assert_int_equal(clWaitForEvents(1, &marker), CL_SUCCESS);
	cl_ulong after = timer_of(m->devices[1]);
	cl_ulong queued = fixture_time(m->events[0], CL_PROFILING_COMMAND_QUEUED);
	cl_ulong ended = fixture_time(m->events[0], CL_PROFILING_COMMAND_END);

	assert_true(before <= queued && queued <= enqueued);
	assert_true(fixture_time(m->events[0], CL_PROFILING_COMMAND_START) >= enqueued);
	assert_true(ended <= after);
	assert_int_equal(fixture_time(marker, CL_PROFILING_COMMAND_START), ended);
	assert_int_equal(fixture_time(marker, CL_PROFILING_COMMAND_COMPLETE), ended);
	assert_int_equal(clReleaseEvent(marker), CL_SUCCESS);
	release(m);
}

/* Three fills, one after the other. */
static cl_command_buffer_khr recorded_fills(const struct machine *m)
{
	const cl_uint pattern = 7;
	cl_sync_point_khr points[3];
	cl_int err;
	cl_command_buffer_khr buffer = ext.clCreateCommandBufferKHR(1, &m->queues[0], NULL, &err);

	assert_int_equal(err, CL_SUCCESS);
	for (cl_uint i = 0; i < 3; i++)
		assert_int_equal(ext.clCommandFillBufferKHR(buffer, NULL, NULL, m->mems[i],
							    &pattern, sizeof(pattern), 0, BYTES,
							    i > 0, i > 0 ? &points[i - 1] : NULL,
							    &points[i], NULL),
				 CL_SUCCESS);
	assert_int_equal(ext.clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
	return buffer;
}

/* From the start of its first command to the end of its last one; each submission follows the one before. */
static void command_buffers_take_as_long_as_their_commands(void **state)
{
	struct machine *m = *state;
	cl_command_buffer_khr buffer = recorded_fills(m);
	cl_ulong last_end = 0;

	begin(m);
	for (; m->count < 3; m->count++)
		assert_int_equal(ext.clEnqueueCommandBufferKHR(
					 0, NULL, buffer, 1,
					 m->count == 0 ? &m->gate : &m->events[m->count - 1],
					 &m->events[m->count]),
				 CL_SUCCESS);
	end(m);
	for (cl_uint i = 0; i < m->count; i++) {
		cl_ulong start = fixture_time(m->events[i], CL_PROFILING_COMMAND_START);
		cl_ulong submit = fixture_time(m->events[i], CL_PROFILING_COMMAND_SUBMIT);

		assert_true(fixture_time(m->events[i], CL_PROFILING_COMMAND_QUEUED) <= submit);
		assert_true(submit <= start && last_end <= start);
		last_end = fixture_time(m->events[i], CL_PROFILING_COMMAND_END);
		assert_int_equal(last_end - start, 3 * REQUEST);
	}
	release(m);
	assert_int_equal(ext.clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(channels_share_requests),
		cmocka_unit_test(followers_begin_when_others_have_ended),
		cmocka_unit_test(order_does_not_depend_on_who_is_faster),
		cmocka_unit_test(queue_in_order_is_serial),
		cmocka_unit_test(timer_is_that_of_profiling),
		cmocka_unit_test(command_buffers_take_as_long_as_their_commands),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
