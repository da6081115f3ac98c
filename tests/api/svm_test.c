/* SPDX-License-Identifier: MIT
 *
 * Shared virtual memory without kernels: every error, what is allocated, what commands move, and in which order.
 */
#include "shared_memory.h"

#define SIZE 1000

static unsigned char *memory;

static int set_up(void **state)
{
	struct fixture *f = shared_memory_set_up(state, SIZE);
	memory = clSVMAlloc(f->context, CL_MEM_READ_WRITE, SIZE, 0);
	assert_non_null(memory);
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	clSVMFree(f->context, memory);
	return shared_memory_tear_down(state);
}

/* ---- allocations ----------------------------------------------------------------------------- */

static void test_capabilities(void **state)
{
	struct fixture *f = *state;
	cl_device_svm_capabilities capabilities = 0;

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_SVM_CAPABILITIES,
					 sizeof(capabilities), &capabilities, NULL),
			 CL_SUCCESS);
	assert_int_equal(capabilities,
			 CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
				 CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS);
}

static void test_alloc(void **state)
{
	static const cl_svm_mem_flags good[] = {
		0,
		CL_MEM_READ_WRITE,
		CL_MEM_WRITE_ONLY,
		CL_MEM_READ_ONLY | CL_MEM_SVM_FINE_GRAIN_BUFFER,
		CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS,
	};
	static const cl_svm_mem_flags bad[] = {
		CL_MEM_SVM_ATOMICS,
		CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
		CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
		CL_MEM_USE_HOST_PTR,
		CL_MEM_HOST_NO_ACCESS,
		(cl_svm_mem_flags)1 << 40,
	};
	struct fixture *f = *state;
	cl_ulong largest;

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(largest),
					 &largest, NULL),
			 CL_SUCCESS);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		unsigned char *p = clSVMAlloc(f->context, good[i], 3, 0);
		assert_non_null(p);
		p[2] = 1;
		clSVMFree(f->context, p);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_null(clSVMAlloc(f->context, bad[i], 64, 0));
	for (cl_uint alignment = 0; alignment <= 128; alignment = alignment ? 2 * alignment : 1) {
		void *p = clSVMAlloc(f->context, 0, 64, alignment);
		assert_non_null(p);
		assert_int_equal((uintptr_t)p % 128, 0);
		clSVMFree(f->context, p);
	}
	assert_null(clSVMAlloc(f->context, 0, 64, 3));
	assert_null(clSVMAlloc(f->context, 0, 64, 256));
	assert_null(clSVMAlloc(f->context, 0, 0, 0));
	assert_null(clSVMAlloc(f->context, 0, largest + 1, 0));
	assert_null(clSVMAlloc(NULL, 0, 64, 0));
	assert_null(clSVMAlloc((cl_context)f->queue, 0, 64, 0));
}

/* What is no allocation of the context is left alone. */
static void test_free_what_is_none(void **state)
{
	struct fixture *f = *state;
	unsigned char *p = clSVMAlloc(f->context, 0, 64, 0);

	assert_non_null(p);
	clSVMFree(f->context, NULL);
	clSVMFree(NULL, p);
	clSVMFree(f->other_context, p);
	clSVMFree(f->context, p + 1);
	clSVMFree(f->context, &p);
	memset(p, 7, 64);
	clSVMFree(f->context, p);
}

static void test_buffers_in_it(void **state)
{
	struct fixture *f = *state;
	cl_mem whole = fixture_buffer(f, CL_MEM_USE_HOST_PTR, 512, memory + 128);
	cl_mem part = fixture_sub_buffer(whole, 0, 128, 128);
	const struct {
		cl_mem mem;
		cl_bool uses;
		size_t offset;
	} rows[] = {{whole, CL_TRUE, 0}, {part, CL_TRUE, 128}, {buffer, CL_FALSE, 0}};
	cl_mem parent = buffer;
	cl_int err;

	assert_null(
		clCreateBuffer(f->context, CL_MEM_USE_HOST_PTR, SIZE - 127, memory + 128, &err));
	assert_int_equal(err, CL_INVALID_BUFFER_SIZE);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cl_bool uses = 2;
		size_t offset = 1;
		assert_int_equal(clGetMemObjectInfo(rows[i].mem, CL_MEM_USES_SVM_POINTER,
						    sizeof(uses), &uses, NULL),
				 CL_SUCCESS);
		assert_int_equal(uses, rows[i].uses);
		assert_int_equal(clGetMemObjectInfo(rows[i].mem, CL_MEM_OFFSET, sizeof(offset),
						    &offset, NULL),
				 CL_SUCCESS);
		assert_int_equal(offset, rows[i].offset);
	}
	assert_int_equal(clGetMemObjectInfo(whole, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(parent),
					    &parent, NULL),
			 CL_SUCCESS);
	assert_null(parent);
	release_mems((const cl_mem[]){part, whole, NULL});
}

