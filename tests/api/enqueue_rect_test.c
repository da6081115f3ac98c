/* SPDX-License-Identifier: MIT
 *
 * Rectangular reads, writes and copies: every error, and random boxes against a naive reference.
 */
#include "buffers.h"

#define SIZE 4096

static unsigned char bytes[SIZE];

static int set_up(void **state)
{
	return buffers_set_up(state, SIZE);
}

/* One side of a transfer. */
struct side {
	const size_t *origin;
	size_t row_pitch, slice_pitch;
};

/* ---- clEnqueueReadBufferRect, clEnqueueWriteBufferRect --------------------------------------- */

struct transfer {
	cl_command_queue queue;
	cl_mem mem;
	cl_bool blocking;
	struct side buffer, host;
	const size_t *region;
	void *ptr;
	cl_uint num_waits;
	const cl_event *waits;
};

typedef cl_int (*transfer_function)(const struct transfer *transfer, cl_event *event);

static cl_int do_read(const struct transfer *t, cl_event *event)
{
	return clEnqueueReadBufferRect(t->queue, t->mem, t->blocking, t->buffer.origin,
				       t->host.origin, t->region, t->buffer.row_pitch,
				       t->buffer.slice_pitch, t->host.row_pitch,
				       t->host.slice_pitch, t->ptr, t->num_waits, t->waits, event);
}

static cl_int do_write(const struct transfer *t, cl_event *event)
{
	return clEnqueueWriteBufferRect(t->queue, t->mem, t->blocking, t->buffer.origin,
					t->host.origin, t->region, t->buffer.row_pitch,
					t->buffer.slice_pitch, t->host.row_pitch,
					t->host.slice_pitch, t->ptr, t->num_waits, t->waits, event);
}

static const size_t zero[3] = {0, 0, 0};
static const size_t region[3] = {16, 8, 4};

static void expect(transfer_function enqueue, struct transfer transfer, cl_int error)
{
	cl_event event = NULL;

	assert_int_equal(enqueue(&transfer, &event), error);
	assert_null(event);
}

static const struct {
	size_t region[3];
	size_t row_pitch, slice_pitch;
} bad_pitches[] = {
	{{0, 8, 4}, 0, 0},     {{16, 0, 4}, 0, 0},    {{16, 8, 0}, 0, 0},   {{16, 8, 4}, 15, 0},
	{{16, 8, 4}, 20, 159}, {{16, 8, 4}, 20, 170}, {{16, 8, 4}, 0, 100}, {{16, 8, 4}, 0, 130},
};

static void check_transfer_errors(struct fixture *f, transfer_function enqueue)
{
	static const size_t far[3] = {0, 0, 7}, huge[3] = {SIZE_MAX, 1, 1},
			    wide[3] = {SIZE + 1, 1, 1};
	const cl_event invalid = (cl_event)f->queue;
	const struct transfer good = {
		f->queue, buffer, CL_FALSE, {zero, 32, 512}, {zero, 0, 0}, region, bytes, 0, NULL};
	struct transfer t;

#define EXPECT(field, value, error) t = good, t.field = (value), expect(enqueue, t, error)
	EXPECT(queue, NULL, CL_INVALID_COMMAND_QUEUE);
	EXPECT(queue, f->other_queue, CL_INVALID_CONTEXT);
	EXPECT(mem, NULL, CL_INVALID_MEM_OBJECT);
	EXPECT(mem, other, CL_INVALID_CONTEXT);
	EXPECT(buffer.origin, NULL, CL_INVALID_VALUE);
	EXPECT(host.origin, NULL, CL_INVALID_VALUE);
	EXPECT(region, NULL, CL_INVALID_VALUE);
	EXPECT(ptr, NULL, CL_INVALID_VALUE);
	EXPECT(buffer.origin, far, CL_INVALID_VALUE);
	EXPECT(buffer.origin, huge, CL_INVALID_VALUE);
	EXPECT(host.origin, huge, CL_INVALID_VALUE);
	EXPECT(region, wide, CL_INVALID_VALUE);
	EXPECT(num_waits, 1, CL_INVALID_EVENT_WAIT_LIST);
	EXPECT(waits, &invalid, CL_INVALID_EVENT_WAIT_LIST);
	EXPECT(mem, no_access, CL_INVALID_OPERATION);
	EXPECT(mem, enqueue == do_read ? write_only : read_only, CL_INVALID_OPERATION);
#undef EXPECT
	for (size_t i = 0; i < sizeof(bad_pitches) / sizeof(bad_pitches[0]); i++) {
		t = good;
		t.region = bad_pitches[i].region;
		t.buffer =
			(struct side){zero, bad_pitches[i].row_pitch, bad_pitches[i].slice_pitch};
		expect(enqueue, t, CL_INVALID_VALUE);
		t.host = t.buffer;
		t.buffer = good.buffer;
		expect(enqueue, t, CL_INVALID_VALUE);
	}
	t = good, t.blocking = CL_TRUE;
	assert_int_equal(enqueue(&t, NULL), CL_SUCCESS);
}

