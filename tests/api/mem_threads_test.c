/* SPDX-License-Identifier: MIT
 *
 * Threads that make, map, use and release buffers and images at once, some of them the same ones.
 * ThreadSanitizer watches.
 */
#include "fixture.h"
#include "latch.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 50 };

struct thread {
	pthread_t id;
	struct fixture *fixture;
	cl_mem shared;
	size_t slice; /* of the shared buffer that is this thread's alone */
	unsigned char seed;
	cl_int error; /* the first */
};

static struct latch destroyed = LATCH_INITIALIZER;

static void CL_CALLBACK on_destroy(cl_mem mem, void *user_data)
{
	(void)mem;
	(void)user_data;
	latch_raise(&destroyed);
}

static void keep(struct thread *thread, cl_int error)
{
	if (thread->error == CL_SUCCESS)
		thread->error = error;
}

/* Writes the thread's slice through a mapping of a sub-buffer, and reads it back through the
 * parent. */
static void use_slice(struct thread *thread, unsigned char value)
{
	struct fixture *f = thread->fixture;
	const size_t size = f->alignment;
	const cl_buffer_region region = {thread->slice * size, size};
	unsigned char *got = malloc(size);
	cl_int err;

	cl_mem sub =
		clCreateSubBuffer(thread->shared, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
	keep(thread, err);
	keep(thread, clSetMemObjectDestructorCallback(sub, on_destroy, NULL));
	unsigned char *pointer = clEnqueueMapBuffer(f->queue, sub, CL_TRUE, CL_MAP_WRITE, 0, size,
						    0, NULL, NULL, &err);
	keep(thread, err);
	if (pointer)
		memset(pointer, value, size);
	keep(thread, clEnqueueUnmapMemObject(f->queue, sub, pointer, 0, NULL, NULL));
	keep(thread, clReleaseMemObject(sub));
	keep(thread, clEnqueueReadBuffer(f->queue, thread->shared, CL_TRUE, region.origin, size,
					 got, 0, NULL, NULL));
	for (size_t i = 0; i < size; i++) {
		if (got[i] != value)
			keep(thread, CL_OUT_OF_RESOURCES);
	}
	free(got);
}

/* A buffer that is released while a command still uses it. */
static void use_own(struct thread *thread, unsigned char value)
{
	struct fixture *f = thread->fixture;
	unsigned char got[1000] = {0};
	cl_event event;
	cl_int err;

	cl_mem mem = clCreateBuffer(f->context, 0, sizeof(got), NULL, &err);
	keep(thread, err);
	keep(thread, clSetMemObjectDestructorCallback(mem, on_destroy, NULL));
	keep(thread, clEnqueueFillBuffer(f->queue, mem, &value, 1, 0, sizeof(got), 0, NULL, NULL));
	keep(thread,
	     clEnqueueReadBuffer(f->queue, mem, CL_FALSE, 0, sizeof(got), got, 0, NULL, &event));
	keep(thread, clReleaseMemObject(mem));
	keep(thread, clWaitForEvents(1, &event));
	keep(thread, clReleaseEvent(event));
	if (got[0] != value || memcmp(got, got + 1, sizeof(got) - 1) != 0)
		keep(thread, CL_OUT_OF_RESOURCES);
}

/* Fills the thread's slice as an image in a sub-buffer, which are both released while the command may run, and reads it back
 * through the parent. */
static void use_image(struct thread *thread, unsigned char value)
{
	struct fixture *f = thread->fixture;
	const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
	const cl_buffer_region part = {thread->slice * f->alignment, f->alignment};
	const size_t origin[3] = {0, 0, 0}, region[3] = {f->alignment / 16, 16, 1};
	const cl_uint color[4] = {value, 0, 0, 0};
	unsigned char got[2] = {0, 0};
	cl_int err;

	cl_mem sub =
		clCreateSubBuffer(thread->shared, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &err);
	keep(thread, err);
	const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
				    .image_width = region[0],
				    .image_height = region[1],
				    .mem_object = sub};
	cl_mem image = clCreateImage(f->context, 0, &format, &desc, NULL, &err);
	keep(thread, err);
	keep(thread, clReleaseMemObject(sub));
	keep(thread, clSetMemObjectDestructorCallback(image, on_destroy, NULL));
	keep(thread, clEnqueueFillImage(f->queue, image, color, origin, region, 0, NULL, NULL));
	keep(thread, clReleaseMemObject(image));
	for (int i = 0; i < 2; i++)
		keep(thread, clEnqueueReadBuffer(f->queue, thread->shared, CL_TRUE,
						 part.origin + (i ? part.size - 1 : 0), 1, &got[i],
						 0, NULL, NULL));
	if (got[0] != value || got[1] != value)
		keep(thread, CL_OUT_OF_RESOURCES);
}

static void *run(void *argument)
{
	struct thread *thread = argument;

	for (int i = 0; i < ROUNDS; i++) {
		unsigned char value = (unsigned char)(thread->seed + i);
		keep(thread, clRetainMemObject(thread->shared));
		use_slice(thread, value);
		use_image(thread, (unsigned char)~value);
		use_own(thread, value);
		keep(thread, clReleaseMemObject(thread->shared));
	}
	return NULL;
}

static void test_threads(void **state)
{
	struct fixture *f = *state;
	struct thread threads[THREADS];
	cl_mem shared = fixture_buffer(f, 0, THREADS * f->alignment, NULL);
	cl_uint count;

	for (size_t i = 0; i < THREADS; i++) {
		threads[i] = (struct thread){.fixture = f,
					     .shared = shared,
					     .slice = i,
					     .seed = (unsigned char)(i * ROUNDS)};
		assert_int_equal(pthread_create(&threads[i].id, NULL, run, &threads[i]), 0);
	}
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i].id, NULL);
		assert_int_equal(threads[i].error, CL_SUCCESS);
	}
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	/* The callbacks have a thread of their own, which nothing but this waits for. */
	assert_int_equal(latch_wait(&destroyed, 3 * THREADS * ROUNDS), 3 * THREADS * ROUNDS);
	assert_int_equal(clGetMemObjectInfo(shared, CL_MEM_MAP_COUNT, sizeof(count), &count, NULL),
			 CL_SUCCESS);
	assert_int_equal(count, 0);
	assert_int_equal(
		clGetMemObjectInfo(shared, CL_MEM_REFERENCE_COUNT, sizeof(count), &count, NULL),
		CL_SUCCESS);
	assert_int_equal(count, 1);
	assert_int_equal(clReleaseMemObject(shared), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