/* ---- errors of commands ---------------------------------------------------------------------- */

static void test_memcpy_errors(void **state)
{
	struct fixture *f = *state;
	const cl_event failed = fixture_failed_event(f);
	unsigned char host[64];

#define COMMON(queue, n, waits)                                                                    \
	clEnqueueSVMMemcpy(queue, CL_TRUE, memory, host, 64, n, waits, &event)
	EXPECT_COMMON(COMMON);
#undef COMMON
#define COPY(to, from, size) clEnqueueSVMMemcpy(f->queue, CL_FALSE, to, from, size, 0, NULL, &event)
	EXPECT_CALL(COPY(NULL, host, 64), CL_INVALID_VALUE);
	EXPECT_CALL(COPY(memory, NULL, 64), CL_INVALID_VALUE);
	EXPECT_CALL(COPY(memory, memory, 64), CL_MEM_COPY_OVERLAP);
	EXPECT_CALL(COPY(memory + 63, memory, 64), CL_MEM_COPY_OVERLAP);
	EXPECT_CALL(COPY(memory, memory + 63, 64), CL_MEM_COPY_OVERLAP);
	EXPECT_CALL(COPY(memory, memory + 64, 64), CL_SUCCESS);
	EXPECT_CALL(COPY(memory, memory, 0), CL_SUCCESS);
#undef COPY
	EXPECT_CALL(clEnqueueSVMMemcpy(f->queue, CL_TRUE, memory, host, 64, 1, &failed, &event),
		    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	fixture_release_events((const cl_event[]){failed, NULL});
}

static void test_fill_errors(void **state)
{
	struct fixture *f = *state;
	const unsigned char pattern[256] = {1};

#define COMMON(queue, n, waits) clEnqueueSVMMemFill(queue, memory, pattern, 4, 64, n, waits, &event)
	EXPECT_COMMON(COMMON);
#undef COMMON
#define FILL(to, pattern, pattern_size, size)                                                      \
	clEnqueueSVMMemFill(f->queue, to, pattern, pattern_size, size, 0, NULL, &event)
	EXPECT_CALL(FILL(NULL, pattern, 4, 64), CL_INVALID_VALUE);
	EXPECT_CALL(FILL(memory, NULL, 4, 64), CL_INVALID_VALUE);
	EXPECT_CALL(FILL(memory, pattern, 0, 64), CL_INVALID_VALUE);
	EXPECT_CALL(FILL(memory, pattern, 3, 63), CL_INVALID_VALUE);
	EXPECT_CALL(FILL(memory, pattern, 256, 512), CL_INVALID_VALUE);
	EXPECT_CALL(FILL(memory + 2, pattern, 4, 64), CL_INVALID_VALUE);
	EXPECT_CALL(FILL(memory, pattern, 4, 63), CL_INVALID_VALUE);
	EXPECT_CALL(FILL(memory, pattern, 128, 128), CL_SUCCESS);
#undef FILL
}

static void test_map_errors(void **state)
{
	struct fixture *f = *state;
	const cl_event failed = fixture_failed_event(f);

#define COMMON(queue, n, waits)                                                                    \
	clEnqueueSVMMap(queue, CL_FALSE, CL_MAP_READ, memory, 64, n, waits, &event)
	EXPECT_COMMON(COMMON);
#undef COMMON
#define MAP(flags, pointer, size)                                                                  \
	clEnqueueSVMMap(f->queue, CL_TRUE, flags, pointer, size, 0, NULL, &event)
	EXPECT_CALL(MAP(CL_MAP_READ, NULL, 64), CL_INVALID_VALUE);
	EXPECT_CALL(MAP(CL_MAP_READ, memory, 0), CL_INVALID_VALUE);
	EXPECT_CALL(MAP(8, memory, 64), CL_INVALID_VALUE);
	EXPECT_CALL(MAP(CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, memory, 64),
		    CL_INVALID_VALUE);
	EXPECT_CALL(MAP(CL_MAP_READ | CL_MAP_WRITE, memory, SIZE), CL_SUCCESS);
#undef MAP
	EXPECT_CALL(clEnqueueSVMMap(f->queue, CL_TRUE, CL_MAP_READ, memory, 64, 1, &failed, &event),
		    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
#define COMMON(queue, n, waits) clEnqueueSVMUnmap(queue, memory, n, waits, &event)
	EXPECT_COMMON(COMMON);
#undef COMMON
	EXPECT_CALL(clEnqueueSVMUnmap(f->queue, NULL, 0, NULL, &event), CL_INVALID_VALUE);
	EXPECT_CALL(clEnqueueSVMUnmap(f->queue, memory, 0, NULL, &event), CL_SUCCESS);
	fixture_release_events((const cl_event[]){failed, NULL});
}

static void test_migrate_errors(void **state)
{
	struct fixture *f = *state;
	const void *pointers[] = {memory + 10, memory};
	const void *system[] = {pointers};
	const size_t sizes[] = {SIZE - 10, 0};
	const size_t too_many[] = {SIZE - 9, 0};
	void *foreign = clSVMAlloc(f->other_context, 0, SIZE, 0);
	const void *foreigns[] = {foreign};

#define COMMON(queue, n, waits)                                                                    \
	clEnqueueSVMMigrateMem(queue, 2, pointers, sizes, 0, n, waits, &event)
	EXPECT_COMMON(COMMON);
#undef COMMON
#define MIGRATE(n, pointers, sizes, flags)                                                         \
	clEnqueueSVMMigrateMem(f->queue, n, pointers, sizes, flags, 0, NULL, &event)
	EXPECT_CALL(MIGRATE(0, pointers, sizes, 0), CL_INVALID_VALUE);
	EXPECT_CALL(MIGRATE(2, NULL, sizes, 0), CL_INVALID_VALUE);
	EXPECT_CALL(MIGRATE(2, pointers, sizes, 4), CL_INVALID_VALUE);
	EXPECT_CALL(MIGRATE(2, pointers, too_many, 0), CL_INVALID_VALUE);
	EXPECT_CALL(MIGRATE(1, system, NULL, 0), CL_INVALID_VALUE);
	EXPECT_CALL(MIGRATE(1, foreigns, NULL, 0), CL_INVALID_VALUE);
	EXPECT_CALL(MIGRATE(2, pointers, NULL, CL_MIGRATE_MEM_OBJECT_HOST), CL_SUCCESS);
	EXPECT_CALL(MIGRATE(2, pointers, sizes, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED),
		    CL_SUCCESS);
#undef MIGRATE
	clSVMFree(f->other_context, foreign);
}

static void test_enqueued_free_errors(void **state)
{
	struct fixture *f = *state;
	void *pointers[] = {memory};

#define COMMON(queue, n, waits) clEnqueueSVMFree(queue, 1, pointers, NULL, NULL, n, waits, &event)
	EXPECT_COMMON(COMMON);
#undef COMMON
	EXPECT_CALL(clEnqueueSVMFree(f->queue, 0, pointers, NULL, NULL, 0, NULL, &event),
		    CL_INVALID_VALUE);
	EXPECT_CALL(clEnqueueSVMFree(f->queue, 1, NULL, NULL, NULL, 0, NULL, &event),
		    CL_INVALID_VALUE);
	EXPECT_CALL(clEnqueueSVMFree(f->queue, 0, NULL, NULL, NULL, 0, NULL, &event), CL_SUCCESS);
}

/* ---- what commands do ------------------------------------------------------------------------ */

static void test_types(void **state)
{
	struct fixture *f = *state;
	const void *pointers[] = {memory};
	void *own[] = {clSVMAlloc(f->context, 0, 64, 0)};
	const unsigned char pattern = 5;
	cl_event event;

#define TYPE(call, type) assert_int_equal(call, CL_SUCCESS), wait_and_release(event, type)
	TYPE(clEnqueueSVMMemcpy(f->queue, CL_FALSE, memory, own[0], 64, 0, NULL, &event),
	     CL_COMMAND_SVM_MEMCPY);
	TYPE(clEnqueueSVMMemFill(f->queue, memory, &pattern, 1, 64, 0, NULL, &event),
	     CL_COMMAND_SVM_MEMFILL);
	TYPE(clEnqueueSVMMap(f->queue, CL_FALSE, CL_MAP_READ, memory, 64, 0, NULL, &event),
	     CL_COMMAND_SVM_MAP);
	TYPE(clEnqueueSVMUnmap(f->queue, memory, 0, NULL, &event), CL_COMMAND_SVM_UNMAP);
	TYPE(clEnqueueSVMMigrateMem(f->queue, 1, pointers, NULL, 0, 0, NULL, &event),
	     CL_COMMAND_SVM_MIGRATE_MEM);
	TYPE(clEnqueueSVMFree(f->queue, 1, own, NULL, NULL, 0, NULL, &event), CL_COMMAND_SVM_FREE);
#undef TYPE
}

/* A chain of commands behind a user event, on shared memory, a buffer in it, and memory of the C library. */
static void test_order(void **state)
{
	struct fixture *f = *state;
	const cl_command_queue queues[] = {f->queue, f->other_queue};
	const unsigned char ones = 1;
	const unsigned char twos = 2;

	for (int i = 0; i < 2; i++) { /* the other one is of another context */
		cl_context context = i ? f->other_context : f->context;
		cl_event gate = clCreateUserEvent(context, NULL);
		cl_mem view = fixture_buffer_in(context, CL_MEM_USE_HOST_PTR, SIZE, memory);
		unsigned char host[SIZE] = {0};
		unsigned char result[SIZE] = {0};

		assert_int_equal(
			clEnqueueSVMMemFill(queues[i], memory, &ones, 1, SIZE, 1, &gate, NULL),
			CL_SUCCESS);
		assert_int_equal(
			clEnqueueFillBuffer(queues[i], view, &twos, 1, 100, 100, 0, NULL, NULL),
			CL_SUCCESS);
		assert_int_equal(
			clEnqueueSVMMemcpy(queues[i], CL_FALSE, host, memory, SIZE, 0, NULL, NULL),
			CL_SUCCESS);
		assert_int_equal(clEnqueueSVMMemFill(queues[i], host, &twos, 1, 10, 0, NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(
			clEnqueueWriteBuffer(queues[i], view, CL_FALSE, 0, 50, host, 0, NULL, NULL),
			CL_SUCCESS);
		assert_int_equal(clEnqueueReadBuffer(queues[i], view, CL_FALSE, 0, SIZE, result, 0,
						     NULL, NULL),
				 CL_SUCCESS);
		assert_int_equal(
			clEnqueueSVMMemFill(queues[i], memory, &ones, 1, 10, 0, NULL, NULL),
			CL_SUCCESS);
		assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
		assert_int_equal(clEnqueueSVMMap(queues[i], CL_TRUE, CL_MAP_READ, memory, SIZE, 0,
						 NULL, NULL),
				 CL_SUCCESS);
		for (int at = 0; at < SIZE; at++) {
			const bool two = at < 10 || (at >= 100 && at < 200);
			assert_int_equal(result[at], two ? 2 : 1);
			assert_int_equal(memory[at], two && at >= 10 ? 2 : 1);
		}
		assert_int_equal(clEnqueueSVMUnmap(queues[i], memory, 0, NULL, NULL), CL_SUCCESS);
		assert_int_equal(clFinish(queues[i]), CL_SUCCESS);
		assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
		assert_int_equal(clReleaseMemObject(view), CL_SUCCESS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_capabilities),
		cmocka_unit_test(test_alloc),
		cmocka_unit_test(test_free_what_is_none),
		cmocka_unit_test(test_buffers_in_it),
		cmocka_unit_test(test_memcpy_errors),
		cmocka_unit_test(test_fill_errors),
		cmocka_unit_test(test_map_errors),
		cmocka_unit_test(test_migrate_errors),
		cmocka_unit_test(test_enqueued_free_errors),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
