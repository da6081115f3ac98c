/* SPDX-License-Identifier: MIT
 *
 * Command buffers of several queues (cl_khr_command_buffer_multi_device): their order, their events, and every error but those of
 * copies.
 */
#include "device_queues.h"

#include "alloc.h"

#include <pthread.h>

/* ---- order ----------------------------------------------------------------------------------- */

static void devices_work_in_turns(void **state)
{
	cl_mem first = zeros(), second = zeros();
	cl_command_buffer_khr buffer = record_round(m->queues, first, second);

	(void)state;
	for (int turn = 0; turn < 3; turn++) {
		command_buffer_run(buffer);
		expect(first, 7 + NUM_DEVICES);
		expect(second, 7 + NUM_DEVICES);
		memories_add(m, PTHREAD, second, 1, NULL, NULL);
		assert_int_equal(clFinish(m->queues[PTHREAD]), CL_SUCCESS);
	}
	command_buffer_release(buffer);
	assert_int_equal(clReleaseMemObject(first), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(second), CL_SUCCESS);
}

/* Commands of one queue in order follow each other; a barrier without a wait list follows all; queues without an order do as well
 * in place of those that it was recorded for. */
static void queues_have_their_order(void **state)
{
	cl_command_queue queues[2] = {m->queues[PTHREAD], m->queues[APART]};
	cl_command_queue others[2];
	cl_mem mems[2] = {zeros(), zeros()};
	cl_command_buffer_khr buffer = command_buffer_on(2, queues, 0);

	(void)state;
	for (int i = 0; i < 2; i++) {
		others[i] = fixture_queue(m->context, m->devices[i ? APART : PTHREAD],
					  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
		for (int k = 0; k < 5; k++)
			record_add(buffer, queues[i], mems[i], 1, 0);
	}
	assert_int_equal(
		ext.clCommandBarrierWithWaitListKHR(buffer, queues[0], NULL, 0, NULL, NULL, NULL),
		CL_SUCCESS);
	record_copy(buffer, queues[0], mems[1], mems[0], 0);
	command_buffer_finalize(buffer);
	for (cl_uint turn = 1; turn <= 4; turn++) {
		cl_command_queue *list = turn % 2 ? queues : others;
		cl_event event;

		assert_int_equal(ext.clEnqueueCommandBufferKHR(2, list, buffer, 0, NULL, &event),
				 CL_SUCCESS);
		assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
		assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
		expect(mems[0], 5 * turn);
		expect(mems[1], 5 * turn);
	}
	command_buffer_release(buffer);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(clReleaseCommandQueue(others[i]), CL_SUCCESS);
		assert_int_equal(clReleaseMemObject(mems[i]), CL_SUCCESS);
	}
}

enum { THREADS = 3, SUBMISSIONS = 40 };

static void *enqueue_often(void *buffer)
{
	intptr_t errors = 0;

	for (int i = 0; i < SUBMISSIONS; i++)
		errors +=
			ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL) != CL_SUCCESS;
	return (void *)errors;
}

/* Queues in order run the submissions of several threads one after the other, whatever waits for what in between. */
static void threads_enqueue_at_once(void **state)
{
	cl_command_queue queues[2] = {m->queues[PTHREAD], m->queues[BASIC]};
	cl_mem mems[2] = {zeros(), zeros()};
	cl_command_buffer_khr buffer =
		command_buffer_on(2, queues, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
	cl_sync_point_khr point = 0;
	pthread_t threads[THREADS];

	(void)state;
	for (int i = 0; i < 4; i++)
		point = record_add(buffer, queues[i % 2], mems[i % 2], 1, point);
	command_buffer_finalize(buffer);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, enqueue_often, buffer), 0);
	for (int i = 0; i < THREADS; i++) {
		void *errors;

		assert_int_equal(pthread_join(threads[i], &errors), 0);
		assert_null(errors);
	}
	for (int i = 0; i < 2; i++) {
		assert_int_equal(clFinish(queues[i]), CL_SUCCESS);
		expect(mems[i], 2 * THREADS * SUBMISSIONS);
		assert_int_equal(clReleaseMemObject(mems[i]), CL_SUCCESS);
	}
	command_buffer_release(buffer);
}

