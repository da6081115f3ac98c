/* SPDX-License-Identifier: MIT
 *
 * Coarse-grained shared virtual memory and device allocations of accelerators, beside a CPU device that shares the host's memory.
 * Bytes are brought to where they are used, and no more often than that.
 */
#include "coarse_memory.h"
#include "command_buffers.h"
#include "migration/migration.h"

static void expect_transfers(uint64_t more)
{
	static uint64_t before;
	const uint64_t now = weft_migration_num_transfers();

	if (more != UINT64_MAX)
		assert_int_equal(now - before, more);
	before = now;
}

#define forget_transfers() expect_transfers(UINT64_MAX)

/* Made by one device, linked by another, changed by a third, read by the host: the pointers mean the same everywhere. */
static void a_list_goes_round(void **state)
{
	(void)state;
	for (int first = 0; first < DEVICES; first++) {
		struct item *items = clSVMAlloc(context, 0, LENGTH * sizeof(*items), 0);
		struct item **list = clSVMAlloc(context, 0, sizeof(*list), 0);
		cl_int *to = clSVMAlloc(context, 0, sizeof(*to), 0);
		int count = 0;

		assert_true(items && list && to);
		run(first, "make", items);
		run((first + 1) % DEVICES, "link", items);
		run((first + 2) % DEVICES, "twice", items);
		map(first, CL_MAP_WRITE, list, sizeof(*list));
		*list = items;
		unmap(first, list);
		run_sum((first + 3) % DEVICES, list, to, items);
		map(first, CL_MAP_READ, to, sizeof(*to));
		assert_int_equal(*to, LENGTH * (LENGTH - 1));
		unmap(first, to);
		map(first, CL_MAP_READ, items, LENGTH * sizeof(*items));
		for (const struct item *item = items; item; item = item->next, count++)
			assert_int_equal(item->value, 2 * count);
		assert_int_equal(count, LENGTH);
		unmap(first, items);
		clSVMFree(context, items);
		clSVMFree(context, list);
		clSVMFree(context, to);
	}
}

