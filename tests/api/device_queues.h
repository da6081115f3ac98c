/* SPDX-License-Identifier: MIT
 *
 * Command buffers of several queues: of CPU devices and accelerators, which have memories of their own.
 */
#ifndef WEFT_TESTS_API_DEVICE_QUEUES_H
#define WEFT_TESTS_API_DEVICE_QUEUES_H

#include "command_buffers.h"
#include "memories.h"

enum { COUNT = 300, BYTES = COUNT * sizeof(cl_uint) };

static struct memories *m;

static inline int device_queues_set_up(void **state)
{
	int err = memories_set_up(state);

	m = *state;
	command_buffers_find();
	return err;
}

static inline cl_mem zeros(void)
{
	static cl_uint words[COUNT];

	return fixture_buffer_in(m->context, CL_MEM_COPY_HOST_PTR, BYTES, words);
}

/* The sync point of an addition to all elements. */
static inline cl_sync_point_khr record_add(cl_command_buffer_khr buffer, cl_command_queue queue,
					   cl_mem mem, cl_uint value, cl_sync_point_khr before)
{
	const size_t count = COUNT;
	cl_sync_point_khr point = 0;

	assert_int_equal(clSetKernelArg(m->add, 0, sizeof(mem), &mem), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(m->add, 1, sizeof(value), &value), CL_SUCCESS);
	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, queue, NULL, m->add, 1, NULL, &count,
						       NULL, before ? 1 : 0,
						       before ? &before : NULL, &point, NULL),
			 CL_SUCCESS);
	return point;
}

static inline cl_sync_point_khr record_copy(cl_command_buffer_khr buffer, cl_command_queue queue,
					    cl_mem from, cl_mem to, cl_sync_point_khr before)
{
	cl_sync_point_khr point = 0;

	assert_int_equal(ext.clCommandCopyBufferKHR(buffer, queue, NULL, from, to, 0, 0, BYTES,
						    before ? 1 : 0, before ? &before : NULL, &point,
						    NULL),
			 CL_SUCCESS);
	return point;
}

static inline void expect(cl_mem mem, cl_uint value)
{
	cl_uint words[COUNT];

	assert_int_equal(
		clEnqueueReadBuffer(m->queues[BASIC], mem, CL_TRUE, 0, BYTES, words, 0, NULL, NULL),
		CL_SUCCESS);
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(words[i], value);
}

/* Fills the first buffer, adds on each device in turn, and copies to the second. */
static inline cl_command_buffer_khr record_round(const cl_command_queue *queues, cl_mem first,
						 cl_mem second)
{
	cl_command_buffer_khr buffer =
		command_buffer_on(NUM_DEVICES, queues, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
	const cl_uint seven = 7;
	cl_sync_point_khr point;

	assert_int_equal(ext.clCommandFillBufferKHR(buffer, queues[APART], NULL, first, &seven,
						    sizeof(seven), 0, BYTES, 0, NULL, &point, NULL),
			 CL_SUCCESS);
	for (int i = 0; i < NUM_DEVICES; i++)
		point = record_add(buffer, queues[i], first, 1, point);
	record_copy(buffer, queues[FIRST], first, second, point);
	command_buffer_finalize(buffer);
	return buffer;
}

#endif
