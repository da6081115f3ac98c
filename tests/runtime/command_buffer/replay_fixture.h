/* SPDX-License-Identifier: MIT
 *
 * Command buffers of native functions, for the fake driver: no application can record such.
 */
#ifndef WEFT_TESTS_RUNTIME_REPLAY_FIXTURE_H
#define WEFT_TESTS_RUNTIME_REPLAY_FIXTURE_H

#include "command_buffer/command_buffer.h"
#include "graph_fixture.h"

static inline cl_command_buffer_khr replay_buffer(cl_command_queue queue,
						  cl_command_buffer_flags_khr flags)
{
	const struct weft_command_buffer_desc desc = {.queues = {&queue, 1}, .flags = flags};
	cl_command_buffer_khr buffer = NULL;

	assert_int_equal(weft_command_buffer_create(&desc, &buffer), CL_SUCCESS);
	return buffer;
}

/* Records a call of the function, or, without one, a barrier. */
static inline cl_sync_point_khr replay_record(cl_command_buffer_khr buffer,
					      void (*function)(void *), void *args,
					      cl_uint num_waits, const cl_sync_point_khr *waits)
{
	cl_sync_point_khr point = 0;
	const struct weft_recording recording = {.buffer = buffer,
						 .queue = buffer->queues[0],
						 .type = CL_COMMAND_BARRIER,
						 .barrier = !function,
						 .num_waits = num_waits,
						 .waits = num_waits ? waits : NULL,
						 .sync_point = &point};
	struct weft_recorded_command *recorded = NULL;

	assert_int_equal(weft_recorded_command_create_order(&recorded), CL_SUCCESS);
	if (function) {
		recorded->command.op = WEFT_OP_NATIVE;
		recorded->command.native = (struct weft_native){function, args};
		recorded->accesses.anything = true;
	}
	assert_int_equal(weft_command_buffer_record(&recording, recorded), CL_SUCCESS);
	return point;
}

static inline void replay_enqueue(cl_command_buffer_khr buffer, cl_command_queue queue,
				  cl_uint num_waits, const cl_event *waits, cl_event *event)
{
	const struct weft_enqueue enqueue = {queue, CL_COMMAND_COMMAND_BUFFER_KHR, num_waits,
					     waits};

	const struct weft_queue_list queues = {&queue, 1};

	assert_int_equal(weft_command_buffer_enqueue(&enqueue, &queues, buffer, event), CL_SUCCESS);
}

#endif
