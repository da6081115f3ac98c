/* SPDX-License-Identifier: MIT
 *
 * The buffers of the tests of buffer commands: one of each access by the host and one of another context;
 * and what is checked of every command.
 */
#ifndef WEFT_TESTS_API_BUFFERS_H
#define WEFT_TESTS_API_BUFFERS_H

#include "fixture.h"

static cl_mem buffer, read_only, write_only, no_access, other;

/* Each of `size` bytes. */
static inline int buffers_set_up(void **state, size_t size)
{
	fixture_set_up(state);
	struct fixture *f = *state;
	buffer = fixture_buffer(f, 0, size, NULL);
	read_only = fixture_buffer(f, CL_MEM_HOST_READ_ONLY, size, NULL);
	write_only = fixture_buffer(f, CL_MEM_HOST_WRITE_ONLY, size, NULL);
	no_access = fixture_buffer(f, CL_MEM_HOST_NO_ACCESS, size, NULL);
	other = clCreateBuffer(f->other_context, 0, size, NULL, NULL);
	assert_non_null(other);
	return 0;
}

/* The list ends with NULL. */
static inline void release_mems(const cl_mem *mems)
{
	for (; *mems; mems++)
		assert_int_equal(clReleaseMemObject(*mems), CL_SUCCESS);
}

static inline int buffers_tear_down(void **state)
{
	release_mems((const cl_mem[]){buffer, read_only, write_only, no_access, other, NULL});
	return fixture_tear_down(state);
}

/* What a command returned: as expected, and an event only where it succeeded. */
static inline void check_command(cl_int err, cl_event event, cl_int expected)
{
	assert_int_equal(err, expected);
	assert_int_equal(event != NULL, expected == CL_SUCCESS);
	if (event)
		assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

static inline void check_type(cl_event event, cl_command_type expected)
{
	cl_command_type type;

	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL),
			 CL_SUCCESS);
	assert_int_equal(type, expected);
}

static inline void wait_and_release(cl_event event, cl_command_type type)
{
	check_type(event, type);
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

/* Enqueues a command behind one event. */
typedef cl_int (*enqueue_behind)(struct fixture *f, cl_bool blocking, const cl_event *wait,
				 cl_event *event);

/* A command behind what has failed: blocking, it fails; else its event does. */
static inline void check_failed_wait(struct fixture *f, enqueue_behind enqueue)
{
	const cl_event failed = fixture_failed_event(f);
	cl_event event = NULL;

	assert_int_equal(enqueue(f, CL_TRUE, &failed, &event),
			 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_null(event);
	assert_int_equal(enqueue(f, CL_FALSE, &failed, &event), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_true(fixture_status(event) < 0);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(failed), CL_SUCCESS);
}

#endif