static void test_read_errors(void **state)
{
	check_transfer_errors(*state, do_read);
}

static void test_write_errors(void **state)
{
	check_transfer_errors(*state, do_write);
}

static struct transfer transfer_behind(struct fixture *f, cl_bool blocking, const cl_event *wait)
{
	return (struct transfer){f->queue, buffer, blocking, {zero, 0, 0}, {zero, 0, 0},
				 region,   bytes,  1,        wait};
}

static cl_int read_behind(struct fixture *f, cl_bool blocking, const cl_event *wait,
			  cl_event *event)
{
	const struct transfer t = transfer_behind(f, blocking, wait);

	return do_read(&t, event);
}

static cl_int write_behind(struct fixture *f, cl_bool blocking, const cl_event *wait,
			   cl_event *event)
{
	const struct transfer t = transfer_behind(f, blocking, wait);

	return do_write(&t, event);
}

static void test_failed_wait(void **state)
{
	check_failed_wait(*state, read_behind);
	check_failed_wait(*state, write_behind);
}

/* ---- clEnqueueCopyBufferRect ----------------------------------------------------------------- */

struct copy {
	cl_command_queue queue;
	cl_mem source, destination;
	struct side from, to;
	const size_t *region;
	cl_uint num_waits;
	const cl_event *waits;
};

static cl_int do_copy(const struct copy *c, cl_event *event)
{
	return clEnqueueCopyBufferRect(c->queue, c->source, c->destination, c->from.origin,
				       c->to.origin, c->region, c->from.row_pitch,
				       c->from.slice_pitch, c->to.row_pitch, c->to.slice_pitch,
				       c->num_waits, c->waits, event);
}

static void expect_copy(struct copy copy, cl_int error)
{
	cl_event event = NULL;

	cl_int err = do_copy(&copy, &event);
	check_command(err, event, error);
}

static void test_copy_errors(void **state)
{
	static const size_t far[3] = {0, 0, 7}, huge[3] = {1, 1, SIZE_MAX};
	struct fixture *f = *state;
	const cl_event invalid = (cl_event)f->queue;
	const struct copy good = {f->queue,     buffer, no_access, {zero, 32, 512},
				  {zero, 0, 0}, region, 0,         NULL};
	struct copy c;

#define EXPECT(field, value, error) c = good, c.field = (value), expect_copy(c, error)
	EXPECT(queue, NULL, CL_INVALID_COMMAND_QUEUE);
	EXPECT(queue, f->other_queue, CL_INVALID_CONTEXT);
	EXPECT(source, NULL, CL_INVALID_MEM_OBJECT);
	EXPECT(destination, NULL, CL_INVALID_MEM_OBJECT);
	EXPECT(source, other, CL_INVALID_CONTEXT);
	EXPECT(destination, other, CL_INVALID_CONTEXT);
	EXPECT(from.origin, NULL, CL_INVALID_VALUE);
	EXPECT(to.origin, NULL, CL_INVALID_VALUE);
	EXPECT(region, NULL, CL_INVALID_VALUE);
	EXPECT(from.origin, far, CL_INVALID_VALUE);
	EXPECT(from.origin, huge, CL_INVALID_VALUE);
	EXPECT(to.origin, huge, CL_INVALID_VALUE);
	EXPECT(num_waits, 1, CL_INVALID_EVENT_WAIT_LIST);
	EXPECT(waits, &invalid, CL_INVALID_EVENT_WAIT_LIST);
	/* Within one buffer the pitches must be the same. */
	EXPECT(destination, buffer, CL_INVALID_VALUE);
	c = good, c.destination = buffer, c.to = (struct side){far, 32, 256};
	expect_copy(c, CL_INVALID_VALUE);
#undef EXPECT
	for (size_t i = 0; i < sizeof(bad_pitches) / sizeof(bad_pitches[0]); i++) {
		c = good;
		c.region = bad_pitches[i].region;
		c.from = (struct side){zero, bad_pitches[i].row_pitch, bad_pitches[i].slice_pitch};
		expect_copy(c, CL_INVALID_VALUE);
		c.to = c.from;
		c.from = good.from;
		expect_copy(c, CL_INVALID_VALUE);
	}
	expect_copy(
		(struct copy){good.queue, buffer, no_access, good.from, good.to, region, 0, NULL},
		CL_SUCCESS);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
}

