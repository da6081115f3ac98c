/* SPDX-License-Identifier: MIT
 *
 * Kernels with memory of the extensions: pointers of cl_intel_unified_shared_memory, addresses of buffers
 * (cl_ext_buffer_device_address), and immutable memory objects (cl_ext_immutable_memory_objects).
 */
#include "compiled_fixture.h"

#include <CL/cl_ext.h>

#define ITEMS 512
#define BYTES (ITEMS * sizeof(cl_int))

/* Newer than Debian's headers. */
#define PRIVATE_ADDRESS 0x5000     /* CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT */
#define DEVICE_ADDRESS 0x5001      /* CL_MEM_DEVICE_ADDRESS_EXT */
#define DEVICE_PTRS 0x5002         /* CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT */
#define SVM_INDIRECT_ACCESS 0x11BB /* CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR */
typedef cl_int(CL_API_CALL *set_device_pointer_fn)(cl_kernel, cl_uint, cl_ulong);

static const char *const source =
	"kernel void scale(global int *a, constant int *by, int more, local int *unused) {\n"
	"  size_t i = get_global_id(0); a[i] = a[i] * by[0] + more;\n"
	"}\n"
	"kernel void scale_behind(global ulong *way, int by) {\n"
	"  size_t i = get_global_id(0); ((global int *)way[0])[i] *= by;\n"
	"}\n"
	"kernel void draw(read_only image2d_t from, write_only image2d_t to) {\n"
	"  int2 at = {get_global_id(0), 0}; write_imagef(to, at, read_imagef(from, at));\n"
	"}\n";

static clSharedMemAllocINTEL_fn alloc_shared;
static clMemFreeINTEL_fn release_shared;
static clSetKernelArgMemPointerINTEL_fn set_pointer;
static set_device_pointer_fn set_device_pointer;
static cl_kernel scale, scale_behind, draw;

static void *find(const char *name)
{
	cl_platform_id platform;

	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	void *function = clGetExtensionFunctionAddressForPlatform(platform, name);
	assert_non_null(function);
	return function;
}

static int set_up(void **state)
{
	compiled_set_up(state);
	struct fixture *f = *state;
	alloc_shared = (clSharedMemAllocINTEL_fn)find("clSharedMemAllocINTEL");
	release_shared = (clMemFreeINTEL_fn)find("clMemFreeINTEL");
	set_pointer = (clSetKernelArgMemPointerINTEL_fn)find("clSetKernelArgMemPointerINTEL");
	set_device_pointer = (set_device_pointer_fn)find("clSetKernelArgDevicePointerEXT");
	cl_program program = compiled_program(f->context, source, NULL);
	scale = clCreateKernel(program, "scale", NULL);
	scale_behind = clCreateKernel(program, "scale_behind", NULL);
	assert_non_null(scale);
	draw = clCreateKernel(program, "draw", NULL);
	assert_non_null(scale_behind);
	assert_non_null(draw);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return 0;
}

static int tear_down(void **state)
{
	assert_int_equal(clReleaseKernel(scale), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(scale_behind), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(draw), CL_SUCCESS);
	return fixture_tear_down(state);
}

static void launch(struct fixture *f, cl_kernel kernel)
{
	const size_t items = ITEMS;

	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
		CL_SUCCESS);
}

/* a[i] = a[i] * by[0] + more, as often as `count` says; the pointers are set already. */
static void launch_scale(struct fixture *f, cl_int more, int count)
{
	assert_int_equal(clSetKernelArg(scale, 2, sizeof(more), &more), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(scale, 3, 4, NULL), CL_SUCCESS);
	for (int i = 0; i < count; i++)
		launch(f, scale);
}

/* ---- unified shared memory ------------------------------------------------------------------- */

static void test_usm_arguments(void **state)
{
	struct fixture *f = *state;
	cl_int *a = alloc_shared(f->context, f->device, NULL, BYTES, 0, NULL);
	cl_int *by = alloc_shared(f->context, NULL, NULL, sizeof(*by), 0, NULL);

	assert_non_null(a);
	assert_non_null(by);
	for (int i = 0; i < ITEMS; i++)
		a[i] = i;
	*by = 3;
	assert_int_equal(set_pointer((cl_kernel)f->queue, 0, a), CL_INVALID_KERNEL);
	assert_int_equal(set_pointer(scale, 4, a), CL_INVALID_ARG_INDEX);
	assert_int_equal(set_pointer(scale, 2, a), CL_INVALID_ARG_VALUE);
	assert_int_equal(set_pointer(scale, 3, a), CL_INVALID_ARG_VALUE);
	assert_int_equal(set_pointer(scale, 0, (const void *)8),
			 CL_SUCCESS); /* any value is valid */
	assert_int_equal(set_pointer(scale, 0, a), CL_SUCCESS);
	assert_int_equal(set_pointer(scale, 1, by), CL_SUCCESS);
	launch_scale(f, 1, 2);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	for (int i = 0; i < ITEMS; i++)
		assert_int_equal(a[i], (i * 3 + 1) * 3 + 1);
	assert_int_equal(release_shared(f->context, a), CL_SUCCESS);
	assert_int_equal(release_shared(f->context, by), CL_SUCCESS);
}

