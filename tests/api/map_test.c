/* SPDX-License-Identifier: MIT
 *
 * Mapping and unmapping: every error, map counts, what may overlap, and the bytes.
 */
#include "buffers.h"

#define SIZE 1000

static int set_up(void **state)
{
	return buffers_set_up(state, SIZE);
}

static cl_uint map_count(cl_mem mem)
{
	cl_uint count;

	assert_int_equal(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof(count), &count, NULL),
			 CL_SUCCESS);
	return count;
}

struct map {
	cl_command_queue queue;
	cl_mem mem;
	cl_bool blocking;
	cl_map_flags flags;
	size_t offset, size;
	cl_uint num_waits;
	const cl_event *waits;
};

static void *do_map(const struct map *m, cl_event *event, cl_int *err)
{
	return clEnqueueMapBuffer(m->queue, m->mem, m->blocking, m->flags, m->offset, m->size,
				  m->num_waits, m->waits, event, err);
}

static void expect(struct map map, cl_int error)
{
	cl_event event = NULL;
	cl_int err = CL_SUCCESS;

	assert_null(do_map(&map, &event, &err));
	assert_int_equal(err, error);
	assert_null(do_map(&map, &event, NULL));
	assert_null(event);
}

static unsigned char *map_now(struct fixture *f, cl_mem mem, cl_map_flags flags, size_t offset,
			      size_t size)
{
	const struct map map = {f->queue, mem, CL_TRUE, flags, offset, size, 0, NULL};
	cl_int err;
	unsigned char *pointer = do_map(&map, NULL, &err);

	assert_int_equal(err, CL_SUCCESS);
	assert_non_null(pointer);
	return pointer;
}

static void unmap(struct fixture *f, cl_mem mem, void *pointer)
{
	assert_int_equal(clEnqueueUnmapMemObject(f->queue, mem, pointer, 0, NULL, NULL),
			 CL_SUCCESS);
}

static void test_map_errors(void **state)
{
	struct fixture *f = *state;
	const cl_event invalid = (cl_event)f->queue;
	const cl_event foreign = clCreateUserEvent(f->other_context, NULL);
	const struct map good = {f->queue, buffer, CL_TRUE, CL_MAP_READ, 0, SIZE, 0, NULL};
	struct map m;

#define EXPECT(field, value, error) m = good, m.field = (value), expect(m, error)
	EXPECT(queue, NULL, CL_INVALID_COMMAND_QUEUE);
	EXPECT(queue, f->other_queue, CL_INVALID_CONTEXT);
	EXPECT(mem, NULL, CL_INVALID_MEM_OBJECT);
	EXPECT(mem, other, CL_INVALID_CONTEXT);
	EXPECT(offset, 1, CL_INVALID_VALUE);
	EXPECT(offset, SIZE_MAX, CL_INVALID_VALUE);
	EXPECT(size, 0, CL_INVALID_VALUE);
	EXPECT(size, SIZE + 1, CL_INVALID_VALUE);
	EXPECT(flags, 8, CL_INVALID_VALUE);
	EXPECT(flags, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, CL_INVALID_VALUE);
	EXPECT(flags, CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION, CL_INVALID_VALUE);
	EXPECT(num_waits, 1, CL_INVALID_EVENT_WAIT_LIST);
	EXPECT(waits, &invalid, CL_INVALID_EVENT_WAIT_LIST);
	m = good, m.num_waits = 1, m.waits = &foreign;
	expect(m, CL_INVALID_CONTEXT);
	EXPECT(mem, write_only, CL_INVALID_OPERATION);
	EXPECT(mem, no_access, CL_INVALID_OPERATION);
	m.flags = CL_MAP_WRITE;
	expect(m, CL_INVALID_OPERATION);
	m.mem = read_only;
	expect(m, CL_INVALID_OPERATION);
	m.flags = CL_MAP_WRITE_INVALIDATE_REGION;
	expect(m, CL_INVALID_OPERATION);
	m.flags = CL_MAP_READ | CL_MAP_WRITE;
	expect(m, CL_INVALID_OPERATION);
#undef EXPECT
	assert_int_equal(map_count(buffer), 0);
	unmap(f, read_only, map_now(f, read_only, CL_MAP_READ, 0, SIZE));
	unmap(f, write_only, map_now(f, write_only, CL_MAP_WRITE, 0, SIZE));
	assert_int_equal(clReleaseEvent(foreign), CL_SUCCESS);
}

