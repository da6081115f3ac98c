/* SPDX-License-Identifier: MIT
 *
 * What is checked of every command on shared memory, of OpenCL 2.0 and of unified shared memory: its queue first, then its wait
 * list.
 */
#ifndef WEFT_TESTS_API_SHARED_MEMORY_H
#define WEFT_TESTS_API_SHARED_MEMORY_H

#include "buffers.h"

static cl_event invalid_event; /* no event's handle */
static cl_event foreign_event; /* of another context */

static inline struct fixture *shared_memory_set_up(void **state, size_t size)
{
	buffers_set_up(state, size);
	struct fixture *f = *state;

	invalid_event = (cl_event)f->queue;
	foreign_event = clCreateUserEvent(f->other_context, NULL);
	return f;
}

static inline int shared_memory_tear_down(void **state)
{
	assert_int_equal(clReleaseEvent(foreign_event), CL_SUCCESS);
	return buffers_tear_down(state);
}

/* The call's event is `event`. */
#define EXPECT_CALL(call, expected)                                                                \
	do {                                                                                       \
		cl_event event = NULL;                                                             \
		const cl_int err = (call);                                                         \
		check_command(err, event, expected);                                               \
	} while (0)

/* CALL(queue, num_waits, waits), where `f` is the fixture. */
#define EXPECT_COMMON(CALL)                                                                        \
	EXPECT_CALL(CALL(NULL, 0, NULL), CL_INVALID_COMMAND_QUEUE);                                \
	EXPECT_CALL(CALL((cl_command_queue)f->context, 0, NULL), CL_INVALID_COMMAND_QUEUE);        \
	EXPECT_CALL(CALL(f->queue, 1, NULL), CL_INVALID_EVENT_WAIT_LIST);                          \
	EXPECT_CALL(CALL(f->queue, 0, &foreign_event), CL_INVALID_EVENT_WAIT_LIST);                \
	EXPECT_CALL(CALL(f->queue, 1, &invalid_event), CL_INVALID_EVENT_WAIT_LIST);                \
	EXPECT_CALL(CALL(f->queue, 1, &foreign_event), CL_INVALID_CONTEXT)

#endif