static void test_execution_information(void **state)
{
	static const cl_kernel_exec_info flags[] = {
		CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
		CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
		CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, SVM_INDIRECT_ACCESS};
	static const cl_kernel_exec_info lists[] = {CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL,
						    DEVICE_PTRS};
	struct fixture *f = *state;
	void *pointers[] = {&f, NULL};
	const cl_bool yes = CL_TRUE;
	const cl_bool no = CL_FALSE;

	for (int i = 0; i < 4; i++) {
		assert_int_equal(clSetKernelExecInfo(scale, flags[i], 1, &yes), CL_INVALID_VALUE);
		assert_int_equal(clSetKernelExecInfo(scale, flags[i], sizeof(yes), NULL),
				 CL_INVALID_VALUE);
		assert_int_equal(clSetKernelExecInfo(scale, flags[i], sizeof(yes), &yes),
				 CL_SUCCESS);
		assert_int_equal(clSetKernelExecInfo(scale, flags[i], sizeof(no), &no), CL_SUCCESS);
	}
	for (int i = 0; i < 2; i++) {
		assert_int_equal(clSetKernelExecInfo(scale, lists[i], 7, pointers),
				 CL_INVALID_VALUE);
		assert_int_equal(clSetKernelExecInfo(scale, lists[i], 8, NULL), CL_INVALID_VALUE);
		assert_int_equal(clSetKernelExecInfo(scale, lists[i], sizeof(pointers), pointers),
				 CL_SUCCESS);
		assert_int_equal(clSetKernelExecInfo(scale, lists[i], 0, NULL), CL_SUCCESS);
	}
}

/* ---- addresses of buffers -------------------------------------------------------------------- */

static const cl_mem_properties with_address[] = {PRIVATE_ADDRESS, CL_TRUE, 0};

