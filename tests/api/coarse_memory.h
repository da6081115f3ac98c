/* SPDX-License-Identifier: MIT
 *
 * A CPU device that shares the host's memory, two accelerators that share a memory, and one that has its own, in one context; and
 * what tests of their shared memory do to lists of items.
 */
#ifndef WEFT_TESTS_API_COARSE_MEMORY_H
#define WEFT_TESTS_API_COARSE_MEMORY_H

#include "compiled_fixture.h"
#include "described_context.h"

#include <CL/cl_ext.h>

enum { CPU, FIRST, SECOND, APART, DEVICES, LENGTH = 100 };

struct item {
	struct item *next;
	cl_int value;
};

static const char *const coarse_source =
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

static inline int set_up(void **state)
{
	cl_platform_id platform;

	(void)state;
	compiled_options();
	context = described_context("pthread,accel",
				    "memory=a,global=64M;memory=a,global=64M;global=64M", DEVICES,
				    devices);
	for (int i = 0; i < DEVICES; i++)
		queues[i] = fixture_queue(context, devices[i], 0);
	program = compiled_program(context, coarse_source, "-cl-std=CL3.0");
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

static inline int tear_down(void **state)
{
	(void)state;
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	for (int i = 0; i < DEVICES; i++)
		assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
	return clReleaseContext(context) != CL_SUCCESS;
}

/* ---- helpers ---------------------------------------------------------------------------------- */

static inline cl_kernel make_kernel(const char *name)
{
	cl_kernel kernel = clCreateKernel(program, name, NULL);

	assert_non_null(kernel);
	return kernel;
}

static inline cl_int launch(int device, cl_kernel kernel)
{
	const size_t one = 1;

	return clEnqueueNDRangeKernel(queues[device], kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
}

/* Of make, link and twice. */
static inline void run(int device, const char *name, void *items)
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
static inline void run_sum(int device, struct item **list, cl_int *to, void *items)
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

static inline void map(int device, cl_map_flags flags, void *memory, size_t size)
{
	assert_int_equal(
		clEnqueueSVMMap(queues[device], CL_TRUE, flags, memory, size, 0, NULL, NULL),
		CL_SUCCESS);
}

static inline void unmap(int device, void *memory)
{
	assert_int_equal(clEnqueueSVMUnmap(queues[device], memory, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clFinish(queues[device]), CL_SUCCESS);
}

#endif
