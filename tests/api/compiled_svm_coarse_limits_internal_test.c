/* SPDX-License-Identifier: MIT
 *
 * Where the shared memory of accelerators ends: queries, memory that is refused, full memories, failed allocations, and freeing.
 */
#include "alloc.h"
#include "coarse_memory.h"

static void queries(void **state)
{
	(void)state;
	for (int i = 0; i < DEVICES; i++) {
		cl_device_svm_capabilities svm = 0;
		cl_device_unified_shared_memory_capabilities_intel own = 0, host = 1;
		char list[8192];

		clGetDeviceInfo(devices[i], CL_DEVICE_SVM_CAPABILITIES, sizeof(svm), &svm, NULL);
		clGetDeviceInfo(devices[i], CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, sizeof(own),
				&own, NULL);
		clGetDeviceInfo(devices[i], CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, sizeof(host),
				&host, NULL);
		assert_int_equal(
			clGetDeviceInfo(devices[i], CL_DEVICE_EXTENSIONS, sizeof(list), list, NULL),
			CL_SUCCESS);
		assert_non_null(strstr(list, "cl_intel_unified_shared_memory"));
		if (i == CPU)
			continue;
		assert_int_equal(svm, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
		assert_int_equal(own, CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL |
					      CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL);
		assert_int_equal(host, 0);
		assert_null(strstr(list, "cl_ext_buffer_device_address"));
	}
}

/* ---- what is refused ---------------------------------------------------------------------------- */

static void expect_range_refused(void *memory)
{
	const void *pointers[] = {memory};
	const cl_int zero = 0;
	cl_command_queue queue = queues[FIRST];

	assert_int_equal(clEnqueueSVMMemFill(queue, memory, &zero, 4, 64, 0, NULL, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, 64, 0, NULL, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL), CL_INVALID_VALUE);
	assert_int_equal(clEnqueueSVMMigrateMem(queue, 1, pointers, NULL, 0, 0, NULL, NULL),
			 CL_INVALID_VALUE);
}

static void expect_pointer_refused(void *memory)
{
	cl_kernel kernel = make_kernel("nothing");

	assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, memory), CL_SUCCESS);
	assert_int_equal(launch(FIRST, kernel), CL_INVALID_OPERATION);
	assert_int_equal(launch(CPU, kernel), CL_SUCCESS);
	assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, NULL), CL_SUCCESS);
	assert_int_equal(launch(FIRST, kernel), CL_SUCCESS);
	assert_int_equal(
		clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(memory), &memory),
		CL_SUCCESS);
	assert_int_equal(launch(CPU, kernel), CL_SUCCESS);
	assert_int_equal(clFinish(queues[CPU]), CL_SUCCESS);
	assert_int_equal(clFinish(queues[FIRST]), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

/* The host's memory is no accelerator's, nor is an allocation that the host accesses at any time. */
static void refused(void **state)
{
	cl_int err = CL_SUCCESS;
	cl_int bytes[64] = {0};
	void *fine = clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 256, 0);
	void *host = host_alloc(context, NULL, 256, 0, &err);
	cl_context alone = clCreateContext(NULL, 2, &devices[FIRST], NULL, NULL, NULL);
	void *foreign = clSVMAlloc(alone, 0, 256, 0);
	void *beyond = clSVMAlloc(context, 0, 63, 0);

	(void)state;
	assert_true(fine && host && alone && foreign && beyond);
	expect_range_refused(bytes);
	expect_range_refused(fine);
	expect_range_refused(host);
	expect_range_refused(foreign);
	assert_int_equal(
		clEnqueueSVMMap(queues[FIRST], CL_TRUE, CL_MAP_READ, beyond, 64, 0, NULL, NULL),
		CL_INVALID_VALUE);
	expect_pointer_refused(bytes);
	expect_pointer_refused(fine);
	expect_pointer_refused(host);
	expect_pointer_refused(foreign);

	assert_null(clSVMAlloc(alone, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
	assert_null(host_alloc(alone, NULL, 64, 0, &err));
	assert_int_equal(err, CL_INVALID_OPERATION);
	assert_null(shared_alloc(alone, NULL, NULL, 64, 0, &err));
	assert_int_equal(err, CL_INVALID_OPERATION);
	assert_null(shared_alloc(context, devices[FIRST], NULL, 64, 0, &err));
	assert_int_equal(err, CL_INVALID_OPERATION);
	mem_free(context, host);
	clSVMFree(context, fine);
	clSVMFree(context, beyond);
	clSVMFree(alone, foreign);
	assert_int_equal(clReleaseContext(alone), CL_SUCCESS);
}

/* A device allocation takes memory at once, an allocation of both when it is used. */
static void full_memory(void **state)
{
	enum { MOST = 64, SIZE = 4 << 20 };
	cl_kernel kernel = make_kernel("nothing");
	void *pieces[MOST], *more = clSVMAlloc(context, 0, SIZE, 0);
	cl_int err = CL_SUCCESS;
	int count = 0;

	(void)state;
	assert_non_null(more);
	while (count < MOST && (pieces[count] = device_alloc(context, devices[FIRST + count % 2],
							     NULL, SIZE, 0, &err)))
		count++;
	assert_in_range(count, 14, 16);
	assert_int_equal(err, CL_OUT_OF_RESOURCES);
	assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, more), CL_SUCCESS);
	assert_int_equal(launch(FIRST, kernel), CL_MEM_OBJECT_ALLOCATION_FAILURE);
	assert_int_equal(launch(APART, kernel), CL_SUCCESS);
	assert_int_equal(clFinish(queues[APART]), CL_SUCCESS);
	while (count > 0)
		assert_int_equal(mem_free(context, pieces[--count]), CL_SUCCESS);
	assert_int_equal(launch(FIRST, kernel), CL_SUCCESS);
	assert_int_equal(clFinish(queues[FIRST]), CL_SUCCESS);
	clSVMFree(context, more);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

/* ---- failed allocations ------------------------------------------------------------------------- */

/* With the n-th allocation of the host failing, for n from 1 on until an attempt needs fewer. */
static void replay(cl_int (*make)(void))
{
	for (long n = 0;; n++) {
		assert_true(n < 100);
		weft_alloc_fail_after(n);
		const cl_int err = make();
		const int failed = weft_alloc_has_failed();
		weft_alloc_fail_after(-1);
		if (!failed) {
			assert_int_equal(err, CL_SUCCESS);
			assert_true(n > 0);
			return;
		}
		/* some are of things that a command can do without */
		assert_true(err == CL_SUCCESS || err == CL_OUT_OF_HOST_MEMORY ||
			    err == CL_OUT_OF_RESOURCES || err == CL_MEM_OBJECT_ALLOCATION_FAILURE);
	}
}

static cl_int allocate_on_device(void)
{
	cl_int err = CL_SUCCESS;
	void *made = device_alloc(context, devices[APART], NULL, 64, 0, &err);

	mem_free(context, made);
	return err;
}

/* An accelerator takes memory when it first uses the allocation. */
static cl_int use_allocation(void)
{
	const cl_int zero = 0;
	void *made = clSVMAlloc(context, 0, 64, 0);
	cl_int err = CL_OUT_OF_HOST_MEMORY;

	if (made)
		err = clEnqueueSVMMemFill(queues[APART], made, &zero, sizeof(zero), 64, 0, NULL,
					  NULL);
	if (err == CL_SUCCESS)
		err = clFinish(queues[APART]);
	clSVMFree(context, made);
	return err;
}

static void failed_allocations(void **state)
{
	(void)state;
	replay(allocate_on_device);
	replay(use_allocation);
}

/* ---- freeing ------------------------------------------------------------------------------------ */

static void CL_CALLBACK free_all(cl_command_queue queue, cl_uint count, void *pointers[],
				 void *user_data)
{
	assert_ptr_equal(queue, queues[FIRST]);
	for (cl_uint i = 0; i < count; i++)
		clSVMFree(context, pointers[i]);
	++*(int *)user_data;
}

/* An accelerator runs no native function: the host frees. */
static void enqueued_frees(void **state)
{
	void *pointers[] = {clSVMAlloc(context, 0, 64, 0), clSVMAlloc(context, 0, 64, 0)};
	cl_event gate = clCreateUserEvent(context, NULL), freed;
	int calls = 0;

	(void)state;
	assert_int_equal(
		clEnqueueSVMFree(queues[FIRST], 2, pointers, free_all, &calls, 1, &gate, &freed),
		CL_SUCCESS);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &freed), CL_SUCCESS);
	assert_int_equal(calls, 1);
	fixture_release_events((cl_event[]){freed, gate, NULL});

	pointers[0] = clSVMAlloc(context, 0, 64, 0);
	gate = clCreateUserEvent(context, NULL);
	assert_int_equal(
		clEnqueueSVMFree(queues[FIRST], 1, pointers, free_all, &calls, 1, &gate, &freed),
		CL_SUCCESS);
	assert_int_equal(clSetUserEventStatus(gate, -5), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &freed), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_true(fixture_status(freed) < 0);
	assert_int_equal(calls, 1);
	fixture_release_events((cl_event[]){freed, gate, NULL});
	assert_int_equal(clEnqueueSVMFree(queues[FIRST], 1, pointers, NULL, NULL, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(queues[FIRST]), CL_SUCCESS);
	map(CPU, CL_MAP_READ, &calls, sizeof(calls)); /* any memory of the process */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queries),        cmocka_unit_test(refused),
		cmocka_unit_test(full_memory),    cmocka_unit_test(failed_allocations),
		cmocka_unit_test(enqueued_frees),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