static cl_mem addressed_buffer(struct fixture *f, cl_mem_flags flags, void *host_ptr)
{
	cl_int err;
	cl_mem mem = clCreateBufferWithProperties(f->context, with_address, flags, BYTES, host_ptr,
						  &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(mem);
	return mem;
}

static cl_ulong address_of(cl_mem mem)
{
	cl_ulong address = 0;
	size_t size = 0;

	assert_int_equal(clGetMemObjectInfo(mem, DEVICE_ADDRESS, sizeof(address), &address, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(address)); /* of one device */
	assert_int_not_equal(address, 0);
	return address;
}

static void test_address_errors(void **state)
{
	static const cl_mem_properties bad_value[] = {PRIVATE_ADDRESS, 2, 0};
	static const cl_mem_properties twice[] = {PRIVATE_ADDRESS, CL_TRUE, PRIVATE_ADDRESS,
						  CL_TRUE, 0};
	static const cl_mem_properties without[] = {PRIVATE_ADDRESS, CL_FALSE, 0};
	struct fixture *f = *state;
	cl_int err = CL_SUCCESS;
	cl_ulong address;

	assert_null(clCreateBufferWithProperties(f->context, bad_value, 0, 64, NULL, &err));
	assert_int_equal(err, CL_INVALID_PROPERTY);
	assert_null(clCreateBufferWithProperties(f->context, twice, 0, 64, NULL, &err));
	assert_int_equal(err, CL_INVALID_PROPERTY);
	cl_mem plain = clCreateBufferWithProperties(f->context, without, 0, 64, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clGetMemObjectInfo(plain, DEVICE_ADDRESS, sizeof(address), &address, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clReleaseMemObject(plain), CL_SUCCESS);
	assert_int_equal(set_device_pointer((cl_kernel)f->queue, 0, 64), CL_INVALID_KERNEL);
	assert_int_equal(set_device_pointer(scale, 1, 64), CL_INVALID_ARG_INDEX); /* constant */
	assert_int_equal(set_device_pointer(scale, 2, 64), CL_INVALID_ARG_INDEX);
	assert_int_equal(set_device_pointer(scale, 3, 64), CL_INVALID_ARG_INDEX);
	assert_int_equal(set_device_pointer(scale, 4, 64), CL_INVALID_ARG_INDEX);
}

static void test_addresses(void **state)
{
	struct fixture *f = *state;
	cl_int *svm = clSVMAlloc(f->context, CL_MEM_READ_WRITE, BYTES, 0);
	cl_mem mem = addressed_buffer(f, CL_MEM_READ_WRITE, NULL);
	cl_mem part = fixture_sub_buffer(mem, 0, 128, 128);
	cl_mem shared = addressed_buffer(f, CL_MEM_USE_HOST_PTR, svm);

	assert_non_null(svm);
	assert_int_equal(address_of(part), address_of(mem) + 128);
	assert_int_equal(address_of(shared), (uintptr_t)svm);
	assert_int_equal(clReleaseMemObject(part), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(shared), CL_SUCCESS);
	clSVMFree(f->context, svm);
}

/* Commands on a buffer, and kernels with its address, in one queue: in the application's memory, too, which is in no map. */
static void test_order(void **state)
{
	static cl_int host[ITEMS];
	struct fixture *f = *state;
	const cl_int twos = 2;
	cl_mem factor = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, sizeof(twos), (void *)&twos);
	cl_ulong *way = clSVMAlloc(f->context, CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof(*way), 0);
	const cl_bool no = CL_FALSE;

	assert_non_null(way);
	assert_int_equal(clSetKernelArg(scale, 1, sizeof(factor), &factor), CL_SUCCESS);
	assert_int_equal(clSetKernelArgSVMPointer(scale_behind, 0, way), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(scale_behind, 1, sizeof(twos), &twos), CL_SUCCESS);
	assert_int_equal(clSetKernelExecInfo(scale_behind,
					     CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(no),
					     &no),
			 CL_SUCCESS);
	for (int round = 0; round < 20; round++) {
		cl_mem mem = round % 2 ? addressed_buffer(f, CL_MEM_USE_HOST_PTR, host)
				       : addressed_buffer(f, CL_MEM_READ_WRITE, NULL);
		const cl_ulong address = address_of(mem);
		cl_int result[ITEMS];

		*way = address;
		assert_int_equal(
			clSetKernelExecInfo(scale_behind, DEVICE_PTRS, sizeof(address), &address),
			CL_SUCCESS);
		assert_int_equal(clEnqueueFillBuffer(f->queue, mem, &round, sizeof(round), 0, BYTES,
						     0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(set_device_pointer(scale, 0, address), CL_SUCCESS);
		launch_scale(f, 1, 1);   /* 2 r + 1 */
		launch(f, scale_behind); /* 4 r + 2 */
		assert_int_equal(clSetKernelArg(scale, 0, sizeof(mem), &mem), CL_SUCCESS);
		launch_scale(f, 0, 1); /* 8 r + 4 */
		assert_int_equal(clEnqueueReadBuffer(f->queue, mem, CL_TRUE, 0, BYTES, result, 0,
						     NULL, NULL),
				 CL_SUCCESS);
		for (int i = 0; i < ITEMS; i++)
			assert_int_equal(result[i], 8 * round + 4);
		assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	}
	assert_int_equal(clReleaseMemObject(factor), CL_SUCCESS);
	clSVMFree(f->context, way);
}

/* ---- immutable memory objects ---------------------------------------------------------------- */

#define IMMUTABLE ((cl_mem_flags)1 << 6) /* CL_MEM_IMMUTABLE_EXT */

/* A kernel may read them. */
static void test_immutable_arguments(void **state)
{
	static const cl_image_format format = {CL_R, CL_FLOAT};
	static const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 1};
	static float bytes[16];
	struct fixture *f = *state;
	cl_mem fixed = fixture_buffer(f, IMMUTABLE | CL_MEM_COPY_HOST_PTR, sizeof(bytes), bytes);
	cl_mem image = clCreateImage(f->context, IMMUTABLE | CL_MEM_COPY_HOST_PTR, &format, &desc,
				     bytes, NULL);

	assert_non_null(image);
	assert_int_equal(clSetKernelArg(scale, 0, sizeof(fixed), &fixed), CL_INVALID_ARG_VALUE);
	assert_int_equal(clSetKernelArg(scale, 1, sizeof(fixed), &fixed), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(draw, 0, sizeof(image), &image), CL_SUCCESS);
	assert_int_equal(clSetKernelArg(draw, 1, sizeof(image), &image), CL_INVALID_ARG_VALUE);
	assert_int_equal(clReleaseMemObject(image), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(fixed), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usm_arguments),  cmocka_unit_test(test_execution_information),
		cmocka_unit_test(test_address_errors), cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_order),          cmocka_unit_test(test_immutable_arguments),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
