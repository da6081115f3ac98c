/* SPDX-License-Identifier: MIT
 *
 * What most tests of entry points need: the first device, a context, queues, and a second context
 * to be wrong about.
 */
#ifndef WEFT_TESTS_API_FIXTURE_H
#define WEFT_TESTS_API_FIXTURE_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue; /* in order */
	cl_command_queue out_of_order;
	cl_context other_context;
	cl_command_queue other_queue;
	size_t alignment; /* bytes: CL_DEVICE_MEM_BASE_ADDR_ALIGN */
};

static inline cl_command_queue fixture_queue(cl_context context, cl_device_id device,
					     cl_command_queue_properties properties)
{
	const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
	cl_command_queue queue =
		clCreateCommandQueueWithProperties(context, device, properties ? list : NULL, NULL);

	assert_non_null(queue);
	return queue;
}

static inline int fixture_set_up(void **state)
{
	static struct fixture fixture;
	struct fixture *f = &fixture;
	cl_platform_id platform;
	cl_uint align_bits;

	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &f->device, NULL),
			 CL_SUCCESS);
	f->context = clCreateContext(NULL, 1, &f->device, NULL, NULL, NULL);
	f->other_context = clCreateContext(NULL, 1, &f->device, NULL, NULL, NULL);
	assert_non_null(f->context);
	assert_non_null(f->other_context);
	f->queue = fixture_queue(f->context, f->device, 0);
	f->out_of_order =
		fixture_queue(f->context, f->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	f->other_queue = fixture_queue(f->other_context, f->device, 0);
	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN,
					 sizeof(align_bits), &align_bits, NULL),
			 CL_SUCCESS);
	f->alignment = align_bits / 8;
	*state = f;
	return 0;
}

static inline int fixture_tear_down(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(clReleaseCommandQueue(f->queue), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(f->out_of_order), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(f->other_queue), CL_SUCCESS);
	assert_int_equal(clReleaseContext(f->context), CL_SUCCESS);
	assert_int_equal(clReleaseContext(f->other_context), CL_SUCCESS);
	return 0;
}

/* The device's shared virtual memory. */
static inline cl_device_svm_capabilities fixture_svm(const struct fixture *f)
{
	cl_device_svm_capabilities capabilities;

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_SVM_CAPABILITIES,
					 sizeof(capabilities), &capabilities, NULL),
			 CL_SUCCESS);
	return capabilities;
}

/* A buffer that must come into being. */
static inline cl_mem fixture_buffer_in(cl_context context, cl_mem_flags flags, size_t size,
				       void *host_ptr)
{
	cl_int err;
	cl_mem mem = clCreateBuffer(context, flags, size, host_ptr, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(mem);
	return mem;
}

static inline cl_mem fixture_buffer(struct fixture *f, cl_mem_flags flags, size_t size,
				    void *host_ptr)
{
	return fixture_buffer_in(f->context, flags, size, host_ptr);
}

static inline cl_mem fixture_sub_buffer(cl_mem parent, cl_mem_flags flags, size_t origin,
					size_t size)
{
	const cl_buffer_region region = {origin, size};
	cl_int err;
	cl_mem mem = clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(mem);
	return mem;
}

/* An event that has ended in an error already. */
static inline cl_event fixture_failed_event(struct fixture *f)
{
	cl_event event = clCreateUserEvent(f->context, NULL);

	assert_non_null(event);
	assert_int_equal(clSetUserEventStatus(event, -1), CL_SUCCESS);
	return event;
}

/* The list ends with NULL. */
static inline void fixture_release_events(const cl_event *events)
{
	for (; *events; events++)
		assert_int_equal(clReleaseEvent(*events), CL_SUCCESS);
}

static inline cl_int fixture_status(cl_event event)
{
	cl_int status;

	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
					&status, NULL),
			 CL_SUCCESS);
	return status;
}

/* `param`: CL_PROFILING_COMMAND_…; in nanoseconds. */
static inline cl_ulong fixture_time(cl_event event, cl_profiling_info param)
{
	cl_ulong time = 0;

	assert_int_equal(clGetEventProfilingInfo(event, param, sizeof(time), &time, NULL),
			 CL_SUCCESS);
	return time;
}

static inline void fixture_read(struct fixture *f, cl_mem mem, void *bytes, size_t size)
{
	assert_int_equal(clEnqueueReadBuffer(f->queue, mem, CL_TRUE, 0, size, bytes, 0, NULL, NULL),
			 CL_SUCCESS);
}

/* Pseudo-random numbers, the same in every run. */
static inline uint32_t fixture_random(void)
{
	static uint32_t state = 2463534242u;

	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

static inline size_t fixture_random_below(size_t bound)
{
	return fixture_random() % bound;
}

static inline void fixture_random_bytes(unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)fixture_random();
}

#endif