static void test_copy_overlap(void **state)
{
	static const size_t beside[3] = {16, 0, 0}, across[3] = {15, 7, 0}, below[3] = {0, 8, 0};
	struct fixture *f = *state;
	const struct side side = {zero, 32, 512};
	cl_mem low = fixture_sub_buffer(buffer, 0, 0, SIZE / 2);
	cl_mem high = fixture_sub_buffer(buffer, 0, f->alignment, SIZE / 2);
	struct copy c = {f->queue, buffer, buffer, side, side, region, 0, NULL};

	expect_copy(c, CL_MEM_COPY_OVERLAP);
	c.to.origin = across;
	expect_copy(c, CL_MEM_COPY_OVERLAP);
	c.to.origin = beside;
	expect_copy(c, CL_SUCCESS);
	c.to.origin = below;
	expect_copy(c, CL_SUCCESS);
	/* Sub-buffers of one buffer, with the same pitches and with others. */
	c = (struct copy){f->queue, low, high, side, side, region, 0, NULL};
	expect_copy(c, CL_MEM_COPY_OVERLAP);
	c.to = (struct side){zero, 16, 0};
	expect_copy(c, CL_MEM_COPY_OVERLAP);
	assert_int_equal(clFinish(f->queue), CL_SUCCESS);
	release_mems((const cl_mem[]){low, high, NULL});
}

/* ---- random boxes ---------------------------------------------------------------------------- */

/* A box that fits SIZE bytes, pitches sometimes left to the implementation. */
struct box {
	size_t origin[3];
	size_t row_pitch, slice_pitch; /* as passed */
	size_t row, slice;             /* as meant */
};

static struct box random_box(const size_t r[3])
{
	struct box box = {{0}, 0, 0, r[0], 0};
	uint32_t choice = fixture_random();

	if (choice & 1)
		box.row = box.row_pitch = r[0] + fixture_random_below(9);
	box.slice = r[1] * box.row;
	if (choice & 2)
		box.slice = box.slice_pitch = box.slice + box.row * fixture_random_below(3);
	size_t span = (r[2] - 1) * box.slice + (r[1] - 1) * box.row + r[0];
	size_t room = SIZE - span;
	box.origin[2] = room / box.slice ? fixture_random_below(room / box.slice + 1) : 0;
	room -= box.origin[2] * box.slice;
	box.origin[1] = fixture_random_below(room / box.row + 1);
	room -= box.origin[1] * box.row;
	box.origin[0] = fixture_random_below(room + 1);
	return box;
}

static size_t at(const struct box *box, size_t y, size_t z)
{
	return (box->origin[2] + z) * box->slice + (box->origin[1] + y) * box->row + box->origin[0];
}

static void naive_copy(unsigned char *to, const struct box *to_box, const unsigned char *from,
		       const struct box *from_box, const size_t r[3])
{
	for (size_t z = 0; z < r[2]; z++) {
		for (size_t y = 0; y < r[1]; y++) {
			for (size_t x = 0; x < r[0]; x++)
				to[at(to_box, y, z) + x] = from[at(from_box, y, z) + x];
		}
	}
}

static struct side side_of(const struct box *box)
{
	return (struct side){box->origin, box->row_pitch, box->slice_pitch};
}

