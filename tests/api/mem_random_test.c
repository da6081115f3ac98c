/* SPDX-License-Identifier: MIT
 *
 * Long random sequences of buffer commands that no thread waits for, on buffers and sub-buffers, against a model in the
 * host's memory: an in-order queue, and an out-of-order one whose commands are chained by events.
 */
#include "fixture.h"

enum { BUFFERS = 3, SUBS = 2, MEMS = BUFFERS * (1 + SUBS), COMMANDS = 400, SEQUENCES = 10 };

/* A buffer or sub-buffer, and where its bytes are in the model. */
struct piece {
	cl_mem mem;
	unsigned char *model;
	size_t size;
};

struct sequence {
	struct fixture *fixture;
	cl_command_queue queue;
	cl_event last;         /* what the next command waits for, or NULL */
	size_t size;           /* bytes of a buffer */
	unsigned char *models; /* of all buffers */
	unsigned char *given;  /* bytes that writes take, COMMANDS times a buffer's size */
	struct piece pieces[MEMS];
};

static const struct piece *any_piece(const struct sequence *s)
{
	return &s->pieces[fixture_random_below(MEMS)];
}

/* Chains the command that is about to be enqueued behind the last one. */
static cl_uint num_waits(const struct sequence *s)
{
	return s->last != NULL;
}

static const cl_event *waits(const struct sequence *s)
{
	return s->last ? &s->last : NULL;
}

static void enqueued(struct sequence *s, cl_int err, const cl_event *event)
{
	assert_int_equal(err, CL_SUCCESS);
	if (s->last)
		assert_int_equal(clReleaseEvent(s->last), CL_SUCCESS);
	s->last = *event;
}

static void write_some(struct sequence *s, int number)
{
	const struct piece *to = any_piece(s);
	size_t size = fixture_random_below(to->size + 1);
	size_t offset = fixture_random_below(to->size - size + 1);
	unsigned char *bytes = s->given + (size_t)number * s->size;
	cl_event event;

	fixture_random_bytes(bytes, size);
	enqueued(s,
		 clEnqueueWriteBuffer(s->queue, to->mem, CL_FALSE, offset, size, bytes,
				      num_waits(s), waits(s), &event),
		 &event);
	memcpy(to->model + offset, bytes, size);
}

static void fill_some(struct sequence *s)
{
	const struct piece *to = any_piece(s);
	size_t pattern_size = (size_t)1 << fixture_random_below(5);
	size_t count = fixture_random_below(to->size / pattern_size + 1);
	size_t first = fixture_random_below(to->size / pattern_size - count + 1);
	unsigned char pattern[16];
	cl_event event;

	fixture_random_bytes(pattern, sizeof(pattern));
	enqueued(s,
		 clEnqueueFillBuffer(s->queue, to->mem, pattern, pattern_size, first * pattern_size,
				     count * pattern_size, num_waits(s), waits(s), &event),
		 &event);
	for (size_t i = first; i < first + count; i++)
		memcpy(to->model + i * pattern_size, pattern, pattern_size);
}

/* The model's addresses tell what overlaps, through sub-buffers too. */
static void copy_some(struct sequence *s)
{
	const struct piece *from = any_piece(s), *to = any_piece(s);
	size_t smaller = from->size < to->size ? from->size : to->size;
	size_t size = fixture_random_below(smaller + 1);
	size_t a = fixture_random_below(from->size - size + 1);
	size_t b = fixture_random_below(to->size - size + 1);
	const unsigned char *source = from->model + a;
	unsigned char *destination = to->model + b;
	bool overlap = size && source < destination + size && destination < source + size;
	cl_event event;

	cl_int err = clEnqueueCopyBuffer(s->queue, from->mem, to->mem, a, b, size, num_waits(s),
					 waits(s), &event);
	if (overlap) {
		assert_int_equal(err, CL_MEM_COPY_OVERLAP);
		return;
	}
	enqueued(s, err, &event);
	memcpy(destination, source, size);
}

static void map_some(struct sequence *s)
{
	const struct piece *piece = any_piece(s);
	size_t size = 1 + fixture_random_below(piece->size);
	size_t offset = fixture_random_below(piece->size - size + 1);
	cl_event event;
	cl_int err;

	unsigned char *pointer =
		clEnqueueMapBuffer(s->queue, piece->mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
				   offset, size, num_waits(s), waits(s), NULL, &err);
	assert_int_equal(err, CL_SUCCESS);
	assert_memory_equal(pointer, piece->model + offset, size);
	fixture_random_bytes(piece->model + offset, size);
	memcpy(pointer, piece->model + offset, size);
	enqueued(s, clEnqueueUnmapMemObject(s->queue, piece->mem, pointer, 0, NULL, &event),
		 &event);
}

static void begin(struct sequence *s, struct fixture *f, cl_command_queue queue)
{
	*s = (struct sequence){.fixture = f, .queue = queue, .size = 4 * f->alignment};
	s->models = malloc(BUFFERS * s->size);
	s->given = malloc(COMMANDS * s->size);
	fixture_random_bytes(s->models, BUFFERS * s->size);
	for (size_t i = 0; i < BUFFERS; i++) {
		struct piece *piece = &s->pieces[i * (1 + SUBS)];
		unsigned char *model = s->models + i * s->size;
		*piece = (struct piece){fixture_buffer(f, CL_MEM_COPY_HOST_PTR, s->size, model),
					model, s->size};
		for (size_t j = 1; j <= SUBS; j++) {
			size_t origin = j * f->alignment;
			size_t size = 1 + fixture_random_below(s->size - origin);
			piece[j] = (struct piece){fixture_sub_buffer(piece->mem, 0, origin, size),
						  model + origin, size};
		}
	}
}

static void end(struct sequence *s)
{
	unsigned char *got = malloc(s->size);

	for (size_t i = 0; i < MEMS; i++) {
		const struct piece *piece = &s->pieces[i];
		assert_int_equal(clEnqueueReadBuffer(s->queue, piece->mem, CL_TRUE, 0, piece->size,
						     got, num_waits(s), waits(s), NULL),
				 CL_SUCCESS);
		assert_memory_equal(got, piece->model, piece->size);
	}
	for (size_t i = 0; i < MEMS; i++)
		assert_int_equal(clReleaseMemObject(s->pieces[i].mem), CL_SUCCESS);
	assert_int_equal(clReleaseEvent(s->last), CL_SUCCESS);
	free(got);
	free(s->models);
	free(s->given);
}

static void run(struct fixture *f, cl_command_queue queue)
{
	struct sequence s;

	begin(&s, f, queue);
	for (int i = 0; i < COMMANDS; i++) {
		size_t choice = fixture_random_below(16);
		if (choice == 0)
			map_some(&s);
		else if (choice < 6)
			write_some(&s, i);
		else if (choice < 9)
			fill_some(&s);
		else
			copy_some(&s);
	}
	end(&s);
}

static void test_in_order(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < SEQUENCES; i++)
		run(f, f->queue);
}

static void test_chained(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < SEQUENCES; i++)
		run(f, f->out_of_order);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_chained),
	};

	return cmocka_run_group_tests(tests, fixture_set_up, fixture_tear_down);
}
