/* SPDX-License-Identifier: MIT
 *
 * Reading, writing, copying, filling and migrating buffers: every error, and the bytes.
 */
#include "buffers.h"

#define SIZE 1000

static cl_mem sub;
static unsigned char bytes[SIZE];

static int set_up(void **state)
{
	buffers_set_up(state, SIZE);
	const struct fixture *f = *state;
	sub = fixture_sub_buffer(buffer, CL_MEM_HOST_NO_ACCESS, f->alignment, 100);
	return 0;
}

static int tear_down(void **state)
{
	assert_int_equal(clReleaseMemObject(sub), CL_SUCCESS);
	return buffers_tear_down(state);
}

/* ---- clEnqueueReadBuffer, clEnqueueWriteBuffer ----------------------------------------------- */

struct transfer {
	cl_command_queue queue;
	cl_mem mem;
	cl_bool blocking;
	size_t offset, size;
	void *ptr;
	cl_uint num_waits;
	const cl_event *waits;
};

typedef cl_int (*transfer_function)(const struct transfer *transfer, cl_event *event);

static cl_int do_read(const struct transfer *t, cl_event *event)
{
	return clEnqueueReadBuffer(t->queue, t->mem, t->blocking, t->offset, t->size, t->ptr,
				   t->num_waits, t->waits, event);
}

static cl_int do_write(const struct transfer *t, cl_event *event)
{
	return clEnqueueWriteBuffer(t->queue, t->mem, t->blocking, t->offset, t->size, t->ptr,
				    t->num_waits, t->waits, event);
}

static void expect(transfer_function enqueue, struct transfer transfer, cl_int error)
{
	cl_event event = NULL;

	assert_int_equal(enqueue(&transfer, &event), error);
	assert_null(event);
	transfer.blocking = CL_TRUE;
	assert_int_equal(enqueue(&transfer, &event), error);
	assert_null(event);
}

static void check_transfer_errors(struct fixture *f, transfer_function enqueue)
{
	const cl_event invalid = (cl_event)f->queue;
	const cl_event foreign = clCreateUserEvent(f->other_context, NULL);
	const struct transfer good = {f->queue, buffer, CL_FALSE, 0, SIZE, bytes, 0, NULL};
	struct transfer t;

#define EXPECT(field, value, error) t = good, t.field = (value), expect(enqueue, t, error)
	EXPECT(queue, NULL, CL_INVALID_COMMAND_QUEUE);
	EXPECT(queue, (cl_command_queue)f->context, CL_INVALID_COMMAND_QUEUE);
	EXPECT(queue, f->other_queue, CL_INVALID_CONTEXT);
	EXPECT(mem, NULL, CL_INVALID_MEM_OBJECT);
	EXPECT(mem, (cl_mem)f->queue, CL_INVALID_MEM_OBJECT);
	EXPECT(mem, other, CL_INVALID_CONTEXT);
	EXPECT(offset, 1, CL_INVALID_VALUE);
	EXPECT(offset, SIZE_MAX, CL_INVALID_VALUE);
	EXPECT(size, SIZE + 1, CL_INVALID_VALUE);
	EXPECT(size, SIZE_MAX, CL_INVALID_VALUE);
	EXPECT(ptr, NULL, CL_INVALID_VALUE);
	EXPECT(num_waits, 1, CL_INVALID_EVENT_WAIT_LIST);
	EXPECT(waits, &foreign, CL_INVALID_EVENT_WAIT_LIST);
	t = good, t.num_waits = 1, t.waits = &invalid;
	expect(enqueue, t, CL_INVALID_EVENT_WAIT_LIST);
	t.waits = &foreign;
	expect(enqueue, t, CL_INVALID_CONTEXT);
	EXPECT(mem, no_access, CL_INVALID_OPERATION);
	EXPECT(mem, enqueue == do_read ? write_only : read_only, CL_INVALID_OPERATION);
	t = good, t.mem = sub, t.size = 100;
	expect(enqueue, t, CL_INVALID_OPERATION);
	/* An earlier error hides a later one. */
	t = good, t.mem = no_access, t.num_waits = 1;
	expect(enqueue, t, CL_INVALID_EVENT_WAIT_LIST);
	t.ptr = NULL;
	expect(enqueue, t, CL_INVALID_VALUE);
	t.mem = other;
	expect(enqueue, t, CL_INVALID_CONTEXT);
#undef EXPECT
	assert_int_equal(clReleaseEvent(foreign), CL_SUCCESS);
}

