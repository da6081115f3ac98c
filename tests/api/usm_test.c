/* SPDX-License-Identifier: MIT
 *
 * cl_intel_unified_shared_memory without kernels: capabilities, every error, queries, what commands move.
 */
#include "shared_memory.h"

#include <CL/cl_ext.h>
#include <pthread.h>
#include <sched.h>

#define SIZE 1000

static struct {
	clHostMemAllocINTEL_fn alloc_host;
	clDeviceMemAllocINTEL_fn alloc_device;
	clSharedMemAllocINTEL_fn alloc_shared;
	clMemFreeINTEL_fn free;
	clMemBlockingFreeINTEL_fn blocking_free;
	clGetMemAllocInfoINTEL_fn info;
	clSetKernelArgMemPointerINTEL_fn set_arg;
	clEnqueueMemFillINTEL_fn fill;
	clEnqueueMemcpyINTEL_fn copy;
	clEnqueueMigrateMemINTEL_fn migrate;
	clEnqueueMemAdviseINTEL_fn advise;
} usm;

static unsigned char *memory;

static int set_up(void **state)
{
	cl_platform_id platform;

	struct fixture *f = shared_memory_set_up(state, SIZE);
	assert_int_equal(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
#define FIND(member, name)                                                                         \
	usm.member = (name##_fn)clGetExtensionFunctionAddressForPlatform(platform, #name);         \
	assert_non_null(usm.member)
	FIND(alloc_host, clHostMemAllocINTEL);
	FIND(alloc_device, clDeviceMemAllocINTEL);
	FIND(alloc_shared, clSharedMemAllocINTEL);
	FIND(free, clMemFreeINTEL);
	FIND(blocking_free, clMemBlockingFreeINTEL);
	FIND(info, clGetMemAllocInfoINTEL);
	FIND(set_arg, clSetKernelArgMemPointerINTEL);
	FIND(fill, clEnqueueMemFillINTEL);
	FIND(copy, clEnqueueMemcpyINTEL);
	FIND(migrate, clEnqueueMigrateMemINTEL);
	FIND(advise, clEnqueueMemAdviseINTEL);
#undef FIND
	memory = usm.alloc_shared(f->context, NULL, NULL, SIZE, 0, NULL);
	assert_non_null(memory);
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(usm.free(f->context, memory), CL_SUCCESS);
	return shared_memory_tear_down(state);
}

static void test_capabilities(void **state)
{
	static const cl_device_info params[] = {
		CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL,
		CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
		CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
		CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
		CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL,
	};
	struct fixture *f = *state;
	char extensions[8192];

	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
		cl_device_unified_shared_memory_capabilities_intel capabilities = 0;
		assert_int_equal(clGetDeviceInfo(f->device, params[i], sizeof(capabilities),
						 &capabilities, NULL),
				 CL_SUCCESS);
		assert_int_equal(capabilities, 15);
	}
	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_EXTENSIONS, sizeof(extensions),
					 extensions, NULL),
			 CL_SUCCESS);
	assert_non_null(strstr(extensions, "cl_intel_unified_shared_memory"));
}

/* ---- allocations ----------------------------------------------------------------------------- */

enum kind { HOST, DEVICE, SHARED, KINDS };

struct request {
	enum kind kind;
	cl_context context;
	cl_device_id device;
	const cl_mem_properties_intel *properties;
	size_t size;
	cl_uint alignment;
};

static void *allocate(const struct request *r, cl_int *err)
{
	if (r->kind == HOST)
		return usm.alloc_host(r->context, r->properties, r->size, r->alignment, err);
	return (r->kind == DEVICE ? usm.alloc_device : usm.alloc_shared)(
		r->context, r->device, r->properties, r->size, r->alignment, err);
}

static void expect_error(const struct request *request, cl_int expected)
{
	cl_int err = CL_SUCCESS;

	assert_null(allocate(request, &err));
	assert_int_equal(err, expected);
	assert_null(allocate(request, NULL));
}

