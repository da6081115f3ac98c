/* SPDX-License-Identifier: MIT
 *
 * Coarse-grained shared virtual memory and device allocations of accelerators, beside a CPU device that shares the host's memory:
 * two accelerators share a memory, one has its own. Bytes are brought to where they are used, and no more often than that.
 */
#include "command_buffers.h"
#include "compiled_fixture.h"
#include "described_context.h"
#include "migration/migration.h"

#include <CL/cl_ext.h>

enum { CPU, FIRST, SECOND, APART, DEVICES, LENGTH = 100 };

struct item {
	struct item *next;
	cl_int value;
};

static const char *const source =
	"struct item { global struct item *next; int value; };\n"
	"kernel void make(global struct item *items, int n) {\n"
	"  for (int i = 0; i < n; i++) {\n"
	"    items[i].next = i + 1 < n ? &items[n - 1 - i] : 0; items[i].value = i; }\n"
	"}\n"
	"kernel void link(global struct item *items, int n) {\n" /* a list in the order of items */
	"  for (int i = 0; i < n; i++) items[i].next = i + 1 < n ? items + i + 1 : 0;\n"
	"}\n"
	"kernel void twice(global struct item *item, int n) {\n"
	"  for (; item; item = item->next) item->value *= 2;\n"
	"}\n"
	"kernel void sum(global struct item *global *list, global int *to) {\n" /* by pointers in memory */
	"  int s = 0;\n"
	"  for (global struct item *item = *list; item; item = item->next) s += item->value;\n"
	"  *to = s;\n"
	"}\n"
	"kernel void nothing(global int *a) {}\n";

static cl_device_id devices[DEVICES];
static cl_command_queue queues[DEVICES];
static cl_context context;
static cl_program program;
static clHostMemAllocINTEL_fn host_alloc;
static clSharedMemAllocINTEL_fn shared_alloc;
static clDeviceMemAllocINTEL_fn device_alloc;
static clMemFreeINTEL_fn mem_free;
static clEnqueueMemcpyINTEL_fn mem_copy;

static int set_up(void **state)
{
	cl_platform_id platform;

	(void)state;
	compiled_options();
	context = described_context("pthread,accel",
				    "memory=a,global=64M;memory=a,global=64M;global=64M", DEVICES,
				    devices);
	for (int i = 0; i < DEVICES; i++)
		queues[i] = fixture_queue(context, devices[i], 0);
	program = compiled_program(context, source, "-cl-std=CL3.0");
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
#define FIND(pointer, name)                                                                        \
	pointer = (__typeof__(pointer))clGetExtensionFunctionAddressForPlatform(platform, name);   \
	assert_non_null(pointer)
	FIND(host_alloc, "clHostMemAllocINTEL");
	FIND(shared_alloc, "clSharedMemAllocINTEL");
	FIND(device_alloc, "clDeviceMemAllocINTEL");
	FIND(mem_free, "clMemFreeINTEL");
	FIND(mem_copy, "clEnqueueMemcpyINTEL");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	for (int i = 0; i < DEVICES; i++)
		assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
	return clReleaseContext(context) != CL_SUCCESS;
}

/* ---- helpers ---------------------------------------------------------------------------------- */

static cl_kernel make_kernel(const char *name)
{
	cl_kernel kernel = clCreateKernel(program, name, NULL);

	assert_non_null(kernel);
	return kernel;
}

static cl_int launch(int device, cl_kernel kernel)
{
	const size_t one = 1;

	return clEnqueueNDRangeKernel(queues[device], kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
}

/* Of make, link and twice. */
static void run(int device, const char *name, void *items)
{
	cl_kernel kernel = make_kernel(name);
	const cl_int n = LENGTH;

	assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, items), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(kernel, 1, sizeof(n), &n), CL_SUCCESS);
	assert_int_equal(launch(device, kernel), CL_SUCCESS);
	assert_int_equal(clFinish(queues[device]), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

/* The kernel finds the items by a pointer in memory, of which it is told. */
static void run_sum(int device, struct item **list, cl_int *to, void *items)
{
	cl_kernel kernel = make_kernel("sum");

	assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, list), CL_SUCCESS);
	assert_int_equal(clSetKernelArgSVMPointer(kernel, 1, to), CL_SUCCESS);
	assert_int_equal(
		clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(items), &items),
		CL_SUCCESS);
	assert_int_equal(launch(device, kernel), CL_SUCCESS);
	assert_int_equal(clFinish(queues[device]), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static void map(int device, cl_map_flags flags, void *memory, size_t size)
{
	assert_int_equal(
		clEnqueueSVMMap(queues[device], CL_TRUE, flags, memory, size, 0, NULL, NULL),
		CL_SUCCESS);
}

static void unmap(int device, void *memory)
{
	assert_int_equal(clEnqueueSVMUnmap(queues[device], memory, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clFinish(queues[device]), CL_SUCCESS);
}

static void expect_transfers(uint64_t more)
{
	static uint64_t before;
	const uint64_t now = weft_migration_num_transfers();

	if (more != UINT64_MAX)
		assert_int_equal(now - before, more);
	before = now;
}

#define forget_transfers() expect_transfers(UINT64_MAX)

/* ---- shared virtual memory ---------------------------------------------------------------------- */

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

/* ---- freeing, device allocations ---------------------------------------------------------------- */

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
		cmocka_unit_test(queries),           cmocka_unit_test(a_list_goes_round),
		cmocka_unit_test(transfers),         cmocka_unit_test(buffers_in_allocations),
		cmocka_unit_test(refused),           cmocka_unit_test(full_memory),
		cmocka_unit_test(enqueued_frees),    cmocka_unit_test(device_allocations),
		cmocka_unit_test(recorded_commands), cmocka_unit_test(a_buffer_of_another_context),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