static void test_read_errors(void **state)
{
	check_transfer_errors(*state, do_read);
}

static void test_write_errors(void **state)
{
	check_transfer_errors(*state, do_write);
}

static void test_host_access_allowed(void **state)
{
	struct fixture *f = *state;
	struct transfer t = {f->queue, read_only, CL_TRUE, 0, SIZE, bytes, 0, NULL};

	assert_int_equal(do_read(&t, NULL), CL_SUCCESS);
	t.mem = write_only;
	assert_int_equal(do_write(&t, NULL), CL_SUCCESS);
}

static cl_int read_behind(struct fixture *f, cl_bool blocking, const cl_event *wait,
			  cl_event *event)
{
	const struct transfer t = {f->queue, buffer, blocking, 0, SIZE, bytes, 1, wait};

	return do_read(&t, event);
}

static cl_int write_behind(struct fixture *f, cl_bool blocking, const cl_event *wait,
			   cl_event *event)
{
	const struct transfer t = {f->queue, buffer, blocking, 0, SIZE, bytes, 1, wait};

	return do_write(&t, event);
}

static void test_failed_wait(void **state)
{
	check_failed_wait(*state, read_behind);
	check_failed_wait(*state, write_behind);
}

/* Random pieces, blocking or behind events in the out-of-order queue. */
static void test_read_and_write(void **state)
{
	struct fixture *f = *state;
	unsigned char model[SIZE], got[SIZE];
	cl_event event;

	fixture_random_bytes(model, SIZE);
	struct transfer all = {f->queue, buffer, CL_TRUE, 0, SIZE, model, 0, NULL};
	assert_int_equal(do_write(&all, &event), CL_SUCCESS);
	wait_and_release(event, CL_COMMAND_WRITE_BUFFER);
	for (int i = 0; i < 200; i++) {
		size_t offset = fixture_random_below(SIZE);
		size_t size = fixture_random_below(SIZE - offset + 1);
		cl_event written;
		fixture_random_bytes(model + offset, size);
		struct transfer t = {f->out_of_order, buffer, CL_FALSE, offset, size,
				     model + offset,  0,      NULL};
		assert_int_equal(do_write(&t, &written), CL_SUCCESS);
		t = (struct transfer){f->out_of_order, buffer, i & 1, 0, SIZE, got, 1, &written};
		memset(got, 0, SIZE);
		assert_int_equal(do_read(&t, &event), CL_SUCCESS);
		wait_and_release(event, CL_COMMAND_READ_BUFFER);
		assert_memory_equal(got, model, SIZE);
		assert_int_equal(clReleaseEvent(written), CL_SUCCESS);
	}
}

/* Nothing is read or written, at the end of the buffer even. */
static void test_no_bytes(void **state)
{
	struct fixture *f = *state;
	struct transfer t = {f->queue, buffer, CL_TRUE, SIZE, 0, bytes, 0, NULL};

	assert_int_equal(do_read(&t, NULL), CL_SUCCESS);
	assert_int_equal(do_write(&t, NULL), CL_SUCCESS);
	t.offset++;
	expect(do_read, t, CL_INVALID_VALUE);
}