static void transfers(void **state)
{
	const size_t size = LENGTH * sizeof(struct item);
	struct item *items = clSVMAlloc(context, 0, size, 0);
	const void *pointers[] = {items};

	(void)state;
	forget_transfers();
	run(FIRST, "make", items); /* undefined contents need not be brought */
	expect_transfers(0);
	run(SECOND, "link", items); /* the same memory */
	expect_transfers(0);
	run(APART, "twice", items);
	expect_transfers(1);
	map(APART, CL_MAP_READ, items, size);
	expect_transfers(1);
	unmap(APART, items);
	assert_int_equal(clEnqueueSVMMigrateMem(queues[FIRST], 1, pointers, NULL, 0, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(queues[FIRST]), CL_SUCCESS);
	expect_transfers(1);
	run(FIRST, "twice", items);
	expect_transfers(0);
	assert_int_equal(clEnqueueSVMMigrateMem(queues[FIRST], 1, pointers, &size,
						CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(queues[FIRST]), CL_SUCCESS);
	expect_transfers(1);
	run(APART, "twice", items);
	expect_transfers(1);
	map(APART, CL_MAP_WRITE_INVALIDATE_REGION, items, size);
	expect_transfers(0);
	unmap(APART, items);
	clSVMFree(context, items);
}

/* Buffers in an allocation have its replicas. */
static void buffers_in_allocations(void **state)
{
	enum { WORDS = 1024 };
	cl_int *words = clSVMAlloc(context, 0, WORDS * sizeof(*words), 0);
	cl_mem whole =
		fixture_buffer_in(context, CL_MEM_USE_HOST_PTR, WORDS * sizeof(*words), words);
	cl_mem half = fixture_sub_buffer(whole, 0, WORDS * sizeof(*words) / 2,
					 WORDS * sizeof(*words) / 2);
	const cl_int seven = 7, nine = 9;
	cl_int read[WORDS];

	(void)state;
	assert_int_equal(clEnqueueSVMMemFill(queues[FIRST], words, &seven, sizeof(seven),
					     WORDS * sizeof(*words), 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(queues[FIRST]), CL_SUCCESS);
	assert_int_equal(clEnqueueFillBuffer(queues[APART], half, &nine, sizeof(nine), 0,
					     WORDS * sizeof(*words) / 2, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(queues[APART]), CL_SUCCESS);
	assert_int_equal(clEnqueueReadBuffer(queues[CPU], whole, CL_TRUE, 0, sizeof(read), read, 0,
					     NULL, NULL),
			 CL_SUCCESS);
	for (int i = 0; i < WORDS; i++)
		assert_int_equal(read[i], i < WORDS / 2 ? 7 : 9);
	memset(read, 0, sizeof(read));
	assert_int_equal(clEnqueueSVMMemcpy(queues[SECOND], CL_TRUE, read, words, sizeof(read), 0,
					    NULL, NULL),
			 CL_SUCCESS);
	for (int i = 0; i < WORDS; i++)
		assert_int_equal(read[i], i < WORDS / 2 ? 7 : 9);
	assert_int_equal(clReleaseMemObject(half), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(whole), CL_SUCCESS);
	clSVMFree(context, words);
}

/* To another context, an allocation is the application's memory. */
static void a_buffer_of_another_context(void **state)
{
	cl_context alone = clCreateContext(NULL, 1, &devices[APART], NULL, NULL, NULL);
	cl_command_queue queue = fixture_queue(alone, devices[APART], 0);
	cl_int *words = clSVMAlloc(context, 0, 64, 0);
	const cl_int five = 5;
	cl_int read = 0;

	(void)state;
	map(CPU, CL_MAP_WRITE, words, 64);
	cl_mem buffer = fixture_buffer_in(alone, CL_MEM_USE_HOST_PTR, 64, words);
	assert_int_equal(
		clEnqueueFillBuffer(queue, buffer, &five, sizeof(five), 0, 64, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(
		clEnqueueReadBuffer(queue, buffer, CL_TRUE, 8, sizeof(read), &read, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(read, 5);
	assert_int_equal(
		clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 8, words + 8, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(words[9], 5);
	unmap(CPU, words);
	assert_int_equal(clReleaseMemObject(buffer), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clReleaseContext(alone), CL_SUCCESS);
	clSVMFree(context, words);
}

static void device_allocations(void **state)
{
	const size_t size = LENGTH * sizeof(struct item);
	cl_int err = CL_SUCCESS;
	struct item *items = device_alloc(context, devices[APART], NULL, size, 0, &err);
	struct item copy[LENGTH];

	(void)state;
	assert_non_null(items);
	forget_transfers();
	run(APART, "make", items);
	run(APART, "link", items);
	run(APART, "twice", items);
	assert_int_equal(mem_copy(queues[APART], CL_TRUE, copy, items, size, 0, NULL, NULL),
			 CL_SUCCESS);
	expect_transfers(0); /* it is nowhere else */
	for (int i = 0; i < LENGTH; i++) {
		assert_int_equal(copy[i].value, 2 * i);
		assert_ptr_equal(copy[i].next, i + 1 < LENGTH ? &items[i + 1] : NULL);
	}
	assert_int_equal(mem_free(context, items), CL_SUCCESS);
}

/* A fill, a kernel and a copy, of an allocation that the host writes to in between. */
static void recorded_commands(void **state)
{
	enum { BYTES = 256 };
	const cl_int zero = 0, n = 1;
	struct item *items = clSVMAlloc(context, 0, BYTES, 0),
		    *copy = clSVMAlloc(context, 0, BYTES, 0);
	cl_kernel kernel = make_kernel("twice");
	const size_t one = 1;
	cl_int err = CL_SUCCESS;

	(void)state;
	command_buffers_find();
	assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, items), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(n), &n), CL_SUCCESS);
	cl_command_buffer_khr buffer = ext.clCreateCommandBufferKHR(1, &queues[FIRST], NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(ext.clCommandSVMMemFillKHR(buffer, NULL, NULL, copy, &zero, sizeof(zero),
						    BYTES, 0, NULL, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(ext.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &one,
						       NULL, 0, NULL, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(ext.clCommandSVMMemcpyKHR(buffer, NULL, NULL, copy, items, sizeof(*items),
						   0, NULL, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(ext.clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
	for (int i = 0; i < 3; i++) {
		map(APART, CL_MAP_WRITE_INVALIDATE_REGION, items, sizeof(*items));
		*items = (struct item){NULL, 5 + i};
		unmap(APART, items);
		assert_int_equal(ext.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL),
				 CL_SUCCESS);
		map(FIRST, CL_MAP_READ, copy, BYTES);
		assert_int_equal(copy->value, 2 * (5 + i));
		assert_int_equal(copy[1].value, 0);
		unmap(FIRST, copy);
	}
	assert_int_equal(ext.clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	clSVMFree(context, items);
	clSVMFree(context, copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_goes_round),
		cmocka_unit_test(transfers),
		cmocka_unit_test(buffers_in_allocations),
		cmocka_unit_test(a_buffer_of_another_context),
		cmocka_unit_test(device_allocations),
		cmocka_unit_test(recorded_commands),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
