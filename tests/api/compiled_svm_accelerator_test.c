/* SPDX-License-Identifier: MIT
 *
 * Shared virtual memory where there are accelerators that are described without it: they refuse it, and CPU devices of the same
 * context offer it as ever.
 */
#include "compiled_fixture.h"
#include "described_context.h"

#include <CL/cl_ext.h>

#define PRIVATE_ADDRESS 0x5000 /* CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, newer than Debian's headers */

static const char *const source =
	"kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }\n";

static cl_device_id devices[2]; /* a CPU and an accelerator */

static int set_up(void **state)
{
	compiled_options();
	cl_context both = described_context("pthread,accel", "svm=0", 2, devices);
	*state = both;
	return 0;
}

static int tear_down(void **state)
{
	return clReleaseContext(*state) != CL_SUCCESS;
}

static void expect_refused(cl_command_queue queue, void *memory)
{
	const void *pointers[] = {memory};
	char bytes[64] = {0};

	assert_int_equal(clEnqueueSVMMemcpy(queue, CL_TRUE, memory, bytes, 8, 0, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueSVMMemFill(queue, memory, bytes, 1, 8, 0, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, 8, 0, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL), CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueSVMMigrateMem(queue, 1, pointers, NULL, 0, 0, NULL, NULL),
			 CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueSVMFree(queue, 1, &memory, NULL, NULL, 0, NULL, NULL),
			 CL_INVALID_OPERATION);
}

static cl_kernel make_kernel(cl_context context)
{
	cl_program program = compiled_program(context, source, NULL);
	cl_kernel kernel = clCreateKernel(program, "twice", NULL);

	assert_non_null(kernel);
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return kernel;
}

static void accelerators_refuse_it(void **state)
{
	cl_context context = clCreateContext(NULL, 1, &devices[1], NULL, NULL, NULL);
	cl_device_svm_capabilities capabilities = 1;
	const cl_bool yes = CL_TRUE;
	const cl_bool no = CL_FALSE;
	char bytes[64];
	void *pointers[] = {bytes};

	(void)state;
	assert_non_null(context);
	assert_int_equal(clGetDeviceInfo(devices[1], CL_DEVICE_SVM_CAPABILITIES,
					 sizeof(capabilities), &capabilities, NULL),
			 CL_SUCCESS);
	assert_int_equal(capabilities, 0);
	assert_null(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
	clSVMFree(context, bytes);
	cl_command_queue queue = fixture_queue(context, devices[1], 0);
	cl_kernel kernel = make_kernel(context);
	expect_refused(queue, bytes);
	assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, bytes), CL_INVALID_OPERATION);
	assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(pointers),
					     pointers),
			 CL_INVALID_OPERATION);
	assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
					     sizeof(yes), &yes),
			 CL_INVALID_OPERATION);
	assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
					     sizeof(no), &no),
			 CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
}

/* Whether a list has the extensions that need the host's memory: both or none. */
static bool has_extensions(const char *list)
{
	const bool usm = strstr(list, "cl_intel_unified_shared_memory");

	assert_int_equal(usm, strstr(list, "cl_ext_buffer_device_address") != NULL);
	return usm;
}

static void extensions_are_the_devices_own(void **state)
{
	static const cl_mem_properties with_address[] = {PRIVATE_ADDRESS, CL_TRUE, 0};
	cl_context context = clCreateContext(NULL, 1, &devices[1], NULL, NULL, NULL);
	char list[8192];
	cl_platform_id platform;
	cl_int err = CL_SUCCESS;

	(void)state;
	assert_non_null(context);
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
	assert_int_equal(
		clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, sizeof(list), list, NULL),
		CL_SUCCESS);
	assert_false(has_extensions(list)); /* not all devices have them */
	for (int i = 0; i < 2; i++) {
		cl_device_unified_shared_memory_capabilities_intel capabilities;
		cl_name_version versions[200];
		size_t bytes = 0;
		assert_int_equal(
			clGetDeviceInfo(devices[i], CL_DEVICE_EXTENSIONS, sizeof(list), list, NULL),
			CL_SUCCESS);
		assert_int_equal(has_extensions(list), i == 0);
		assert_int_equal(clGetDeviceInfo(devices[i], CL_DEVICE_EXTENSIONS_WITH_VERSION,
						 sizeof(versions), versions, &bytes),
				 CL_SUCCESS);
		assert_string_equal(versions[bytes / sizeof(versions[0]) - 1].name,
				    strrchr(list, ' ') + 1);
		assert_int_equal(clGetDeviceInfo(devices[i],
						 CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
						 sizeof(capabilities), &capabilities, NULL),
				 CL_SUCCESS);
		assert_int_equal(capabilities != 0, i == 0);
	}
	clHostMemAllocINTEL_fn alloc =
		(clHostMemAllocINTEL_fn)clGetExtensionFunctionAddressForPlatform(
			platform, "clHostMemAllocINTEL");
	assert_null(alloc(context, NULL, 64, 0, &err));
	assert_int_equal(err, CL_INVALID_OPERATION);
	assert_null(clCreateBufferWithProperties(context, with_address, 0, 64, NULL, &err));
	assert_int_equal(err, CL_INVALID_OPERATION);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
}

/* A buffer in shared memory is for them alone: the accelerator has no memory for what the host may reach by its address at any
 * time. */
static void others_of_the_context_offer_it(void **state)
{
	enum { WORDS = 1000 };
	cl_context context = *state;
	cl_command_queue cpu = fixture_queue(context, devices[0], 0);
	cl_command_queue accelerator = fixture_queue(context, devices[1], 0);
	cl_kernel kernel = make_kernel(context);
	const size_t global = WORDS;
	const cl_int three = 3;
	cl_int result[WORDS];

	cl_int *words = clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof(result), 0);
	assert_non_null(words);
	expect_refused(accelerator, words);

	assert_int_equal(clEnqueueSVMMemFill(cpu, words, &three, sizeof(three), sizeof(result), 0,
					     NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, words), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(accelerator, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
		CL_INVALID_OPERATION);
	assert_int_equal(clEnqueueNDRangeKernel(cpu, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(clFinish(cpu), CL_SUCCESS);

	cl_mem view = fixture_buffer_in(context, CL_MEM_USE_HOST_PTR, sizeof(result), words);
	assert_int_equal(clSetKernelArg(kernel, 0, sizeof(view), &view), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(accelerator, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
		CL_MEM_OBJECT_ALLOCATION_FAILURE);
	assert_int_equal(clEnqueueReadBuffer(accelerator, view, CL_TRUE, 0, sizeof(result), result,
					     0, NULL, NULL),
			 CL_MEM_OBJECT_ALLOCATION_FAILURE);
	assert_int_equal(clEnqueueNDRangeKernel(cpu, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(
		clEnqueueSVMMemcpy(cpu, CL_TRUE, result, words, sizeof(result), 0, NULL, NULL),
		CL_SUCCESS);
	for (int i = 0; i < WORDS; i++)
		assert_int_equal(result[i], 12);
	assert_int_equal(clReleaseMemObject(view), CL_SUCCESS);
	clSVMFree(context, words);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(cpu), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(accelerator), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accelerators_refuse_it),
		cmocka_unit_test(extensions_are_the_devices_own),
		cmocka_unit_test(others_of_the_context_offer_it),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
