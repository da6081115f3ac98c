/* SPDX-License-Identifier: MIT
 *
 * A context of two CPU devices and three accelerators, of which the first two share a memory.
 */
#ifndef WEFT_TESTS_API_MEMORIES_H
#define WEFT_TESTS_API_MEMORIES_H

#include "compiled_fixture.h"
#include "described_context.h"

enum { PTHREAD, BASIC, FIRST, SECOND, APART, NUM_DEVICES };

struct memories {
	cl_device_id devices[NUM_DEVICES];
	cl_context context;
	cl_command_queue queues[NUM_DEVICES]; /* in order */
	cl_program program;
	cl_kernel add;   /* (buffer, value): each element */
	cl_kernel sum;   /* (out, a, b): out = a + b */
	cl_kernel empty; /* (buffer): nothing */
};

static const char memories_source[] =
	"kernel void add(global uint *data, uint value) { data[get_global_id(0)] += value; }\n"
	"kernel void sum(global uint *out, global const uint *a, constant uint *b) {\n"
	"  size_t i = get_global_id(0);\n"
	"  out[i] = a[i] + b[i];\n"
	"}\n"
	"kernel void empty(global uint *data) { if (data == 0) printf(\"nothing\"); }\n";

static inline void memories_build(struct memories *m)
{
	const char *text = memories_source;
	cl_int err;

	m->program = clCreateProgramWithSource(m->context, 1, &text, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clBuildProgram(m->program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
	m->add = clCreateKernel(m->program, "add", NULL);
	m->sum = clCreateKernel(m->program, "sum", NULL);
	m->empty = clCreateKernel(m->program, "empty", NULL);
	assert_true(m->add && m->sum && m->empty);
}

static inline int memories_set_up(void **state)
{
	static struct memories memories;
	struct memories *m = &memories;

	compiled_options();
	m->context =
		described_context("pthread,basic,accel", "memory=m;memory=m;clusters=2,global=64M",
				  NUM_DEVICES, m->devices);
	for (int i = 0; i < NUM_DEVICES; i++)
		m->queues[i] = fixture_queue(m->context, m->devices[i], 0);
	memories_build(m);
	*state = m;
	return 0;
}

static inline int memories_tear_down(void **state)
{
	struct memories *m = *state;

	assert_int_equal(clReleaseKernel(m->add), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(m->sum), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(m->empty), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(m->program), CL_SUCCESS);
	for (int i = 0; i < NUM_DEVICES; i++)
		assert_int_equal(clReleaseCommandQueue(m->queues[i]), CL_SUCCESS);
	assert_int_equal(clReleaseContext(m->context), CL_SUCCESS);
	return 0;
}

/* The device adds the value to each element, after `wait` unless that is NULL. */
static inline cl_int memories_add(struct memories *m, int device, cl_mem mem, cl_uint value,
				  const cl_event *wait, cl_event *event)
{
	size_t bytes;

	assert_int_equal(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL),
			 CL_SUCCESS);
	const size_t count = bytes / sizeof(cl_uint);
	assert_int_equal(clSetKernelArg(m->add, 0, sizeof(mem), &mem), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(m->add, 1, sizeof(value), &value), CL_SUCCESS);
	return clEnqueueNDRangeKernel(m->queues[device], m->add, 1, NULL, &count, NULL,
				      wait ? 1 : 0, wait, event);
}

#endif
