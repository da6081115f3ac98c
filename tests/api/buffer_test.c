/* SPDX-License-Identifier: MIT
 *
 * Making, asking and ending buffers and sub-buffers.
 */
#include "fixture.h"
#include "latch.h"

/* ---- clCreateBuffer -------------------------------------------------------------------------- */

static cl_int create_error(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr)
{
	cl_int err = CL_SUCCESS;

	assert_null(clCreateBuffer(context, flags, size, host_ptr, &err));
	assert_null(clCreateBuffer(context, flags, size, host_ptr, NULL));
	return err;
}

static void test_context(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(create_error((cl_context)f->queue, 0, 16, NULL), CL_INVALID_CONTEXT);
}

static void test_flags(void **state)
{
	static const cl_mem_flags invalid[] = {
		CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
		CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY,
		CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
		CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
		CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
		CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
		CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY,
		CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
		CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
		CL_MEM_KERNEL_READ_AND_WRITE,
		CL_MEM_SVM_FINE_GRAIN_BUFFER,
		CL_MEM_SVM_ATOMICS,
		(cl_mem_flags)1 << 6,
		(cl_mem_flags)1 << 63,
	};
	struct fixture *f = *state;
	char bytes[16];

	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++) {
		assert_int_equal(create_error(f->context, invalid[i], 16, bytes), CL_INVALID_VALUE);
		/* Before the size and the pointer are looked at. */
		assert_int_equal(create_error(f->context, invalid[i], 0, NULL), CL_INVALID_VALUE);
	}
}

static void test_size(void **state)
{
	struct fixture *f = *state;
	cl_ulong largest;

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(largest),
					 &largest, NULL),
			 CL_SUCCESS);
	assert_int_equal(create_error(f->context, 0, 0, NULL), CL_INVALID_BUFFER_SIZE);
	assert_int_equal(create_error(f->context, 0, largest + 1, NULL), CL_INVALID_BUFFER_SIZE);
	assert_int_equal(create_error(f->context, 0, SIZE_MAX, NULL), CL_INVALID_BUFFER_SIZE);
	/* Before the pointer is looked at. */
	assert_int_equal(create_error(f->context, CL_MEM_USE_HOST_PTR, 0, NULL),
			 CL_INVALID_BUFFER_SIZE);
	/* What is not touched costs nothing. */
	assert_int_equal(clReleaseMemObject(fixture_buffer(f, 0, largest, NULL)), CL_SUCCESS);
}

static void test_host_ptr(void **state)
{
	struct fixture *f = *state;
	char bytes[16];

	assert_int_equal(create_error(f->context, CL_MEM_USE_HOST_PTR, 16, NULL),
			 CL_INVALID_HOST_PTR);
	assert_int_equal(create_error(f->context, CL_MEM_COPY_HOST_PTR, 16, NULL),
			 CL_INVALID_HOST_PTR);
	assert_int_equal(create_error(f->context, 0, 16, bytes), CL_INVALID_HOST_PTR);
	assert_int_equal(create_error(f->context, CL_MEM_ALLOC_HOST_PTR, 16, bytes),
			 CL_INVALID_HOST_PTR);
	assert_int_equal(
		create_error(f->context, CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 16, NULL),
		CL_INVALID_HOST_PTR);
}