static void test_unmap_errors(void **state)
{
	struct fixture *f = *state;
	unsigned char *pointer = map_now(f, buffer, CL_MAP_READ, 10, 10);
	const cl_event invalid = (cl_event)f->queue;
	cl_event event = NULL;

#define UNMAP(queue, mem, pointer, num_waits, waits)                                               \
	clEnqueueUnmapMemObject(queue, mem, pointer, num_waits, waits, &event)
	assert_int_equal(UNMAP(NULL, buffer, pointer, 0, NULL), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(UNMAP(f->other_queue, buffer, pointer, 0, NULL), CL_INVALID_CONTEXT);
	assert_int_equal(UNMAP(f->queue, NULL, pointer, 0, NULL), CL_INVALID_MEM_OBJECT);
	assert_int_equal(UNMAP(f->queue, buffer, pointer + 1, 0, NULL), CL_INVALID_VALUE);
	assert_int_equal(UNMAP(f->queue, buffer, NULL, 0, NULL), CL_INVALID_VALUE);
	assert_int_equal(UNMAP(f->queue, read_only, pointer, 0, NULL), CL_INVALID_VALUE);
	assert_int_equal(UNMAP(f->queue, buffer, pointer, 1, NULL), CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(UNMAP(f->queue, buffer, pointer, 1, &invalid), CL_INVALID_EVENT_WAIT_LIST);
	assert_null(event);
	assert_int_equal(map_count(buffer), 1);
	assert_int_equal(UNMAP(f->queue, buffer, pointer, 0, NULL), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
	/* It is not mapped any more. */
	event = NULL;
	assert_int_equal(UNMAP(f->queue, buffer, pointer, 0, NULL), CL_INVALID_VALUE);
	assert_null(event);
#undef UNMAP
}

static void test_map_counts(void **state)
{
	struct fixture *f = *state;
	unsigned char *first = map_now(f, buffer, CL_MAP_READ, 0, SIZE);
	unsigned char *second = map_now(f, buffer, CL_MAP_READ, 0, 10);
	unsigned char *third = map_now(f, buffer, CL_MAP_READ, 500, 10);

	assert_ptr_equal(first, second);
	assert_ptr_equal(third, first + 500);
	assert_int_equal(map_count(buffer), 3);
	unmap(f, buffer, first);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(map_count(buffer), 2);
	unmap(f, buffer, first);
	unmap(f, buffer, third);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(map_count(buffer), 0);
	assert_int_equal(clEnqueueUnmapMemObject(f->queue, buffer, first, 0, NULL, NULL),
			 CL_INVALID_VALUE);
}

/* 5.5.4: overlapping regions are not mapped for writing, whichever object they are mapped through.
 */
static void test_overlapping_writes(void **state)
{
	struct fixture *f = *state;
	const size_t align = f->alignment;
	cl_mem parent = fixture_buffer(f, 0, 4 * align, NULL);
	cl_mem low = fixture_sub_buffer(parent, 0, 0, 2 * align);
	cl_mem high = fixture_sub_buffer(parent, 0, align, 2 * align);
	unsigned char *pointer = map_now(f, low, CL_MAP_WRITE, align, align);
	struct map m = {f->queue, parent, CL_TRUE, CL_MAP_WRITE, 2 * align - 1, 1, 0, NULL};

	expect(m, CL_INVALID_OPERATION);
	m.flags = CL_MAP_READ | CL_MAP_WRITE;
	expect(m, CL_INVALID_OPERATION);
	m.flags = CL_MAP_WRITE_INVALIDATE_REGION, m.offset = align;
	expect(m, CL_INVALID_OPERATION);
	m.mem = high, m.offset = 0;
	expect(m, CL_INVALID_OPERATION);
	m.mem = low, m.offset = align;
	expect(m, CL_INVALID_OPERATION);
	assert_int_equal(map_count(parent), 0);
	assert_int_equal(map_count(high), 0);

	/* Beside it, and for reading, is fine. */
	unsigned char *after = map_now(f, high, CL_MAP_WRITE, align, align);
	assert_ptr_equal(after, pointer + align);
	unmap(f, high, after);
	unmap(f, parent, map_now(f, parent, CL_MAP_READ, 0, 4 * align));

	unmap(f, low, pointer);
	unmap(f, parent, map_now(f, parent, CL_MAP_WRITE, 0, 4 * align));
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	release_mems((const cl_mem[]){low, high, parent, NULL});
}

static void test_contents(void **state)
{
	struct fixture *f = *state;
	unsigned char model[SIZE], got[SIZE];

	fixture_random_bytes(model, SIZE);
	cl_mem mem = fixture_buffer(f, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, SIZE, model);
	for (int i = 0; i < 100; i++) {
		size_t offset = fixture_random_below(SIZE);
		size_t size = 1 + fixture_random_below(SIZE - offset);
		unsigned char *pointer = map_now(f, mem, CL_MAP_READ | CL_MAP_WRITE, offset, size);
		assert_memory_equal(pointer, model + offset, size);
		fixture_random_bytes(model + offset, size);
		memcpy(pointer, model + offset, size);
		unmap(f, mem, pointer);
		fixture_read(f, mem, got, SIZE);
		assert_memory_equal(got, model, SIZE);
	}
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* A map that does not block ends behind what it waits for. */
static void test_non_blocking(void **state)
{
	struct fixture *f = *state;
	const unsigned char value = 77;
	cl_event gate = clCreateUserEvent(f->context, NULL);
	struct map m = {f->queue, buffer, CL_FALSE, CL_MAP_READ, 0, SIZE, 0, NULL};
	cl_event mapped, unmapped;
	cl_int err;

	assert_int_equal(clEnqueueFillBuffer(f->queue, buffer, &value, 1, 0, SIZE, 1, &gate, NULL),
			 CL_SUCCESS);
	unsigned char *pointer = do_map(&m, &mapped, &err);
	assert_int_equal(err, CL_SUCCESS);
	check_type(mapped, CL_COMMAND_MAP_BUFFER);
	assert_true(fixture_status(mapped) > CL_COMPLETE);
	assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
	assert_int_equal(clWaitForEvents(1, &mapped), CL_SUCCESS);
	assert_int_equal(pointer[SIZE - 1], 77);
	assert_int_equal(clEnqueueUnmapMemObject(f->queue, buffer, pointer, 1, &mapped, &unmapped),
			 CL_SUCCESS);
	check_type(unmapped, CL_COMMAND_UNMAP_MEM_OBJECT);
	assert_int_equal(clWaitForEvents(1, &unmapped), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(mapped), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(unmapped), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
}

static void test_failed_wait(void **state)
{
	struct fixture *f = *state;
	const cl_event failed = fixture_failed_event(f);

	expect((struct map){f->queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, SIZE, 1, &failed},
	       CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	assert_int_equal(map_count(buffer), 0);
	unmap(f, buffer, map_now(f, buffer, CL_MAP_WRITE, 0, SIZE));
	assert_int_equal(clReleaseEvent(failed), CL_SUCCESS);
}

/* What is still mapped goes with the object. */
static void test_release_while_mapped(void **state)
{
	struct fixture *f = *state;
	cl_mem parent = fixture_buffer(f, 0, SIZE, NULL);
	cl_mem sub = fixture_sub_buffer(parent, 0, 0, SIZE);

	map_now(f, sub, CL_MAP_WRITE, 0, SIZE);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	assert_int_equal(clReleaseMemObject(sub), CL_SUCCESS);
	unmap(f, parent, map_now(f, parent, CL_MAP_WRITE, 0, SIZE));
	map_now(f, parent, CL_MAP_READ, 0, SIZE);
	assert_int_equal(clReleaseMemObject(parent), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_map_errors),  cmocka_unit_test(test_unmap_errors),
		cmocka_unit_test(test_map_counts),  cmocka_unit_test(test_overlapping_writes),
		cmocka_unit_test(test_contents),    cmocka_unit_test(test_non_blocking),
		cmocka_unit_test(test_failed_wait), cmocka_unit_test(test_release_while_mapped),
	};

	return cmocka_run_group_tests(tests, set_up, buffers_tear_down);
}