static void test_allocation_errors(void **state)
{
	static const cl_mem_properties_intel unknown[] = {0x1234, 1, 0};
	static const cl_mem_properties_intel twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0,
							CL_MEM_ALLOC_FLAGS_INTEL, 0, 0};
	static const cl_mem_properties_intel bad_flags[] = {CL_MEM_ALLOC_FLAGS_INTEL, 8, 0};
	static const cl_mem_properties_intel placed[] = {
		CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
	static const cl_mem_properties_intel placed_twice[] = {
		CL_MEM_ALLOC_FLAGS_INTEL,
		CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL |
			CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL,
		0};
	struct fixture *f = *state;
	cl_ulong largest;

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(largest),
					 &largest, NULL),
			 CL_SUCCESS);
	for (int kind = 0; kind < KINDS; kind++) {
		const struct request good = {(enum kind)kind, f->context, f->device, NULL, 64, 0};
		struct request r;

#define EXPECT(field, value, error) r = good, r.field = (value), expect_error(&r, error)
		EXPECT(context, NULL, CL_INVALID_CONTEXT);
		EXPECT(context, (cl_context)f->queue, CL_INVALID_CONTEXT);
		EXPECT(alignment, 3, CL_INVALID_VALUE);
		EXPECT(alignment, 256, CL_INVALID_VALUE);
		EXPECT(properties, unknown, CL_INVALID_PROPERTY);
		EXPECT(properties, twice, CL_INVALID_PROPERTY);
		EXPECT(properties, bad_flags, CL_INVALID_PROPERTY);
		EXPECT(properties, kind == SHARED ? placed_twice : placed, CL_INVALID_PROPERTY);
		EXPECT(size, 0, CL_INVALID_BUFFER_SIZE);
		EXPECT(size, largest + 1, CL_INVALID_BUFFER_SIZE);
		if (kind != HOST) {
			EXPECT(device, (cl_device_id)f->queue, CL_INVALID_DEVICE);
		}
		if (kind == DEVICE) {
			EXPECT(device, NULL, CL_INVALID_DEVICE);
		}
#undef EXPECT
	}
}

