/* SPDX-License-Identifier: MIT
 *
 * cl_khr_unified_svm without kernels, in a context of a CPU device and an accelerator: the types, every error, queries.
 */
#include "described_context.h"

#include "object/unified_svm_khr.h"

enum { CPU, ACCEL, NUM_DEVICES };
enum { COARSE, DEVICE, FINE, HOST, SHARED, SYSTEM, NUM_TYPES }; /* types of the platform */

static struct {
	cl_context context;
	cl_device_id devices[NUM_DEVICES];
	__typeof__(weft_clSVMAllocWithPropertiesKHR) *alloc;
	__typeof__(weft_clSVMFreeWithPropertiesKHR) *free;
	__typeof__(weft_clGetSVMPointerInfoKHR) *info;
	__typeof__(weft_clGetSVMSuggestedTypeIndexKHR) *suggest;
} svm;

static int set_up(void **state)
{
	cl_platform_id platform;

	svm.context = described_context("pthread,accel", NULL, NUM_DEVICES, svm.devices);
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
#define FIND(member, name)                                                                         \
	svm.member =                                                                               \
		(__typeof__(svm.member))clGetExtensionFunctionAddressForPlatform(platform, #name); \
	assert_non_null(svm.member)
	FIND(alloc, clSVMAllocWithPropertiesKHR);
	FIND(free, clSVMFreeWithPropertiesKHR);
	FIND(info, clGetSVMPointerInfoKHR);
	FIND(suggest, clGetSVMSuggestedTypeIndexKHR);
#undef FIND
	*state = platform;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	assert_int_equal(clReleaseContext(svm.context), CL_SUCCESS);
	return 0;
}

/* ---- types ----------------------------------------------------------------------------------- */

static void device_types(int device, cl_svm_capabilities_khr types[NUM_TYPES])
{
	size_t size = 0;

	assert_int_equal(clGetDeviceInfo(svm.devices[device], CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR,
					 NUM_TYPES * sizeof(*types), types, &size),
			 CL_SUCCESS);
	assert_int_equal(size, NUM_TYPES * sizeof(*types));
}

/* "the reported platform capabilities at an index are the intersection of all non-zero device capabilities" */
static void types_of_platform_and_devices(void **state)
{
	static const cl_svm_capabilities_khr least[] = {
		CL_SVM_TYPE_MACRO_COARSE_GRAIN_BUFFER_KHR,  CL_SVM_TYPE_MACRO_DEVICE_KHR,
		CL_SVM_TYPE_MACRO_FINE_GRAIN_BUFFER_KHR,    CL_SVM_TYPE_MACRO_HOST_KHR,
		CL_SVM_TYPE_MACRO_SINGLE_DEVICE_SHARED_KHR, CL_SVM_TYPE_MACRO_SYSTEM_KHR};
	cl_svm_capabilities_khr common[NUM_TYPES], of_cpu[NUM_TYPES], of_accel[NUM_TYPES];
	size_t size = 0;

	assert_int_equal(clGetPlatformInfo(*state, CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR,
					   sizeof(common), common, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(common));
	device_types(CPU, of_cpu);
	device_types(ACCEL, of_accel);
	for (int i = 0; i < NUM_TYPES; i++) {
		assert_int_equal(of_cpu[i] & least[i], least[i]);
		assert_int_equal(of_accel[i] != 0, i <= DEVICE);
		assert_int_equal(common[i], of_accel[i] ? of_cpu[i] & of_accel[i] : of_cpu[i]);
	}
}

static cl_uint suggest(cl_svm_capabilities_khr required, cl_svm_capabilities_khr desired,
		       const cl_svm_alloc_properties_khr *properties)
{
	cl_uint type = 77;

	assert_int_equal(svm.suggest(svm.context, required, desired, properties, 64, &type),
			 CL_SUCCESS);
	return type;
}

static void suggestions(void **state)
{
	const cl_svm_alloc_properties_khr accel[] = {
		CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
		(cl_svm_alloc_properties_khr)(uintptr_t)svm.devices[ACCEL], 0};
	const cl_svm_alloc_properties_khr bad[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 3, 0};
	cl_uint type = 77;

	(void)state;
	assert_int_equal(suggest(0, 0, NULL), COARSE);
	assert_int_equal(suggest(CL_SVM_TYPE_MACRO_DEVICE_KHR, 0, NULL), DEVICE);
	assert_int_equal(suggest(CL_SVM_TYPE_MACRO_HOST_KHR, 0, NULL), HOST);
	assert_int_equal(suggest(CL_SVM_TYPE_MACRO_SYSTEM_KHR, 0, NULL), SYSTEM);
	assert_int_equal(suggest(0, CL_SVM_TYPE_MACRO_SYSTEM_KHR, NULL), SYSTEM);
	assert_int_equal(suggest(0, CL_SVM_TYPE_MACRO_SYSTEM_KHR, accel), COARSE);
	assert_int_equal(suggest(CL_SVM_CAPABILITY_HOST_READ_KHR, 0, accel), CL_UINT_MAX);
	assert_int_equal(
		suggest(CL_SVM_CAPABILITY_HOST_OWNED_KHR | CL_SVM_CAPABILITY_DEVICE_OWNED_KHR, 0,
			NULL),
		CL_UINT_MAX);
	assert_int_equal(svm.suggest(NULL, 0, 0, NULL, 0, &type), CL_INVALID_CONTEXT);
	assert_int_equal(svm.suggest(svm.context, 0, 0, bad, 0, &type), CL_INVALID_PROPERTY);
	assert_int_equal(svm.suggest(svm.context, 1 << 15, 0, NULL, 0, &type), CL_INVALID_VALUE);
	assert_int_equal(svm.suggest(svm.context, 0, 1 << 15, NULL, 0, &type), CL_INVALID_VALUE);
	assert_int_equal(svm.suggest(svm.context, 0, 0, NULL, SIZE_MAX, &type),
			 CL_INVALID_BUFFER_SIZE);
	assert_int_equal(svm.suggest(svm.context, 0, 0, NULL, 0, NULL), CL_INVALID_VALUE);
	assert_int_equal(type, 77);
}

/* ---- allocations ----------------------------------------------------------------------------- */

static void expect_error(const cl_svm_alloc_properties_khr *properties, cl_uint type, size_t size,
			 cl_int expected)
{
	cl_int err = CL_SUCCESS;

	assert_null(svm.alloc(svm.context, properties, type, size, &err));
	assert_int_equal(err, expected);
	assert_null(svm.alloc(svm.context, properties, type, size, NULL));
}

static void allocation_errors(void **state)
{
	const cl_svm_alloc_properties_khr unknown[] = {0x1234, 0, 0};
	const cl_svm_alloc_properties_khr twice[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 8,
						     CL_SVM_ALLOC_ALIGNMENT_KHR, 8, 0};
	const cl_svm_alloc_properties_khr access[] = {CL_SVM_ALLOC_ACCESS_FLAGS_KHR, 4, 0};
	const cl_svm_alloc_properties_khr uneven[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 24, 0};
	const cl_svm_alloc_properties_khr large[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 256, 0};
	const cl_svm_alloc_properties_khr wrong[] = {
		CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
		(cl_svm_alloc_properties_khr)(uintptr_t)svm.context, 0};
	const cl_svm_alloc_properties_khr accel[] = {
		CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
		(cl_svm_alloc_properties_khr)(uintptr_t)svm.devices[ACCEL], 0};
	cl_int err = CL_SUCCESS;

	(void)state;
	assert_null(svm.alloc(NULL, NULL, COARSE, 64, &err));
	assert_int_equal(err, CL_INVALID_CONTEXT);
	expect_error(unknown, COARSE, 64, CL_INVALID_PROPERTY);
	expect_error(twice, COARSE, 64, CL_INVALID_PROPERTY);
	expect_error(access, COARSE, 64, CL_INVALID_PROPERTY);
	expect_error(uneven, COARSE, 64, CL_INVALID_PROPERTY);
	expect_error(large, COARSE, 64, CL_INVALID_PROPERTY);
	expect_error(wrong, COARSE, 64, CL_INVALID_PROPERTY);
	expect_error(NULL, DEVICE, 64, CL_INVALID_PROPERTY); /* it needs a device */
	expect_error(accel, FINE, 64, CL_INVALID_OPERATION);
	expect_error(NULL, NUM_TYPES, 64, CL_INVALID_VALUE);
	expect_error(NULL, COARSE, 0, CL_INVALID_BUFFER_SIZE);
	expect_error(NULL, COARSE, SIZE_MAX, CL_INVALID_BUFFER_SIZE);
}

static void freeing(void **state)
{
	const cl_svm_free_properties_khr none[] = {0};
	const cl_svm_free_properties_khr unknown[] = {0x1234, 0, 0};
	char *memory = svm.alloc(svm.context, NULL, FINE, 64, NULL);

	(void)state;
	assert_int_equal(svm.free(NULL, NULL, 0, memory), CL_INVALID_CONTEXT);
	assert_int_equal(svm.free(svm.context, unknown, 0, memory), CL_INVALID_PROPERTY);
	assert_int_equal(svm.free(svm.context, NULL, 1, memory), CL_INVALID_VALUE);
	assert_int_equal(svm.free(svm.context, NULL, 0, memory + 1), CL_INVALID_VALUE);
	assert_int_equal(svm.free(svm.context, NULL, 0, NULL), CL_SUCCESS);
	assert_int_equal(svm.free(svm.context, none, 0, memory), CL_SUCCESS);
	memory = clSVMAlloc(svm.context, 0, 64, 0);
	assert_int_equal(svm.free(svm.context, NULL, 0, memory), CL_SUCCESS);
	clSVMFree(svm.context, svm.alloc(svm.context, NULL, SYSTEM, 64, NULL));
}

/* ---- queries --------------------------------------------------------------------------------- */

static void query(cl_device_id device, const void *pointer, cl_svm_pointer_info_khr param,
		  size_t size, void *value)
{
	size_t answered = 0;

	assert_int_equal(svm.info(svm.context, device, pointer, param, size, value, &answered),
			 CL_SUCCESS);
	assert_int_equal(answered, size);
}

struct view {
	cl_uint type;
	cl_svm_capabilities_khr capabilities;
	cl_svm_alloc_access_flags_khr access;
	void *base;
	size_t size;
	cl_device_id device;
};

static struct view view_of(cl_device_id device, const void *pointer)
{
	struct view view;

	query(device, pointer, CL_SVM_INFO_TYPE_INDEX_KHR, sizeof(view.type), &view.type);
	query(device, pointer, CL_SVM_INFO_CAPABILITIES_KHR, sizeof(view.capabilities),
	      &view.capabilities);
	query(device, pointer, CL_SVM_INFO_ACCESS_FLAGS_KHR, sizeof(view.access), &view.access);
	query(device, pointer, CL_SVM_INFO_BASE_PTR_KHR, sizeof(view.base), (void *)&view.base);
	query(device, pointer, CL_SVM_INFO_SIZE_KHR, sizeof(view.size), &view.size);
	query(device, pointer, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, sizeof(view.device),
	      (void *)&view.device);
	return view;
}

static void check_memory(cl_device_id device, cl_uint type)
{
	const cl_svm_alloc_properties_khr properties[] = {
		CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
		(cl_svm_alloc_properties_khr)(uintptr_t)device,
		CL_SVM_ALLOC_ALIGNMENT_KHR,
		128,
		CL_SVM_ALLOC_ACCESS_FLAGS_KHR,
		CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR,
		0};
	cl_svm_alloc_properties_khr read[7];
	cl_svm_capabilities_khr types[NUM_TYPES];
	cl_int err = 7;
	char *memory = svm.alloc(svm.context, properties, type, 1000, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_true(memory && (uintptr_t)memory % 128 == 0);
	device_types(device == svm.devices[ACCEL], types);
	for (int asked = 0; asked < 2; asked++) {
		const struct view view = view_of(asked ? device : NULL, memory + 999);

		assert_int_equal(view.type, type);
		assert_int_equal(view.capabilities, types[type]);
		assert_int_equal(view.access, properties[5]);
		assert_ptr_equal(view.base, memory);
		assert_int_equal(view.size, 1000);
		assert_ptr_equal(view.device, device);
		query(asked ? device : NULL, memory, CL_SVM_INFO_PROPERTIES_KHR, sizeof(read),
		      read);
		assert_memory_equal(read, properties, sizeof(read));
	}
	assert_int_equal(svm.free(svm.context, NULL, 0, memory), CL_SUCCESS);
}

/* "Returns … if ptr does not point into an SVM allocation" */
static void check_nothing(const void *pointer)
{
	const struct view view = view_of(NULL, pointer);

	assert_int_equal(view.type, CL_UINT_MAX);
	assert_false(view.capabilities || view.access || view.base || view.size || view.device);
	query(NULL, pointer, CL_SVM_INFO_PROPERTIES_KHR, 0, NULL);
}

static void what_a_pointer_leads_to(void **state)
{
	cl_svm_capabilities_khr of_cpu[NUM_TYPES], of_accel[NUM_TYPES];
	char *memory = clSVMAlloc(svm.context, 0, 64, 0);
	char *fine = clSVMAlloc(svm.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0);
	size_t size;

	(void)state;
	for (cl_uint type = 0; type < NUM_TYPES; type++)
		check_memory(svm.devices[CPU], type);
	check_memory(svm.devices[ACCEL], COARSE);
	check_memory(svm.devices[ACCEL], DEVICE);
	device_types(CPU, of_cpu);
	device_types(ACCEL, of_accel);
	assert_int_equal(view_of(NULL, fine).type, FINE);
	assert_int_equal(view_of(svm.devices[ACCEL], fine).capabilities, 0);
	assert_int_equal(view_of(NULL, memory).type, COARSE);
	assert_int_equal(view_of(NULL, memory).capabilities, of_cpu[COARSE] & of_accel[COARSE]);
	assert_int_equal(view_of(svm.devices[CPU], memory).capabilities, of_cpu[COARSE]);
	query(NULL, memory, CL_SVM_INFO_PROPERTIES_KHR, 0, NULL);
	check_nothing(memory + 64);
	check_nothing(NULL);
	assert_int_equal(svm.info(NULL, NULL, memory, CL_SVM_INFO_SIZE_KHR, 0, NULL, &size),
			 CL_INVALID_CONTEXT);
	assert_int_equal(svm.info(svm.context, (cl_device_id)svm.context, memory,
				  CL_SVM_INFO_SIZE_KHR, 0, NULL, &size),
			 CL_INVALID_DEVICE);
	assert_int_equal(svm.info(svm.context, NULL, memory, 0x1234, 0, NULL, &size),
			 CL_INVALID_VALUE);
	assert_int_equal(svm.info(svm.context, NULL, memory, CL_SVM_INFO_SIZE_KHR, 4, &size, NULL),
			 CL_INVALID_VALUE);
	clSVMFree(svm.context, memory);
	clSVMFree(svm.context, fine);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Into device memory by a copy, and back out. */
static void copies(void **state)
{
	(void)state;
	for (int i = 0; i < NUM_DEVICES; i++) {
		const cl_svm_alloc_properties_khr properties[] = {
			CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
			(cl_svm_alloc_properties_khr)(uintptr_t)svm.devices[i], 0};
		cl_command_queue queue = fixture_queue(svm.context, svm.devices[i], 0);
		char *memory = svm.alloc(svm.context, properties, DEVICE, 64, NULL);
		char bytes[64] = "shared";
		char back[64] = "";

		assert_int_equal(
			clEnqueueSVMMemcpy(queue, CL_FALSE, memory, bytes, 64, 0, NULL, NULL),
			CL_SUCCESS);
		assert_int_equal(
			clEnqueueSVMMemcpy(queue, CL_TRUE, back, memory, 64, 0, NULL, NULL),
			CL_SUCCESS);
		assert_string_equal(back, "shared");
		assert_int_equal(
			clEnqueueSVMFree(queue, 1, (void *[]){memory}, NULL, NULL, 0, NULL, NULL),
			CL_SUCCESS);
		assert_int_equal(clFinish(queue), CL_SUCCESS);
		assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_of_platform_and_devices),
		cmocka_unit_test(suggestions),
		cmocka_unit_test(allocation_errors),
		cmocka_unit_test(freeing),
		cmocka_unit_test(what_a_pointer_leads_to),
		cmocka_unit_test(copies),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
