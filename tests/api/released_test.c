/* SPDX-License-Identifier: MIT
 *
 * Memory objects that are released while a kernel names them, in every way in which a kernel's arguments are used: the
 * argument counts as not set, and the process lives. What was enqueued before keeps what it needs.
 */
#include "program_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define COUNT 64
#define BYTES (COUNT * sizeof(cl_int))

static cl_int zeros[COUNT];

static void set_mem(cl_kernel kernel, cl_uint index, cl_mem mem)
{
	assert_int_equal(clSetKernelArg(kernel, index, sizeof(mem), &mem), CL_SUCCESS);
}

/* add(a, b, out, n), with all arguments. */
static cl_kernel create_add(struct program_fixture *f, cl_mem mems[3])
{
	return program_add(f->program, f->base.context, zeros, COUNT, mems);
}

static cl_int enqueue(cl_command_queue queue, cl_kernel kernel)
{
	const size_t global = COUNT;

	return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

static void an_argument_may_be_released(void **state)
{
	struct program_fixture *f = *state;

	for (cl_uint gone = 0; gone < 3; gone++) {
		cl_mem mems[3];
		cl_kernel kernel = create_add(f, mems);

		assert_int_equal(enqueue(f->base.queue, kernel), CL_SUCCESS);
		assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
		assert_int_equal(clReleaseMemObject(mems[gone]), CL_SUCCESS);
		assert_int_equal(enqueue(f->base.queue, kernel), CL_INVALID_KERNEL_ARGS);
		assert_int_equal(clEnqueueTask(f->base.out_of_order, kernel, 0, NULL, NULL),
				 CL_INVALID_KERNEL_ARGS);
		/* Its memory may be another object's by now: that is not the one that was set. */
		cl_mem others[COUNT];
		for (int i = 0; i < COUNT; i++)
			others[i] = fixture_buffer(&f->base, CL_MEM_COPY_HOST_PTR, BYTES, zeros);
		assert_int_equal(enqueue(f->base.queue, kernel), CL_INVALID_KERNEL_ARGS);
		mems[gone] = others[0];
		set_mem(kernel, gone, mems[gone]);
		assert_int_equal(enqueue(f->base.queue, kernel), CL_SUCCESS);
		assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
		for (int i = 1; i < COUNT; i++)
			assert_int_equal(clReleaseMemObject(others[i]), CL_SUCCESS);
		program_release_mems(mems);
		assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	}
}

static void a_sub_buffer_and_its_parent_may_be_released(void **state)
{
	struct program_fixture *f = *state;
	cl_mem mems[3];
	cl_kernel kernel = create_add(f, mems);
	cl_mem parent = fixture_buffer(&f->base, CL_MEM_COPY_HOST_PTR, BYTES, zeros);
	cl_mem sub = fixture_sub_buffer(parent, 0, 0, BYTES);

	set_mem(kernel, 0, sub);
	assert_int_equal(clReleaseMemObject(parent), CL_SUCCESS);
	assert_int_equal(enqueue(f->base.queue, kernel), CL_SUCCESS); /* the sub-buffer keeps it */
	assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(sub), CL_SUCCESS);
	assert_int_equal(enqueue(f->base.queue, kernel), CL_INVALID_KERNEL_ARGS);
	program_release_mems(mems);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static void a_clone_knows_what_was_released(void **state)
{
	struct program_fixture *f = *state;
	cl_mem mems[3];
	cl_kernel kernel = create_add(f, mems);
	cl_kernel before = clCloneKernel(kernel, NULL);

	program_release_mems(mems);
	cl_kernel after = clCloneKernel(kernel, NULL);
	assert_int_equal(enqueue(f->base.queue, before), CL_INVALID_KERNEL_ARGS);
	assert_int_equal(enqueue(f->base.queue, after), CL_INVALID_KERNEL_ARGS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(before), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(after), CL_SUCCESS);
}

static void CL_CALLBACK count_end(cl_mem mem, void *user_data)
{
	(void)mem;
	atomic_fetch_add((_Atomic int *)user_data, 1);
}

/* "Implementations shall not allow cl_kernel objects to hold reference counts to cl_kernel arguments" (5.9.2). */
static void a_kernel_keeps_nothing_alive(void **state)
{
	struct program_fixture *f = *state;
	_Atomic int ended = 0;
	cl_mem mems[3];
	cl_kernel kernel = create_add(f, mems);

	for (int i = 0; i < 3; i++)
		assert_int_equal(clSetMemObjectDestructorCallback(mems[i], count_end, &ended),
				 CL_SUCCESS);
	program_release_mems(mems);
	assert_int_equal(atomic_load(&ended), 3);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static void what_waits_keeps_its_arguments(void **state)
{
	struct program_fixture *f = *state;
	cl_mem mems[3];
	cl_kernel kernel = create_add(f, mems);
	const size_t global = COUNT;
	cl_event gate = clCreateUserEvent(f->base.context, NULL);
	cl_event event;

	assert_int_equal(clEnqueueNDRangeKernel(f->base.queue, kernel, 1, NULL, &global, NULL, 1,
						&gate, &event),
			 CL_SUCCESS);
	program_release_mems(mems);
	assert_int_equal(enqueue(f->base.queue, kernel), CL_SUCCESS); /* the first keeps them */
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
	assert_int_equal(fixture_status(event), CL_COMPLETE);
	assert_int_equal(enqueue(f->base.queue, kernel), CL_INVALID_KERNEL_ARGS);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

/* A destructor callback's own handle is of no use any more, but harmless. */
static void CL_CALLBACK use_dying(cl_mem mem, void *user_data)
{
	const struct program_fixture *f = user_data;
	size_t size;
	char byte = 0;

	assert_int_equal(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(size), &size, NULL),
			 CL_INVALID_MEM_OBJECT);
	assert_int_equal(clRetainMemObject(mem), CL_INVALID_MEM_OBJECT);
	assert_int_equal(clReleaseMemObject(mem), CL_INVALID_MEM_OBJECT);
	assert_int_equal(
		clEnqueueWriteBuffer(f->base.queue, mem, CL_TRUE, 0, 1, &byte, 0, NULL, NULL),
		CL_INVALID_MEM_OBJECT);
}

static void CL_CALLBACK use_dying_context(cl_context context, void *user_data)
{
	cl_int err;

	assert_int_equal(clRetainContext(context), CL_INVALID_CONTEXT);
	assert_int_equal(clReleaseContext(context), CL_INVALID_CONTEXT);
	assert_null(clCreateBuffer(context, 0, 1, NULL, &err));
	assert_int_equal(err, CL_INVALID_CONTEXT);
	*(bool *)user_data = true;
}

static void callbacks_may_use_what_ends(void **state)
{
	struct program_fixture *f = *state;
	cl_context context = clCreateContext(NULL, 1, &f->base.device, NULL, NULL, NULL);
	bool called = false;

	assert_int_equal(clSetContextDestructorCallback(context, use_dying_context, &called),
			 CL_SUCCESS);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
	assert_true(called);
	assert_int_equal(clReleaseContext(context), CL_INVALID_CONTEXT);
	cl_mem mem = fixture_buffer(&f->base, CL_MEM_COPY_HOST_PTR, BYTES, zeros);

	assert_int_equal(clSetMemObjectDestructorCallback(mem, use_dying, f), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_INVALID_MEM_OBJECT);
	assert_int_equal(clRetainMemObject(mem), CL_INVALID_MEM_OBJECT);
}

/* ---- threads --------------------------------------------------------------------------------- */

#define ROUNDS 500

static _Atomic(cl_mem) offered;

static void *release_offered(void *unused)
{
	(void)unused;
	for (int i = 0; i < ROUNDS;) {
		cl_mem mem = atomic_exchange(&offered, NULL);

		if (!mem) {
			sched_yield();
			continue;
		}
		if (clReleaseMemObject(mem) != CL_SUCCESS)
			abort();
		i++;
	}
	return NULL;
}

/* One thread releases while another enqueues: either the command has the memory, or there is an error. */
static void enqueueing_races_with_releasing(void **state)
{
	struct program_fixture *f = *state;
	cl_mem mems[3];
	cl_kernel kernel = create_add(f, mems);
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, release_offered, NULL), 0);
	for (int i = 0; i < ROUNDS; i++) {
		cl_mem mem = fixture_buffer(&f->base, CL_MEM_COPY_HOST_PTR, BYTES, zeros);

		set_mem(kernel, 1, mem);
		atomic_store(&offered, mem);
		cl_int err = enqueue(f->base.queue, kernel);
		assert_true(err == CL_SUCCESS || err == CL_INVALID_KERNEL_ARGS);
		while (atomic_load(&offered))
			sched_yield();
	}
	pthread_join(thread, NULL);
	assert_int_equal(clFinish(f->base.queue), CL_SUCCESS);
	program_release_mems(mems);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_argument_may_be_released),
		cmocka_unit_test(a_sub_buffer_and_its_parent_may_be_released),
		cmocka_unit_test(a_clone_knows_what_was_released),
		cmocka_unit_test(a_kernel_keeps_nothing_alive),
		cmocka_unit_test(what_waits_keeps_its_arguments),
		cmocka_unit_test(callbacks_may_use_what_ends),
		cmocka_unit_test(enqueueing_races_with_releasing),
	};
	return cmocka_run_group_tests(tests, built_set_up, built_tear_down);
}