static void test_random_boxes(void **state)
{
	struct fixture *f = *state;
	static unsigned char a[SIZE], b[SIZE], host[SIZE], got[SIZE], expected[SIZE];

	fixture_random_bytes(a, SIZE);
	fixture_random_bytes(b, SIZE);
	fixture_random_bytes(host, SIZE);
	cl_mem mem_a = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, SIZE, a);
	cl_mem mem_b = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, SIZE, b);
	for (int i = 0; i < 300; i++) {
		const size_t r[3] = {1 + fixture_random_below(20), 1 + fixture_random_below(8),
				     1 + fixture_random_below(4)};
		struct box in_a = random_box(r), in_b = random_box(r), in_host = random_box(r);
		struct transfer t = {f->queue, mem_a, i & 1, side_of(&in_a), side_of(&in_host), r,
				     host,     0,     NULL};
		struct copy c = {f->queue,       mem_a, mem_b, side_of(&in_a),
				 side_of(&in_b), r,     0,     NULL};
		cl_event written, copied, read;

		assert_int_equal(do_write(&t, &written), CL_SUCCESS);
		naive_copy(a, &in_a, host, &in_host, r);
		assert_int_equal(do_copy(&c, &copied), CL_SUCCESS);
		naive_copy(b, &in_b, a, &in_a, r);
		memset(got, 0, SIZE);
		memset(expected, 0, SIZE);
		t.mem = mem_b, t.buffer = side_of(&in_b), t.ptr = got;
		assert_int_equal(do_read(&t, &read), CL_SUCCESS);
		naive_copy(expected, &in_host, b, &in_b, r);

		wait_and_release(written, CL_COMMAND_WRITE_BUFFER_RECT);
		wait_and_release(copied, CL_COMMAND_COPY_BUFFER_RECT);
		wait_and_release(read, CL_COMMAND_READ_BUFFER_RECT);
		assert_memory_equal(got, expected, SIZE);
		fixture_read(f, mem_a, got, SIZE);
		assert_memory_equal(got, a, SIZE);
		fixture_read(f, mem_b, got, SIZE);
		assert_memory_equal(got, b, SIZE);
	}
	release_mems((const cl_mem[]){mem_a, mem_b, NULL});
}

/* Boxes of one buffer: what is refused leaves it alone, what is accepted is right. */
static void test_random_boxes_of_one_buffer(void **state)
{
	struct fixture *f = *state;
	static unsigned char model[SIZE], before[SIZE], got[SIZE];
	int accepted = 0;

	fixture_random_bytes(model, SIZE);
	cl_mem mem = fixture_buffer(f, CL_MEM_COPY_HOST_PTR, SIZE, model);
	for (int i = 0; i < 500; i++) {
		const size_t r[3] = {1 + fixture_random_below(20), 1 + fixture_random_below(8),
				     1 + fixture_random_below(4)};
		struct box from = random_box(r);
		struct box to = random_box(r);
		to.row = to.row_pitch = from.row_pitch = from.row;
		to.slice = to.slice_pitch = from.slice_pitch = from.slice;
		struct copy c = {f->queue, mem, mem, side_of(&from), side_of(&to), r, 0, NULL};
		cl_int err = do_copy(&c, NULL);
		if (err == CL_SUCCESS) {
			memcpy(before, model, SIZE);
			naive_copy(model, &to, before, &from, r);
			accepted++;
		} else {
			assert_true(err == CL_MEM_COPY_OVERLAP || err == CL_INVALID_VALUE);
		}
		fixture_read(f, mem, got, SIZE);
		assert_memory_equal(got, model, SIZE);
	}
	assert_true(accepted > 50);
	assert_int_equal(clReleaseMemObject(mem), CL_SUCCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_errors),
		cmocka_unit_test(test_write_errors),
		cmocka_unit_test(test_failed_wait),
		cmocka_unit_test(test_copy_errors),
		cmocka_unit_test(test_copy_overlap),
		cmocka_unit_test(test_random_boxes),
		cmocka_unit_test(test_random_boxes_of_one_buffer),
	};

	return cmocka_run_group_tests(tests, set_up, buffers_tear_down);
}
