/* SPDX-License-Identifier: MIT
 *
 * The life of allocations of shared virtual memory: where they lie, what keeps them, and who frees them.
 */
#include "buffers.h"

#include <pthread.h>

#define SIZE 1000

static int set_up(void **state)
{
	return buffers_set_up(state, SIZE);
}

/* Threads look for an address by its aligned block of 128 bytes. An allocation has such blocks to itself: a thread that uses
 * other memory meets none that another thread is freeing. */
static void test_neighbours(void **state)
{
	struct fixture *f = *state;
	char *own[16];
	char *others[64];

	for (size_t i = 0; i < 16; i++)
		own[i] = clSVMAlloc(f->context, 0, 1, 0);
	for (size_t i = 0; i < 64; i++)
		others[i] = malloc(8);
	for (size_t i = 0; i < 16; i++) {
		for (size_t j = 0; j < 64; j++)
			assert_true((uintptr_t)own[i] / 128 != (uintptr_t)others[j] / 128);
	}
	for (size_t i = 0; i < 16; i++)
		clSVMFree(f->context, own[i]);
	for (size_t j = 0; j < 64; j++)
		free(others[j]);
}

/* A buffer has the memory of the allocation in which it was made, also when that has been freed. */
static void test_buffer_stays(void **state)
{
	struct fixture *f = *state;
	void *p = clSVMAlloc(f->context, 0, 512, 0);
	cl_mem whole = fixture_buffer(f, CL_MEM_USE_HOST_PTR, 512, p);
	cl_mem part = fixture_sub_buffer(whole, 0, 128, 128);

	clSVMFree(f->context, p);
	for (int i = 0; i < 2; i++) {
		cl_bool uses = CL_FALSE;
		assert_int_equal(clGetMemObjectInfo(i ? part : whole, CL_MEM_USES_SVM_POINTER,
						    sizeof(uses), &uses, NULL),
				 CL_SUCCESS);
		assert_int_equal(uses, CL_TRUE);
	}
	release_mems((const cl_mem[]){part, whole, NULL});
}

/* ---- freeing in a queue ---------------------------------------------------------------------- */

struct told {
	cl_command_queue queue;
	cl_uint count;
	void *pointers[2];
	unsigned calls;
};

static void CL_CALLBACK tell(cl_command_queue queue, cl_uint count, void *pointers[], void *data)
{
	struct told *told = data;

	told->queue = queue;
	told->count = count;
	memcpy(told->pointers, pointers, count * sizeof(void *));
	told->calls++;
}

static void test_enqueued_free(void **state)
{
	struct fixture *f = *state;
	cl_event gate = clCreateUserEvent(f->context, NULL);
	unsigned char *first = clSVMAlloc(f->context, 0, 64, 0);
	unsigned char *second = malloc(64);
	void *pointers[] = {first, second};
	struct told told = {0};
	unsigned char ones = 1;
	cl_event event;

	assert_int_equal(clEnqueueSVMMemFill(f->queue, first, &ones, 1, 64, 1, &gate, NULL),
			 CL_SUCCESS);
	assert_int_equal(clEnqueueSVMFree(f->queue, 2, pointers, tell, &told, 0, NULL, &event),
			 CL_SUCCESS);
	pointers[0] = pointers[1] = NULL; /* they were copied */
	assert_int_equal(told.calls, 0);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	assert_int_equal(told.calls, 1);
	assert_ptr_equal(told.queue, f->queue);
	assert_int_equal(told.count, 2);
	assert_ptr_equal(told.pointers[0], first);
	assert_ptr_equal(told.pointers[1], second);
	assert_int_equal(first[63], 1);
	free(second);

	/* without a function, the allocation goes; a buffer in it keeps its memory */
	cl_mem view = fixture_buffer(f, CL_MEM_USE_HOST_PTR, 64, first);
	pointers[0] = first;
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	assert_int_equal(clEnqueueSVMFree(f->queue, 1, pointers, NULL, NULL, 0, NULL, &event),
			 CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	assert_int_equal(clEnqueueFillBuffer(f->queue, view, &ones, 1, 0, 64, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	fixture_release_events((const cl_event[]){event, gate, NULL});
	assert_int_equal(clReleaseMemObject(view), CL_SUCCESS);
}

/* What is freed while a command uses it goes with the command. */
static void test_free_in_use(void **state)
{
	struct fixture *f = *state;
	cl_event gate = clCreateUserEvent(f->context, NULL);
	unsigned char *p = clSVMAlloc(f->context, 0, 1 << 20, 0);
	unsigned char copy[SIZE] = {0};
	unsigned char ones = 1;

	assert_int_equal(clEnqueueSVMMemFill(f->queue, p, &ones, 1, 1 << 20, 1, &gate, NULL),
			 CL_SUCCESS);
	assert_int_equal(clEnqueueSVMMemcpy(f->queue, CL_FALSE, copy, p, SIZE, 0, NULL, NULL),
			 CL_SUCCESS);
	clSVMFree(f->context, p);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(copy[SIZE - 1], 1);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
}

/* ---- threads --------------------------------------------------------------------------------- */

#define THREADS 3
#define ROUNDS 400

static struct fixture *shared;

/* Allocations of all sizes, and copies between them, while other threads do the same. */
static void *allocate_and_copy(void *data)
{
	unsigned seed = *(const unsigned *)data;
	cl_command_queue queue = fixture_queue(shared->context, shared->device, 0);
	uintptr_t failed = 0;

	for (int round = 0; round < ROUNDS; round++) {
		const size_t size = (size_t)1 << ((unsigned)rand_r(&seed) % 16);
		const unsigned char pattern = (unsigned char)rand_r(&seed);
		unsigned char *from = clSVMAlloc(shared->context, 0, size, 0);
		unsigned char *to = clSVMAlloc(shared->context, 0, size, 0);

		const cl_int err =
			clEnqueueSVMMemFill(queue, from, &pattern, 1, size, 0, NULL, NULL) |
			clEnqueueSVMMemcpy(queue, CL_FALSE, to, from, size, 0, NULL, NULL) |
			clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, to, size, 0, NULL, NULL);
		failed |= err != CL_SUCCESS || to[0] != pattern || to[size - 1] != pattern;
		clSVMFree(shared->context, from);
		clSVMFree(shared->context, to);
	}
	failed |= clReleaseCommandQueue(queue) != CL_SUCCESS;
	return (void *)failed;
}

static void test_threads(void **state)
{
	const unsigned seeds[THREADS] = {1, 2, 3};
	pthread_t threads[THREADS];
	void *failed;

	shared = *state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, allocate_and_copy,
						(void *)(uintptr_t)&seeds[i]),
				 0);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &failed), 0);
		assert_null(failed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_neighbours),    cmocka_unit_test(test_buffer_stays),
		cmocka_unit_test(test_enqueued_free), cmocka_unit_test(test_free_in_use),
		cmocka_unit_test(test_threads),
	};
	return cmocka_run_group_tests(tests, set_up, buffers_tear_down);
}
