/* SPDX-License-Identifier: MIT
 *
 * Threads that use their own buffers, and one that all read, on CPU devices and accelerators of one context.
 */
#include "memories.h"

#include <pthread.h>

enum { THREADS = 4, STEPS = 150, COUNT = 3000 };

struct client {
	struct memories m; /* with kernels and queues of its own */
	cl_mem shared;     /* element i is i */
	unsigned seed;
	bool right;
};

static int next_device(struct client *client)
{
	client->seed = client->seed * 1103515245 + 12345;
	return (int)(client->seed >> 16) % NUM_DEVICES;
}

/* own = own + shared, behind `last`. */
static cl_event add_shared(struct client *client, cl_mem own, cl_event last)
{
	const int device = next_device(client);
	cl_kernel sum = client->m.sum;
	const size_t global = COUNT;
	cl_event event = NULL;

	clSetKernelArg(sum, 0, sizeof(own), &own);
	clSetKernelArg(sum, 1, sizeof(own), &own);
	clSetKernelArg(sum, 2, sizeof(own), &client->shared);
	if (clEnqueueNDRangeKernel(client->m.queues[device], sum, 1, NULL, &global, NULL,
				   last ? 1 : 0, last ? &last : NULL, &event) != CL_SUCCESS)
		return NULL;
	clFlush(client->m.queues[device]);
	if (last)
		clReleaseEvent(last);
	return event;
}

static void *work(void *data)
{
	struct client *client = data;
	cl_uint words[COUNT] = {0};
	cl_mem own =
		clCreateBuffer(client->m.context, CL_MEM_COPY_HOST_PTR, sizeof(words), words, NULL);
	cl_event last = NULL;

	client->right = own != NULL;
	for (int i = 0; i < STEPS && client->right; i++) {
		last = add_shared(client, own, last);
		client->right = last != NULL;
	}
	client->right = client->right &&
			clEnqueueReadBuffer(client->m.queues[next_device(client)], own, CL_TRUE, 0,
					    sizeof(words), words, 1, &last, NULL) == CL_SUCCESS;
	for (cl_uint i = 0; i < COUNT && client->right; i++)
		client->right = words[i] == STEPS * i;
	clReleaseEvent(last);
	clReleaseMemObject(own);
	return NULL;
}

static void set_up_client(struct client *client, struct memories *m, cl_mem shared)
{
	client->m = *m;
	client->shared = shared;
	client->m.sum = clCreateKernel(m->program, "sum", NULL);
	assert_non_null(client->m.sum);
	for (int i = 0; i < NUM_DEVICES; i++)
		client->m.queues[i] = fixture_queue(m->context, m->devices[i], 0);
}

static void tear_down_client(struct client *client)
{
	assert_int_equal(clReleaseKernel(client->m.sum), CL_SUCCESS);
	for (int i = 0; i < NUM_DEVICES; i++)
		assert_int_equal(clReleaseCommandQueue(client->m.queues[i]), CL_SUCCESS);
}

static void threads(void **state)
{
	struct memories *m = *state;
	static struct client clients[THREADS];
	pthread_t handles[THREADS];
	cl_uint words[COUNT];

	for (cl_uint i = 0; i < COUNT; i++)
		words[i] = i;
	cl_mem shared = fixture_buffer_in(m->context, CL_MEM_COPY_HOST_PTR, sizeof(words), words);
	for (unsigned i = 0; i < THREADS; i++) {
		clients[i].seed = i;
		set_up_client(&clients[i], m, shared);
		assert_int_equal(pthread_create(&handles[i], NULL, work, &clients[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(handles[i], NULL);
		assert_true(clients[i].right);
		tear_down_client(&clients[i]);
	}
	assert_int_equal(clReleaseMemObject(shared), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(threads)};

	return cmocka_run_group_tests(tests, memories_set_up, memories_tear_down);
}