static cl_ulong time_of(cl_event event, cl_profiling_info which)
{
	cl_ulong time = 0;

	assert_int_equal(clGetEventProfilingInfo(event, which, sizeof(time), &time, NULL),
			 CL_SUCCESS);
	return time;
}

/* The event is of no queue. Its times are there if one of the queues takes them. */
static void one_event_stands_for_all(void **state)
{
	cl_command_queue queues[2] = {m->queues[FIRST], fixture_queue(m->context, m->devices[BASIC],
								      CL_QUEUE_PROFILING_ENABLE)};
	cl_mem mem = zeros();
	cl_command_buffer_khr buffer = command_buffer_on(2, queues, 0);
	cl_command_queue queue = queues[0];
	cl_command_type type = 0;
	cl_event gate = clCreateUserEvent(m->context, NULL);
	cl_event event;

	(void)state;
	record_add(buffer, queues[1], mem, 3, record_add(buffer, queues[0], mem, 2, 0));
	command_buffer_finalize(buffer);
	assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, &event),
			 CL_SUCCESS);
	assert_true(fixture_status(event) > CL_COMPLETE);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	expect(mem, 5);
	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue, NULL),
			 CL_SUCCESS);
	assert_null(queue);
	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL),
			 CL_SUCCESS);
	assert_int_equal(type, CL_COMMAND_COMMAND_BUFFER_KHR);
	assert_true(time_of(event, CL_PROFILING_COMMAND_QUEUED) <=
		    time_of(event, CL_PROFILING_COMMAND_SUBMIT));
	assert_true(time_of(event, CL_PROFILING_COMMAND_SUBMIT) <=
		    time_of(event, CL_PROFILING_COMMAND_START));
	assert_true(time_of(event, CL_PROFILING_COMMAND_START) <
		    time_of(event, CL_PROFILING_COMMAND_END));
	fixture_release_events((const cl_event[]){gate, event, NULL});
	command_buffer_release(buffer);
	assert_int_equal(clReleaseCommandQueue(queues[1]), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* Nothing is run after an error; an empty command buffer passes it on as well. */
static void errors_go_along(void **state)
{
	cl_mem mem = zeros();
	cl_command_buffer_khr buffers[2] = {command_buffer_on(2, m->queues, 0),
					    command_buffer_on(2, m->queues, 0)};

	(void)state;
	record_add(buffers[0], m->queues[1], mem, 3,
		   record_add(buffers[0], m->queues[0], mem, 2, 0));
	for (int i = 0; i < 2; i++) {
		cl_event gate = clCreateUserEvent(m->context, NULL);
		cl_event event;

		command_buffer_finalize(buffers[i]);
		assert_int_equal(
			ext.clEnqueueCommandBufferKHR(0, NULL, buffers[i], 1, &gate, &event),
			CL_SUCCESS);
		assert_int_equal(clSetUserEventStatus(gate, -42), CL_SUCCESS);
		assert_int_equal(clWaitForEvents(1, &event),
				 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
		fixture_release_events((const cl_event[]){gate, event, NULL});
		command_buffer_release(buffers[i]);
	}
	expect(mem, 0);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* ---- errors and queries ---------------------------------------------------------------------- */

static cl_int create_error(cl_uint count, const cl_command_queue *queues,
			   cl_command_buffer_flags_khr flags)
{
	const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags,
							       0};
	cl_int err = CL_SUCCESS;
	cl_command_buffer_khr buffer =
		ext.clCreateCommandBufferKHR(count, queues, properties, &err);

	if (buffer)
		command_buffer_release(buffer);
	return err;
}

static void recordings_check_their_queue(void **state)
{
	cl_command_queue three[] = {m->queues[0], m->queues[1], m->queues[2]};
	cl_command_queue turned[] = {three[1], three[0]};
	cl_command_queue wrong[] = {three[0], (cl_command_queue)m->context};
	cl_command_buffer_khr buffer = command_buffer_on(2, three, 0);
	cl_command_queue list[2];
	cl_uint count;
	size_t size;

	(void)state;
#define BARRIER(queue) ext.clCommandBarrierWithWaitListKHR(buffer, queue, NULL, 0, NULL, NULL, NULL)
	assert_int_equal(BARRIER(NULL), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(BARRIER(three[2]), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(BARRIER(wrong[1]), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(BARRIER(three[1]), CL_SUCCESS);
#undef BARRIER
	assert_int_equal(ext.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR,
						       sizeof(count), &count, NULL),
			 CL_SUCCESS);
	assert_int_equal(count, 2);
	assert_int_equal(ext.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_QUEUES_KHR,
						       sizeof(list), list, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(list));
	assert_memory_equal(list, three, sizeof(list));
	command_buffer_finalize(buffer);
#define ENQUEUE(n, queues) ext.clEnqueueCommandBufferKHR(n, queues, buffer, 0, NULL, NULL)
	assert_int_equal(ENQUEUE(1, three), CL_INVALID_VALUE);
	assert_int_equal(ENQUEUE(3, three), CL_INVALID_VALUE);
	assert_int_equal(ENQUEUE(2, NULL), CL_INVALID_VALUE);
	assert_int_equal(ENQUEUE(2, wrong), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(ENQUEUE(2, turned), CL_INVALID_DEVICE);
	assert_int_equal(ENQUEUE(2, three), CL_SUCCESS);
#undef ENQUEUE
	command_buffer_release(buffer);
	/* "natively": those of one device */
	three[1] = three[2];
	assert_int_equal(create_error(2, three + 1, CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR),
			 CL_SUCCESS);
	assert_int_equal(create_error(2, three, CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR),
			 CL_INCOMPATIBLE_COMMAND_QUEUE_KHR);
}

static void queries(void **state)
{
	cl_platform_id platform;
	cl_bitfield bits = 0;

	(void)state;
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	assert_int_equal(clGetPlatformInfo(platform, CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR,
					   sizeof(bits), &bits, NULL),
			 CL_SUCCESS);
	assert_int_equal(bits, 7);
	for (int i = 0; i < NUM_DEVICES; i++) {
		cl_device_id device = NULL;
		cl_uint count = 7;
		size_t size;

		assert_int_equal(clGetDeviceInfo(m->devices[i],
						 CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR,
						 sizeof(count), &count, NULL),
				 CL_SUCCESS);
		assert_int_equal(count, 1);
		assert_int_equal(clGetDeviceInfo(m->devices[i],
						 CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR,
						 sizeof(device), &device, &size),
				 CL_SUCCESS);
		assert_int_equal(size, sizeof(device));
		assert_ptr_equal(device, m->devices[i]);
	}
}

/* Every allocation of a submission, and of a copy, fails once. */
static void without_memory(void **state)
{
	cl_mem first = zeros(), second = zeros();
	cl_command_buffer_khr buffer = record_round(m->queues, first, second);

	(void)state;
	for (int copies = 0; copies < 2; copies++) {
		bool failed = true;

		for (long successes = 0; failed; successes++) {
			cl_command_buffer_khr copy = NULL;
			cl_int err;

			weft_alloc_fail_after(successes);
			if (copies)
				copy = ext.clRemapCommandBufferKHR(
					buffer, CL_TRUE, 1, &m->queues[APART], 0, NULL, NULL, &err);
			else
				err = ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL);
			failed = weft_alloc_has_failed();
			weft_alloc_fail_after(-1);
			assert_true(err == CL_SUCCESS || failed);
			for (int i = 0; i < NUM_DEVICES; i++)
				assert_int_equal(clFinish(m->queues[i]), CL_SUCCESS);
			if (copy)
				command_buffer_release(copy);
		}
	}
	command_buffer_run(buffer);
	expect(second, 7 + NUM_DEVICES);
	command_buffer_release(buffer);
	assert_int_equal(clReleaseMemObject(first), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(second), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_work_in_turns),
		cmocka_unit_test(queues_have_their_order),
		cmocka_unit_test(threads_enqueue_at_once),
		cmocka_unit_test(one_event_stands_for_all),
		cmocka_unit_test(errors_go_along),
		cmocka_unit_test(recordings_check_their_queue),
		cmocka_unit_test(queries),
		cmocka_unit_test(without_memory),
	};

	return cmocka_run_group_tests(tests, device_queues_set_up, memories_tear_down);
}
