/* SPDX-License-Identifier: MIT
 *
 * Semaphores (cl_khr_semaphore): which wait is for which signal, their order, what they say of themselves, and every code of a
 * wrong argument.
 */
#include "semaphores.h"

#include <pthread.h>

static cl_event user_event(struct fixture *f)
{
	cl_event event = clCreateUserEvent(f->context, NULL);

	assert_non_null(event);
	return event;
}

static void end(cl_event user, cl_int status)
{
	assert_int_equal(clSetUserEventStatus(user, status), CL_SUCCESS);
}

static void expect_end(cl_event event, cl_int status)
{
	(void)clWaitForEvents(1, &event);
	assert_int_equal(fixture_status(event), status);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Whichever of the two is enqueued first, in the same queue or in another one. */
static void a_wait_ends_after_its_signal(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr semaphore = semaphore_new(f->context);
	cl_command_queue queues[] = {f->out_of_order, f->queue};

	for (int i = 0; i < 4; i++) {
		cl_event user = user_event(f);
		bool signal_first = i % 2;
		cl_event signal =
			signal_first ? semaphore_signal(queues[i / 2], semaphore, user) : NULL;
		cl_event wait = semaphore_wait(f->out_of_order, semaphore);

		if (!signal_first)
			signal = semaphore_signal(queues[i / 2], semaphore, user);
		assert_int_equal(clFlush(f->out_of_order), CL_SUCCESS);
		assert_true(fixture_status(wait) > CL_COMPLETE);
		assert_true(fixture_status(signal) > CL_COMPLETE);
		end(user, CL_COMPLETE);
		expect_end(wait, CL_COMPLETE);
		assert_int_equal(fixture_status(signal), CL_COMPLETE);
		fixture_release_events((const cl_event[]){user, signal, wait, NULL});
	}
	semaphore_release(semaphore);
}

/* The first wait is for the first signal, though the second one comes first: so a semaphore is signalled again as soon as its wait
 * has been enqueued. */
static void waits_are_for_signals_in_the_order_of_the_enqueues(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr semaphore = semaphore_new(f->context);

	for (int waits_first = 0; waits_first < 2; waits_first++) {
		cl_event users[] = {user_event(f), user_event(f)};
		cl_event signals[2];
		cl_event waits[2];

		for (int i = 0; i < 2; i++) {
			if (waits_first)
				waits[i] = semaphore_wait(f->out_of_order, semaphore);
			else
				signals[i] = semaphore_signal(f->out_of_order, semaphore, users[i]);
		}
		for (int i = 0; i < 2; i++) {
			if (waits_first)
				signals[i] = semaphore_signal(f->out_of_order, semaphore, users[i]);
			else
				waits[i] = semaphore_wait(f->out_of_order, semaphore);
		}
		end(users[1], CL_COMPLETE);
		expect_end(waits[1], CL_COMPLETE);
		assert_true(fixture_status(waits[0]) > CL_COMPLETE);
		end(users[0], CL_COMPLETE);
		expect_end(waits[0], CL_COMPLETE);
		fixture_release_events((const cl_event[]){users[0], users[1], NULL});
		for (int i = 0; i < 2; i++)
			fixture_release_events((const cl_event[]){signals[i], waits[i], NULL});
	}
	semaphore_release(semaphore);
}

/* What is enqueued behind a wait in an in-order queue comes after the signal, and a wait waits for its wait list as well. */
static void queues_keep_their_order(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr pair[] = {semaphore_new(f->context), semaphore_new(f->context)};
	cl_event users[] = {user_event(f), user_event(f)};
	const cl_int numbers[] = {1, 2};
	cl_mem mem = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, sizeof(numbers[0]),
				    (void *)(uintptr_t)&numbers[0]);
	cl_int number = 0;
	cl_event wait;
	cl_event read;

	assert_int_equal(semaphores.wait(f->queue, 2, pair, NULL, 1, &users[0], &wait), CL_SUCCESS);
	assert_int_equal(clEnqueueReadBuffer(f->queue, mem, CL_FALSE, 0, sizeof(number), &number, 0,
					     NULL, &read),
			 CL_SUCCESS);
	assert_int_equal(clEnqueueWriteBuffer(f->out_of_order, mem, CL_TRUE, 0, sizeof(number),
					      &numbers[1], 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(semaphores.signal(f->out_of_order, 2, pair, NULL, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(f->out_of_order), CL_SUCCESS);
	assert_true(fixture_status(wait) > CL_COMPLETE);
	assert_true(fixture_status(read) > CL_COMPLETE);
	end(users[0], CL_COMPLETE);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(number, 2);
	end(users[1], CL_COMPLETE);
	fixture_release_events((const cl_event[]){users[0], users[1], wait, read, NULL});
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	semaphore_release(pair[0]);
	semaphore_release(pair[1]);
}

/* A signal that fails fails its wait, and so does a semaphore that ends before its signal is enqueued. A signal that has been
 * enqueued comes all the same. */
static void what_cannot_be_signalled_fails(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr semaphore = semaphore_new(f->context);
	cl_event users[] = {user_event(f), user_event(f)};
	cl_event failing = semaphore_signal(f->out_of_order, semaphore, users[0]);
	cl_event failed = semaphore_wait(f->out_of_order, semaphore);
	cl_event signal = semaphore_signal(f->out_of_order, semaphore, users[1]);
	cl_event first = semaphore_wait(f->out_of_order, semaphore);
	cl_event second = semaphore_wait(f->out_of_order, semaphore);

	end(users[0], -42);
	expect_end(failing, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	expect_end(failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	semaphore_release(semaphore);
	expect_end(second, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_true(fixture_status(first) > CL_COMPLETE);
	end(users[1], CL_COMPLETE);
	expect_end(first, CL_COMPLETE);
	fixture_release_events((const cl_event[]){users[0], users[1], failing, failed, signal,
						  first, second, NULL});
}

#define ROUNDS 200

struct side {
	cl_command_queue queue;
	cl_semaphore_khr taken;
	cl_semaphore_khr given;
	bool failed;
};

static void *take_turns(void *data)
{
	struct side *side = data;

	for (int i = 0; i < ROUNDS; i++) {
		side->failed |= semaphores.wait(side->queue, 1, &side->taken, NULL, 0, NULL,
						NULL) != CL_SUCCESS;
		side->failed |= semaphores.signal(side->queue, 1, &side->given, NULL, 0, NULL,
						  NULL) != CL_SUCCESS;
	}
	side->failed |= clFinish(side->queue) != CL_SUCCESS;
	return NULL;
}

/* Two threads, each with a queue, hand a turn to and fro. */
static void threads_take_turns(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr pair[] = {semaphore_new(f->context), semaphore_new(f->context)};
	cl_command_queue queues[] = {fixture_queue(f->context, f->device, 0),
				     fixture_queue(f->context, f->device, 0)};
	struct side sides[] = {{queues[0], pair[0], pair[1], false},
			       {queues[1], pair[1], pair[0], false}};
	pthread_t thread;

	assert_int_equal(semaphores.signal(f->queue, 1, &pair[0], NULL, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(pthread_create(&thread, NULL, take_turns, &sides[1]), 0);
	take_turns(&sides[0]);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_false(sides[0].failed || sides[1].failed);
	assert_int_equal(semaphore_payload(pair[0]), 1);
	assert_int_equal(semaphore_payload(pair[1]), 0);
	for (int i = 0; i < 2; i++) {
		semaphore_release(pair[i]);
		assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
	}
}

/* ---- queries --------------------------------------------------------------------------------- */

static void queries(void **state)
{
	struct fixture *f = *state;
	const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
							  PROPERTY(f->device),
							  0,
							  CL_SEMAPHORE_TYPE_KHR,
							  CL_SEMAPHORE_TYPE_BINARY_KHR,
							  0};
	cl_semaphore_khr semaphore = semaphores.create(f->context, properties, NULL);
	cl_semaphore_properties_khr got[8];
	cl_context context;
	cl_device_id device;
	cl_semaphore_type_khr type;
	cl_command_type command;
	cl_uint count;
	cl_bool exportable = CL_TRUE;
	size_t size;

	assert_non_null(semaphore);
#define ASK(param, value)                                                                          \
	assert_int_equal(semaphores.info(semaphore, (param), sizeof(value), &(value), &size),      \
			 CL_SUCCESS)
	ASK(CL_SEMAPHORE_CONTEXT_KHR, context);
	assert_ptr_equal(context, f->context);
	ASK(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, device);
	assert_ptr_equal(device, f->device);
	ASK(CL_SEMAPHORE_TYPE_KHR, type);
	assert_int_equal(type, CL_SEMAPHORE_TYPE_BINARY_KHR);
	ASK(CL_SEMAPHORE_PROPERTIES_KHR, got);
	assert_int_equal(size, sizeof(properties));
	assert_memory_equal(got, properties, size);
	ASK(CL_SEMAPHORE_EXPORTABLE_KHR, exportable);
	assert_int_equal(exportable, CL_FALSE);
	ASK(CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, got);
	assert_int_equal(size, 0);
	assert_int_equal(semaphores.retain(semaphore), CL_SUCCESS);
	ASK(CL_SEMAPHORE_REFERENCE_COUNT_KHR, count);
	assert_int_equal(count, 2);
	semaphore_release(semaphore);
	assert_int_equal(semaphores.info(semaphore, 0, sizeof(got), got, NULL), CL_INVALID_VALUE);
	assert_int_equal(semaphores.info(semaphore, CL_SEMAPHORE_TYPE_KHR, 1, got, NULL),
			 CL_INVALID_VALUE);
#undef ASK
	assert_int_equal(semaphore_payload(semaphore), 0);
	cl_event signal = semaphore_signal(f->queue, semaphore, NULL);
	expect_end(signal, CL_COMPLETE);
	assert_int_equal(semaphore_payload(semaphore), 1);
	cl_event wait = semaphore_wait(f->queue, semaphore);
	expect_end(wait, CL_COMPLETE);
	assert_int_equal(semaphore_payload(semaphore), 0);
	assert_int_equal(
		clGetEventInfo(wait, CL_EVENT_COMMAND_TYPE, sizeof(command), &command, NULL),
		CL_SUCCESS);
	assert_int_equal(command, CL_COMMAND_SEMAPHORE_WAIT_KHR);
	fixture_release_events((const cl_event[]){signal, wait, NULL});
	semaphore_release(semaphore);
}

static void devices_and_platform_say_what_there_is(void **state)
{
	struct fixture *f = *state;
	cl_platform_id platform;
	cl_uint list[4];
	size_t size;

	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	assert_int_equal(clGetPlatformInfo(platform, CL_PLATFORM_SEMAPHORE_TYPES_KHR, sizeof(list),
					   list, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(list[0]));
	assert_int_equal(list[0], CL_SEMAPHORE_TYPE_BINARY_KHR);
	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
					 sizeof(list), list, &size),
			 CL_SUCCESS);
	assert_int_equal(size, 2 * sizeof(list[0]));
	assert_int_equal(list[0], CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
	assert_int_equal(list[1], CL_SEMAPHORE_HANDLE_SYNC_FD_KHR);
}

/* ---- wrong arguments ------------------------------------------------------------------------- */

#define MOST_PROPERTIES 10

struct wrong {
	cl_int code;
	cl_semaphore_properties_khr properties[MOST_PROPERTIES];
};

static void creation_checks_its_arguments(void **state)
{
	struct fixture *f = *state;
	const cl_semaphore_properties_khr device = PROPERTY(f->device);
	const cl_semaphore_properties_khr no_device = PROPERTY(f->context);
	const struct wrong wrongs[] = {
		{CL_INVALID_VALUE, {0}},
		{CL_INVALID_VALUE, {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, device, 0, 0}},
		{CL_INVALID_PROPERTY, {CL_SEMAPHORE_TYPE_KHR, 2, 0}},
		{CL_INVALID_PROPERTY, {77, 1, CL_SEMAPHORE_TYPE_KHR, 1, 0}},
		{CL_INVALID_PROPERTY, {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_TYPE_KHR, 1, 0}},
		{CL_INVALID_DEVICE,
		 {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, 0, 0}},
		{CL_INVALID_DEVICE,
		 {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, no_device, 0, 0}},
		{CL_INVALID_DEVICE,
		 {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, device, device, 0,
		  0}},
		{CL_INVALID_PROPERTY,
		 {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, device, 0,
		  CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, device, 0, CL_SEMAPHORE_TYPE_KHR, 1, 0}},
		{CL_INVALID_VALUE,
		 {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
		  CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, 0, 0}},
		{CL_INVALID_PROPERTY,
		 {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, 77, 0, 0}},
		{CL_INVALID_OPERATION,
		 {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
		  CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, 0, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, PROPERTY(-1),
		  0}},
		{CL_INVALID_PROPERTY,
		 {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, PROPERTY(-1),
		  CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, PROPERTY(-1), 0}},
		{CL_INVALID_PROPERTY,
		 {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, 1 << 20, 0}},
		/* standard input is no semaphore */
		{CL_INVALID_PROPERTY,
		 {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 0, 0}},
	};
	cl_int err = 1;

	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		assert_null(semaphores.create(f->context, wrongs[i].properties, &err));
		if (err != wrongs[i].code)
			fail_msg("case %zu: %d, not %d", i, err, wrongs[i].code);
	}
	assert_null(semaphores.create(f->context, NULL, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(semaphores.create(NULL, wrongs[0].properties, &err));
	assert_int_equal(err, CL_INVALID_CONTEXT);
}

/* A context of several devices needs to know which one is meant; of sub-devices, here. */
static void several_devices_need_a_list(void **state)
{
	struct fixture *f = *state;
	const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, 1, 0};
	cl_device_id parts[2];
	cl_context context = NULL;
	cl_int err;

	if (!two_parts(f, parts, &context))
		skip();
	cl_command_queue queues[] = {fixture_queue(context, parts[0], 0),
				     fixture_queue(context, parts[1], 0)};
	assert_null(semaphores.create(context, binary, &err));
	assert_int_equal(err, CL_INVALID_PROPERTY);
	cl_semaphore_khr semaphore =
		semaphore_with(context, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, PROPERTY(parts[0]));
	assert_int_equal(semaphores.signal(queues[1], 1, &semaphore, NULL, 0, NULL, NULL),
			 CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(semaphores.signal(queues[0], 1, &semaphore, NULL, 0, NULL, NULL),
			 CL_SUCCESS);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(clFinish(queues[i]), CL_SUCCESS);
		assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
	}
	semaphore_release(semaphore);
	release_parts(parts, context);
}

static void enqueues_check_their_arguments(void **state)
{
	struct fixture *f = *state;
	cl_semaphore_khr semaphore = semaphore_new(f->context);
	cl_semaphore_khr other = semaphore_new(f->other_context);
	cl_semaphore_khr none = (cl_semaphore_khr)f->context;
	cl_event failed = fixture_failed_event(f);
	cl_event foreign = clCreateUserEvent(f->other_context, NULL);
	cl_event invalid = NULL;
	const clEnqueueWaitSemaphoresKHR_fn calls[] = {semaphores.wait, semaphores.signal};

	for (int i = 0; i < 2; i++) {
#define CALL(queue, count, list, num_waits, waits)                                                 \
	calls[i](queue, count, list, NULL, num_waits, waits, NULL)
		EXPECT_LIST_ERRORS(CALL, &semaphore);
		assert_int_equal(CALL(f->queue, 1, &none, 0, NULL), CL_INVALID_SEMAPHORE_KHR);
		assert_int_equal(CALL(f->queue, 1, &other, 0, NULL), CL_INVALID_CONTEXT);
		assert_int_equal(CALL(f->queue, 1, &semaphore, 1, &invalid),
				 CL_INVALID_EVENT_WAIT_LIST);
		assert_int_equal(CALL(f->queue, 1, &semaphore, 1, &foreign), CL_INVALID_CONTEXT);
#undef CALL
	}
	assert_int_equal(semaphores.retain(none), CL_INVALID_SEMAPHORE_KHR);
	assert_int_equal(semaphores.release(NULL), CL_INVALID_SEMAPHORE_KHR);
	assert_int_equal(semaphores.info(none, CL_SEMAPHORE_TYPE_KHR, 0, NULL, NULL),
			 CL_INVALID_SEMAPHORE_KHR);
	assert_int_equal(semaphore_payload(semaphore), 0);
	end(foreign, CL_COMPLETE);
	fixture_release_events((const cl_event[]){failed, foreign, NULL});
	semaphore_release(semaphore);
	semaphore_release(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_ends_after_its_signal),
		cmocka_unit_test(waits_are_for_signals_in_the_order_of_the_enqueues),
		cmocka_unit_test(queues_keep_their_order),
		cmocka_unit_test(what_cannot_be_signalled_fails),
		cmocka_unit_test(threads_take_turns),
		cmocka_unit_test(queries),
		cmocka_unit_test(devices_and_platform_say_what_there_is),
		cmocka_unit_test(creation_checks_its_arguments),
		cmocka_unit_test(several_devices_need_a_list),
		cmocka_unit_test(enqueues_check_their_arguments),
	};
	return cmocka_run_group_tests(tests, semaphores_set_up, fixture_tear_down);
}