static void test_queries(void **state)
{
	static const cl_mem_properties_intel combined[] = {CL_MEM_ALLOC_FLAGS_INTEL,
							   CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
	static const cl_unified_shared_memory_type_intel types[] = {
		CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_DEVICE_INTEL, CL_MEM_TYPE_SHARED_INTEL,
		CL_MEM_TYPE_UNKNOWN_INTEL};
	struct fixture *f = *state;
	cl_uint number = 0;

#define QUERY(pointer, param, value)                                                               \
	assert_int_equal(usm.info(f->context, pointer, param, sizeof(value), &(value), NULL),      \
			 CL_SUCCESS)
	for (int kind = 0; kind <= KINDS; kind++) { /* the last one is unknown */
		const struct request request = {(enum kind)kind, f->context, f->device,
						combined,        100,        64};
		const bool known = kind < KINDS;
		unsigned char *pointer = known ? allocate(&request, NULL) : (void *)&number;
		cl_unified_shared_memory_type_intel type = 0;
		cl_mem_alloc_flags_intel flags = 9;
		cl_device_id device = (cl_device_id)f;
		void *base = f;
		size_t size = 9;

		assert_non_null(pointer);
		QUERY(pointer + (known ? 99 : 0), CL_MEM_ALLOC_TYPE_INTEL, type);
		QUERY(pointer + (known ? 99 : 0), CL_MEM_ALLOC_BASE_PTR_INTEL, base);
		QUERY(pointer, CL_MEM_ALLOC_SIZE_INTEL, size);
		QUERY(pointer, CL_MEM_ALLOC_DEVICE_INTEL, device);
		QUERY(pointer, CL_MEM_ALLOC_FLAGS_INTEL, flags);
		assert_int_equal(type, types[kind]);
		assert_ptr_equal(base, known ? pointer : NULL);
		assert_int_equal(size, known ? 100 : 0);
		assert_ptr_equal(device, kind == DEVICE || kind == SHARED ? f->device : NULL);
		assert_int_equal(flags, known ? CL_MEM_ALLOC_WRITE_COMBINED_INTEL : 0);
		if (known) {
			assert_int_equal(usm.info(f->other_context, pointer,
						  CL_MEM_ALLOC_TYPE_INTEL, sizeof(type), &type,
						  NULL),
					 CL_SUCCESS);
			assert_int_equal(type, CL_MEM_TYPE_UNKNOWN_INTEL);
			assert_int_equal(usm.free(f->context, pointer), CL_SUCCESS);
		}
	}
#undef QUERY
	assert_int_equal(usm.info(NULL, memory, CL_MEM_ALLOC_TYPE_INTEL, 4, &number, NULL),
			 CL_INVALID_CONTEXT);
	assert_int_equal(usm.info(f->context, memory, 0x1234, 4, &number, NULL), CL_INVALID_VALUE);
	assert_int_equal(usm.info(f->context, memory, CL_MEM_ALLOC_TYPE_INTEL, 3, &number, NULL),
			 CL_INVALID_VALUE);
}

static void test_free_errors(void **state)
{
	struct fixture *f = *state;
	void *svm = clSVMAlloc(f->context, 0, 64, 0);

	assert_non_null(svm);
	for (int blocking = 0; blocking < 2; blocking++) {
		clMemFreeINTEL_fn release = blocking ? usm.blocking_free : usm.free;

		assert_int_equal(release(NULL, memory), CL_INVALID_CONTEXT);
		assert_int_equal(release(f->other_context, memory), CL_INVALID_VALUE);
		assert_int_equal(release(f->context, memory + 1), CL_INVALID_VALUE);
		assert_int_equal(release(f->context, svm), CL_INVALID_VALUE);
		assert_int_equal(release(f->context, &release), CL_INVALID_VALUE);
		assert_int_equal(release(f->context, NULL), CL_SUCCESS);
	}
	clSVMFree(f->context, memory); /* not its own */
	memory[0] = 1;
	clSVMFree(f->context, svm);
}

static void CL_CALLBACK set_later(void *data)
{
	for (int i = 0; i < 20; i++)
		sched_yield();
	__atomic_store_n(*(int **)data, 1, __ATOMIC_RELEASE);
}

/* All commands of the context have ended when it returns, whatever they access, and in queues that were released, too. */
static void test_blocking_free(void **state)
{
	struct fixture *f = *state;

	for (int released = 0; released < 2; released++) {
		cl_command_queue queues[] = {fixture_queue(f->context, f->device, 0),
					     fixture_queue(f->context, f->device,
							   CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
		unsigned char *pointer = usm.alloc_host(f->context, NULL, 64, 0, NULL);
		int done[2] = {0};

		assert_non_null(pointer);
		for (int i = 0; i < 2; i++) {
			int *place = &done[i];
			assert_int_equal(clEnqueueNativeKernel(queues[i], set_later, (void *)&place,
							       sizeof(place), 0, NULL, NULL, 0,
							       NULL, NULL),
					 CL_SUCCESS);
			if (released)
				assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
		}
		assert_int_equal(usm.blocking_free(f->context, pointer), CL_SUCCESS);
		assert_int_equal(__atomic_load_n(&done[0], __ATOMIC_ACQUIRE), 1);
		assert_int_equal(__atomic_load_n(&done[1], __ATOMIC_ACQUIRE), 1);
		for (int i = 0; i < 2 && !released; i++)
			assert_int_equal(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
	}
}

#define THREADS 2
#define ROUNDS 40000

static struct fixture *shared;

/* Makes queues and releases them, with a command in flight and without. */
static void *release_queues(void *data)
{
	const unsigned char pattern = 3;
	uintptr_t failed = 0;

	for (int round = 0; round < ROUNDS; round++) {
		cl_command_queue queue =
			fixture_queue(shared->context, shared->device,
				      round % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);

		failed |= usm.fill(queue, data, &pattern, 1, SIZE, 0, NULL, NULL) != CL_SUCCESS;
		if (round % 4 < 2)
			failed |= clFinish(queue) != CL_SUCCESS;
		failed |= clReleaseCommandQueue(queue) != CL_SUCCESS;
	}
	return (void *)failed;
}

/* A queue that is being released is waited for, or is gone. */
static void test_blocking_frees_at_once(void **state)
{
	struct fixture *f = *state;
	unsigned char *pointers[THREADS];
	pthread_t threads[THREADS];
	void *failed;

	shared = f;
	for (int i = 0; i < THREADS; i++) {
		pointers[i] = usm.alloc_host(f->context, NULL, SIZE, 0, NULL);
		assert_int_equal(pthread_create(&threads[i], NULL, release_queues, pointers[i]), 0);
	}
	for (int round = 0; round < ROUNDS; round++)
		assert_int_equal(
			usm.blocking_free(f->context, usm.alloc_host(f->context, NULL, 1, 0, NULL)),
			CL_SUCCESS);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &failed), 0);
		assert_null(failed);
		assert_int_equal(usm.blocking_free(f->context, pointers[i]), CL_SUCCESS);
	}
}

/* ---- commands -------------------------------------------------------------------------------- */

static void test_command_errors(void **state)
{
	struct fixture *f = *state;
	const cl_event failed = fixture_failed_event(f);
	const unsigned char bytes[256] = {1};

#define COMMON(queue, n, waits) usm.copy(queue, CL_TRUE, memory, bytes, 64, n, waits, &event)
	EXPECT_COMMON(COMMON);
#undef COMMON
#define COMMON(queue, n, waits) usm.fill(queue, memory, bytes, 4, 64, n, waits, &event)
	EXPECT_COMMON(COMMON);
#undef COMMON
#define COMMON(queue, n, waits) usm.migrate(queue, memory, SIZE, 0, n, waits, &event)
	EXPECT_COMMON(COMMON);
#undef COMMON
#define COMMON(queue, n, waits) usm.advise(queue, memory, SIZE, 0, n, waits, &event)
	EXPECT_COMMON(COMMON);
#undef COMMON
#define COPY(to, from) usm.copy(f->queue, CL_FALSE, to, from, 64, 0, NULL, &event)
	EXPECT_CALL(COPY(NULL, bytes), CL_INVALID_VALUE);
	EXPECT_CALL(COPY(memory, NULL), CL_INVALID_VALUE);
	EXPECT_CALL(COPY(memory + 1, memory), CL_MEM_COPY_OVERLAP);
#undef COPY
	EXPECT_CALL(usm.copy(f->queue, CL_TRUE, memory, bytes, 64, 1, &failed, &event),
		    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
#define FILL(to, pattern, pattern_size, size)                                                      \
	usm.fill(f->queue, to, pattern, pattern_size, size, 0, NULL, &event)
	EXPECT_CALL(FILL(NULL, bytes, 4, 64), CL_INVALID_VALUE);
	EXPECT_CALL(FILL(memory + 1, bytes, 4, 64), CL_INVALID_VALUE);
	EXPECT_CALL(FILL(memory, NULL, 4, 64), CL_INVALID_VALUE);
	EXPECT_CALL(FILL(memory, bytes, 3, 63), CL_INVALID_VALUE);
	EXPECT_CALL(FILL(memory, bytes, 256, 256), CL_INVALID_VALUE);
	EXPECT_CALL(FILL(memory, bytes, 4, 63), CL_INVALID_VALUE);
#undef FILL
	EXPECT_CALL(usm.migrate(f->queue, memory, SIZE, 4, 0, NULL, &event), CL_INVALID_VALUE);
	EXPECT_CALL(usm.advise(f->queue, memory, SIZE, 0x4208, 0, NULL, &event), CL_INVALID_VALUE);
	fixture_release_events((const cl_event[]){failed, NULL});
}

static void test_commands(void **state)
{
	struct fixture *f = *state;
	const unsigned char sevens = 7;
	unsigned char host[SIZE];
	cl_event event;

#define TYPE(call, type) assert_int_equal(call, CL_SUCCESS), wait_and_release(event, type)
	TYPE(usm.fill(f->queue, memory, &sevens, 1, SIZE, 0, NULL, &event),
	     CL_COMMAND_MEMFILL_INTEL);
	TYPE(usm.copy(f->queue, CL_FALSE, host, memory, SIZE, 0, NULL, &event),
	     CL_COMMAND_MEMCPY_INTEL);
	TYPE(usm.migrate(f->queue, memory, SIZE, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, &event),
	     CL_COMMAND_MIGRATEMEM_INTEL);
	TYPE(usm.advise(f->queue, memory, SIZE, 0, 0, NULL, &event), CL_COMMAND_MEMADVISE_INTEL);
#undef TYPE
	for (int i = 0; i < SIZE; i++)
		assert_int_equal(host[i], 7);
	assert_int_equal(usm.set_arg((cl_kernel)f->queue, 0, memory), CL_INVALID_KERNEL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_capabilities),  cmocka_unit_test(test_allocation_errors),
		cmocka_unit_test(test_queries),       cmocka_unit_test(test_free_errors),
		cmocka_unit_test(test_blocking_free), cmocka_unit_test(test_command_errors),
		cmocka_unit_test(test_commands),      cmocka_unit_test(test_blocking_frees_at_once),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
