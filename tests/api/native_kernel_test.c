/* SPDX-License-Identifier: MIT
 *
 * Native kernels: functions of the application as commands.
 */
#include "fixture.h"

struct args {
	void *in;
	void *out;
	void *none;
	int count;
	struct args *self; /* where the function's copy is */
};

static void *seen;

static void CL_CALLBACK triple(void *data)
{
	struct args *args = data;

	seen = args;
	for (int i = 0; i < args->count; i++)
		((int *)args->out)[i] = 3 * ((int *)args->in)[i];
	if (args->none)
		((int *)args->out)[0] = -1;
}

static void CL_CALLBACK touch(void *data)
{
	seen = data;
}

static void test_run(void **state)
{
	struct fixture *f = *state;
	int numbers[] = {1, 2, 3, 4};
	cl_mem mems[] = {fixture_buffer(f, CL_MEM_COPY_HOST_PTR, sizeof(numbers), numbers),
			 fixture_buffer(f, 0, sizeof(numbers), NULL), NULL};
	struct args args = {mems[0], mems[1], &args, 4, NULL};
	const void *locations[] = {&args.in, &args.out, &args.none};
	cl_event gate = clCreateUserEvent(f->context, NULL);
	cl_command_type type;
	cl_event event;

	assert_int_equal(clEnqueueNativeKernel(f->queue, triple, &args, sizeof(args), 3, mems,
					       locations, 1, &gate, &event),
			 CL_SUCCESS);
	/* All is copied or kept. */
	memset(&args, 0xff, sizeof(args));
	assert_int_equal(clReleaseMemObject(mems[0]), CL_SUCCESS);
	assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL),
			 CL_SUCCESS);
	assert_int_equal(type, CL_COMMAND_NATIVE_KERNEL);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	fixture_read(f, mems[1], numbers, sizeof(numbers));
	for (int i = 0; i < 4; i++)
		assert_int_equal(numbers[i], 3 * (i + 1));
	assert_ptr_not_equal(seen, &args);
	assert_int_equal(clReleaseMemObject(mems[1]), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

static void test_no_args(void **state)
{
	struct fixture *f = *state;

	seen = f;
	assert_int_equal(
		clEnqueueNativeKernel(f->queue, touch, NULL, 0, 0, NULL, NULL, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_null(seen);
}

static cl_int enqueue(cl_command_queue queue, struct args *args, size_t size, cl_uint num,
		      const cl_mem *mems, const void **locations)
{
	return clEnqueueNativeKernel(queue, triple, args, size, num, mems, locations, 0, NULL,
				     NULL);
}

static void test_errors(void **state)
{
	struct fixture *f = *state;
	cl_mem mem = fixture_buffer(f, 0, 64, NULL);
	cl_mem foreign = clCreateBuffer(f->other_context, 0, 64, NULL, NULL);
	cl_mem wrong = (cl_mem)f->queue;
	struct args args = {0};
	const void *location = &args.in;
	const void *outside = (char *)&args + sizeof(args) - 4;
	const void *before = (const void *)((uintptr_t)&args - 8);
	cl_event event = clCreateUserEvent(f->other_context, NULL);
	const size_t size = sizeof(args);

	assert_int_equal(enqueue((cl_command_queue)mem, &args, size, 0, NULL, NULL),
			 CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(
		clEnqueueNativeKernel(f->queue, NULL, &args, size, 0, NULL, NULL, 0, NULL, NULL),
		CL_INVALID_VALUE);
	assert_int_equal(enqueue(f->queue, NULL, size, 0, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(enqueue(f->queue, NULL, 0, 1, &mem, &location), CL_INVALID_VALUE);
	assert_int_equal(enqueue(f->queue, &args, 0, 0, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(enqueue(f->queue, &args, size, 1, NULL, &location), CL_INVALID_VALUE);
	assert_int_equal(enqueue(f->queue, &args, size, 1, &mem, NULL), CL_INVALID_VALUE);
	assert_int_equal(enqueue(f->queue, &args, size, 0, &mem, NULL), CL_INVALID_VALUE);
	assert_int_equal(enqueue(f->queue, &args, size, 0, NULL, &location), CL_INVALID_VALUE);
	assert_int_equal(enqueue(f->queue, &args, size, 1, &mem, &outside), CL_INVALID_VALUE);
	assert_int_equal(enqueue(f->queue, &args, size, 1, &mem, &before), CL_INVALID_VALUE);
	assert_int_equal(enqueue(f->queue, &args, size, 1, &wrong, &location),
			 CL_INVALID_MEM_OBJECT);
	assert_int_equal(enqueue(f->queue, &args, size, 1, &foreign, &location),
			 CL_INVALID_CONTEXT);
	assert_int_equal(
		clEnqueueNativeKernel(f->queue, triple, &args, size, 0, NULL, NULL, 1, NULL, NULL),
		CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(clEnqueueNativeKernel(f->queue, triple, &args, size, 0, NULL, NULL, 0,
					       &event, NULL),
			 CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(clEnqueueNativeKernel(f->queue, triple, &args, size, 0, NULL, NULL, 1,
					       &event, NULL),
			 CL_INVALID_CONTEXT);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(foreign), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_no_args),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