/* The note to clEnqueueReadBufferRect: ptr may be the buffer's own memory. */
static void test_read_to_its_own_memory(void **state)
{
	struct fixture *f = *state;
	unsigned char own[SIZE], model[SIZE];

	fixture_random_bytes(own, SIZE);
	memcpy(model, own, SIZE);
	cl_mem mem = fixture_buffer(f, CL_MEM_USE_HOST_PTR, SIZE, own);
	struct transfer t = {f->queue, mem, CL_TRUE, 100, 200, own + 100, 0, NULL};
	assert_int_equal(do_read(&t, NULL), CL_SUCCESS);
	assert_int_equal(do_write(&t, NULL), CL_SUCCESS);
	assert_memory_equal(own, model, SIZE);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

/* ---- clEnqueueCopyBuffer --------------------------------------------------------------------- */

struct copy {
	cl_command_queue queue;
	cl_mem source, destination;
	size_t source_offset, destination_offset, size;
	cl_uint num_waits;
	const cl_event *waits;
};

static cl_int do_copy(const struct copy *c, cl_event *event)
{
	return clEnqueueCopyBuffer(c->queue, c->source, c->destination, c->source_offset,
				   c->destination_offset, c->size, c->num_waits, c->waits, event);
}

static void expect_copy(struct copy copy, cl_int error)
{
	cl_event event = NULL;

	cl_int err = do_copy(&copy, &event);
	check_command(err, event, error);
}

static void test_copy_errors(void **state)
{
	struct fixture *f = *state;
	const cl_event invalid = (cl_event)f->queue;
	const struct copy good = {f->queue, buffer, no_access, 0, 0, SIZE, 0, NULL};
	struct copy c;

#define EXPECT(field, value, error) c = good, c.field = (value), expect_copy(c, error)
	EXPECT(queue, NULL, CL_INVALID_COMMAND_QUEUE);
	EXPECT(queue, f->other_queue, CL_INVALID_CONTEXT);
	EXPECT(source, NULL, CL_INVALID_MEM_OBJECT);
	EXPECT(destination, NULL, CL_INVALID_MEM_OBJECT);
	EXPECT(source, other, CL_INVALID_CONTEXT);
	EXPECT(destination, other, CL_INVALID_CONTEXT);
	EXPECT(source_offset, 1, CL_INVALID_VALUE);
	EXPECT(destination_offset, 1, CL_INVALID_VALUE);
	EXPECT(source_offset, SIZE_MAX, CL_INVALID_VALUE);
	EXPECT(destination_offset, SIZE_MAX, CL_INVALID_VALUE);
	EXPECT(size, SIZE + 1, CL_INVALID_VALUE);
	EXPECT(num_waits, 1, CL_INVALID_EVENT_WAIT_LIST);
	EXPECT(waits, &invalid, CL_INVALID_EVENT_WAIT_LIST);
	c = good, c.num_waits = 1, c.waits = &invalid;
	expect_copy(c, CL_INVALID_EVENT_WAIT_LIST);
#undef EXPECT
	/* The host access flags say nothing about copies. */
	assert_int_equal(do_copy(&good, NULL), CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
}

static void test_copy_overlap(void **state)
{
	struct fixture *f = *state;
	const size_t align = f->alignment;
	cl_mem parent = fixture_buffer(f, 0, 4 * align, NULL);
	cl_mem low = fixture_sub_buffer(parent, 0, 0, 2 * align);
	cl_mem high = fixture_sub_buffer(parent, 0, align, 2 * align);

	expect_copy((struct copy){f->queue, buffer, buffer, 0, 99, 100, 0, NULL},
		    CL_MEM_COPY_OVERLAP);
	expect_copy((struct copy){f->queue, buffer, buffer, 99, 0, 100, 0, NULL},
		    CL_MEM_COPY_OVERLAP);
	expect_copy((struct copy){f->queue, buffer, buffer, 5, 5, 1, 0, NULL}, CL_MEM_COPY_OVERLAP);
	expect_copy((struct copy){f->queue, buffer, buffer, 0, 100, 100, 0, NULL}, CL_SUCCESS);
	expect_copy((struct copy){f->queue, buffer, buffer, 100, 0, 100, 0, NULL}, CL_SUCCESS);
	expect_copy((struct copy){f->queue, buffer, buffer, 5, 5, 0, 0, NULL}, CL_SUCCESS);
	/* Sub-buffers that share bytes, and the buffer that they are part of. */
	expect_copy((struct copy){f->queue, low, high, 0, 0, align, 0, NULL}, CL_SUCCESS);
	expect_copy((struct copy){f->queue, low, high, 1, 0, align, 0, NULL}, CL_MEM_COPY_OVERLAP);
	expect_copy((struct copy){f->queue, low, high, align, 0, 1, 0, NULL}, CL_MEM_COPY_OVERLAP);
	expect_copy((struct copy){f->queue, high, parent, 0, align, 1, 0, NULL},
		    CL_MEM_COPY_OVERLAP);
	expect_copy((struct copy){f->queue, high, parent, 0, 0, align, 0, NULL}, CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	release_mems((const cl_mem[]){low, high, parent, NULL});
}

static void test_copy(void **state)
{
	struct fixture *f = *state;
	unsigned char source[SIZE], model[SIZE], got[SIZE];

	fixture_random_bytes(source, SIZE);
	fixture_random_bytes(model, SIZE);
	cl_mem from = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, SIZE, source);
	cl_mem to = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, SIZE, model);
	for (int i = 0; i < 200; i++) {
		size_t size = fixture_random_below(SIZE + 1);
		size_t a = fixture_random_below(SIZE - size + 1);
		size_t b = fixture_random_below(SIZE - size + 1);
		struct copy c = {f->queue, from, to, a, b, size, 0, NULL};
		cl_event event;
		assert_int_equal(do_copy(&c, &event), CL_SUCCESS);
		wait_and_release(event, CL_COMMAND_COPY_BUFFER);
		memcpy(model + b, source + a, size);
		fixture_read(f, to, got, SIZE);
		assert_memory_equal(got, model, SIZE);
	}
	release_mems((const cl_mem[]){from, to, NULL});
}

/* ---- clEnqueueFillBuffer --------------------------------------------------------------------- */

struct fill {
	cl_command_queue queue;
	cl_mem mem;
	const void *pattern;
	size_t pattern_size, offset, size;
	cl_uint num_waits;
	const cl_event *waits;
};

static cl_int do_fill(const struct fill *l, cl_event *event)
{
	return clEnqueueFillBuffer(l->queue, l->mem, l->pattern, l->pattern_size, l->offset,
				   l->size, l->num_waits, l->waits, event);
}

static void expect_fill(struct fill fill, cl_int error)
{
	cl_event event = NULL;

	assert_int_equal(do_fill(&fill, &event), error);
	assert_null(event);
}

static void test_fill_errors(void **state)
{
	struct fixture *f = *state;
	const cl_event invalid = (cl_event)f->queue;
	const struct fill good = {f->queue, no_access, bytes, 8, 16, 80, 0, NULL};
	struct fill l;

#define EXPECT(field, value, error) l = good, l.field = (value), expect_fill(l, error)
	EXPECT(queue, NULL, CL_INVALID_COMMAND_QUEUE);
	EXPECT(queue, f->other_queue, CL_INVALID_CONTEXT);
	EXPECT(mem, NULL, CL_INVALID_MEM_OBJECT);
	EXPECT(mem, other, CL_INVALID_CONTEXT);
	EXPECT(pattern, NULL, CL_INVALID_VALUE);
	EXPECT(pattern_size, 0, CL_INVALID_VALUE);
	EXPECT(pattern_size, 3, CL_INVALID_VALUE);
	EXPECT(pattern_size, 256, CL_INVALID_VALUE);
	EXPECT(offset, 4, CL_INVALID_VALUE);
	EXPECT(size, 4, CL_INVALID_VALUE);
	EXPECT(offset, SIZE, CL_INVALID_VALUE);
	EXPECT(offset, SIZE_MAX - 7, CL_INVALID_VALUE);
	EXPECT(size, SIZE, CL_INVALID_VALUE);
	EXPECT(num_waits, 1, CL_INVALID_EVENT_WAIT_LIST);
	EXPECT(waits, &invalid, CL_INVALID_EVENT_WAIT_LIST);
#undef EXPECT
	/* The host access flags say nothing about fills. */
	assert_int_equal(do_fill(&good, NULL), CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
}

static void test_fill(void **state)
{
	struct fixture *f = *state;
	enum { LARGE = 128 * 1024 };
	unsigned char *model = malloc(LARGE), *got = malloc(LARGE);

	fixture_random_bytes(model, LARGE);
	cl_mem mem = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, LARGE, model);
	for (int i = 0; i < 100; i++) {
		size_t pattern_size = (size_t)1 << (i % 8);
		size_t count = fixture_random_below(i < 90 ? 50 : LARGE / pattern_size + 1);
		size_t first = fixture_random_below(LARGE / pattern_size - count + 1);
		unsigned char pattern[128];
		cl_event event;
		fixture_random_bytes(pattern, sizeof(pattern));
		struct fill l = {f->queue,
				 mem,
				 pattern,
				 pattern_size,
				 first * pattern_size,
				 count * pattern_size,
				 0,
				 NULL};
		assert_int_equal(do_fill(&l, &event), CL_SUCCESS);
		for (size_t j = 0; j < count; j++)
			memcpy(model + (first + j) * pattern_size, pattern, pattern_size);
		memset(pattern, 0,
		       sizeof(pattern)); /* "can be reused … after the function returns" */
		wait_and_release(event, CL_COMMAND_FILL_BUFFER);
		fixture_read(f, mem, got, LARGE);
		assert_memory_equal(got, model, LARGE);
	}
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
	free(model);
	free(got);
}

/* ---- clEnqueueMigrateMemObjects -------------------------------------------------------------- */

static void test_migrate(void **state)
{
	struct fixture *f = *state;
	const cl_mem mems[] = {buffer, read_only, write_only, no_access, sub, buffer};
	const cl_mem foreign[] = {buffer, other};
	const cl_mem invalid[] = {buffer, NULL};
	const cl_event not_an_event = (cl_event)f->queue;
	cl_event event = NULL;

#define MIGRATE(queue, num, list, flags, num_waits, waits)                                         \
	clEnqueueMigrateMemObjects(queue, num, list, flags, num_waits, waits, &event)
	assert_int_equal(MIGRATE(NULL, 6, mems, 0, 0, NULL), CL_INVALID_COMMAND_QUEUE);
	assert_int_equal(MIGRATE(f->other_queue, 6, mems, 0, 0, NULL), CL_INVALID_CONTEXT);
	assert_int_equal(MIGRATE(f->queue, 2, foreign, 0, 0, NULL), CL_INVALID_CONTEXT);
	assert_int_equal(MIGRATE(f->queue, 2, invalid, 0, 0, NULL), CL_INVALID_MEM_OBJECT);
	assert_int_equal(MIGRATE(f->queue, 0, mems, 0, 0, NULL), CL_INVALID_VALUE);
	assert_int_equal(MIGRATE(f->queue, 6, NULL, 0, 0, NULL), CL_INVALID_VALUE);
	assert_int_equal(MIGRATE(f->queue, 6, mems, 4, 0, NULL), CL_INVALID_VALUE);
	assert_int_equal(MIGRATE(f->queue, 6, mems, 0, 1, NULL), CL_INVALID_EVENT_WAIT_LIST);
	assert_int_equal(MIGRATE(f->queue, 6, mems, 0, 1, &not_an_event),
			 CL_INVALID_EVENT_WAIT_LIST);
	assert_null(event);
	for (cl_mem_migration_flags flags = 0; flags < 4; flags++) {
		assert_int_equal(MIGRATE(f->queue, 6, mems, flags, 0, NULL), CL_SUCCESS);
		wait_and_release(event, CL_COMMAND_MIGRATE_MEM_OBJECTS);
	}
#undef MIGRATE
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_errors),
		cmocka_unit_test(test_write_errors),
		cmocka_unit_test(test_host_access_allowed),
		cmocka_unit_test(test_failed_wait),
		cmocka_unit_test(test_read_and_write),
		cmocka_unit_test(test_no_bytes),
		cmocka_unit_test(test_read_to_its_own_memory),
		cmocka_unit_test(test_copy_errors),
		cmocka_unit_test(test_copy_overlap),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_fill_errors),
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_migrate),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