static void test_properties(void **state)
{
	static const cl_mem_properties none[] = {0};
	static const cl_mem_properties unknown[] = {0x1234, 1, 0};
	struct fixture *f = *state;
	cl_mem_properties got[4] = {7, 7, 7, 7};
	size_t size = 99;
	cl_int err;

	assert_null(clCreateBufferWithProperties(f->context, unknown, CL_MEM_READ_WRITE, 16, NULL,
						 &err));
	assert_int_equal(err, CL_INVALID_PROPERTY);
	/* Before flags and size. */
	assert_null(
		clCreateBufferWithProperties(f->context, unknown, ~(cl_mem_flags)0, 0, NULL, &err));
	assert_int_equal(err, CL_INVALID_PROPERTY);

	cl_mem mem = clCreateBufferWithProperties(f->context, none, 0, 16, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clGetMemObjectInfo(mem, CL_MEM_PROPERTIES, sizeof(got), got, &size),
			 CL_SUCCESS);
	assert_int_equal(size, sizeof(got[0]));
	assert_int_equal(got[0], 0);
	assert_int_equal(got[1], 7);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);

	mem = clCreateBufferWithProperties(f->context, NULL, 0, 16, NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_int_equal(clGetMemObjectInfo(mem, CL_MEM_PROPERTIES, sizeof(got), got, &size),
			 CL_SUCCESS);
	assert_int_equal(size, 0);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* ---- contents -------------------------------------------------------------------------------- */

static void test_copy_host_ptr(void **state)
{
	struct fixture *f = *state;
	unsigned char given[1000], kept[1000], got[1000];

	fixture_random_bytes(given, sizeof(given));
	memcpy(kept, given, sizeof(given));
	cl_mem mem = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, sizeof(given), given);
	memset(given, 0, sizeof(given)); /* "host_ptr is available for reuse" */
	fixture_read(f, mem, got, sizeof(got));
	assert_memory_equal(got, kept, sizeof(kept));
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

static bool has_host_memory(struct fixture *f)
{
	cl_bool unified = CL_FALSE;

	assert_int_equal(clGetDeviceInfo(f->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(unified),
					 &unified, NULL),
			 CL_SUCCESS);
	return unified;
}

static void test_use_host_ptr_is_the_memory(void **state)
{
	struct fixture *f = *state;
	unsigned char bytes[1003], got[1000];
	const unsigned char value = 42;

	fixture_random_bytes(bytes, sizeof(bytes));
	/* An odd address is as good as any. */
	cl_mem mem = fixture_buffer(f, CL_MEM_USE_HOST_PTR, 1000, bytes + 3);
	fixture_read(f, mem, got, sizeof(got));
	assert_memory_equal(got, bytes + 3, sizeof(got));
	if (!has_host_memory(f)) { /* there it is only while it is mapped */
		assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
		return;
	}

	assert_int_equal(clEnqueueWriteBuffer(f->queue, mem, CL_TRUE, 10, 1, &value, 0, NULL, NULL),
			 CL_SUCCESS);
	assert_int_equal(bytes[13], 42);
	bytes[14] = 43;
	fixture_read(f, mem, got, sizeof(got));
	assert_int_equal(got[11], 43);

	cl_int err;
	char *mapped =
		clEnqueueMapBuffer(f->queue, mem, CL_TRUE, CL_MAP_READ, 5, 10, 0, NULL, NULL, &err);
	assert_ptr_equal(mapped, bytes + 3 + 5);
	assert_int_equal(clEnqueueUnmapMemObject(f->queue, mem, mapped, 0, NULL, NULL), CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* ---- clCreateSubBuffer ----------------------------------------------------------------------- */

static cl_int sub_error(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size)
{
	const cl_buffer_region region = {origin, size};
	cl_int err = CL_SUCCESS;

	assert_null(clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
	assert_null(clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL));
	return err;
}

static void test_sub_buffer_errors(void **state)
{
	struct fixture *f = *state;
	const size_t align = f->alignment;
	cl_mem parent = fixture_buffer(f, CL_MEM_READ_WRITE, 4 * align, NULL);
	cl_mem sub = fixture_sub_buffer(parent, 0, align, align);
	const cl_buffer_region region = {0, align};
	cl_int err;

	assert_int_equal(sub_error((cl_mem)f->queue, 0, 0, align), CL_INVALID_MEM_OBJECT);
	assert_int_equal(sub_error(sub, 0, 0, align), CL_INVALID_MEM_OBJECT);
	/* Before its arguments are looked at. */
	assert_null(clCreateSubBuffer(sub, 0, 0, NULL, &err));
	assert_int_equal(err, CL_INVALID_MEM_OBJECT);

	assert_null(clCreateSubBuffer(parent, 0, 0, &region, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_null(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &err));
	assert_int_equal(err, CL_INVALID_VALUE);
	assert_int_equal(sub_error(parent, 0, 0, 4 * align + 1), CL_INVALID_VALUE);
	assert_int_equal(sub_error(parent, 0, 4 * align, 1), CL_INVALID_VALUE);
	assert_int_equal(sub_error(parent, 0, align, SIZE_MAX), CL_INVALID_VALUE);
	assert_int_equal(sub_error(parent, 0, SIZE_MAX - align + 1, align), CL_INVALID_VALUE);
	assert_int_equal(sub_error(parent, 0, align, 0), CL_INVALID_BUFFER_SIZE);
	assert_int_equal(sub_error(parent, 0, 1, align), CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_int_equal(sub_error(parent, 0, align + align / 2, 1),
			 CL_MISALIGNED_SUB_BUFFER_OFFSET);
	assert_int_equal(clReleaseMemObject(sub), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(parent), CL_SUCCESS);
}

static void test_sub_buffer_flags(void **state)
{
	static const struct {
		cl_mem_flags parent, sub;
	} invalid[] = {
		{CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE},
		{CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY},
		{CL_MEM_READ_ONLY, CL_MEM_READ_WRITE},
		{CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY},
		{CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY},
		{CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
		{CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY},
		{CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY},
		{0, CL_MEM_USE_HOST_PTR},
		{0, CL_MEM_ALLOC_HOST_PTR},
		{0, CL_MEM_COPY_HOST_PTR},
		{0, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY},
		{0, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS},
		{0, CL_MEM_KERNEL_READ_AND_WRITE},
	};
	static const struct {
		cl_mem_flags parent, sub, result;
	} valid[] = {
		{0, 0, 0},
		{0, CL_MEM_READ_ONLY, CL_MEM_READ_ONLY},
		{CL_MEM_READ_WRITE, 0, CL_MEM_READ_WRITE},
		{CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_WRITE_ONLY},
		{CL_MEM_READ_ONLY, 0, CL_MEM_READ_ONLY},
		{CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, CL_MEM_READ_ONLY,
		 CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR},
		{CL_MEM_HOST_READ_ONLY, 0, CL_MEM_HOST_READ_ONLY},
		{CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_NO_ACCESS},
		{CL_MEM_HOST_NO_ACCESS, CL_MEM_READ_ONLY, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++) {
		cl_mem parent = fixture_buffer(f, invalid[i].parent, 16, NULL);
		assert_int_equal(sub_error(parent, invalid[i].sub, 0, 16), CL_INVALID_VALUE);
		assert_int_equal(clReleaseMemObject(parent), CL_SUCCESS);
	}
	for (size_t i = 0; i < sizeof(valid) / sizeof(valid[0]); i++) {
		cl_mem parent = fixture_buffer(f, valid[i].parent, 16, NULL);
		cl_mem sub = fixture_sub_buffer(parent, valid[i].sub, 0, 16);
		cl_mem_flags flags;
		assert_int_equal(clGetMemObjectInfo(sub, CL_MEM_FLAGS, sizeof(flags), &flags, NULL),
				 CL_SUCCESS);
		assert_int_equal(flags, valid[i].result);
		assert_int_equal(clReleaseMemObject(parent), CL_SUCCESS);
		assert_int_equal(clReleaseMemObject(sub), CL_SUCCESS);
	}
}

static void test_sub_buffer_is_part_of_its_parent(void **state)
{
	struct fixture *f = *state;
	const size_t align = f->alignment;
	const size_t size = 4 * align;
	unsigned char *bytes = malloc(size), *got = malloc(size);

	fixture_random_bytes(bytes, size);
	cl_mem parent = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, size, bytes);
	cl_mem sub = fixture_sub_buffer(parent, 0, 2 * align, align);
	fixture_read(f, sub, got, align);
	assert_memory_equal(got, bytes + 2 * align, align);

	const unsigned char value = (unsigned char)~bytes[2 * align + 7];
	assert_int_equal(clEnqueueWriteBuffer(f->queue, sub, CL_TRUE, 7, 1, &value, 0, NULL, NULL),
			 CL_SUCCESS);
	bytes[2 * align + 7] = value;
	fixture_read(f, parent, got, size);
	assert_memory_equal(got, bytes, size);

	/* The memory lives as long as the sub-buffer. */
	assert_int_equal(clReleaseMemObject(parent), CL_SUCCESS);
	fixture_read(f, sub, got, align);
	assert_memory_equal(got, bytes + 2 * align, align);
	assert_int_equal(clReleaseMemObject(sub), CL_SUCCESS);
	free(bytes);
	free(got);
}

/* ---- clGetMemObjectInfo ---------------------------------------------------------------------- */

/* Asks for a value of `size` bytes, and for what may go wrong about it. */
static void get(cl_mem mem, cl_mem_info param, void *value, size_t size)
{
	size_t size_ret = 0;

	assert_int_equal(clGetMemObjectInfo(mem, param, 0, NULL, &size_ret), CL_SUCCESS);
	assert_int_equal(size_ret, size);
	assert_int_equal(clGetMemObjectInfo(mem, param, size - 1, value, NULL), CL_INVALID_VALUE);
	assert_int_equal(clGetMemObjectInfo(mem, param, size, value, NULL), CL_SUCCESS);
}

static void check_info(cl_mem mem, cl_context context, cl_mem parent, size_t offset, size_t size,
		       void *host_ptr)
{
	cl_mem_object_type type;
	cl_uint map_count = 9, references;
	cl_context got_context;
	cl_mem got_parent;
	cl_bool svm = CL_TRUE;
	size_t got_size, got_offset;
	void *got_host_ptr;

	get(mem, CL_MEM_TYPE, &type, sizeof(type));
	assert_int_equal(type, CL_MEM_OBJECT_BUFFER);
	get(mem, CL_MEM_SIZE, &got_size, sizeof(got_size));
	assert_int_equal(got_size, size);
	get(mem, CL_MEM_HOST_PTR, &got_host_ptr, sizeof(got_host_ptr));
	assert_ptr_equal(got_host_ptr, host_ptr);
	get(mem, CL_MEM_MAP_COUNT, &map_count, sizeof(map_count));
	assert_int_equal(map_count, 0);
	get(mem, CL_MEM_REFERENCE_COUNT, &references, sizeof(references));
	assert_int_equal(references, 1);
	get(mem, CL_MEM_CONTEXT, &got_context, sizeof(got_context));
	assert_ptr_equal(got_context, context);
	get(mem, CL_MEM_ASSOCIATED_MEMOBJECT, &got_parent, sizeof(got_parent));
	assert_ptr_equal(got_parent, parent);
	get(mem, CL_MEM_OFFSET, &got_offset, sizeof(got_offset));
	assert_int_equal(got_offset, offset);
	get(mem, CL_MEM_USES_SVM_POINTER, &svm, sizeof(svm));
	assert_int_equal(svm, CL_FALSE);
}

static void test_info(void **state)
{
	struct fixture *f = *state;
	const size_t align = f->alignment;
	char *bytes = malloc(4 * align);
	cl_mem mem = fixture_buffer(f, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, 4 * align, bytes);
	cl_mem sub = fixture_sub_buffer(mem, 0, align, 2 * align);
	cl_mem plain = fixture_buffer(f, CL_MEM_ALLOC_HOST_PTR, 100, NULL);
	cl_mem_flags flags;
	char scratch[64];

	check_info(mem, f->context, NULL, 0, 4 * align, bytes);
	check_info(sub, f->context, mem, align, 2 * align, bytes + align);
	check_info(plain, f->context, NULL, 0, 100, NULL);
	get(mem, CL_MEM_FLAGS, &flags, sizeof(flags));
	assert_int_equal(flags, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY);

	assert_int_equal(clGetMemObjectInfo((cl_mem)f->queue, CL_MEM_SIZE, 64, scratch, NULL),
			 CL_INVALID_MEM_OBJECT);
	assert_int_equal(clGetMemObjectInfo(mem, 0, 64, scratch, NULL), CL_INVALID_VALUE);
	assert_int_equal(clGetMemObjectInfo(mem, CL_IMAGE_FORMAT, 64, scratch, NULL),
			 CL_INVALID_VALUE);
	assert_int_equal(clReleaseMemObject(plain), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(sub), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	free(bytes);
}

/* ---- references and destructor callbacks ----------------------------------------------------- */

static void test_references(void **state)
{
	struct fixture *f = *state;
	cl_mem mem = fixture_buffer(f, 0, 16, NULL);
	cl_uint references;

	assert_int_equal(clRetainMemObject(mem), CL_SUCCESS);
	get(mem, CL_MEM_REFERENCE_COUNT, &references, sizeof(references));
	assert_int_equal(references, 2);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	get(mem, CL_MEM_REFERENCE_COUNT, &references, sizeof(references));
	assert_int_equal(references, 1);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clRetainMemObject((cl_mem)f->queue), CL_INVALID_MEM_OBJECT);
	assert_int_equal(clReleaseMemObject((cl_mem)f->queue), CL_INVALID_MEM_OBJECT);
}

static struct latch calls = LATCH_INITIALIZER;

struct call {
	int order;
	cl_mem mem;
	void *host_ptr; /* freed by the callback */
};

static void CL_CALLBACK on_destroy(cl_mem mem, void *user_data)
{
	struct call *call = user_data;

	call->order = latch_wait(&calls, 0) + 1;
	call->mem = mem;
	free(call->host_ptr);
	latch_raise(&calls); /* after which `call` may be gone */
}

static void test_destructor_callbacks(void **state)
{
	struct fixture *f = *state;
	const size_t align = f->alignment;
	char *bytes = malloc(2 * align);
	cl_mem mem = fixture_buffer(f, CL_MEM_USE_HOST_PTR, 2 * align, bytes);
	struct call of_mem[3] = {{.host_ptr = bytes}};
	struct call of_sub = {0};

	latch_reset(&calls);
	assert_int_equal(clSetMemObjectDestructorCallback((cl_mem)f->queue, on_destroy, NULL),
			 CL_INVALID_MEM_OBJECT);
	assert_int_equal(clSetMemObjectDestructorCallback(mem, NULL, NULL), CL_INVALID_VALUE);
	for (int i = 0; i < 3; i++)
		assert_int_equal(clSetMemObjectDestructorCallback(mem, on_destroy, &of_mem[i]),
				 CL_SUCCESS);
	cl_mem sub = fixture_sub_buffer(mem, 0, align, align);
	assert_int_equal(clSetMemObjectDestructorCallback(sub, on_destroy, &of_sub), CL_SUCCESS);

	/* "memobj cannot be deleted until all sub-buffer objects associated with memobj are
	 * deleted" */
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(latch_wait(&calls, 0), 0);
	assert_int_equal(clReleaseMemObject(sub), CL_SUCCESS);
	assert_int_equal(latch_wait(&calls, 0), 4);
	assert_int_equal(of_sub.order, 1);
	assert_ptr_equal(of_sub.mem, sub);
	/* "in the reverse order in which they were registered" */
	for (int i = 0; i < 3; i++) {
		assert_int_equal(of_mem[i].order, 4 - i);
		assert_ptr_equal(of_mem[i].mem, mem);
	}
}

/* A buffer lives until the commands that use it have ended. */
static void test_release_while_in_use(void **state)
{
	struct fixture *f = *state;
	cl_event gate = clCreateUserEvent(f->context, NULL);
	cl_mem mem = fixture_buffer(f, 0, 1000, NULL);
	unsigned char bytes[1000], got[1000];
	struct call call = {0};

	latch_reset(&calls);
	fixture_random_bytes(bytes, sizeof(bytes));
	assert_int_equal(clSetMemObjectDestructorCallback(mem, on_destroy, &call), CL_SUCCESS);
	assert_int_equal(clEnqueueWriteBuffer(f->queue, mem, CL_FALSE, 0, sizeof(bytes), bytes, 1,
					      &gate, NULL),
			 CL_SUCCESS);
	assert_int_equal(
		clEnqueueReadBuffer(f->queue, mem, CL_FALSE, 0, sizeof(got), got, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(latch_wait(&calls, 0), 0);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_memory_equal(got, bytes, sizeof(bytes));
	/* The command may release the buffer a moment later. */
	assert_int_equal(latch_wait(&calls, 1), 1);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
}

struct blocking {
	cl_command_queue queue;
	cl_mem mem;
	cl_int result;
	struct latch ended;
};

static void CL_CALLBACK block(void *user_data)
{
	struct blocking *blocking = user_data;
	int number = 1;

	cl_int err = clEnqueueWriteBuffer(blocking->queue, blocking->mem, CL_TRUE, 0,
					  sizeof(number), &number, 0, NULL, NULL);
	blocking->result = err == CL_SUCCESS ? clFinish(blocking->queue) : err;
	latch_raise(&blocking->ended);
}

static void CL_CALLBACK block_for_mem(cl_mem mem, void *user_data)
{
	(void)mem;
	block(user_data);
}

static void CL_CALLBACK block_for_context(cl_context context, void *user_data)
{
	(void)context;
	block(user_data);
}

/* The callbacks of what the end of a command destroys may wait for other commands. */
static void test_blocking_destructor_callbacks(void **state)
{
	struct fixture *f = *state;
	cl_context context = clCreateContext(NULL, 1, &f->device, NULL, NULL, NULL);
	cl_command_queue queue = clCreateCommandQueue(context, f->device, 0, NULL);
	cl_event gate = clCreateUserEvent(context, NULL);
	cl_mem mem = clCreateBuffer(context, 0, 1 << 20, NULL, NULL);
	cl_mem other = fixture_buffer(f, 0, 64, NULL);
	struct blocking of_mem = {f->queue, other, 1, LATCH_INITIALIZER};
	struct blocking of_context = {f->out_of_order, other, 1, LATCH_INITIALIZER};
	int zero = 0;

	assert_int_equal(clSetMemObjectDestructorCallback(mem, block_for_mem, &of_mem), CL_SUCCESS);
	assert_int_equal(clSetContextDestructorCallback(context, block_for_context, &of_context),
			 CL_SUCCESS);
	assert_int_equal(
		clEnqueueFillBuffer(queue, mem, &zero, sizeof(zero), 0, 1 << 20, 1, &gate, NULL),
		CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(queue), CL_SUCCESS);
	assert_int_equal(clReleaseContext(context), CL_SUCCESS);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
	(void)latch_wait(&of_mem.ended, 1);
	assert_int_equal(of_mem.result, CL_SUCCESS);
	(void)latch_wait(&of_context.ended, 1);
	assert_int_equal(of_context.result, CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(other), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_context),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_host_ptr),
		cmocka_unit_test(test_properties),
		cmocka_unit_test(test_copy_host_ptr),
		cmocka_unit_test(test_use_host_ptr_is_the_memory),
		cmocka_unit_test(test_sub_buffer_errors),
		cmocka_unit_test(test_sub_buffer_flags),
		cmocka_unit_test(test_sub_buffer_is_part_of_its_parent),
		cmocka_unit_test(test_info),
		cmocka_unit_test(test_references),
		cmocka_unit_test(test_destructor_callbacks),
		cmocka_unit_test(test_blocking_destructor_callbacks),
		cmocka_unit_test(test_release_while_in_use),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
